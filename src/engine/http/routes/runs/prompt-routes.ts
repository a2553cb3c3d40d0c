// Starting runs over HTTP, waiting for them or not. Not their events: those are in event-route.

import { z } from 'zod';
import type { Clock } from '#base/clock.ts';
import { codeOf } from '#base/errors.ts';
import { withTimeout } from '#base/waiting/async.ts';
import { knownSession } from '#engine/http/routing/lookup.ts';
import { ApiError } from '#engine/http/routing/refusal.ts';
import { defineRoute, type Route } from '#engine/http/routing/route.ts';
import { attachPath, httpPromptBody, startRun } from '#engine/http/routing/start-run.ts';
import { promptLimitBytes } from '#engine/wire/runs/prompt.ts';
import type { EngineService } from '#engine/wire/service.ts';
import { withErrorText } from '#engine/wire/sessions/error-text.ts';
import { wireSessionMessage } from '#engine/wire/sessions/message.ts';
import { type EventStreamSource, runStream } from './event-route.ts';

/** How long `prompt_sync` waits, in milliseconds: a little more than the longest run (as on the Tandem wire). */
const syncLimitMs = 615_000;

const runQuery = z.object({
  return: z.literal('run').optional(),
  retry_interrupted: z
    .enum(['true', 'false'])
    .default('true')
    .describe(
      'Whether a run of this key that died with its process is resumed: another run goes on from its stored results',
    ),
});
const runAnswer = z.object({
  runID: z.string(),
  messageID: z.string(),
  contextRunID: z
    .string()
    .meta({ description: 'The run whose files `GET /context/runs/{id}/replay` tells: this one' }),
  linked_context_run_id: z.string().meta({ description: 'The same' }),
  attachEventStream: z.string(),
  idempotentReplay: z.literal(true).optional(),
});

/** `prompt_async` and `prompt_sync`. */
export function promptRoutes(engine: EngineService, source: EventStreamSource): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/session/:id/prompt_async',
      tag: 'runs',
      summary: 'Starts a run and answers at once',
      query: runQuery,
      body: httpPromptBody,
      bodyLimitBytes: promptLimitBytes,
      startsWork: true,
      answers: {
        204: { about: 'Started; the headers name the run' },
        202: { about: 'Started, with `?return=run`', schema: runAnswer },
      },
      async handle(c, { query, body }) {
        const sessionID = await knownSession(engine, c.req.param('id') ?? '');
        const { retry_interrupted: again } = query;
        const { runID, messageID, replayed } = await startRun(c, engine, {
          sessionID,
          body,
          retryInterrupted: again === 'true',
        });
        if (query.return === undefined) return c.body(null, 204);
        const context = { contextRunID: runID, linked_context_run_id: runID };
        const answer = { runID, messageID, ...context, attachEventStream: attachPath(sessionID, runID) };
        return c.json(replayed ? { ...answer, idempotentReplay: true } : answer, 202);
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/session/:id/prompt_sync',
      tag: 'runs',
      summary: 'Starts a run and waits for its end; with `Accept: text/event-stream` its events are streamed',
      body: httpPromptBody,
      bodyLimitBytes: promptLimitBytes,
      startsWork: true,
      answers: {
        200: { about: 'What was written and its answer', schema: z.array(wireSessionMessage) },
        504: { about: 'The run continues; its event stream is named' },
      },
      async handle(c, { body }) {
        const sessionID = await knownSession(engine, c.req.param('id') ?? '');
        const { runID } = await startRun(c, engine, { sessionID, body, retryInterrupted: true });
        if (c.req.header('accept')?.includes('text/event-stream') === true)
          return runStream(c, source, { sessionID, runID });
        await ended(engine, { sessionID, runID, clock: source.clock, signal: c.req.raw.signal });
        return c.json((await engine.runMessages(runID)).map(withErrorText));
      },
    }),
  ];
}

/** Waits for the end of the run; past the limit it refuses with 504, and the run continues. */
async function ended(
  engine: EngineService,
  { sessionID, runID, ...limit }: { sessionID: string; runID: string; clock: Clock; signal: AbortSignal },
): Promise<void> {
  try {
    await withTimeout({ ...limit, ms: syncLimitMs, what: 'The run' }, (signal) =>
      engine.finished(runID, signal),
    );
  } catch (error) {
    if (codeOf(error) !== 'timeout') throw error;
    throw new ApiError({
      status: 504,
      code: 'PROMPT_TIMEOUT',
      message:
        'The run has not ended in time. It continues: attach to its events, or ask again with the same key.',
      retryable: true,
      details: { sessionID, runID, attachEventStream: attachPath(sessionID, runID) },
    });
  }
}
