// The writes of an index run in bounded steps: a transaction of a few milliseconds each, with a pause for others between two of them.
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '#base/clock.ts';
import type { NewId } from '#base/ids.ts';
import type { FileChanges, FileRows, FileStep, FileWrite } from '#memory/chunks/file-rows.ts';
import { mergeInSteps } from '#memory/tables/full-text.ts';

interface FileSteps {
  /** Writes the file with some of the next ones; a long one in parts. */
  write(file: FileWrite): Promise<void>;
  /** Writes what still waits. */
  end(): Promise<void>;
  /** Removes files with all of their passages. */
  remove(keys: readonly string[]): Promise<void>;
}

/** What a passage takes in a transaction, in units of 20 microseconds: to remove one takes ten times as long as to store it. */
const cost = { unchanged: 1, stored: 2, removed: 20 };
/** Of one transaction: about five milliseconds. */
const maxCost = 256;
/** Passages whose words are looked up in one turn of the event loop. */
const passagesATurn = 8;
/** Other processes and connections get the lock in between, in milliseconds. */
const pauseMs = 1;

/** Over the rows of files; what is done is added to `changes`. */
export function createFileSteps(parts: {
  rows: FileRows;
  /** Runs work in one transaction that writes, again while another process has the file locked. */
  atOnce<T>(work: () => T): Promise<T>;
  newId: NewId;
  clock: Clock;
  /** True to make every passage again, and to exchange those that are stored in another form. */
  again: boolean;
  changes: FileChanges;
}): FileSteps {
  const { rows, atOnce, newId, clock, again, changes } = parts;
  let [waiting, size]: [FileStep[], number] = [[], 0];

  let unmerged = 0;
  /** Merges full text where much of it was removed, in steps. */
  const removed = async (count: number): Promise<void> => {
    changes.removed += count;
    unmerged += count;
    if (unmerged < rows.removalsAMerge()) return;
    unmerged = 0;
    await mergeInSteps(rows.mergeWords, { atOnce, pause: () => pause(pauseMs) });
  };

  const flush = async (): Promise<void> => {
    const steps = waiting;
    [waiting, size] = [[], 0];
    if (steps.length === 0) return;
    const how = { newId: () => newId('mem'), now: clock.now(), again };
    const done = await atOnce(() => rows.write(steps, how));
    changes.stored += done.stored;
    changes.unchanged += done.unchanged;
    await pause(pauseMs);
    await removed(done.removed);
  };

  return {
    async write({ file, chunks }) {
      const { known, stale } = rows.storedOf({ file, chunks });
      const passages: (FileStep['passages'][number] & { cost: number })[] = [];
      for (const [ordinal, chunk] of chunks.entries()) {
        const isKnown = known.has(chunk.contentHash);
        const made =
          isKnown && !again ? undefined : rows.rowOf(chunk, { id: newId('mem'), now: clock.now() });
        const row = made !== undefined && isKnown && rows.isStored(made) ? undefined : made;
        const taken = row === undefined ? cost.unchanged : cost.stored + (isKnown ? cost.removed : 0);
        passages.push({ chunk, ordinal, row, cost: taken });
        if (passages.length % passagesATurn === 0) await nextTurn();
      }
      const whole = passages.reduce(
        (sum, passage) => sum + passage.cost,
        stale.length * cost.removed + cost.unchanged,
      );
      // a file that fits into a transaction is replaced in one
      if (size + whole > maxCost) await flush();
      let part: { passages: FileStep['passages'][number][]; stale: FileStep['stale'][number][] } | undefined;
      /** The part of the file that is filled, after the one before it was written when it is full. */
      const room = async (taken: number) => {
        if (part !== undefined && size + taken > maxCost) {
          waiting.push({ file, ...part, total: undefined });
          part = undefined;
          await flush();
        }
        size += taken;
        part ??= { passages: [], stale: [] };
        return part;
      };
      for (const passage of passages) (await room(passage.cost)).passages.push(passage);
      for (const each of stale) (await room(cost.removed)).stale.push(each);
      // before `waiting` is named: what it waits for may put another list in its place
      const last = await room(cost.unchanged);
      waiting.push({ file, ...last, total: chunks.length });
    },
    end: flush,
    async remove(keys) {
      for (let at = 0; at < keys.length; ) {
        const done = await atOnce(() => {
          let [next, removed, room] = [at, 0, Math.floor(maxCost / cost.removed)];
          while (next < keys.length && room > 0) {
            const gone = rows.remove(keys[next] ?? '', room);
            removed += gone;
            if (gone === room) break; // it may have more
            room -= Math.max(1, gone);
            next += 1;
          }
          return { next, removed };
        });
        at = done.next;
        await pause(pauseMs);
        await removed(done.removed);
      }
    },
  };
}
