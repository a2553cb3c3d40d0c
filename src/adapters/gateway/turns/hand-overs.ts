// What the engine must know before the next run begins: which rooms are open, and which messages were changed or deleted. From durable rows.
import type { Ledger } from '#adapters/gateway/ledger/ledger.ts';
import { isRefusedForLong } from '#adapters/gateway/ledger/refused-rows.ts';
import type { Clock } from '#base/clock.ts';
import { codeOf, errorMessage } from '#base/errors.ts';
import type { Log } from '#base/log/log.ts';
import { backoffMs, isAbort } from '#base/waiting/async.ts';
import type { NamedPlace } from '#engine/wire/channels/place-names.ts';
import type { Engine } from '#engine/wire/contract.ts';

export interface HandOvers {
  /** Resolves when the engine has everything that was committed before the call. Rejects as the engine does, and when the gateway closes. */
  flush(): Promise<void>;
  /** Begins it without waiting for it, and again soon where the engine could not take it. */
  nudge(): void;
  /** Changes that were committed and that the engine does not have yet: edits, deletions, reactions, rooms that opened, closed or have another name. */
  waiting(): number;
}

/** Amendments that are read at a time. */
const batch = 100;
/** Between attempts while the engine cannot take them; each run and command that shows memory tries before it. */
const backoff = { firstMs: 1_000, capMs: 60_000 };

/** Changes that are refused, and hold up nothing, in one pass over all. */
interface Aside {
  runs: Set<string>;
  audiences: Set<string>;
  notes: Set<string>;
  feedback: Set<string>;
}

interface HandOverOptions {
  ledger: Pick<
    Ledger,
    | 'rooms'
    | 'placeNames'
    | 'amendments'
    | 'givenFeedback'
    | 'savedNotes'
    | 'takenBack'
    | 'refusedChanges'
    | 'commit'
  >;
  engine: Pick<
    Engine,
    'setRooms' | 'setPlaceNames' | 'amend' | 'noteFeedback' | 'forgetNote' | 'forgetTurns'
  >;
  clock: Clock;
  log: Log;
  signal: AbortSignal;
  /** How long everything waits for a change that the engine refuses, in milliseconds, over restarts. */
  giveUpMs: () => number;
  /** Told once for each change that holds up nothing any more. */
  setAside(why: string): void;
}

/** Tells the engine these names, if there are any. */
async function tellNames(
  names: readonly NamedPlace[],
  { engine, ledger, signal }: HandOverOptions,
): Promise<void> {
  if (names.length === 0) return;
  await engine.setPlaceNames(names, signal);
  await ledger.commit(() => ledger.placeNames.handedOver(names), 'written');
}

/** Hands amendments, feedback, room states, names and deletions of the ledger to the engine, one at a time and in order. */
export function createHandOvers(options: HandOverOptions): HandOvers {
  const { ledger, engine, clock, log, signal } = options;
  let last: Promise<void> = Promise.resolve();
  let isTryingAgain = false;

  /** Counts a refusal; whether the change holds up nothing any more. It stays, and is tried in each pass. */
  const isAside = async (change: string, error: unknown): Promise<boolean> => {
    if (isAbort(error, signal)) throw error;
    if (codeOf(error) === 'engine_unreachable') return false; // an outage is no refusal
    const at = clock.now();
    const refused = await ledger.commit(() => ledger.refusedChanges.note(change, at), 'written');
    if (refused.isAside) return true;
    if (!isRefusedForLong(refused, { now: at, giveUpMs: options.giveUpMs() })) return false;
    await ledger.commit(() => ledger.refusedChanges.setAside(change, at), 'written');
    const words = errorMessage(error);
    log.error({ change, words }, 'a change that the engine refuses holds up nothing more');
    options.setAside(words);
    return true;
  };
  /** Does one change and notes that it is `done`; one that is set aside goes among those `aside`. */
  const doOne = async (
    { aside, of, change }: { aside: Set<string>; of: string; change: string },
    work: () => Promise<void>,
    done: () => void,
  ): Promise<void> => {
    try {
      await work();
    } catch (error) {
      if (!(await isAside(change, error))) throw error;
      aside.add(of);
      return;
    }
    await ledger.commit(() => {
      done();
      ledger.refusedChanges.taken(change);
    }, 'written');
  };

  /** Those of one run in their order; what the engine refuses of one run holds up none of another. */
  const amendAll = async (
    amendments: ReturnType<typeof ledger.amendments.open>,
    aside: Set<string>,
  ): Promise<void> => {
    const refused = new Map<string, unknown>();
    for (const { id, runID, amendment } of amendments) {
      if (refused.has(runID) || aside.has(runID)) continue;
      try {
        await doOne(
          { aside, of: runID, change: `run ${runID}` },
          () => engine.amend(runID, amendment, signal).catch(ignoreMissing),
          () => ledger.amendments.done(id),
        );
      } catch (error) {
        if (isAbort(error, signal)) throw error;
        refused.set(runID, error);
      }
    }
    for (const error of refused.values()) throw error;
  };

  const handOver = async (): Promise<void> => {
    const aside: Aside = { runs: new Set(), audiences: new Set(), notes: new Set(), feedback: new Set() };
    for (;;) {
      signal.throwIfAborted();
      const rooms = ledger.rooms.toHandOver();
      const names = ledger.placeNames.toHandOver();
      const amendments = ledger.amendments.open(batch, [...aside.runs]);
      const notes = ledger.savedNotes.toForget().filter(({ memoryID }) => !aside.notes.has(memoryID));
      const turns = ledger.takenBack.next([...aside.audiences]);
      const feedback = ledger.givenFeedback.open(batch).filter(({ id }) => !aside.feedback.has(String(id)));
      const some = rooms.length + names.length + amendments.length + notes.length + feedback.length;
      if (some === 0 && turns === undefined) return;
      if (turns !== undefined) {
        const { audience } = turns;
        await doOne(
          { aside: aside.audiences, of: audience, change: `messages of ${audience}` },
          () => engine.forgetTurns(turns, signal),
          () => ledger.takenBack.done(turns),
        );
      }
      if (rooms.length > 0) {
        await engine.setRooms(rooms, signal);
        await ledger.commit(() => ledger.rooms.handedOver(rooms), 'written');
      }
      await tellNames(names, options);
      await amendAll(amendments, aside.runs);
      for (const { id, runID, feedback: given } of feedback)
        await doOne(
          { aside: aside.feedback, of: String(id), change: `feedback ${id}` },
          () => engine.noteFeedback(runID, given, signal).catch(ignoreMissing),
          () => ledger.givenFeedback.done(id),
        );
      for (const { inboxID, memoryID, audience } of notes)
        await doOne(
          { aside: aside.notes, of: memoryID, change: `note ${memoryID}` },
          () => engine.forgetNote({ memoryID, audience }, signal),
          () => ledger.savedNotes.forgotten(inboxID),
        );
    }
  };
  const flush = (): Promise<void> => {
    last = last.catch(() => undefined).then(handOver);
    return last;
  };
  return {
    flush,
    nudge() {
      flush().catch((error: unknown) => {
        if (isAbort(error, signal) || isTryingAgain) return;
        log.warn({ words: errorMessage(error) }, 'a change could not be reported to the engine yet');
        isTryingAgain = true;
        again(flush, { clock, signal })
          .catch(() => undefined) // the gateway closes
          .finally(() => {
            isTryingAgain = false;
          });
      });
    },
    waiting() {
      const turns = ledger.takenBack.next()?.message_ids ?? [];
      const { rooms, placeNames, savedNotes, amendments, givenFeedback } = ledger;
      const lists = [turns, rooms.toHandOver(), placeNames.toHandOver(), savedNotes.toForget()];
      return lists.flat().length + amendments.count() + givenFeedback.count();
    },
  };
}

/** The session of the run was deleted. */
function ignoreMissing(error: unknown): void {
  if (codeOf(error) !== 'run_not_found') throw error;
}

/** Until it succeeds, or the gateway closes. */
async function again(
  flush: () => Promise<void>,
  { clock, signal }: { clock: Clock; signal: AbortSignal },
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    await clock.sleep(backoffMs(attempt, backoff), signal);
    try {
      return await flush();
    } catch {
      // the next attempt comes later; once the gateway closes, the sleep before it ends this
    }
  }
}
