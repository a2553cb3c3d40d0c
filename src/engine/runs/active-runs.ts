// The runs that this process works on: begun in a commit, worked on until their end, stopped.
import { errorMessage, ParleyError } from '#base/errors.ts';
import { type Begun, beginRun, type StartRunInput } from './begin.ts';
import { cancelledReason, interrupted } from './end.ts';
import { type ActiveRunState, executeRun, type HowToAnswer } from './execute-run.ts';
import type { RunsOptions } from './runs-options.ts';

export interface ActiveRuns {
  begin(beginning: StartRunInput, how: HowToAnswer): Promise<Begun>;
  get(runID: string): ActiveRunState | undefined;
  all(): ActiveRunState[];
  /** Resolves when no beginning waits for its commit, in the session or anywhere. */
  allBegun(sessionID?: string): Promise<void>;
  /** Resolves after the end of the run, which may have been another one; true when it was cancelled. */
  cancel(entry: ActiveRunState | undefined): Promise<boolean>;
  isClosing(): boolean;
  /** Stops all work; what was running is interrupted. */
  close(): Promise<void>;
}

/** A beginning that shares a commit with others: the session knows its run before this process works on it. */
interface Uncommitted {
  sessionID: string;
  runID?: string;
  committed: Promise<unknown>;
}

/** No run is active at first; what an earlier process left is not begun here. */
export function createActiveRuns(options: RunsOptions): ActiveRuns {
  const { tables, log } = options;
  const { runs } = tables;
  const working = new Map<string, ActiveRunState>();
  const beginnings = new Set<Uncommitted>();
  const closing = new AbortController();

  const start = ({ run, resumed }: Extract<Begun, { status: 'started' }>, how: HowToAnswer): void => {
    const entry: ActiveRunState = {
      run,
      stop: new AbortController(),
      lastActivityAtMs: run.startedAtMs,
      sent: undefined,
      unfinished: () => undefined,
      done: Promise.resolve(run),
    };
    working.set(run.runID, entry);
    entry.done = executeRun(options, entry, { ...how, resumed, closing: closing.signal })
      .catch((error: unknown) => {
        // The disk refused to the last; the next start ends the run.
        log.error({ runID: run.runID, error: errorMessage(error) }, 'the end of a run could not be written');
      })
      .then(() => {
        working.delete(run.runID);
        if (entry.sent !== undefined) options.sent(run.sessionID, entry.sent);
        return runs.get(run.runID) ?? run;
      });
  };

  const isWorking = (runID: string): boolean =>
    working.has(runID) || [...beginnings].some((one) => one.runID === runID);
  /** Commits the beginning of a run together with those of other sessions in this moment; a run is worked on as soon as it stands. */
  const begin = async (beginning: StartRunInput, how: HowToAnswer): Promise<Begun> => {
    const committed = tables.events.together(
      (record) => {
        const begun = beginRun(tables, beginning, { record, isWorking });
        if (begun.status === 'started') one.runID = begun.run.runID;
        return begun;
      },
      (begun) => {
        if (begun.status === 'started') start(begun, how);
      },
    );
    const one: Uncommitted = { sessionID: beginning.sessionID, committed };
    beginnings.add(one);
    try {
      return await committed;
    } finally {
      beginnings.delete(one);
    }
  };

  const allBegun = async (sessionID?: string): Promise<void> => {
    const awaited = [...beginnings].filter((one) => sessionID === undefined || one.sessionID === sessionID);
    await Promise.allSettled(awaited.map(({ committed }) => committed));
  };

  return {
    begin,
    get: (runID) => working.get(runID),
    all: () => [...working.values()],
    allBegun,
    async cancel(entry) {
      if (entry === undefined) return false;
      entry.stop.abort(new ParleyError(cancelledReason, 'The run was cancelled.'));
      return (await entry.done).status === 'cancelled';
    },
    isClosing: () => closing.signal.aborted,
    async close() {
      closing.abort();
      await allBegun();
      const entries = [...working.values()];
      for (const { stop } of entries) stop.abort(new ParleyError(interrupted, 'The engine was closed.'));
      await Promise.all(entries.map(({ done }) => done));
    },
  };
}
