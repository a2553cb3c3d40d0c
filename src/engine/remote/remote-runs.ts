// Runs of an engine over HTTP: prompted, looked up, waited for, cancelled.
import { randomUUID } from 'node:crypto';
import type { Secrets } from '#base/secrets.ts';
import type { ParleyClient } from '#engine/client/client.ts';
import { ParleyClientError } from '#engine/client/request.ts';
import type { Engine, Run } from '#engine/wire/contract.ts';
import { runOperations } from '#engine/wire/run-operations.ts';
import type { PromptOutcome } from '#engine/wire/runs/prompt.ts';
import { endOfResumed } from '#engine/wire/runs/run.ts';
import type { RemoteCalls } from './remote-calls.ts';
import { remoteOperations } from './remote-operations.ts';
import type { RunWaiters } from './run-waiters.ts';

/** The part of the engine that runs; `until` makes a signal end with the connection. */
export function createRemoteRuns(options: {
  client: ParleyClient;
  calls: RemoteCalls;
  waiters: RunWaiters;
  secrets: Secrets;
  until(signal: AbortSignal | undefined): AbortSignal;
}): Pick<Engine, 'prompt' | 'getRun' | 'finished' | 'cancel' | 'cancelRun'> {
  const { client, waiters, secrets, until } = options;
  const { call, unless } = options.calls;
  const { getRun } = remoteOperations(runOperations, ['getRun'], { calls: client.runs, via: call });
  /** Safe to repeat when its answer is lost: what counts is the state of the run after it. */
  const cancelRun = async (runID: string, signal?: AbortSignal): Promise<boolean> => {
    const run = await unless(['run_not_found'], getRun({ runID }, { signal }));
    if (run?.status !== 'running') return false;
    await call(signal, (within) => client.sessions.cancelRun(run.sessionID, runID, within));
    const ended = await unless(['run_not_found'], getRun({ runID }, { signal }));
    return ended?.status === 'cancelled';
  };

  const endOf = (runID: string, signal?: AbortSignal): Promise<Run> => {
    const look = async (): Promise<Run | undefined> => {
      const run = await getRun({ runID }, { signal });
      return run.status === 'running' ? undefined : run;
    };
    return waiters.until(runID, look, until(signal));
  };

  return {
    prompt(sessionID, body, { idempotencyKey = randomUUID(), retryInterrupted = false, signal } = {}) {
      const { parts, ...rest } = { ...body, parts: secrets.maskAll(body.parts) };
      const how = { ...rest, idempotencyKey, retryInterrupted };
      return call(signal, async (within): Promise<PromptOutcome> => {
        try {
          const started = await client.sessions.promptAsync(sessionID, parts, { ...how, ...within });
          const { runID, messageID, idempotentReplay } = started;
          return { status: idempotentReplay === true ? 'replayed' : 'started', runID, messageID };
        } catch (error) {
          const activeRun = activeRunOf(error);
          if (activeRun !== undefined) return { status: 'conflict', activeRun };
          throw error;
        }
      });
    },
    getRun,
    finished: (runID, signal) => endOfResumed(runID, (each) => endOf(each, signal)),
    async cancel(sessionID, signal) {
      const asked = call(signal, (within) => client.sessions.activeRun(sessionID, within));
      const active = await unless(['session_not_found'], asked);
      return active == null ? false : cancelRun(active.runID, signal);
    },
    cancelRun,
  };
}

function activeRunOf(error: unknown) {
  if (!(error instanceof ParleyClientError) || error.code !== 'SESSION_RUN_CONFLICT') return undefined;
  const { runID, startedAtMs, lastActivityAtMs } = Object(error.details.activeRun);
  return typeof runID === 'string' ? { runID, startedAtMs, lastActivityAtMs } : undefined;
}
