// What people said a moment ago and memory does not have yet: its answer is being made, or on its way. Not the hand-over to memory.
import { type MonotonicMs, msSince } from '#base/clock.ts';
import type { EngineEvent } from '#engine/wire/event.ts';
import type { Memory } from '#memory/terms/contract.ts';
import type { Scope } from '#memory/terms/scope.ts';
import type { RunTables } from './run-tables.ts';

export interface UnderWay {
  /** To be told of every event: a run that begins is under way. */
  noticed(event: EngineEvent): void;
  /** The same memory, which says so where something is under way that the scope could read, in another session. */
  watched(memory: Memory): Memory;
}

/** An answer that nobody has delivered after so long is not on its way any more. */
const longestMs = 10 * 60_000;
const mostKept = 1_000;
const words =
  'what was said elsewhere in the last moments is still being answered, and I know it once that is done';

interface Begun {
  sessionID: string;
  audience: string;
  at: MonotonicMs;
}

/** Knows the runs that begin from now on. */
export function createUnderWay({ runs, clock }: Pick<RunTables, 'runs' | 'clock'>): UnderWay {
  const begun = new Map<string, Begun>();

  const isOver = (runID: string, at: MonotonicMs): boolean => {
    const run = runs.get(runID);
    const mayCome = run?.status === 'running' || run?.status === 'completed';
    return !mayCome || run.archived !== undefined || msSince(clock, at) > longestMs;
  };

  const elsewhere = ({ audiences }: Scope, sessionID: string | undefined): boolean => {
    let found = false;
    for (const [runID, one] of begun)
      if (isOver(runID, one.at)) begun.delete(runID);
      else if (one.sessionID !== sessionID && audiences.some((audience) => audience === one.audience))
        found = true;
    return found;
  };

  return {
    noticed({ type, properties }) {
      if (type !== 'session.run.started') return;
      const { runID, sessionID } = properties;
      const audience = runs.get(runID)?.origin?.audience;
      if (audience === undefined) return;
      begun.set(runID, { sessionID, audience, at: clock.monotonic() });
      const [oldest = ''] = begun.keys();
      if (begun.size > mostKept) begun.delete(oldest);
    },
    watched(memory) {
      const told = <T extends { degraded: string[] }>(result: T, isThere: boolean): T =>
        isThere ? { ...result, degraded: [...result.degraded, words] } : result;
      return {
        ...memory,
        async recall(request) {
          // before the look: what is archived during it may not be found
          const isThere = elsewhere(request.scope, request.currentSession);
          return told(await memory.recall(request), isThere);
        },
        async search(query) {
          const isThere = elsewhere(query.scope, query.scope.sessionID);
          return told(await memory.search(query), isThere);
        },
      };
    },
  };
}
