// What the engine must know before the next run begins: which rooms are open, and which messages were changed or deleted. From durable rows.
import type { Ledger } from '#adapters/gateway/ledger/ledger.ts';
import type { Clock } from '#base/clock.ts';
import { codeOf, errorMessage } from '#base/errors.ts';
import type { Log } from '#base/log/log.ts';
import { backoffMs, isAbort } from '#base/waiting/async.ts';
import type { Engine } from '#engine/wire/contract.ts';

export interface HandOvers {
  /** Resolves when the engine has everything that was committed before the call. Rejects as the engine does, and when the gateway closes. */
  flush(): Promise<void>;
  /** Begins it without waiting for it, and again soon where the engine could not take it. */
  nudge(): void;
  /** Changes that were committed and that the engine does not have yet: edits, deletions, rooms that opened, closed or have another name. */
  waiting(): number;
}

/** Amendments that are read at a time. */
const batch = 100;
/** Between attempts while the engine cannot take them; each run and command that shows memory tries before it. */
const backoff = { firstMs: 1_000, capMs: 60_000 };

/** Hands amendments, room states, names and deletions of the ledger to the engine, one at a time and in order. */
export function createHandOvers(options: {
  ledger: Pick<Ledger, 'rooms' | 'placeNames' | 'amendments' | 'savedNotes' | 'takenBack' | 'commit'>;
  engine: Pick<Engine, 'setRooms' | 'setPlaceNames' | 'amend' | 'forgetNote' | 'forgetTurns'>;
  clock: Clock;
  log: Log;
  signal: AbortSignal;
}): HandOvers {
  const { ledger, engine, clock, log, signal } = options;
  let last: Promise<void> = Promise.resolve();
  let isTryingAgain = false;

  /** Those of one run in their order; what the engine refuses of one run holds up none of another. */
  const amendAll = async (amendments: ReturnType<typeof ledger.amendments.open>): Promise<void> => {
    const refused = new Map<string, unknown>();
    for (const { id, runID, amendment } of amendments) {
      if (refused.has(runID)) continue;
      try {
        await engine.amend(runID, amendment, signal).catch((error: unknown) => {
          if (codeOf(error) !== 'run_not_found') throw error; // its session was deleted
        });
        await ledger.commit(() => ledger.amendments.done(id), 'written');
      } catch (error) {
        if (isAbort(error, signal)) throw error;
        refused.set(runID, error);
      }
    }
    for (const error of refused.values()) throw error;
  };

  const handOver = async (): Promise<void> => {
    for (;;) {
      signal.throwIfAborted();
      const rooms = ledger.rooms.toHandOver();
      const names = ledger.placeNames.toHandOver();
      const amendments = ledger.amendments.open(batch);
      const notes = ledger.savedNotes.toForget();
      const turns = ledger.takenBack.next();
      if (rooms.length + names.length + amendments.length + notes.length === 0 && turns === undefined) return;
      if (turns !== undefined) {
        await engine.forgetTurns(turns, signal);
        await ledger.commit(() => ledger.takenBack.done(turns), 'written');
      }
      if (rooms.length > 0) {
        await engine.setRooms(rooms, signal);
        await ledger.commit(() => ledger.rooms.handedOver(rooms), 'written');
      }
      if (names.length > 0) {
        await engine.setPlaceNames(names, signal);
        await ledger.commit(() => ledger.placeNames.handedOver(names), 'written');
      }
      await amendAll(amendments);
      for (const { inboxID, memoryID, audience } of notes) {
        await engine.forgetNote({ memoryID, audience }, signal);
        await ledger.commit(() => ledger.savedNotes.forgotten(inboxID), 'written');
      }
    }
  };
  const flush = (): Promise<void> => {
    last = last.catch(() => undefined).then(handOver);
    return last;
  };
  /** Until it succeeds, or the gateway closes. */
  const again = async (): Promise<void> => {
    for (let attempt = 1; ; attempt += 1) {
      await clock.sleep(backoffMs(attempt, backoff), signal);
      try {
        return await flush();
      } catch {
        // the next attempt comes later; once the gateway closes, the sleep before it ends this
      }
    }
  };
  return {
    flush,
    nudge() {
      flush().catch((error: unknown) => {
        if (isAbort(error, signal) || isTryingAgain) return;
        log.warn({ words: errorMessage(error) }, 'a change could not be reported to the engine yet');
        isTryingAgain = true;
        again()
          .catch(() => undefined) // the gateway closes
          .finally(() => {
            isTryingAgain = false;
          });
      });
    },
    waiting() {
      const turns = ledger.takenBack.next()?.message_ids ?? [];
      const [rooms, notes] = [ledger.rooms.toHandOver(), ledger.savedNotes.toForget()];
      const names = ledger.placeNames.toHandOver();
      return rooms.length + names.length + ledger.amendments.count() + notes.length + turns.length;
    },
  };
}
