// Search of governed records by their words: predictable, inside one scope, narrowed by tags.
import { z } from 'zod';
import { ParleyError } from '#base/errors.ts';
import type { Work } from '#base/sql/work.ts';
import { tagsOf } from '#memory/records/record-of-note.ts';
import { type StoredRecord, shownRecord } from '#memory/records/record-row.ts';
import type { RecordFilter, RecordWork } from '#memory/records/records.ts';
import { readableBy, type ScopeFilter } from '#memory/tables/audience.ts';
import type { FoundRecord, RecordQuery } from '#memory/types/record.ts';
import { comparableText } from '#memory/words/content-hash.ts';
import { isStop, textLanguage } from '#memory/words/languages.ts';
import { formsInAnyLanguage, indexTextInItsLanguage, queryTokens } from '#memory/words/tokens.ts';
import { stopWords } from '#memory/words/word-classes.ts';

const limitSchema = z.number().int().min(1).max(1000).default(8);
/** Words of a question that are looked for. */
const maxWords = 32;
/** What a record that holds the text only within its words is worth: less than any that holds one of them. */
const withinText = 0.05;

/**
 * The records of the scope for a query, by these steps: the query becomes quoted words, stemmed in every language, joined with OR, stop words left out unless
 * there is nothing else; full text finds their rows; the rows are joined to their records; of those the audience predicate leaves what
 * the scope may read; demoted, superseded, retracted and expired ones are passed over; project, channel and host narrow them; BM25
 * orders them; its rank becomes a score relative to the question; and when no record has a word, those that hold the text as it is
 * written follow, newest first. With `ids` it is these records whatever their state, all versions of them, only of own audiences.
 */
export function* searchRecords(records: RecordWork, query: RecordQuery): Work<FoundRecord[]> {
  const limit = limitSchema.safeParse(query.limit);
  if (!limit.success)
    throw new ParleyError('invalid_limit', `Expected a limit from 1 to 1000, got ${String(query.limit)}.`);
  const readable = readableBy(query.scope, query);
  if (query.ids !== undefined)
    return (yield* records.history(query.ids, readable)).map((record) => ({
      ...shownRecord(record),
      score: 0,
    }));
  const filter: RecordFilter = {
    channelTag: query.channelTag ?? null,
    hostTag: query.hostTag ?? null,
    userID: query.userID ?? null,
    kind: query.kind ?? null,
    key: query.key === undefined ? null : comparableText(query.key),
    tag: query.tag === undefined ? null : (tagsOf([query.tag])[0] ?? ''),
    pinned: query.pinned === true ? 1 : null,
    words: query.words === undefined ? null : allOf(query.words),
  };
  const text = query.text?.replaceAll('\u0000', ' ').trim() ?? ''; // SQLite's LIKE ends at one

  if (text === '')
    return (yield* records.holding('', filter, readable, limit.data)).map((record) => ({
      ...shownRecord(record),
      score: 0,
    }));
  return yield* byWords(records, { text, filter, readable, limit: limit.data });
}

interface PreparedRecordQuery {
  text: string;
  filter: RecordFilter;
  readable: ScopeFilter;
  limit: number;
}

function* byWords(
  records: RecordWork,
  { text, filter, readable, limit }: PreparedRecordQuery,
): Work<FoundRecord[]> {
  const words = wordsOf(text);
  const found = words.length === 0 ? [] : yield* records.matching(words.flat(), filter, readable, limit);
  const [first] = found;
  if (first === undefined)
    return (yield* records.holding(text, filter, readable, limit)).map((record) => ({
      ...shownRecord(record),
      score: withinText,
    }));
  // FTS5's rank is at or below zero, and its size depends on how many rows there are: what is comparable is its share of the best
  const best = first.rank;
  const most = Math.max(shareIn(first, words), 2 * withinText);
  return found.map(({ rank, ...record }) => ({
    ...shownRecord(record),
    score: most * (best < 0 ? rank / best : 1),
  }));
}

/** All words of a text, each in the forms that it may be indexed under; a text without words is in no record. */
function allOf(text: string): string[][] {
  const words = new Set(queryTokens(text, 4 * maxWords).map(({ plain }) => plain));
  return [...words].map((word) => formsInAnyLanguage(word));
}

/** The telling words of a text, each in the forms that it may be indexed under. */
function wordsOf(text: string): string[][] {
  const language = textLanguage(text);
  const tokens = queryTokens(text, 4 * maxWords);
  const telling = tokens.filter(({ plain }) => !isStop(language, plain) && !stopWords.has(plain));
  const plain = new Set((telling.length > 0 ? telling : tokens).map((token) => token.plain));
  return [...plain].slice(0, maxWords).map(formsInAnyLanguage);
}

/** How much of the question is in the record. */
function shareIn({ text }: Pick<StoredRecord, 'text'>, words: readonly string[][]): number {
  const held = new Set(indexTextInItsLanguage(text).split(/\s+/));
  return words.filter((forms) => forms.some((form) => held.has(form))).length / words.length;
}
