// What the engine must know before the next run begins: which rooms are open, and which messages were changed or deleted. From durable rows.
import type { Ledger } from '#adapters/gateway/ledger/ledger.ts';
import { isRefusedForLong } from '#adapters/gateway/ledger/refused-rows.ts';
import type { Clock } from '#base/clock.ts';
import { codeOf, errorMessage } from '#base/errors.ts';
import type { Log } from '#base/log/log.ts';
import { backoffMs, isAbort } from '#base/waiting/async.ts';
import type { Engine } from '#engine/wire/contract.ts';
import type { RoomStates } from '#engine/wire/runs/amendment.ts';

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

/** Changes that are refused in one pass over all: of each kind those of which nothing more is tried in it, and why those that are not set aside were. */
interface Refused {
  runs: Set<string>;
  audiences: Set<string>;
  notes: Set<string>;
  feedback: Set<string>;
  names: Set<string>;
  rooms: Set<string>;
  errors: unknown[];
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

/** Tells the engine which rooms are open. A refusal is never set aside: an answer could show what a closed room holds. */
async function tellRooms(
  rooms: RoomStates['rooms'],
  { engine, ledger, signal }: HandOverOptions,
  refused: Refused,
): Promise<void> {
  try {
    await engine.setRooms({ rooms }, { signal });
  } catch (error) {
    if (isAbort(error, signal)) throw error;
    refused.errors.push(error);
    for (const { audience } of rooms) refused.rooms.add(audience);
    return;
  }
  await ledger.commit(() => ledger.rooms.handedOver(rooms), 'written');
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
  /** Does one change and notes that it is `done`; what is refused of it is passed over in this pass, and holds up no other. */
  const doOne = async (
    { refused, among, of, change }: { refused: Refused; among: Set<string>; of: string; change: string },
    work: () => Promise<void>,
    done: () => void,
  ): Promise<void> => {
    if (among.has(of)) return; // later changes of a run come after its earlier ones
    try {
      await work();
    } catch (error) {
      if (!(await isAside(change, error))) refused.errors.push(error);
      among.add(of);
      return;
    }
    await ledger.commit(() => {
      done();
      ledger.refusedChanges.taken(change);
    }, 'written');
  };

  const handOver = async (): Promise<void> => {
    const refused: Refused = {
      ...{ runs: new Set(), audiences: new Set(), notes: new Set(), feedback: new Set() },
      ...{ names: new Set(), rooms: new Set(), errors: [] },
    };
    for (;;) {
      signal.throwIfAborted();
      const rooms = ledger.rooms.toHandOver().filter(({ audience }) => !refused.rooms.has(audience));
      const names = refused.names.size > 0 ? [] : ledger.placeNames.toHandOver();
      const amendments = ledger.amendments.open(batch, [...refused.runs]);
      const notes = ledger.savedNotes.toForget().filter(({ memoryID }) => !refused.notes.has(memoryID));
      const turns = ledger.takenBack.next([...refused.audiences]);
      const feedback = ledger.givenFeedback.open(batch).filter(({ id }) => !refused.feedback.has(String(id)));
      const some = rooms.length + names.length + amendments.length + notes.length + feedback.length;
      if (some === 0 && turns === undefined) break;
      if (turns !== undefined) {
        const { audience } = turns;
        await doOne(
          { refused, among: refused.audiences, of: audience, change: `messages of ${audience}` },
          () => engine.forgetTurns(turns, { signal }),
          () => ledger.takenBack.done(turns),
        );
      }
      if (rooms.length > 0) await tellRooms(rooms, options, refused);
      if (names.length > 0)
        await doOne(
          { refused, among: refused.names, of: 'all', change: 'names of places' },
          () => engine.setPlaceNames({ names }, { signal }),
          () => ledger.placeNames.handedOver(names),
        );
      for (const { id, runID, amendment } of amendments)
        await doOne(
          { refused, among: refused.runs, of: runID, change: `run ${runID}` },
          () => engine.amend({ runID, ...amendment }, { signal }).catch(ignoreMissing),
          () => ledger.amendments.done(id),
        );
      for (const { id, runID, feedback: given } of feedback)
        await doOne(
          { refused, among: refused.feedback, of: String(id), change: `feedback ${id}` },
          () => engine.noteFeedback({ runID, ...given }, { signal }).catch(ignoreMissing),
          () => ledger.givenFeedback.done(id),
        );
      for (const { inboxID, memoryID, audience } of notes)
        await doOne(
          { refused, among: refused.notes, of: memoryID, change: `note ${memoryID}` },
          () => engine.forgetNote({ memoryID, audience }, signal),
          () => ledger.savedNotes.forgotten(inboxID),
        );
    }
    for (const error of refused.errors) throw error;
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
export function ignoreMissing(error: unknown): void {
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
