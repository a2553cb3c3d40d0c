// The two ways in: explicit search, and recall for a prompt with its stricter admission.

import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { ParleyError } from '#base/errors.ts';
import type { Work } from '#base/sql/work.ts';
import { type FoundChunk, messageIDsOf } from '#memory/chunks/chunk-row.ts';
import { entryOf, recordIDOf } from '#memory/chunks/entry.ts';
import { corpusOf, filePlatform } from '#memory/chunks/file-rows.ts';
import type { RecordWork } from '#memory/records/records.ts';
import { readableBy } from '#memory/tables/audience.ts';
import { formatMemoryBlock, type RankedEntry } from '#memory/types/block.ts';
import type { ShownFile } from '#memory/types/files.ts';
import type { Hit, RecallInput, RecallResult, SearchQuery, SearchResult } from '#memory/types/recall.ts';
import type { Scope } from '#memory/types/scope.ts';
import { collapse, placeText } from './collapse.ts';
import type { Find, SearchInput } from './find.ts';
import { pinnedEntries, pinnedShare } from './lookup.ts';
import type { RankedChunk } from './ranked.ts';
import { chosen, minMet, picked } from './recall.ts';

/** The vector of the text, where a model made one, and what a search program found. */
type QueryVector = Pick<SearchInput, 'vector' | 'passages'>;

const limitSchema = z.number().int().min(1).max(100).default(8);
const budgetSchema = z.number().int().min(0).max(1_000_000).default(6000);

/** Left-out chunks are counted up to here. */
const maxCounted = 100;

/** The best chunks for an explicit question. Throws `missing_scope` and, for a limit outside 1 to 100, `invalid_limit`. */
export function* search(find: Find, query: SearchQuery & QueryVector): Work<SearchResult> {
  const limit = checked(limitSchema, query.limit, {
    code: 'invalid_limit',
    expected: 'a limit from 1 to 100',
  });
  const { ranked, degraded } = yield* find({ ...query, limit });
  return { hits: collapse(ranked, limit).map(hitOf), degraded };
}

/** The prompt's block for a text: only what answers to its telling words; an empty block when nothing does. */
export function* recall(
  find: Find,
  records: Pick<RecordWork, 'sensitive' | 'pinned'>,
  request: RecallInput & QueryVector & { pinned?: boolean | undefined },
): Work<RecallResult> {
  const { admit, except = { ids: [], runIDs: [] } } = request;
  const found = yield* find({ ...request, least: admit === undefined ? minMet : (admit.meets ?? 0) });
  const back = yield* records.sensitive(found.ranked.flatMap(({ chunk }) => recordIDOf(chunk) ?? []));
  const shown = new Map((request.inPrompt ?? []).map((file) => [file.key, file]));
  const [ids, runIDs] = [new Set(except.ids), new Set(except.runIDs)];
  const ranked = found.ranked.flatMap((entry): RankedChunk[] => {
    const { sourceKey, id, runID } = entry.chunk;
    if (back.has(sourceKey) || ids.has(id) || runIDs.has(runID)) return [];
    return withoutShown(entry, shown.get(sourceKey));
  });
  const budgetChars = checked(budgetSchema, request.budgetChars, {
    code: 'invalid_budget',
    expected: 'a budget of 0 to 1000000 characters',
  });
  const pinned = request.pinned === false ? [] : yield* pinnedWithin(records, request.scope, budgetChars);
  const pins = new Set(pinned.map(({ id }) => id));
  const different = collapse(ranked, maxCounted);
  if (admit !== undefined) {
    const given = picked(
      different.filter(({ chunk }) => !pins.has(chunk.sourceKey)),
      admit,
    );
    const entries = given.map((entry) => passageOf(entry, request.currentSession));
    const block = formatMemoryBlock({ entries, leftOut: 0, nonce: freshNonce(), budgetChars });
    const { text, shown: count } = block;
    const hits = given.slice(0, count).map(hitOf);
    return { block: text, hits, omitted: given.length - count, degraded: found.degraded };
  }
  const { given: best, relevant: all } = chosen(different);
  const given = best.filter(({ chunk }) => !pins.has(chunk.sourceKey));
  const relevant = all - (best.length - given.length) + pinned.length;
  const entries = [...pinned, ...given.map((entry) => passageOf(entry, request.currentSession))];
  const block = formatMemoryBlock({
    entries,
    leftOut: relevant - entries.length,
    nonce: freshNonce(),
    budgetChars,
  });
  return {
    block: block.text,
    hits: given.slice(0, Math.max(0, block.shown - pinned.length)).map(hitOf),
    omitted: relevant - block.shown,
    degraded: found.degraded,
  };
}

/** What is pinned, changed last first, as far as its share of the prompt's memory goes. */
function* pinnedWithin(
  records: Pick<RecordWork, 'pinned'>,
  scope: Scope,
  budgetChars: number,
): Work<RankedEntry[]> {
  let room = budgetChars * pinnedShare;
  return (yield* pinnedEntries(records, readableBy(scope))).filter(({ text }) => {
    room -= text.length;
    return room >= 0;
  });
}

/** 64 random bits in hexadecimal, out of what Node has ready for UUIDs: to ask the system takes as long as a small search in SQLite. */
function freshNonce(): string {
  const id = randomUUID();
  // all but the digits that say which kind of UUID it is
  return id.slice(0, 8) + id.slice(-8);
}

/** The lines of a passage that the prompt does not hold yet; none when it holds all of them. */
function withoutShown(entry: RankedChunk, shown: ShownFile | undefined): RankedChunk[] {
  if (shown === undefined) return [entry];
  const [from, until] = messageIDsOf(entry.chunk).map(Number);
  if (from === undefined || from > shown.lines) return [entry];
  if (until !== undefined && until <= shown.lines) return [];
  const known = new Set(shown.text.split('\n'));
  const lines = entry.chunk.content.split('\n').filter((line) => !known.has(line));
  return lines.length === 0 ? [] : [{ ...entry, chunk: { ...entry.chunk, content: lines.join('\n') } }];
}

function hitOf({ chunk, score, parts, why, places }: RankedChunk): Hit {
  const also = (places ?? []).filter((place) => place !== placeText(chunk));
  const alsoIn = also.length === 0 ? {} : { alsoIn: [...new Set(also)] };
  return { ...entryOf(chunk), score, scoreParts: parts, why: why(), ...alsoIn };
}

function passageOf(
  { chunk, score, writtenAt }: RankedChunk,
  currentSession: string | undefined,
): RankedEntry {
  const at = new Date(chunk.lastWrittenAt).toISOString();
  const days = new Set(
    writtenAt.toSorted((a, b) => a - b).map((time) => new Date(time).toISOString().slice(0, 10)),
  );
  days.delete(at.slice(0, 10));
  return {
    id: chunk.id,
    at,
    ...(days.size === 0 ? {} : { also: [...days].join(', ') }),
    session: chunk.sessionID === '' ? chunk.id : chunk.sessionID,
    speaker: chunk.speaker,
    where: chunk.platform === filePlatform ? fileOf(chunk) : `${chunk.platform} ${kindOfChat(chunk)}`,
    text: chunk.content,
    score,
    section: sectionOf(chunk, currentSession),
  };
}

/** What was noted or read from files is known; the rest was said, here or elsewhere. */
function sectionOf(chunk: FoundChunk, currentSession: string | undefined): RankedEntry['section'] {
  if (chunk.sessionID === currentSession && currentSession !== '') return 'current_session';
  return chunk.source === 'exchange' || chunk.source === 'turn' ? 'relevant_history' : 'project_facts';
}

/** `file MEMORY.md`: without the folder of its audience, which says nothing to people; `page wiki/garden.md` of a corpus. */
function fileOf(chunk: FoundChunk): string {
  const { sessionID: path } = chunk;
  return corpusOf(chunk) === 'memory' ? `file ${path.slice(path.indexOf('/') + 1)}` : `page ${path}`;
}

/** The kind that the canonical address names, or what the audience says of an address of another form. */
function kindOfChat({ chat, audience }: FoundChunk): string {
  const kind = chat.split(':')[1];
  if (kind === 'dm' || kind === 'group' || kind === 'channel') return kind;
  return audience.startsWith('person:') ? 'dm' : 'room';
}

function checked(
  schema: z.ZodType<number, number | undefined>,
  value: number | undefined,
  words: { code: string; expected: string },
): number {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new ParleyError(words.code, `Expected ${words.expected}, got ${String(value)}.`);
}
