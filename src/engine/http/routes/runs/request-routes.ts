// What runs ask of people, over HTTP: approval for tools and questions, listed and answered.
import type { Context } from 'hono';
import { z } from 'zod';
import { ApiError } from '#engine/http/routing/refusal.ts';
import { defineRoute, type HttpEnv, type Route } from '#engine/http/routing/route.ts';
import { okAnswer } from '#engine/operations/fields.ts';
import {
  answerer,
  permissionReplies,
  permissionRequest,
  questionAnswer,
  questionRequest,
  standingRule,
} from '#engine/wire/runs/request.ts';
import type { EngineService } from '#engine/wire/service.ts';

const by = answerer.optional();
const goesOn = z
  .string()
  .describe('The run that goes on: another one than that which asked where its process has died since');
const permissionReply = z.object({ reply: z.enum(permissionReplies), by });
const permissionReplied = z.object({
  ok: z.literal(true),
  requestID: z.string(),
  reply: z.enum(['once', 'always', 'reject']),
  status: z.literal('applied'),
  persistedRule: z.boolean(),
  ruleID: z.string().nullable(),
  /** As in Tandem's wire. */
  standingRuleID: z.string().nullable(),
  runID: goesOn,
});
const onlyBy = z.object({ by });
const questionReply = z.object({ answer: z.union([questionAnswer, z.string().max(10_000)]), by });
const questionReplied = z.object({ ok: z.literal(true), id: z.string(), runID: goesOn });

/** `/permission`, `/question`, and the same by session and call as on the Tandem wire. */
export function requestRoutes(engine: EngineService): Route[] {
  return [...permissionRoutes(engine), ...questionRoutes(engine)];
}

function permissionRoutes(engine: EngineService): Route[] {
  const reply = async (c: Context<HttpEnv>, requestID: string, given: z.infer<typeof permissionReply>) => {
    const { request, reply: applied, rule } = await engine.replyPermission(requestID, given);
    return c.json({
      ok: true,
      requestID,
      reply: applied,
      status: 'applied',
      persistedRule: rule !== undefined,
      ruleID: rule?.id ?? null,
      standingRuleID: rule?.id ?? null,
      runID: request.runID,
    });
  };
  const byCall = (word: 'approve' | 'deny'): Route =>
    defineRoute({
      method: 'POST',
      path: `/sessions/:id/tools/:request/${word}`,
      tag: 'requests',
      summary: `${word === 'approve' ? 'Allows' : 'Refuses'} a pending request of this session, once`,
      body: onlyBy,
      answers: { 200: { about: 'Applied', schema: permissionReplied } },
      async handle(c, { body }) {
        const requestID = c.req.param('request') ?? '';
        const found = (await engine.permissions()).find((each) => each.requestID === requestID);
        if (found !== undefined && found.sessionID !== c.req.param('id')) throw foreign();
        return reply(c, requestID, { reply: word === 'approve' ? 'once' : 'reject', by: body.by });
      },
    });
  return [
    defineRoute({
      method: 'GET',
      path: '/permission',
      tag: 'requests',
      summary: 'What waits for approval, oldest first',
      answers: { 200: { about: 'Pending requests', schema: z.array(permissionRequest) } },
      handle: async (c) => c.json(await engine.permissions()),
    }),
    defineRoute({
      method: 'POST',
      path: '/permission/:request/reply',
      tag: 'requests',
      summary:
        'Allows a tool call once or always, or refuses it; the first answer counts, and the same one by the same person again is no error',
      body: permissionReply,
      answers: { 200: { about: 'Applied', schema: permissionReplied } },
      handle: (c, { body }) => reply(c, c.req.param('request') ?? '', body),
    }),
    byCall('approve'),
    byCall('deny'),
    defineRoute({
      method: 'GET',
      path: '/permission/rules',
      tag: 'requests',
      summary: 'Permanent approvals, newest first',
      answers: { 200: { about: 'Standing rules', schema: z.array(standingRule) } },
      handle: async (c) => c.json(await engine.permissionRules()),
    }),
    defineRoute({
      method: 'DELETE',
      path: '/permission/rules/:rule',
      tag: 'requests',
      summary: 'Takes a standing rule back',
      answers: { 200: { about: 'It no longer exists', schema: okAnswer } },
      async handle(c) {
        await engine.removePermissionRule(c.req.param('rule') ?? '');
        return c.json({ ok: true });
      },
    }),
  ];
}

function questionRoutes(engine: EngineService): Route[] {
  const answers = { 200: { about: 'Applied', schema: questionReplied } };
  const reply = async (c: Context<HttpEnv>, id: string, given: z.infer<typeof questionReply>) => {
    const answer = typeof given.answer === 'string' ? [given.answer] : given.answer;
    const { runID } = await engine.replyQuestion(id, { answer, by: given.by });
    return c.json({ ok: true, id, runID });
  };
  return [
    defineRoute({
      method: 'GET',
      path: '/question',
      tag: 'requests',
      summary: 'What waits for an answer, oldest first',
      answers: { 200: { about: 'Pending questions', schema: z.array(questionRequest) } },
      handle: async (c) => c.json(await engine.questions()),
    }),
    defineRoute({
      method: 'POST',
      path: '/question/:request/reply',
      tag: 'requests',
      summary:
        'Answers each question of a request, in order; the first answer counts, and the same one by the same person again is no error',
      body: questionReply,
      answers,
      handle: (c, { body }) => reply(c, c.req.param('request') ?? '', body),
    }),
    defineRoute({
      method: 'POST',
      path: '/question/:request/reject',
      tag: 'requests',
      summary: 'Tells the run that there will be no answer',
      body: onlyBy,
      answers,
      async handle(c, { body }) {
        const id = c.req.param('request') ?? '';
        const { runID } = await engine.replyQuestion(id, { answer: null, by: body.by });
        return c.json({ ok: true, id, runID });
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/sessions/:id/questions/:request/answer',
      tag: 'requests',
      summary: 'Answers a pending question of this session',
      body: questionReply,
      answers,
      async handle(c, { body }) {
        const id = c.req.param('request') ?? '';
        const found = (await engine.questions()).find((each) => each.id === id);
        if (found !== undefined && found.sessionID !== c.req.param('id')) throw foreign();
        return reply(c, id, body);
      },
    }),
  ];
}

function foreign(): ApiError {
  return new ApiError({
    status: 404,
    code: 'REQUEST_NOT_FOUND',
    message: 'This session has no such request.',
  });
}
