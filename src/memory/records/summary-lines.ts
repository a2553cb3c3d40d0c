// The lines of summaries: which pieces each line was made of, and a summary without some of them.
import { z } from 'zod';
import type { Work } from '#base/sql/work.ts';
import type { StoredRecord } from './record-row.ts';
import type { RecordWork } from './records.ts';

/** A summary, and it without the lines that go; `rest` is undefined for one that has none left, or cannot be made again. */
export interface Shortened {
  record: StoredRecord;
  rest: StoredRecord | undefined;
}

interface SummaryLines {
  /** The lines of these summaries, by the pieces that they were made of. */
  byPiece(recordIDs: Iterable<string>): Work<Map<string, string>>;
  /** The lines that were made of one of these pieces. */
  textsOf(recordIDs: Iterable<string>, pieces: ReadonlySet<string>): Work<string[]>;
  without(recordIDs: Iterable<string>, pieces: ReadonlySet<string>): Work<Shortened[]>;
}

/** Over the records of one database. */
export function createSummaryLines({ get: find }: Pick<RecordWork, 'get'>): SummaryLines {
  function* all(recordIDs: Iterable<string>): Work<{ text: string; of: string[] }[]> {
    const found: { text: string; of: string[] }[] = [];
    for (const id of recordIDs) found.push(...(linesIn(yield* find(id)) ?? []));
    return found;
  }
  return {
    *byPiece(recordIDs) {
      const lines = new Map<string, string>();
      for (const { text, of } of yield* all(recordIDs))
        for (const piece of of) lines.set(piece, `${lines.get(piece) ?? ''} ${text}`);
      return lines;
    },
    *textsOf(recordIDs, pieces) {
      return (yield* all(recordIDs)).flatMap(({ text, of }) =>
        of.some((piece) => pieces.has(piece)) ? [text] : [],
      );
    },
    *without(recordIDs, pieces) {
      const shortened: Shortened[] = [];
      for (const id of recordIDs) {
        const record = yield* find(id);
        if (record === undefined) continue;
        const left = linesIn(record)?.filter(({ of }) => !of.some((piece) => pieces.has(piece))) ?? [];
        const rest: StoredRecord = {
          ...record,
          text: left.map(({ text }) => text).join('\n'),
          evidence: record.evidence.filter((piece) => !pieces.has(piece)),
          metadata: { ...record.metadata, lines: left.map(({ of }) => of) },
        };
        shortened.push({ record, rest: left.length === 0 ? undefined : rest });
      }
      return shortened;
    },
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
