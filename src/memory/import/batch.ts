// What an import has read and not stored yet: gathered until a transaction is full.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ParleyError } from '#base/errors.ts';
import type { ChunkBatch, NewChunk, SourceFile, Sources } from '#memory/chunks/sources.ts';
import type { ImportReport } from '#memory/types/import.ts';
import type { Tally } from './items/tally.ts';

export interface Read {
  file: SourceFile;
  drafts: AsyncIterable<NewChunk> | readonly NewChunk[];
  /** How many messages were found unreadable before those of this file. */
  unreadableBefore: number;
}

/** Gathers files until a transaction is full, `atOnce` chunks; a file that was read counts when all of it is stored. */
export function createBatch(
  sources: Sources,
  { report, atOnce, tally }: { report: ImportReport; atOnce: number; tally: Tally },
) {
  let parts: ChunkBatch[] = [];
  let size = 0;
  const flush = async (): Promise<void> => {
    if (parts.length === 0) return;
    const { stored, again, known, forgotten, removed } = await sources.write(parts);
    report.chunks.stored += stored;
    report.chunks.removed += removed;
    report.entries.stored += stored - again;
    report.entries.known += known + again;
    tally.skip('forgotten', forgotten);
    for (const { isLast, from, drafts } of parts)
      if (isLast) report.files[from + drafts.length === 0 ? 'empty' : 'stored'] += 1;
    [parts, size] = [[], 0];
    await nextTurn();
  };
  return {
    /** Throws what reading the drafts throws, and a ParleyError where not one message of the file can be read. */
    async add({ file, drafts, unreadableBefore }: Read): Promise<void> {
      let [from, some]: [number, NewChunk[]] = [0, []];
      const put = (isLast: boolean): void => {
        parts.push({ file, drafts: some, from, isLast });
        [size, from, some] = [size + some.length, from + some.length, []];
      };
      for await (const draft of drafts) {
        if (some.length > 0 && size + some.length >= atOnce) {
          put(false);
          await flush();
        }
        some.push(draft);
      }
      const { unreadable, last } = tally.sofar();
      if (from + some.length === 0 && unreadable > unreadableBefore)
        throw new ParleyError('invalid_value', last);
      put(true);
      if (size >= atOnce || parts.length >= atOnce) await flush();
    },
    end: flush,
  };
}
