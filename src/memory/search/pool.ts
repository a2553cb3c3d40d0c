// The passages that one question is ranked over: those with its words, and the turns around them. Reads only; every row through the scope.
import type { Readable } from '#memory/store/audience.ts';
import type { FoundChunk } from '#memory/store/chunk-row.ts';
import type { Chunks } from '#memory/store/chunks.ts';
import { createDialogue, type Dialogue } from './dialogue.ts';
import { createHeaviest } from './heaviest.ts';
import { type Passage, passageOf } from './passage.ts';
import type { WeightedTerm } from './weights.ts';

export interface Pool {
  /** The passages with their neighbours; made when it is asked for, which only turns are. */
  dialogue(): Dialogue;
  /** The chunks that may be answers, by row; other passages only bear witness. */
  chunks: ReadonlyMap<number, FoundChunk>;
}

/** What is kept of a chunk between questions. */
interface Kept {
  chunk: FoundChunk;
  /** Read when it is first looked at. */
  passage?: Passage | undefined;
  run?: readonly number[] | undefined;
}

/** Gathers the pool for weighted terms. */
export type GatherPool = (terms: readonly WeightedTerm[], readable: Readable, most: number) => Pool;

export interface PoolReader {
  gather: GatherPool;
  /** The chunks of these rows that the scope may read, by row. */
  read(rows: readonly number[], readable: Readable): ReadonlyMap<number, FoundChunk>;
}

/** Turns on either side that bear witness, and those of them that may be the answer themselves. */
const reach = 4;
const answerReach = 2;
/** Turns beside only this many of the best may be answers without a word of the question. */
const mostWithCompany = 120;
/** Chunks that are kept, about 3 kB each. What was read first goes first. */
const mostKept = 8_000;
/** Passages that bear witness to one question, at most: company is given to the best until there are so many. */
const mostPassages = 300;
/** Scopes whose readable rows are kept; after more of them all are asked again. */
const mostScopes = 100;

/** A gatherer over one open store. It keeps what it read of chunks, never who may read them: that is asked anew each time. */
export function createPool(chunks: Chunks): PoolReader {
  const kept = new Map<number, Kept>();
  const heaviest = createHeaviest();
  const seenIn = new Map<string, Set<number>>();
  let seenRemovals = -1;

  const passageIn = (entry: Kept): Passage => {
    entry.passage ??= passageOf(entry.chunk);
    return entry.passage;
  };

  /** The turns around one; what came before never changes, and what comes after is asked again until there is enough of it. */
  const runOf = (row: number, session: string): readonly number[] => {
    const entry = kept.get(row);
    if (entry?.run !== undefined) return entry.run;
    const run = chunks.around(row, session, reach);
    if (entry !== undefined && run.length - run.indexOf(row) > reach) entry.run = run;
    return run;
  };

  /** Rows of turns that the scope was seen to read: what a turn's row says of that never changes while it is there. */
  const turnsSeen = (readable: Readable): Set<number> => {
    const removals = chunks.removals();
    if (removals !== seenRemovals || seenIn.size > mostScopes) seenIn.clear();
    if (removals !== seenRemovals) kept.clear();
    seenRemovals = removals;
    const key = JSON.stringify(readable.parameters);
    const seen = seenIn.get(key) ?? new Set();
    seenIn.set(key, seen);
    return seen;
  };

  const load = (rows: readonly number[], readable: Readable, seen: Set<number>): Map<number, Kept> => {
    const loaded = new Map<number, Kept>();
    const [asked, missing]: [number[], number[]] = [[], []];
    for (const row of rows) {
      const entry = kept.get(row);
      if (entry === undefined) missing.push(row);
      else if (seen.has(row)) loaded.set(row, entry);
      else asked.push(row);
    }
    const note = (row: number, entry: Kept): void => {
      loaded.set(row, entry);
      if (entry.chunk.source === 'turn') seen.add(row);
    };
    for (const { row, lastSaidAt } of asked.length === 0 ? [] : chunks.readableRows(asked, readable)) {
      const entry = kept.get(row);
      if (entry === undefined) continue;
      entry.chunk.lastSaidAt = lastSaidAt;
      note(row, entry);
    }
    for (const chunk of missing.length === 0 ? [] : chunks.byRows(missing, readable)) {
      const entry = { chunk };
      kept.set(chunk.row, entry);
      note(chunk.row, entry);
    }
    for (const row of kept.keys()) {
      if (kept.size <= mostKept) break;
      kept.delete(row);
    }
    // in the order that was asked for, whatever was known before
    const inOrder = new Map<number, Kept>();
    for (const row of rows) {
      const entry = loaded.get(row);
      if (entry !== undefined) inOrder.set(row, entry);
    }
    return inOrder;
  };

  const gather: GatherPool = (terms, readable, most) => {
    const seen = turnsSeen(readable);
    const seeds = load(heaviest(terms, most), readable, seen);
    const runs: (readonly number[])[] = [];
    const answers = new Set(seeds.keys());
    const passages = new Set(seeds.keys());
    let left = mostWithCompany;
    for (const [row, { chunk }] of seeds) {
      if (chunk.source !== 'turn' || left === 0 || passages.size >= mostPassages) continue;
      left -= 1;
      const run = runOf(row, chunk.sessionID);
      runs.push(run);
      for (const near of run) passages.add(near);
      const at = run.indexOf(row);
      for (const near of run.slice(Math.max(0, at - answerReach), at + answerReach + 1)) answers.add(near);
    }
    const ring = [...passages].filter((row) => !seeds.has(row));
    const all = new Map([...seeds, ...load(ring, readable, seen)]);
    const found = new Map<number, FoundChunk>();
    for (const [row, { chunk }] of all) if (answers.has(row)) found.set(row, chunk);
    let made: Dialogue | undefined;
    const dialogue = (): Dialogue => {
      made ??= createDialogue([...all.values()].map(passageIn), runs);
      return made;
    };
    return { dialogue, chunks: found };
  };
  return {
    gather,
    read(rows, readable) {
      const found = new Map<number, FoundChunk>();
      for (const [row, { chunk }] of load(rows, readable, turnsSeen(readable))) found.set(row, chunk);
      return found;
    },
  };
}
