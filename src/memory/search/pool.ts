// The passages that one question is ranked over: those with its words, and the turns around them. Reads only; every row through the scope.
import type { Readable } from '#memory/store/audience.ts';
import type { FoundChunk } from '#memory/store/chunk-row.ts';
import type { Chunks } from '#memory/store/chunks.ts';
import { createDialogue, type Dialogue } from './dialogue.ts';
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

/** Turns on either side that bear witness, and those of them that may be the answer themselves. */
const reach = 4;
const answerReach = 2;
/** Turns beside only this many of the best may be answers without a word of the question. */
const mostWithCompany = 120;
/** Chunks that are kept; about 2 kB each, and a turn four times that. What was read first goes first. */
const mostKept = 4_000;

/** A gatherer over one open store. It keeps what it read of chunks, never who may read them: that is asked anew each time. */
export function createPool(chunks: Chunks): GatherPool {
  const kept = new Map<number, Kept>();

  /** The turns around one; what came before never changes, and what comes after is asked again until there is enough of it. */
  const runOf = (row: number, session: string): readonly number[] => {
    const entry = kept.get(row);
    if (entry?.run !== undefined) return entry.run;
    const run = chunks.around(row, session, reach);
    if (entry !== undefined && run.length - run.indexOf(row) > reach) entry.run = run;
    return run;
  };

  const load = (rows: readonly number[], readable: Readable): Map<number, Kept> => {
    const allowed = chunks.readableRows(rows, readable);
    const missing = allowed.filter(({ row }) => !kept.has(row)).map(({ row }) => row);
    const fresh = missing.length === 0 ? [] : chunks.byRows(missing, readable);
    for (const chunk of fresh) kept.set(chunk.row, { chunk });
    const loaded = new Map<number, Kept>();
    for (const { row, lastSaidAt } of allowed) {
      const entry = kept.get(row);
      if (entry === undefined) continue;
      entry.chunk.lastSaidAt = lastSaidAt;
      loaded.set(row, entry);
    }
    for (const row of kept.keys()) {
      if (kept.size <= mostKept) break;
      kept.delete(row);
    }
    return loaded;
  };

  return (terms, readable, most) => {
    const seeds = load(heaviest(terms, most), readable);
    const runs: (readonly number[])[] = [];
    const answers = new Set(seeds.keys());
    let left = mostWithCompany;
    for (const [row, { chunk }] of seeds) {
      if (chunk.source !== 'turn' || left === 0) continue;
      left -= 1;
      const run = runOf(row, chunk.sessionID);
      runs.push(run);
      const at = run.indexOf(row);
      for (const near of run.slice(Math.max(0, at - answerReach), at + answerReach + 1)) answers.add(near);
    }
    const ring = [...new Set(runs.flat())].filter((row) => !seeds.has(row));
    const all = new Map([...seeds, ...load(ring, readable)]);
    const found = new Map<number, FoundChunk>();
    for (const [row, { chunk }] of all) if (answers.has(row)) found.set(row, chunk);
    let made: Dialogue | undefined;
    const dialogue = (): Dialogue => {
      made ??= createDialogue([...all.values()].map(readPassage), runs);
      return made;
    };
    return { dialogue, chunks: found };
  };
}

function readPassage(kept: Kept): Passage {
  kept.passage ??= passageOf(kept.chunk);
  return kept.passage;
}

/** The rows that hold the heaviest words, newer ones first among equals. */
function heaviest(terms: readonly WeightedTerm[], most: number): number[] {
  const known = terms.filter((term) => term.rows.size > 0);
  const rare = known.filter((term) => !term.common);
  const sums = new Map<number, number>();
  for (const term of rare.length > 0 ? rare : known) {
    for (const row of term.rows) sums.set(row, (sums.get(row) ?? 0) + term.weight);
  }
  return [...sums]
    .sort((a, b) => b[1] - a[1] || b[0] - a[0])
    .slice(0, most)
    .map(([row]) => row);
}
