// What every call that starts work has in common: its key, its conflict, its replay.
import type { Context } from 'hono';
import { z } from 'zod';
import { defined } from '#base/json.ts';
import {
  type ActiveRun,
  modelChoice,
  type PromptBody,
  promptBody,
  runSettings,
} from '#engine/wire/runs/prompt.ts';
import type { EngineService } from '#engine/wire/service.ts';
import { runOf } from './lookup.ts';
import { ApiError, type ApiErrorOptions } from './refusal.ts';

/** How long a client may wait before it asks again after a conflict, in milliseconds (as on the Tandem wire). */
const conflictRetryMs = 500;

/**
 * The prompt's body, as the Tandem wire spells it too (`model` with `provider_id` and `model_id`, `tool_allowlist`,
 * `tool_mode`, `temperature`). What of that wire is not done here (`strict_kb_grounding`) is refused by its name, unless it asks for
 * what is done anyway: a caller that narrows a run must not believe that it was.
 */
export const httpPromptBody = z
  .strictObject({
    ...promptBody.shape,
    model: modelChoice.optional(),
    tool_allowlist: promptBody.shape.toolAllowlist,
    tool_mode: z
      .enum(['auto', 'none', 'required'])
      .optional()
      .describe('`none`: this run has no tools; `required`: the model has to call one first'),
    context_mode: runSettings.shape.contextMode,
    temperature: runSettings.shape.temperature,
    top_p: runSettings.shape.topP,
    max_tokens: runSettings.shape.maxTokens,
    strict_kb_grounding: z.literal(false).optional(),
  })
  .transform((given): PromptBody => {
    const { tool_allowlist, tool_mode, context_mode, temperature, top_p, max_tokens, ...rest } = given;
    const { strict_kb_grounding: _, settings, ...body } = rest;
    const asked = defined({
      toolMode: tool_mode === 'required' ? tool_mode : undefined,
      contextMode: context_mode,
      temperature,
      topP: top_p,
      maxTokens: max_tokens,
    });
    return {
      ...body,
      toolAllowlist: tool_mode === 'none' ? [] : (body.toolAllowlist ?? tool_allowlist),
      ...(Object.keys(asked).length === 0 && settings === undefined
        ? {}
        : { settings: { ...settings, ...asked } }),
    };
  });

interface Started {
  runID: string;
  messageID: string;
  replayed: boolean;
}

/**
 * Starts a run, or finds the one that the same key started, and names it in the headers `x-parley-run-id` and
 * `x-tandem-run-id`. Refuses with 409 while another run is active, and for a key that came before with another body or in another session.
 */
export async function startRun(
  c: Context,
  engine: EngineService,
  { sessionID, body, retryInterrupted }: { sessionID: string; body: PromptBody; retryInterrupted: boolean },
): Promise<Started> {
  const idempotencyKey = idempotencyKeyOf(c);
  const outcome = await engine.prompt(sessionID, body, { idempotencyKey, retryInterrupted });
  if (outcome.status === 'conflict') throw new ApiError(conflict(sessionID, outcome.activeRun));
  const { runID, messageID } = outcome;
  const replayed = outcome.status === 'replayed';
  if (replayed) await refuseForeignReplay(engine, runID, sessionID);
  c.header('x-tandem-run-id', runID);
  c.header('x-parley-run-id', runID);
  if (replayed) c.header('idempotent-replayed', 'true');
  return { runID, messageID, replayed };
}

/** The key that the client gave this request; refused unless it is 1 to 200 printable characters. */
export function idempotencyKeyOf(c: Context): string | undefined {
  const key = c.req.header('idempotency-key') ?? c.req.header('x-tandem-idempotency-key');
  if (key === undefined || /^[\x21-\x7e]{1,200}$/.test(key)) return key;
  throw new ApiError({
    status: 400,
    code: 'INVALID_REQUEST',
    message: 'Expected an idempotency key of 1 to 200 printable ASCII characters without spaces.',
  });
}

/** Where the events of a run are. */
export function attachPath(sessionID: string, runID: string): string {
  return `/event?${new URLSearchParams({ sessionID, runID })}`;
}

/** A key belongs to the session that it was first used in: another session's run is not told. */
async function refuseForeignReplay(engine: EngineService, runID: string, sessionID: string): Promise<void> {
  await runOf(engine, runID, sessionID).catch((error: unknown) => {
    if (!(error instanceof ApiError)) throw error;
    throw new ApiError({
      status: 409,
      code: 'IDEMPOTENCY_KEY_REUSED',
      message: 'This idempotency key was used in another session. Use a new key for each prompt.',
    });
  });
}

function conflict(sessionID: string, { runID, startedAtMs, lastActivityAtMs }: ActiveRun): ApiErrorOptions {
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
