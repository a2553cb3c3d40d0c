// A run as clients see it. Not its row.
import { defined } from '#base/json.ts';
import type { Run } from '#engine/wire/contract.ts';
import type { TokenUsage } from '#engine/wire/runs/usage.ts';
import type { StoredRun } from './tables/run-row.ts';

/** What a client may know of a run. */
export function publicRun(run: StoredRun, usage: TokenUsage | undefined): Run {
  const { runID, sessionID, status, startedAtMs, finishedAtMs, text, failure, notices, agent, model } = run;
  return {
    runID,
    sessionID,
    status,
    startedAtMs,
    text,
    ...defined({ finishedAtMs, failure, notices, agent, model, usage }),
  };
}
