// The pieces that one question is ranked over: those with its words or near to its vector, and their neighbours. Every row through the scope.

import type { Work } from '#base/sql/work.ts';
import type { FoundChunk, Source } from '#memory/chunks/chunk-row.ts';
import type { ChunkWork } from '#memory/chunks/chunks.ts';
import type { WeightedTerm } from '#memory/search/query/weights.ts';
import type { ScopeFilter } from '#memory/tables/audience.ts';
import { createReadEntry, type SearchEntry } from './entry.ts';

/** The candidates of one question with their neighbours in the session, as places in `entries`; -1 where there is none. */
export interface Candidates {
  entries: readonly SearchEntry[];
  before: Int32Array;
  after: Int32Array;
  /** Those that nothing comes before in their session. */
  opens: readonly boolean[];
  /** Those that may be answers; the others only bear witness. */
  mayAnswer: readonly boolean[];
}

/** Pieces on either side that bear witness, and those of them that may be the answer themselves. */
const reach = 4;
const answerReach = 2;
/** Rows that are read on either side at once: the first time in a session, and once it turns out to have more than one of the best. */
const [narrow, wide] = [8, 32];
/** Neighbours are read of only so many of the best: measured, see bench/retrieval/HISTORY.md. */
const maxWithCompany = 80;
/** Company is given to the best until there are so many: where every seed is in a separate session, the others are worth little. */
const maxPassages = 170;
/** Where most of the heaviest rows may not be read, so many times as many are looked at, up to about `maxDeep`. */
const deeper = 8;
const maxDeep = 2_000;
/** What is in a row of its kind; a note is in none. */
const inRows: ReadonlySet<Source> = new Set(['exchange', 'turn', 'document']);

/** Reads the heaviest `most` rows, those at `near`, and what surrounds them. */
export function* gather(
  chunks: Pick<ChunkWork, 'byRows' | 'around'>,
  wanted: { terms: readonly WeightedTerm[]; near: readonly number[]; readable: ScopeFilter; most: number },
): Work<Candidates> {
  const { terms, near, readable, most } = wanted;
  const read = createReadEntry();
  const seeds = new Map<number, SearchEntry>();
  function* load(rows: readonly number[]): Work<Map<number, SearchEntry>> {
    const found = new Map((yield* chunks.byRows(rows, readable)).map((chunk) => [chunk.row, read(chunk)]));
    return new Map(rows.flatMap((row) => (found.has(row) ? [[row, found.get(row) as SearchEntry]] : []))); // just seen
  }
  // rows that only their tier or their time forbids must not stand in the way of the others
  for (let deep = most; ; deep *= deeper) {
    const rows = heaviest(terms, deep);
    const readableOnes = yield* load(rows);
    for (const [row, entry] of [...readableOnes].slice(0, most)) seeds.set(row, entry);
    if (readableOnes.size >= most / 2 || rows.length < deep || deep > maxDeep) break;
  }
  // what vectors bring takes no room from the company of the others
  const byWords = seeds.size;
  for (const [row, entry] of yield* load(near.filter((row) => !seeds.has(row)))) seeds.set(row, entry);
  const answers = new Set(seeds.keys());
  const runOf = createRuns(chunks, readable);
  const runs: (readonly number[])[] = [];
  const company = new Set<number>();
  let left = maxWithCompany;
  for (const [row, { chunk }] of seeds) {
    if (left === 0 || byWords + company.size >= maxPassages) break;
    if (!inRows.has(chunk.source) || chunk.sessionID === '') continue;
    left -= 1;
    const run = yield* runOf(chunk);
    runs.push(run);
    for (const other of run) if (other >= 0 && !seeds.has(other)) company.add(other);
    const at = run.indexOf(row);
    for (const other of run.slice(Math.max(0, at - answerReach), at + answerReach + 1)) answers.add(other);
  }
  const all = [...seeds, ...(yield* load([...company]))];
  const entries = all.map(([, entry]) => entry);
  return { ...linked(entries, runs), mayAnswer: all.map(([row]) => answers.has(row)) };
}

/** The rows around one, in order and with it: read widely once, then shared by those of the same session that stand near. */
function createRuns(
  chunks: Pick<ChunkWork, 'around'>,
  readable: ScopeFilter,
): (chunk: FoundChunk) => Work<readonly number[]> {
  const known = new Map<string, number[][]>();
  return function* (chunk) {
    const { row, sessionID, source } = chunk;
    const session = `${source} ${sessionID}`;
    const parts = known.get(session) ?? [];
    known.set(session, parts);
    for (const rows of parts) {
      const at = rows.indexOf(row);
      if (at >= reach && at < rows.length - reach) return rows.slice(at - reach, at + reach + 1);
    }
    const width = parts.length === 0 ? narrow : wide;
    const rows = yield* chunks.around({ row, sessionID, source }, width, readable);
    // where a session begins or ends there is nothing more to read
    const at = rows.indexOf(row);
    const [first, last] = [at < width, rows.length - 1 - at < width].map((isEnd) => (isEnd ? reach : 0));
    parts.push([...new Array(first ?? 0).fill(-1), ...rows, ...new Array(last ?? 0).fill(-1)]);
    return rows.slice(Math.max(0, at - reach), at + reach + 1);
  };
}

/** Links entries by runs of rows that follow each other in one session; a row that was not read breaks the link. */
function linked(
  entries: readonly SearchEntry[],
  runs: readonly (readonly number[])[],
): Omit<Candidates, 'mayAnswer'> {
  const places = new Map(entries.map(({ chunk }, place) => [chunk.row, place]));
  const before = new Int32Array(entries.length).fill(-1);
  const after = new Int32Array(entries.length).fill(-1);
  const opens = new Array<boolean>(entries.length).fill(false);
  for (const run of runs) {
    let last = -1;
    for (const [at, row] of run.entries()) {
      const place = places.get(row) ?? -1;
      if (place >= 0 && run[at - 1] === -1) opens[place] = true;
      if (last >= 0 && place >= 0) {
        after[last] = place;
        before[place] = last;
      }
      last = place;
    }
  }
  return { entries, before, after, opens };
}

/** The rows whose words of the question weigh most, the newest of equals first. Common words bring in rows only where there is no rarer one. */
function heaviest(terms: readonly WeightedTerm[], most: number): number[] {
  const rarer = terms.some(({ common, rows }) => !common && rows.length > 0);
  const sums = new Map<number, number>();
  for (const { rows, weight, common } of terms)
    if (!common || !rarer) for (const row of rows) sums.set(row, (sums.get(row) ?? 0) + weight);
  // a common word decides between rows that a rarer one brought in
  if (rarer)
    for (const { rows, weight, common } of terms)
      if (common) for (const row of rows) if (sums.has(row)) sums.set(row, (sums.get(row) ?? 0) + weight);
  // numbers are sorted far faster than rows with their sums
  const least = Float64Array.from(sums.values()).sort().at(-most) ?? 0;
  return [...sums]
    .filter(([, sum]) => sum >= least)
    .sort((a, b) => b[1] - a[1] || b[0] - a[0])
    .slice(0, most)
    .map(([row]) => row);
}
