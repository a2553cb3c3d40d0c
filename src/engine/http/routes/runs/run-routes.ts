// Runs over HTTP: which there are, which are active, and what happened to their messages and answers. Not starting them.
import { z } from 'zod';
import { knownSession, runOf } from '#engine/http/routing/lookup.ts';
import { defineRoute, type Route } from '#engine/http/routing/route.ts';
import { integerParam, okAnswer, optionalID, pageFields, pageOf } from '#engine/operations/fields.ts';
import { amendment } from '#engine/wire/runs/amendment.ts';
import { runFeedback } from '#engine/wire/runs/feedback.ts';
import { runStatuses, wireRun } from '#engine/wire/runs/run.ts';
import type { EngineService } from '#engine/wire/service.ts';
import type { EventStreamSource } from './event-route.ts';
import { runRecordRoutes } from './run-record-routes.ts';

const activeRun = z.object({
  runID: z.string(),
  sessionID: z.string(),
  startedAtMs: z.number(),
  lastActivityAtMs: z.number(),
});

const part = z.string().min(1).max(200).optional();
const ms = integerParam(0, Number.MAX_SAFE_INTEGER).optional();

const listQuery = z.object({
  ...pageFields,
  sessionID: optionalID,
  status: z.enum(runStatuses).optional(),
  ids: z.string().min(1).max(5_000).optional().describe('Only these, with commas between them'),
  person: part.describe('Part of the name of who asked'),
  chat: z
    .string()
    .min(1)
    .max(1_000)
    .optional()
    .describe('Canonical address; that of a room means its threads too'),
  room: part.describe('Part of the name of the space, the room or the thread'),
  agent: part.describe('Part of its name'),
  model: part.describe('Part of its name'),
  from_ms: ms.describe('Begun at that time or later'),
  least_ms: ms.describe('Those that worked so long or longer; waiting for people is not work'),
  order: z
    .enum(['started', 'duration', 'cost'])
    .default('started')
    .describe('The newest, longest or dearest first'),
});

/** `/runs` with what is stored of each, and the active run of sessions. */
export function runRoutes(engine: EngineService, source: EventStreamSource): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/runs',
      tag: 'runs',
      summary: 'Lists runs; `x-total-count` counts all that fit',
      query: listQuery,
      answers: { 200: { about: 'A page of runs', schema: z.array(wireRun) } },
      async handle(c, { query }) {
        const { ids, from_ms: fromMs, least_ms: leastMs, page, page_size, ...filter } = query;
        const { runs, total } = await engine.listRuns(
          { ...filter, ids: ids?.split(','), fromMs, leastMs },
          pageOf({ page, page_size }),
        );
        c.header('x-total-count', String(total));
        return c.json(runs);
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/runs/:run',
      tag: 'runs',
      summary: 'A run: status, failure, model, tokens and cost',
      answers: { 200: { about: 'The run', schema: wireRun } },
      handle: async (c) => c.json(await runOf(engine, c.req.param('run') ?? '', undefined)),
    }),
    ...runRecordRoutes(engine, source),
    defineRoute({
      method: 'POST',
      path: '/runs/:run/amend',
      tag: 'runs',
      summary:
        'Reports that a message which the run answers was changed or deleted; it counts once, however often it is reported',
      body: amendment,
      answers: { 200: { about: 'The session and memory hold the new words, or none', schema: okAnswer } },
      async handle(c, { body }) {
        const { runID } = await runOf(engine, c.req.param('run') ?? '', undefined);
        await engine.amend(runID, body);
        return c.json({ ok: true });
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/runs/:run/feedback',
      tag: 'runs',
      summary: 'Notes what a person thinks of the answer of a run, or that they take it back',
      body: runFeedback,
      answers: { 200: { about: 'It is stored with the run', schema: okAnswer } },
      async handle(c, { body }) {
        const { runID } = await runOf(engine, c.req.param('run') ?? '', undefined);
        await engine.noteFeedback(runID, body);
        return c.json({ ok: true });
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/runs/:run/answer',
      tag: 'runs',
      summary:
        'Deletes the answer of a run that has ended from its conversation and from memory; what was asked stays',
      answers: { 200: { about: 'Nothing has it any more', schema: okAnswer } },
      async handle(c) {
        const { runID } = await runOf(engine, c.req.param('run') ?? '', undefined);
        await engine.deleteAnswer(runID);
        return c.json({ ok: true });
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/runs/:run/delivered',
      tag: 'runs',
      summary:
        'Confirms that the answer of a run is in its chat. The exchange is then remembered, once, however often this is called',
      body: z.object({
        deliveredAtMs: z.number(),
        nativeIDs: z.array(z.string().max(200)).max(1000).describe("The platform's ids of its parts"),
      }),
      answers: { 200: { about: 'It is remembered', schema: okAnswer } },
      async handle(c, { body }) {
        await engine.delivered({ runID: c.req.param('run') ?? '', ...body });
        return c.json({ ok: true });
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/session/status',
      tag: 'runs',
      summary: 'The active run of each session that has one, by session',
      answers: { 200: { about: 'By session id', schema: z.record(z.string(), activeRun) } },
      async handle(c) {
        const active = await engine.activeRuns();
        return c.json(Object.fromEntries(active.map((run) => [run.sessionID, run])));
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/session/:id/run',
      tag: 'runs',
      summary: 'The active run of a session, or null',
      answers: { 200: { about: 'The run', schema: z.object({ active: activeRun.nullable() }) } },
      async handle(c) {
        const id = await knownSession(engine, c.req.param('id') ?? '');
        const active = (await engine.activeRuns()).find(({ sessionID }) => sessionID === id);
        return c.json({ active: active ?? null });
      },
    }),
  ];
}
