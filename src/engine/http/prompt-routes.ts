// Starting and cancelling runs over HTTP. Not their events: those are in event-route.
import type { Context } from 'hono';
import { z } from 'zod';
import type { Engine } from '#engine/wire/contract.ts';
import { type ActiveRun, promptBody } from '#engine/wire/prompt.ts';
import { readBody } from './body.ts';
import { queryOf, runOf, sessionOf } from './lookup.ts';
import { Refusal, type RefusalOptions } from './refusal.ts';
import type { Route } from './route.ts';

/** How long a client may wait before it asks again after a conflict, in milliseconds (as on the Tandem wire). */
const conflictRetryMs = 500;

const runQuery = z.object({ return: z.literal('run').optional() });
const cancelBody = z.object({});

/** The prompt's body; `model` may also be spelled `provider_id` and `model_id`. */
const httpPromptBody = z.preprocess((body) => {
  if (!isObject(body) || !isObject(body.model)) return body;
  const { provider_id, model_id, ...model } = body.model;
  return { ...body, model: { providerID: provider_id, modelID: model_id, ...model } };
}, promptBody);

/** `POST /session/{id}/prompt_async` and `POST /session/{id}/cancel`. */
export function promptRoutes(engine: Engine): Route[] {
  return [
    {
      method: 'POST',
      path: '/session/:id/prompt_async',
      async handle(c) {
        const wanted = queryOf(c, runQuery);
        const idempotencyKey = idempotencyKeyOf(c);
        const body = await readBody(c, httpPromptBody);
        const { id: sessionID } = await sessionOf(engine, c.req.param('id') ?? '');
        const outcome = await engine.prompt(sessionID, body, { idempotencyKey, retryInterrupted: true });
        if (outcome.status === 'conflict') throw new Refusal(conflict(sessionID, outcome.activeRun));
        const { runID } = outcome;
        const replayed = outcome.status === 'replayed';
        if (replayed) await refuseForeignReplay(engine, runID, sessionID);
        c.header('x-tandem-run-id', runID);
        c.header('x-parley-run-id', runID);
        if (replayed) c.header('idempotent-replayed', 'true');
        if (wanted.return === undefined) return c.body(null, 204);
        const answer = { runID, attachEventStream: attachPath(sessionID, runID) };
        return c.json(replayed ? { ...answer, idempotentReplay: true } : answer, 202);
      },
    },
    {
      method: 'POST',
      path: '/session/:id/cancel',
      async handle(c) {
        await readBody(c, cancelBody);
        const { id } = await sessionOf(engine, c.req.param('id') ?? '');
        return c.json({ ok: true, cancelled: await engine.cancel(id) });
      },
    },
  ];
}

function idempotencyKeyOf(c: Context): string | undefined {
  const key = c.req.header('idempotency-key') ?? c.req.header('x-tandem-idempotency-key');
  if (key === undefined || /^[\x21-\x7e]{1,200}$/.test(key)) return key;
  throw new Refusal({
    status: 400,
    code: 'INVALID_REQUEST',
    message: 'Expected an idempotency key of 1 to 200 printable ASCII characters without spaces.',
  });
}

/** A key belongs to the session that it was first used in: another session's run is not told. */
async function refuseForeignReplay(engine: Engine, runID: string, sessionID: string): Promise<void> {
  await runOf(engine, runID, sessionID).catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error;
    throw new Refusal({
      status: 409,
      code: 'IDEMPOTENCY_KEY_REUSED',
      message: 'This idempotency key was used in another session. Use a new key for each prompt.',
    });
  });
}

function conflict(sessionID: string, { runID, startedAtMs, lastActivityAtMs }: ActiveRun): RefusalOptions {
  return {
    status: 409,
    code: 'SESSION_RUN_CONFLICT',
    message: 'Session already has an active run',
    retryable: true,
    details: {
      sessionID,
      activeRun: {
        runID,
        startedAtMs,
        lastActivityAtMs,
        clientID: null,
        agentID: null,
        agentProfile: null,
      },
      retryAfterMs: conflictRetryMs,
      attachEventStream: attachPath(sessionID, runID),
    },
  };
}

function attachPath(sessionID: string, runID: string): string {
  return `/event?${new URLSearchParams({ sessionID, runID })}`;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
