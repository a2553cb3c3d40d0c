// The lines of summaries: which pieces each line was made of, and a summary without some of them.
import { z } from 'zod';
import type { StoredRecord } from './record-row.ts';
import type { Records } from './records.ts';

/** A summary, and it without the lines that go; `rest` is undefined for one that has none left, or cannot be made again. */
export interface Shortened {
  record: StoredRecord;
  rest: StoredRecord | undefined;
}

interface SummaryLines {
  /** The lines of these summaries, by the pieces that they were made of. */
  byPiece(recordIDs: Iterable<string>): Map<string, string>;
  /** The lines that were made of one of these pieces. */
  textsOf(recordIDs: Iterable<string>, pieces: ReadonlySet<string>): string[];
  without(recordIDs: Iterable<string>, pieces: ReadonlySet<string>): Shortened[];
}

/** Over the records of one open database. */
export function createSummaryLines({ get: find }: Pick<Records, 'get'>): SummaryLines {
  const all = (recordIDs: Iterable<string>): { text: string; of: string[] }[] =>
    [...recordIDs].flatMap((id) => linesIn(find(id)) ?? []);
  return {
    byPiece(recordIDs) {
      const lines = new Map<string, string>();
      for (const { text, of } of all(recordIDs))
        for (const piece of of) lines.set(piece, `${lines.get(piece) ?? ''} ${text}`);
      return lines;
    },
    textsOf: (recordIDs, pieces) =>
      all(recordIDs).flatMap(({ text, of }) => (of.some((piece) => pieces.has(piece)) ? [text] : [])),
    without: (recordIDs, pieces) =>
      [...recordIDs].flatMap((id): Shortened[] => {
        const record = find(id);
        if (record === undefined) return [];
        const left = linesIn(record)?.filter(({ of }) => !of.some((piece) => pieces.has(piece))) ?? [];
        if (left.length === 0) return [{ record, rest: undefined }];
        const rest: StoredRecord = {
          ...record,
          text: left.map(({ text }) => text).join('\n'),
          evidence: record.evidence.filter((piece) => !pieces.has(piece)),
          metadata: { ...record.metadata, lines: left.map(({ of }) => of) },
        };
        return [{ record, rest }];
      }),
  };
}

const linesSchema = z.array(z.array(z.string()));

/** The lines of a summary with the pieces that each was made of; undefined where they do not fit each other. */
function linesIn(summary: StoredRecord | undefined): { text: string; of: string[] }[] | undefined {
  const read = linesSchema.safeParse(summary?.metadata.lines);
  const texts = summary?.text.split('\n') ?? [];
  if (!read.success || read.data.length !== texts.length || (summary?.version ?? 1) > 1) return undefined;
  return texts.map((line, place) => ({ text: line, of: read.data[place] ?? [] }));
}
