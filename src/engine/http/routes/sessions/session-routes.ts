// Making, listing, reading, changing and removing sessions over HTTP. Not runs: those are in prompt-routes and run-routes.

import { z } from 'zod';
import { knownSession, sessionOr404 } from '#engine/http/routing/lookup.ts';
import { defineRoute, type Route } from '#engine/http/routing/route.ts';
import { idempotencyKeyOf, modelChoice, promptLimitBytes } from '#engine/http/routing/start-run.ts';
import { integerParam, line, okAnswer, optionalID, pageFields, pageOf } from '#engine/operations/fields.ts';
import { appendedMessage } from '#engine/wire/runs/prompt.ts';
import type { EngineService } from '#engine/wire/service.ts';
import { withErrorText } from '#engine/wire/sessions/error-text.ts';
import { wireSession, wireSessionMessage } from '#engine/wire/sessions/message.ts';

const createBody = z.object({
  title: line(300).optional(),
  projectID: line(200).optional(),
  directory: line(4096).optional(),
  workspaceRoot: line(4096).optional().describe('Where its work is; `directory` when absent'),
  model: modelChoice.optional().describe('What answers where a prompt names no model'),
  parentID: line(200).optional().describe('The session that it is a child of'),
  sourceKind: z.enum(['channel', 'api']).default('api'),
  sourceMetadata: z.record(z.string().max(100), z.unknown()).optional(),
});

const time = integerParam(0, Number.MAX_SAFE_INTEGER);

const listQuery = z.object({
  ...pageFields,
  title: z.string().min(1).max(300).optional().describe('Part of the title'),
  ids: z.string().min(1).max(5_000).optional().describe('Only these, with commas between them'),
  source_kind: z.enum(['channel', 'api']).optional(),
  project_id: optionalID,
  parent_id: optionalID,
  archived: z.enum(['true', 'false', 'all']).default('false'),
  shared: z.enum(['true', 'false', 'all']).default('all'),
  platform: z.string().min(1).max(40).optional().describe('Sessions of chats there'),
  chat: z
    .string()
    .min(1)
    .max(1_000)
    .optional()
    .describe('Canonical address of a chat that wrote in it; that of a room means its threads too'),
  room: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('Part of the name of a space, a room or a thread that wrote in it'),
  person: z.string().min(1).max(200).optional().describe('Part of the name of someone who wrote in it'),
  agent: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('Part of the name of an assistant that answered in it'),
  text: z.string().min(1).max(300).optional().describe('Part of what was written in it'),
  from_ms: time.optional().describe('Something was written in it at this time or later'),
  until_ms: time.optional().describe('It began before then'),
  order: z.enum(['created', 'updated']).default('created').describe('The newest first, by this time'),
});

const changeBody = z.strictObject({
  title: line(300).optional(),
  archived: z.boolean().optional(),
  shared: z.boolean().optional(),
});

/** A message as the Tandem wire has it: `metadata` is always null, since a message has none. */
const appendBody = z
  .strictObject({ ...appendedMessage.shape, metadata: z.null().optional() })
  .transform(({ parts }) => ({ parts }));

const attachBody = z.strictObject({
  target_workspace: line(4096).describe('The workspace root that the session has from then on'),
  reason_tag: line(200).optional().describe('`manual_attach` when absent'),
});

const flag = (value: 'true' | 'false' | 'all'): boolean | undefined =>
  value === 'all' ? undefined : value === 'true';

const one = { 200: { about: 'The session', schema: wireSession } };

/** The routes of `/session` and `/session/{id}`. */
export function sessionRoutes(engine: EngineService): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/session',
      tag: 'sessions',
      summary: 'Makes a session',
      body: createBody,
      startsWork: true,
      answers: one,
      async handle(c, { body }) {
        const idempotencyKey = idempotencyKeyOf(c);
        return c.json(await engine.createSession(body, { idempotencyKey }));
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/session',
      tag: 'sessions',
      summary: 'Lists sessions, newest first, without their messages; `x-total-count` counts all that fit',
      query: listQuery,
      answers: { 200: { about: 'A page of sessions', schema: z.array(wireSession) } },
      async handle(c, { query }) {
        const filter = {
          ids: query.ids?.split(','),
          title: query.title,
          sourceKind: query.source_kind,
          projectID: query.project_id,
          parentID: query.parent_id,
          archived: flag(query.archived),
          shared: flag(query.shared),
          ...{
            platform: query.platform,
            chat: query.chat,
            room: query.room,
            person: query.person,
            agent: query.agent,
            text: query.text,
            order: query.order,
          },
          ...{ fromMs: query.from_ms, untilMs: query.until_ms },
        };
        const { sessions, total } = await engine.findSessions(filter, pageOf(query));
        c.header('x-total-count', String(total));
        return c.json(sessions);
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/session/:id',
      tag: 'sessions',
      summary: 'A session with its messages',
      answers: one,
      async handle(c) {
        const session = await sessionOr404(engine, c.req.param('id') ?? '');
        return c.json({ ...session, messages: session.messages.map(withErrorText) });
      },
    }),
    defineRoute({
      method: 'PATCH',
      path: '/session/:id',
      tag: 'sessions',
      summary: 'Renames, archives or shares a session, or undoes it',
      body: changeBody,
      answers: one,
      async handle(c, { body }) {
        const { id } = await sessionOr404(engine, c.req.param('id') ?? '');
        return c.json(await engine.updateSession(id, body));
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/session/:id',
      tag: 'sessions',
      summary: 'Stops its run and removes the session with all that was written in it',
      answers: { 200: { about: 'It no longer exists', schema: okAnswer } },
      async handle(c) {
        const { id } = await sessionOr404(engine, c.req.param('id') ?? '');
        await engine.deleteSession(id);
        return c.json({ ok: true });
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/session/:id/attach',
      tag: 'sessions',
      summary: 'Moves a session to another workspace root; nothing changes where it is there already',
      body: attachBody,
      answers: one,
      async handle(c, { body }) {
        const id = await knownSession(engine, c.req.param('id') ?? '');
        const { target_workspace: workspaceRoot, reason_tag: reason } = body;
        return c.json(await engine.attachSession(id, { workspaceRoot, reason }));
      },
    }),
    ...messageRoutes(engine),
  ];
}

/** The routes of `/session/{id}/message`. */
function messageRoutes(engine: EngineService): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/session/:id/message',
      tag: 'sessions',
      summary:
        'The messages of a session, oldest first; `reverted=true` adds those that a revert set aside; with `limit` the newest, or those before one of them, and `x-total-count` counts all',
      query: z.object({
        reverted: z.enum(['true', 'false']).default('false'),
        limit: integerParam(1, 500).optional(),
        before: z.string().min(1).max(100).optional().describe('With `limit`: the id of a message'),
      }),
      answers: { 200: { about: 'Messages in ordered parts', schema: z.array(wireSessionMessage) } },
      async handle(c, { query }) {
        const id = await knownSession(engine, c.req.param('id') ?? '');
        if (query.limit !== undefined) {
          const { before, limit } = query;
          const { messages, total } = await engine.messagePage(id, { before, limit });
          c.header('x-total-count', String(total));
          return c.json(messages.map(withErrorText));
        }
        const all = await (query.reverted === 'true' ? engine.allMessages(id) : engine.messages(id));
        return c.json(all.map(withErrorText));
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/session/:id/message',
      tag: 'sessions',
      summary:
        'Appends a message of a user and starts no run, also while one is active; the next prompt is answered with it in view',
      body: appendBody,
      bodyLimitBytes: promptLimitBytes,
      startsWork: true,
      answers: { 200: { about: 'The message', schema: wireSessionMessage } },
      async handle(c, { body }) {
        const idempotencyKey = idempotencyKeyOf(c);
        const id = await knownSession(engine, c.req.param('id') ?? '');
        return c.json(await engine.appendMessage(id, body, { idempotencyKey }));
      },
    }),
  ];
}
