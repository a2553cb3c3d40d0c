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
  const load = createLoad();
  const seeds = new Map<number, SearchEntry>();
  // rows that only their tier or their time forbids must not stand in the way of the others
  for (let deep = most; ; deep *= deeper) {
    const rows = heaviest(terms, deep);
    const readableOnes = load(rows, yield* chunks.byRows(rows, readable));
    for (const [row, entry] of readableOnes.slice(0, most)) seeds.set(row, entry);
    if (readableOnes.length >= most / 2 || rows.length < deep || deep > maxDeep) break;
  }
  // what vectors bring takes no room from the company of the others
  const company = createCompany(seeds);
  const further = near.filter((row) => !seeds.has(row));
  for (const [row, entry] of load(further, yield* chunks.byRows(further, readable))) seeds.set(row, entry);
  for (const chunk of company.asked()) {
    const width = company.widthFor(chunk);
    if (width > 0) company.read(chunk, yield* chunks.around(chunk, width, readable));
    company.take(chunk);
  }
  const others = company.rows();
  return company.candidates([...seeds, ...load(others, yield* chunks.byRows(others, readable))]);
}

/** Makes entries of chunks, in the order of the rows. */
function createLoad() {
  const read = createReadEntry();
  return (rows: readonly number[], chunks: readonly FoundChunk[]): [number, SearchEntry][] => {
    const found = new Map(chunks.map((chunk) => [chunk.row, read(chunk)]));
    return rows.flatMap((row): [number, SearchEntry][] => {
      const entry = found.get(row);
      return entry === undefined ? [] : [[row, entry]];
    });
  };
}

/**
 * What surrounds the seeds: rows in order, read widely once, then shared by those of the same session that stand near. The reading is the
 * caller's, so that no more of this than has to wait is work.
 */
function createCompany(seeds: ReadonlyMap<number, SearchEntry>) {
  const byWords = seeds.size;
  const known = new Map<string, number[][]>();
  const runs: (readonly number[])[] = [];
  const company = new Set<number>();
  const answers = new Set<number>();
  const partsOf = ({ source, sessionID }: FoundChunk): number[][] => {
    const session = `${source} ${sessionID}`;
    const parts = known.get(session) ?? [];
    known.set(session, parts);
    return parts;
  };
  /** The part of the session in which the row has enough on either side, with its place there. */
  const within = (chunk: FoundChunk): readonly [rows: readonly number[], at: number] | undefined => {
    for (const rows of partsOf(chunk)) {
      const at = rows.indexOf(chunk.row);
      if (at >= reach && at < rows.length - reach) return [rows, at];
    }
    return undefined;
  };
  return {
    /** The seeds that get company, best first, until there is enough. */
    *asked(): Generator<FoundChunk, void> {
      let left = maxWithCompany;
      for (const { chunk } of seeds.values()) {
        if (left === 0 || byWords + company.size >= maxPassages) return;
        if (!inRows.has(chunk.source) || chunk.sessionID === '') continue;
        left -= 1;
        yield chunk;
      }
    },
    /** How many rows on either side are to be read; 0 where they are known. */
    widthFor(chunk: FoundChunk): number {
      if (within(chunk) !== undefined) return 0;
      return partsOf(chunk).length === 0 ? narrow : wide;
    },
    /** The rows around one, as they were read. */
    read(chunk: FoundChunk, rows: readonly number[]): void {
      const parts = partsOf(chunk);
      const width = parts.length === 0 ? narrow : wide;
      // where a session begins or ends there is nothing more to read
      const at = rows.indexOf(chunk.row);
      const [first, last] = [at < width, rows.length - 1 - at < width].map((isEnd) => (isEnd ? reach : 0));
      parts.push([...new Array(first ?? 0).fill(-1), ...rows, ...new Array(last ?? 0).fill(-1)]);
    },
    /** Takes what is around a seed into its company. */
    take(chunk: FoundChunk): void {
      const [rows, at] = within(chunk) ?? [[chunk.row], 0];
      const run = rows.slice(at - reach, at + reach + 1);
      runs.push(run);
      for (const other of run) if (other >= 0 && !seeds.has(other)) company.add(other);
      for (const other of rows.slice(at - answerReach, at + answerReach + 1)) answers.add(other);
    },
    rows: (): number[] => [...company],
    candidates: (all: readonly (readonly [number, SearchEntry])[]): Candidates => ({
      ...linked(
        all.map(([, entry]) => entry),
        runs,
      ),
      mayAnswer: all.map(([row]) => answers.has(row) || seeds.has(row)),
    }),
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
