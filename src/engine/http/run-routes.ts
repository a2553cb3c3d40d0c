// Reading runs over HTTP: what they are, what they told, what they used. Not starting them.
import { z } from 'zod';
import { amendment } from '#engine/wire/amendment.ts';
import { wireEvent } from '#engine/wire/event-schema.ts';
import { runStatuses, wireRun } from '#engine/wire/run.ts';
import { runPrompt } from '#engine/wire/run-prompt.ts';
import type { EngineService } from '#engine/wire/service.ts';
import { usageBucket, usageSum } from '#engine/wire/usage.ts';
import { type EventStreamSource, runStream } from './event-route.ts';
import { integerParam, okAnswer, optionalID, pageFields, pageOf } from './fields.ts';
import { knownSession, runOf } from './lookup.ts';
import { ApiError } from './refusal.ts';
import { defineRoute, type Route } from './route.ts';

const day = z.iso.date().optional();
const activeRun = z.object({
  runID: z.string(),
  sessionID: z.string(),
  startedAtMs: z.number(),
  lastActivityAtMs: z.number(),
});

/** `/runs`, `/run/{id}/events`, the active run of sessions, and `/usage`. */
export function runRoutes(engine: EngineService, source: EventStreamSource): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/runs',
      tag: 'runs',
      summary: 'Lists runs, newest first; `x-total-count` counts all that fit',
      query: z.object({ ...pageFields, sessionID: optionalID, status: z.enum(runStatuses).optional() }),
      answers: { 200: { about: 'A page of runs', schema: z.array(wireRun) } },
      async handle(c, { query }) {
        const { sessionID, status } = query;
        const { runs, total } = await engine.listRuns({ sessionID, status }, pageOf(query));
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
    defineRoute({
      method: 'GET',
      path: '/runs/:run/events',
      tag: 'runs',
      summary: 'The durable events of a run, in order',
      query: z.object({
        after_seq: integerParam(0, Number.MAX_SAFE_INTEGER).default(0),
        limit: integerParam(1, 1000).default(200),
      }),
      answers: { 200: { about: 'A page of events', schema: z.array(wireEvent) } },
      async handle(c, { query }) {
        const { runID } = await runOf(engine, c.req.param('run') ?? '', undefined);
        return c.json(await engine.runEvents(runID, { afterSeq: query.after_seq, limit: query.limit }));
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/runs/:run/prompt',
      tag: 'runs',
      summary:
        'What the prompt of a run was made of: sections with sizes, and passages of memory with their sources',
      answers: { 200: { about: 'The prompt', schema: runPrompt } },
      async handle(c) {
        const { runID } = await runOf(engine, c.req.param('run') ?? '', undefined);
        const prompt = await engine.runPrompt(runID);
        if (prompt !== undefined) return c.json(prompt);
        throw new ApiError({
          status: 404,
          code: 'PROMPT_NOT_FOUND',
          message:
            'What the prompt of this run was made of is not known: it has not ended, or ended before this was stored.',
        });
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/run/:run/events',
      tag: 'events',
      summary: 'The events of a run as a stream, from its first one to its end',
      answers: { 200: { about: 'Server-sent events', type: 'text/event-stream' } },
      async handle(c) {
        const { runID, sessionID } = await runOf(engine, c.req.param('run') ?? '', undefined);
        return runStream(c, source, { runID, sessionID });
      },
    }),
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
    defineRoute({
      method: 'GET',
      path: '/context/runs/:run/replay',
      tag: 'runs',
      summary: 'A run as its files have it, and whether the database agrees',
      query: z.object({
        upto_seq: integerParam(0, Number.MAX_SAFE_INTEGER).optional(),
        from_checkpoint: z.enum(['true', 'false']).default('true'),
      }),
      answers: { 200: { about: 'State, board and drift', schema: z.record(z.string(), z.unknown()) } },
      async handle(c, { query }) {
        const { runID } = await runOf(engine, c.req.param('run') ?? '', undefined);
        const from = query.from_checkpoint === 'true' ? 'checkpoint' : 'start';
        return c.json(await engine.replayRun(runID, { uptoSeq: query.upto_seq, from }));
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/usage/series',
      tag: 'runs',
      summary: 'Messages, tokens, cost, errors and latency over time, in buckets of equal length',
      query: z
        .object({
          from_ms: integerParam(0, Number.MAX_SAFE_INTEGER),
          until_ms: integerParam(0, Number.MAX_SAFE_INTEGER),
          step_ms: integerParam(1_000, 366 * 86_400_000),
        })
        .refine(
          ({ from_ms, until_ms, step_ms }) => until_ms > from_ms && until_ms - from_ms <= 1_000 * step_ms,
          {
            message: 'expected from_ms before until_ms, and at most 1,000 buckets between them',
          },
        ),
      answers: { 200: { about: 'Every bucket of the range, oldest first', schema: z.array(usageBucket) } },
      handle: async (c, { query: { from_ms: fromMs, until_ms: untilMs, step_ms: stepMs } }) =>
        c.json(await engine.usageSeries({ fromMs, untilMs, stepMs })),
    }),
    defineRoute({
      method: 'GET',
      path: '/usage',
      tag: 'runs',
      summary: 'Tokens and cost, summed by day (UTC) or by session, newest first',
      query: z.object({
        by: z.enum(['day', 'session']).default('day'),
        sessionID: optionalID,
        from: day,
        until: day,
        limit: integerParam(1, 1000).default(100),
      }),
      answers: { 200: { about: 'The sums', schema: z.array(usageSum) } },
      handle: async (c, { query }) => c.json(await engine.usage(query)),
    }),
  ];
}
