// What all calls of a reader share: the check of its input, records by id, why one is missing, and entries as they are shown.
import type { z } from 'zod';
import { checkInput } from '#base/check-input.ts';
import type { Clock } from '#base/clock.ts';
import { ParleyError } from '#base/errors.ts';
import { truncate } from '#base/text.ts';
import type { ReaderEntry, ReaderMemory } from '#engine/wire/memory/reader-memory.ts';
import type { Memory } from '#memory/types/contract.ts';
import type { JournalCaller } from '#memory/types/journal.ts';
import type { Entry } from '#memory/types/maintenance.ts';
import { endOf as endAt, type GovernedRecord } from '#memory/types/record.ts';
import type { Scope } from '#memory/types/scope.ts';

export type ReaderOperations = {
  [Name in keyof ReaderMemory]: (caller: JournalCaller, input: unknown) => Promise<ReaderMemory[Name]>;
};

/** Characters of one text: in a list, and where one is read. */
export const [listed, whole] = [1_500, 20_000];

/** Looks records up; `missing` gives the error for an id: unknown to this reader, or forgotten when and why. */
export function createReaderLookup(memory: Pick<Memory, 'records' | 'forgotten'>, clock: Clock) {
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
  /** When a record ended that is shown no longer; undefined for one that holds. */
  const endOf = (record: Pick<GovernedRecord, 'expiresAt'>): string | undefined => {
    const end = endAt(record, clock.now());
    return end === undefined ? undefined : new Date(end).toISOString();
  };
  /** The same record; a ParleyError `memory_expired` for one that ended. */
  const refuseExpired = <T extends Pick<GovernedRecord, 'id' | 'expiresAt'>>(record: T): T => {
    const end = endOf(record);
    if (end === undefined) return record;
    throw new ParleyError('memory_expired', `id: the memory ${record.id} expired at ${end}.`, {
      hint: 'Store what holds now with memory_create. Nothing was written.',
    });
  };
  return { recordsOf, forgottenOf, missing, endOf, refuseExpired };
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
