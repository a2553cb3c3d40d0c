// What is stored of a run, over HTTP: its events, what its prompt was made of, its files.
import { z } from 'zod';
import { runOf } from '#engine/http/routing/lookup.ts';
import { ApiError } from '#engine/http/routing/refusal.ts';
import { defineRoute, type Route } from '#engine/http/routing/route.ts';
import { integerParam } from '#engine/operations/fields.ts';
import { wireEvent } from '#engine/wire/events/event-schema.ts';
import { runReplay } from '#engine/wire/runs/replay.ts';
import { runPrompt } from '#engine/wire/runs/run-prompt.ts';
import type { EngineService } from '#engine/wire/service.ts';
import { type EventStreamSource, runStream } from './event-route.ts';

/** `/runs/{id}/` with `events` and `prompt`, `/run/{id}/events`, and the replay of a run. */
export function runRecordRoutes(engine: EngineService, source: EventStreamSource): Route[] {
  return [
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
      method: 'GET',
      path: '/context/runs/:run/replay',
      tag: 'runs',
      summary:
        'A run told again from its files, and each field in which they differ from each other or from the database',
      query: z.object({
        upto_seq: integerParam(0, Number.MAX_SAFE_INTEGER).optional(),
        from_checkpoint: z.enum(['true', 'false']).default('false'),
      }),
      answers: { 200: { about: 'State, board and differences', schema: runReplay } },
      async handle(c, { query }) {
        const { runID } = await runOf(engine, c.req.param('run') ?? '', undefined);
        const from = query.from_checkpoint === 'true' ? 'checkpoint' : 'start';
        return c.json(await engine.replayRun(runID, { uptoSeq: query.upto_seq, from }));
      },
    }),
  ];
}
