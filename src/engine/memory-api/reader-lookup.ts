// What all calls of a reader share: the check of its input, records by id, why one is missing, and entries as they are shown.
import type { z } from 'zod';
import { checkInput } from '#base/check-input.ts';
import { ParleyError } from '#base/errors.ts';
import { truncate } from '#base/text.ts';
import type { ReaderEntry, ReaderMemory } from '#engine/wire/memory/reader-memory.ts';
import type { Memory } from '#memory/types/contract.ts';
import type { JournalCaller } from '#memory/types/journal.ts';
import type { Entry } from '#memory/types/maintenance.ts';
import type { Scope } from '#memory/types/scope.ts';

export type ReaderOperations = {
  [Name in keyof ReaderMemory]: (caller: JournalCaller, input: unknown) => Promise<ReaderMemory[Name]>;
};

/** Characters of one text: in a list, and where one is read. */
export const [listed, whole] = [1_500, 20_000];

/** Looks records up; `missing` gives the error for an id: unknown to this reader, or forgotten when and why. */
export function createReaderLookup(memory: Pick<Memory, 'records' | 'forgotten'>) {
  const recordsOf = (scope: Scope, id: string) => memory.records({ scope, ids: [id] });
  const forgottenOf = async ({ where, own = [] }: JournalCaller, id: string) => {
    for (const of of [where.audience, ...own]) {
      const forgotten = await memory.forgotten({ id, of });
      if (forgotten !== undefined) return forgotten;
    }
    return undefined;
  };
  const missing = async (caller: JournalCaller, id: string): Promise<ParleyError> => {
    const forgotten = await forgottenOf(caller, id);
    if (forgotten === undefined)
      return new ParleyError(
        'memory_not_found',
        `id: expected the id of a memory that you may read, received "${id}".`,
        {
          hint: 'Find it with memory_search. Nothing was written.',
        },
      );
    const why =
      forgotten.reason === undefined ? 'no reason was given' : `the reason given: ${forgotten.reason}`;
    const at = new Date(forgotten.at).toISOString();
    return new ParleyError('memory_forgotten', `id: the memory ${id} was forgotten at ${at}; ${why}.`);
  };
  return { recordsOf, forgottenOf, missing };
}

/** The input as its schema has it; a ParleyError `invalid_memory_call` otherwise. */
export function checked<T>(schema: z.ZodType<T>, input: unknown): T {
  return checkInput(schema, input, { code: 'invalid_memory_call', what: 'The call' });
}

/** The entry as a reader sees it, with at most so many characters of its text. */
export function readerEntryOf(entry: Entry, characters: number): ReaderEntry {
  const { id, source: kind, text, at, speaker, platform, audience, file } = entry;
  return {
    ...{ id, kind, text: truncate(text, characters), at: new Date(at).toISOString() },
    ...{ speaker, platform, audience },
    ...(file !== undefined && { file }),
    ...(text.length > characters && { cut: true }),
  };
}
