// What grows out of a session over HTTP: forks, reverts, share flags, to-dos. Not its messages.
import { z } from 'zod';
import { knownSession, sessionOr404 } from '#engine/http/routing/lookup.ts';
import { defineRoute, type Route } from '#engine/http/routing/route.ts';
import { idempotencyKeyOf } from '#engine/http/routing/start-run.ts';
import { noFields, pageFields, pageOf } from '#engine/operations/fields.ts';
import type { EngineService } from '#engine/wire/service.ts';
import { sessionContext } from '#engine/wire/sessions/context.ts';
import { wireSession } from '#engine/wire/sessions/message.ts';
import { sessionSummary, summaryRequest } from '#engine/wire/sessions/summary.ts';
import { todoList } from '#engine/wire/sessions/todo.ts';
import { revertRoutes } from './revert-routes.ts';

const messageID = z.string().min(1).max(100);
const one = { 200: { about: 'The session', schema: wireSession } };
const todos = { 200: { about: 'The list', schema: todoList } };

/** `/session/{id}/` with `fork`, `children`, `revert`, `unrevert`, `snapshots`, `diff`, `summarize`, `context`, `share` and `todo`. */
export function branchRoutes(engine: EngineService): Route[] {
  const share = (method: 'POST' | 'DELETE', summary: string): Route =>
    defineRoute({
      method,
      path: '/session/:id/share',
      tag: 'sessions',
      summary,
      body: method === 'POST' ? z.object({ shared: z.boolean().default(true) }) : noFields,
      answers: one,
      async handle(c, { body }) {
        const { id } = await sessionOr404(engine, c.req.param('id') ?? '');
        return c.json(await engine.updateSession(id, { shared: 'shared' in body && body.shared === true }));
      },
    });
  return [
    defineRoute({
      method: 'POST',
      path: '/session/:id/fork',
      tag: 'sessions',
      summary: 'A new session with what was written up to and including a message (everything without one)',
      body: z.object({ messageID: messageID.optional() }),
      startsWork: true,
      answers: one,
      async handle(c, { body }) {
        const idempotencyKey = idempotencyKeyOf(c);
        const { id } = await sessionOr404(engine, c.req.param('id') ?? '');
        return c.json(await engine.forkSession(id, { ...body, idempotencyKey }));
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/session/:id/children',
      tag: 'sessions',
      summary: 'The forks of a session, newest first',
      query: z.object(pageFields),
      answers: { 200: { about: 'A page of sessions', schema: z.array(wireSession) } },
      async handle(c, { query }) {
        const { id } = await sessionOr404(engine, c.req.param('id') ?? '');
        const { sessions, total } = await engine.findSessions({ parentID: id }, pageOf(query));
        c.header('x-total-count', String(total));
        return c.json(sessions);
      },
    }),
    ...revertRoutes(engine),
    defineRoute({
      method: 'POST',
      path: '/session/:id/summarize',
      tag: 'sessions',
      summary:
        'Summarizes all but the newest exchange; from then on prompts have the summary in their place, until a revert',
      body: summaryRequest,
      startsWork: true,
      answers: { 200: { about: 'The summary that now stands', schema: sessionSummary } },
      async handle(c, { body }) {
        const idempotencyKey = idempotencyKeyOf(c);
        const { id } = await sessionOr404(engine, c.req.param('id') ?? '');
        return c.json(await engine.summarizeSession(id, { ...body, idempotencyKey }));
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/session/:id/context',
      tag: 'sessions',
      summary: 'What the newest prompt of a session held, part by part, and the window of its model',
      answers: { 200: { about: 'The parts with their sizes', schema: sessionContext } },
      async handle(c) {
        const id = await knownSession(engine, c.req.param('id') ?? '');
        return c.json(await engine.sessionContext(id));
      },
    }),
    share('POST', 'Marks a session as shared'),
    share('DELETE', 'Takes the mark away'),
    defineRoute({
      method: 'GET',
      path: '/session/:id/todo',
      tag: 'sessions',
      summary: 'The to-do list of a session',
      answers: todos,
      async handle(c) {
        const { id } = await sessionOr404(engine, c.req.param('id') ?? '');
        return c.json(await engine.todos(id));
      },
    }),
    defineRoute({
      method: 'PUT',
      path: '/session/:id/todo',
      tag: 'sessions',
      summary: 'Replaces the to-do list of a session',
      body: z.object({ todos: todoList }),
      answers: todos,
      async handle(c, { body }) {
        const { id } = await sessionOr404(engine, c.req.param('id') ?? '');
        await engine.setTodos(id, body.todos);
        return c.json(await engine.todos(id));
      },
    }),
  ];
}
