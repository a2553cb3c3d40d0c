// The one way events come into the world: committed with the facts that they report, then passed on. Not SSE.
import type { Clock } from '#base/clock.ts';
import type { DiskFailureHandler } from '#base/files/disk-failures.ts';
import { createFileSync } from '#base/files/file-sync.ts';
import type { NewId } from '#base/ids.ts';
import { createGroupCommit } from '#base/sqlite/group-commit.ts';
import { pruneRows } from '#base/sqlite/prune-rows.ts';
import { logOf, type Sqlite } from '#base/sqlite/sqlite.ts';
import { type EngineEvent, isDurable } from '#engine/wire/events/event.ts';
import { createEventStore, type EventDraft, type EventFilter } from './event-store.ts';
import { createSubscriptions, type Subscriptions } from './subscriptions.ts';

export type RecordEvent = (draft: EventDraft) => void;

export interface EventLog extends Pick<Subscriptions, 'subscribe'> {
  /**
   * Runs `work` in one immediate transaction. Events that it records are committed with it (durable ones) and passed on
   * after it, in order; when it throws, nothing has happened. A commit inside a commit joins the outer one. A failure of
   * the disk is a ParleyError `storage_failed`.
   */
  commit<T>(work: (record: RecordEvent) => T): T;
  /**
   * As `commit`, in one transaction with whatever else asked for it in this moment: for what many runs do in one
   * moment. Work that throws takes back only what it did itself; a failure of the disk takes back, and rejects, all of it. `written` is
   * called with the result once its events were passed on, before anything else can be.
   */
  together<T>(work: (record: RecordEvent) => T, written?: (result: T) => void): Promise<T>;
  /** Runs `then` once the present commit is done, never when it is rolled back; at once outside of a commit. */
  afterCommit(then: () => void): void;
  /** Passes an event on without storing it. */
  live(draft: EventDraft): void;
  /** Durable events with a position after `afterSeq`, in order, at most `limit`. */
  page(filter: EventFilter, range: { afterSeq: number; limit: number }): EngineEvent[];
  /** Removes all durable events of a session; call it inside a commit. */
  forget(sessionID: string): void;
  /** Removes durable events from before this time, but those of runs that have not ended; how many. */
  prune(before: number, signal: AbortSignal): Promise<number>;
  count(): number;
  /** Ends every subscription. */
  close(): void;
}

/** A commit that is in progress: its events, and what follows once it is done. */
interface Commit {
  recorded: EngineEvent[];
  after: (() => void)[];
}

/** A log over the engine's open database; `capacity` is the number of events that are buffered for one slow reader. */
export function createEventLog(options: {
  database: Sqlite;
  storage: DiskFailureHandler;
  newId: NewId;
  clock: Clock;
  capacity: number;
  /** Receives every durable event once it is committed; must not throw. */
  noticed?: ((event: EngineEvent) => void) | undefined;
}): EventLog {
  const store = createEventStore(options);
  /** Of what is committed: this process alone writes events. */
  let lastSeq = store.lastSeq();
  let open: Commit | undefined;
  const { database, storage, clock, capacity } = options;
  const subscriptions = createSubscriptions({ store, capacity, lastSeq: () => lastSeq });
  const record: RecordEvent = (draft) => {
    open?.recorded.push(isDurable(draft) ? store.append(draft) : store.live(draft));
  };
  const transaction = database.transaction((work: () => void) => work());
  const disk = createFileSync(logOf(database)); // opened by what has to be on it, which no event has
  const group = createGroupCommit(database, { storage, disk, clock });
  /** Runs the work of a commit: what it records, and what follows it, goes there. */
  const within = <T>(under: Commit, work: (record: RecordEvent) => T): T => {
    open = under;
    try {
      return work(record);
    } finally {
      open = undefined;
    }
  };
  /** Publishes what was committed before any later event. */
  const notify = ({ recorded, after }: Commit): void => {
    lastSeq = recorded.findLast(({ envelope }) => envelope.seq !== null)?.envelope.seq ?? lastSeq;
    for (const then of after) then();
    for (const event of recorded) {
      if (event.envelope.seq !== null) options.noticed?.(event);
      subscriptions.pass(event);
    }
  };

  const { after, remove } = store.table;
  const table = {
    after,
    remove: (positions: readonly number[]) =>
      storage.write(() => transaction.immediate(() => remove(positions))),
  };
  return {
    count: store.count,
    prune: (before, signal) => pruneRows(table, before, signal),
    commit<T>(work: (record: RecordEvent) => T): T {
      if (open !== undefined) return work(record);
      const under: Commit = { recorded: [], after: [] };
      const result: T[] = [];
      storage.write(() =>
        transaction.immediate(() => {
          result.push(within(under, work));
        }),
      );
      notify(under);
      return result[0] as T; // the transaction ran `work` exactly once, or threw
    },
    together<T>(work: (record: RecordEvent) => T, written?: (result: T) => void): Promise<T> {
      const under: Commit = { recorded: [], after: [] };
      return group.commit(
        () => within(under, work),
        'written',
        (result) => {
          notify(under);
          written?.(result);
        },
      );
    },
    afterCommit(then) {
      if (open === undefined) then();
      else open.after.push(then);
    },
    live: (draft) => subscriptions.pass(store.live(draft)),
    subscribe: subscriptions.subscribe,
    page: (filter, range) => store.page({ ...range, untilSeq: lastSeq }, filter),
    forget: (sessionID) => store.forget(sessionID),
    close: subscriptions.close,
  };
}
