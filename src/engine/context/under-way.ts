// What people said a moment ago and memory does not have yet: its answer is being made, or on its way.
import { type Clock, type MonotonicMs, msSince } from '#base/clock.ts';
import type { EngineEvent } from '#engine/wire/events/event.ts';
import type { PromptOrigin } from '#engine/wire/runs/prompt.ts';
import type { Memory } from '#memory/types/contract.ts';
import type { Scope } from '#memory/types/scope.ts';

interface UnderWay {
  /** Called with every event: a run that begins is in progress. */
  noticed(event: EngineEvent): void;
  /** The same memory, which says so where something is in progress that the scope could read, in another chat. What it archives is over. */
  watched(memory: Memory): Memory;
}

/** An answer that nobody has delivered after so long is not on its way any more. */
const longestMs = 10 * 60_000;
const maxEntries = 1_000;
/** What `degraded` says of it. It passes by itself, and does not make a cached answer a different one. */
export const inProgressNotice =
  'what was written somewhere else in the last moments is still being answered, and I know it once that is done';

interface Begun {
  sessionID: string;
  chat: string;
  audience: string;
  at: MonotonicMs;
}

interface KnownRun {
  status: string;
  /** Set once memory has its exchange, or will never have it. */
  archived?: string | undefined;
}

/** Knows the runs that begin after this. */
export function createUnderWay({
  runs,
  clock,
}: {
  runs: {
    get(runID: string): KnownRun | undefined;
    originOf(runID: string): PromptOrigin | undefined;
  };
  clock: Clock;
}): UnderWay {
  const begun = new Map<string, Begun>();

  const isOver = (runID: string, at: MonotonicMs): boolean => {
    const run = runs.get(runID);
    const mayCome = run?.status === 'running' || run?.status === 'completed';
    return !mayCome || run.archived !== undefined || msSince(clock, at) > longestMs;
  };

  const somewhereElse = ({ audiences }: Scope, sessionID: string | undefined): boolean => {
    let here: string | undefined;
    for (const one of begun.values()) if (one.sessionID === sessionID) here = one.chat;
    for (const [runID, { chat, audience, at }] of begun) {
      // a run is read only where it would be said: under load hundreds are in progress
      if (chat === here || !audiences.some((one) => one === audience)) continue;
      if (!isOver(runID, at)) return true;
      begun.delete(runID);
    }
    return false;
  };

  return {
    noticed({ type, properties }) {
      if (type !== 'session.run.started') return;
      const { runID, sessionID } = properties;
      const origin = runs.originOf(runID);
      if (origin === undefined) return;
      const { chat, audience } = origin;
      begun.set(runID, { sessionID, chat, audience, at: clock.monotonic() });
      const [oldest = ''] = begun.keys();
      if (begun.size > maxEntries) begun.delete(oldest);
    },
    watched(memory) {
      const withNotice = <T extends { degraded: string[] }>(result: T, isThere: boolean): T =>
        isThere ? { ...result, degraded: [...result.degraded, inProgressNotice] } : result;
      const own: Pick<Memory, 'archive' | 'recall' | 'search'> = {
        async archive(exchange) {
          const result = await memory.archive(exchange);
          begun.delete(exchange.runID);
          return result;
        },
        async recall(request) {
          // before the look: what is archived during it may not be found
          const isThere = somewhereElse(request.scope, request.currentSession);
          return withNotice(await memory.recall(request), isThere);
        },
        async search(query) {
          const isThere = somewhereElse(query.scope, query.scope.sessionID);
          return withNotice(await memory.search(query), isThere);
        },
      };
      // a memory that cannot be opened has no members to copy, and answers each call
      return new Proxy(memory, { get: (all, name) => Reflect.get(own, name) ?? Reflect.get(all, name) });
    },
  };
}
