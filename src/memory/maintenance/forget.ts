// Forgetting: shown first, then done in one transaction over everything derived, and looked for afterwards.
import { codeOf } from '#base/errors.ts';
import { type TraceSearch, tracesOf } from '#base/files/file-traces.ts';
import { finish, type Work } from '#base/sql/work.ts';
import type { FoundChunk } from '#memory/chunks/chunk-row.ts';
import { entryOf, entryOfRecord } from '#memory/chunks/entry.ts';
import type { LineForgetting } from '#memory/files/forget-lines.ts';
import type { MeantSource } from '#memory/records/episodes.ts';
import type { StoredRecord } from '#memory/records/record-row.ts';
import type { ForgettingParts } from '#memory/store/chunk-eraser.ts';
import type { Store } from '#memory/store/store.ts';
import { readableBy, type ScopeFilter } from '#memory/tables/audience.ts';
import type { ForgetRequest, ForgetResult, Selection } from '#memory/types/maintenance.ts';
import type { Audience } from '#memory/types/scope.ts';
import { plainWords } from '#memory/words/tokens.ts';

const maxSamples = 10;
/** Words of what was forgotten that are looked for in the files; the longest say most. */
const maxTraced = 50;
const shortestTraced = 6;

/**
 * Shows or forgets the selection inside the scope, with every version of the records that it means or that were made of it. Rejects with
 * `missing_scope` without a scope and `invalid_selection` for a selection that names nothing. What was forgotten cannot be brought
 * back by an import. `signal` ends the search for what is left, which then counts as not made.
 */
export async function forget(
  store: Store,
  request: ForgetRequest,
  { signal, lines }: { signal?: AbortSignal | undefined; lines?: LineForgetting | undefined } = {},
): Promise<ForgetResult> {
  const files = request.mode === 'forget' ? await lines?.prepare() : undefined;
  const note: Note = (chunks, claims) => {
    if (files !== undefined) lines?.note(files, chunks, { ...request, claims });
  };
  const { words, ...rows } = await store.retryWhileLocked(() => forgetRows(store, request, note));
  if (!rows.forgotten) return rows;
  const done = { ...rows, remains: [...rows.remains, ...((await lines?.finish()) ?? [])] };
  if (request.proof === 'none') return done;
  const untidied = await tidy(store);
  const { traces, unread } = await tracesOf(words, store.files(), { signal });
  // What was written again in the meantime, or names something else, is no trace of what was forgotten. Once closed, the store cannot be asked.
  const left =
    signal?.aborted === true
      ? traces
      : traces.filter(({ word }) => !store.chunks.knows(word) && !store.isNamed(word));
  const remains = [
    ...done.remains,
    ...untidied,
    ...left.map(({ word, file }) => `"${word}" is in ${file}`),
    ...unreadNotice(unread),
  ];
  return { ...done, remains };
}

/** Forgets imported messages by their platform's ids, without a proof; how many. */
export async function forgetTurns(
  store: Store,
  { audience, messageIDs }: { audience: Audience; messageIDs: readonly string[] },
): Promise<number> {
  const ids = store.turns.idsOf(audience, messageIDs);
  if (ids.length === 0) return 0;
  const scope = { audiences: [audience], spaces: [], everyone: false, everyPartition: true };
  const by = { name: 'gateway' };
  const { entries } = await forget(store, { scope, selection: { ids }, mode: 'forget', by, proof: 'none' });
  return entries;
}

/** Forgets what was stored for a session alone, without a proof: its tier ends with it; how many entries. */
export async function forgetSessionTier(store: Store, sessionID: string): Promise<number> {
  const audiences = store.nodes.audiencesOfSession(sessionID);
  if (audiences.length === 0) return 0;
  const scope = { audiences, spaces: [], everyone: false, everyPartition: true, tiers: ['session' as const] };
  const selection = { session: sessionID };
  const by = { name: 'gateway' };
  // nobody takes the words back: they may be stored again, for another session or for all
  const { entries } = await forget(store, {
    ...{ scope, selection, by },
    ...{ mode: 'forget', proof: 'none', marks: 'none' },
  });
  return entries;
}

/** Apart from the transaction that forgets, which must not be repeated when only this fails: it would find nothing any more. */
async function tidy(store: Store): Promise<string[]> {
  try {
    await store.retryWhileLocked(store.leaveNoTrace);
    return [];
  } catch (error) {
    if (codeOf(error) !== 'memory_busy') throw error;
    return [
      'Another process held the lock of the memory: bytes of what is forgotten can still be in its files.',
    ];
  }
}

/** Says of each file that it was not searched, and why. */
export function unreadNotice(unread: TraceSearch['unread']): string[] {
  return unread.map(({ file, why }) => `What is left in ${file} is not known: ${why}.`);
}

/** Notes which lines of files go with chunks, and with claims of what is no longer there. */
type Note = (chunks: readonly FoundChunk[], claims: readonly string[]) => void;

/** What a selection means, as it is shown before it is forgotten. */
interface MeantEntries {
  meant: Meant;
  inRows: readonly FoundChunk[];
  lineages: ReadonlyMap<string, readonly StoredRecord[]>;
  shown: Pick<ForgetResult, 'entries' | 'samples' | 'pinned'>;
}

/** The entries that a selection means. */
export function* meantEntries(
  parts: ForgettingParts,
  { selection, samples: wanted }: Pick<ForgetRequest, 'selection' | 'samples'>,
  readable: ScopeFilter,
): Work<MeantEntries> {
  const what = yield* meant(parts, selection, readable);
  const { rows, records, journal, sources } = what;
  const inRows = yield* parts.chunks.inOrder(rows, readable);
  const withChunks = new Set(inRows.map(({ sourceKey }) => sourceKey));
  const lineages = Map.groupBy(records, ({ lineageID }) => lineageID);
  const single = [...lineages.values()].filter((versions) => !versions.some(({ id }) => withChunks.has(id)));
  const summarized = sources.filter(({ recordID }) => recordID !== undefined).length;
  const entries = rows.length + single.length + journal.length + summarized;
  const most = wanted === 'all' ? entries : maxSamples;
  const samples = [
    ...inRows.map(entryOf),
    ...single.flatMap((versions) => versions.slice(-1).map(entryOfRecord)),
    ...(yield* parts.journal.samples(journal, most)),
  ];
  const shown = {
    entries,
    samples: samples.slice(0, most),
    pinned: [...lineages.values()].filter((versions) => isPinned(versions.at(-1))).length,
  };
  return { meant: what, inRows, lineages, shown };
}

/** Forgets them in the caller's transaction; gives the words by which they are looked for afterwards. */
export function* forgetMeant(
  parts: ForgettingParts,
  { meant: what, inRows, lineages }: MeantEntries,
  { request, note }: { request: ForgetRequest; note: Note },
): Work<string[]> {
  const { records, sources } = what;
  const words = tellingOf([
    ...inRows.map(({ content }) => content),
    ...records.map(({ text }) => text),
    ...(yield* parts.episodes.textsOf(sources)),
    ...(yield* parts.knowledge.wordsOf([...lineages.keys()])),
  ]);
  const gone = records.map(({ id }) => id);
  note(inRows, yield* parts.episodes.claimsOf(sources, gone));
  yield* parts.forget({
    ...what,
    by: request.by ?? { name: 'operator' },
    reason: request.reason,
    marks: request.marks,
  });
  return words;
}

/** What is still there of a selection that was forgotten, and those of its words that no chunk holds any more. */
export function* leftOver(
  parts: ForgettingParts,
  { request, words }: { request: ForgetRequest; words: readonly string[] },
  readable: ScopeFilter,
): Work<{ remains: string[]; words: string[] }> {
  const left = yield* meant(parts, request.selection, readable);
  const count = left.rows.length + left.records.length + left.journal.length + left.sources.length;
  const gone: string[] = [];
  for (const word of words) if (!(yield* parts.chunks.knows(word))) gone.push(word);
  return { remains: count === 0 ? [] : [`${count} entries of the selection are still there`], words: gone };
}

/** Also gives the words that no chunk holds any more. */
function forgetRows(store: Store, request: ForgetRequest, note: Note): ForgetResult & { words: string[] } {
  const parts = store.forgetting;
  const readable = readableBy(request.scope, { expired: 'included' });
  const entries = finish(meantEntries(parts, request, readable));
  if (request.mode === 'preview') return { ...entries.shown, forgotten: false, remains: [], words: [] };
  const words = store.atOnce(() => finish(forgetMeant(parts, entries, { request, note })));
  return { ...entries.shown, forgotten: true, ...finish(leftOver(parts, { request, words }, readable)) };
}

function isPinned(newest: StoredRecord | undefined): boolean {
  return newest?.state === 'active' && newest.pinned;
}

interface Meant {
  rows: number[];
  records: StoredRecord[];
  journal: string[];
  sources: MeantSource[];
}

function* meant(parts: ForgettingParts, selection: Selection, readable: ScopeFilter): Work<Meant> {
  const { chunks, episodes } = parts;
  const selected = yield* parts.select(selection, readable);
  // passages of the journal go with their entries
  const owners = yield* parts.journalPassages.ownersOf(selected);
  const taken = yield* episodes.select(selection, readable);
  // of a summary the lines go that fit, and with its own id the whole of it
  const shortened = selection.ids === undefined ? taken.flatMap(({ recordID }) => recordID ?? []) : [];
  const inLines = new Set<number>();
  for (const id of new Set(shortened)) for (const row of yield* chunks.rowsOf(id)) inLines.add(row);
  const rows = selected.filter((row) => !owners.has(row) && !inLines.has(row));
  const ids = taken.map(({ chunkID }) => chunkID);
  const { versions, rows: further } = yield* parts.selectRecords(selection, readable, rows, ids);
  const whole = new Set(versions.map(({ id }) => id));
  const sources = taken.filter(({ recordID }) => recordID === undefined || !whole.has(recordID));
  const entries = (yield* parts.journal.select(selection, readable)).map(({ id }) => id);
  const named = selection.ids === undefined ? [] : owners.values();
  return {
    rows: [...new Set([...rows, ...further])],
    records: versions,
    journal: [...new Set([...entries, ...named])],
    sources,
  };
}

function tellingOf(texts: readonly string[]): string[] {
  const words = new Set(texts.flatMap(plainWords).filter((word) => word.length >= shortestTraced));
  return [...words].sort((a, b) => b.length - a.length).slice(0, maxTraced);
}
