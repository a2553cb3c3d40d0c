// The passages that one question is ranked over: those with its words, and the turns around them. Reads only; every row through the scope.
import type { Readable } from '#memory/store/audience.ts';
import type { Changes } from '#memory/store/changes.ts';
import type { FoundChunk } from '#memory/store/chunk-row.ts';
import type { Chunks, ReadableRow } from '#memory/store/chunks.ts';
import { type Passage, passageOf, passageWordsOf } from '#memory/store/passage.ts';
import { createRowSet, type RowSet } from '#memory/store/row-set.ts';
import { createDialogue, type Dialogue } from './dialogue.ts';
import { createHeaviest } from './heaviest.ts';
import type { WeightedTerm } from './weights.ts';

export interface Pool {
  /** The passages with their neighbours; made when it is asked for, which only turns are. */
  dialogue(): Dialogue;
  /** The rows that may be answers, and whether a turn stands in each; other passages only bear witness. */
  answers: ReadonlyMap<number, { isTurn: boolean }>;
}

/** What one question reads. */
export interface PoolReader {
  gather(terms: readonly WeightedTerm[], most: number): Pool;
  /** The chunks of these rows that the scope may read, by row and in their order. */
  read(rows: readonly number[]): ReadonlyMap<number, FoundChunk>;
}

/** What is kept of a row between questions. */
interface Kept {
  isTurn: boolean;
  session: string;
  /** Read from the chunk when it was not written with the row. */
  passage: Passage | undefined;
  run: readonly number[] | undefined;
}

/** Turns on either side that bear witness, and those of them that may be the answer themselves. */
const reach = 4;
const answerReach = 2;
/** Turns beside only this many of the best may be answers without a word of the question. */
const mostWithCompany = 80;
/** Passages that are kept, about 1 kB each, and the bytes of whole chunks: some 3,000 turns, fewer exchanges. What was read first goes first. */
const mostKept = 14_000;
const mostChunkBytes = 7_500_000;
/** Where most of the heaviest rows may not be read, so many times as many are looked at, up to `mostKept`. */
const deeper = 8;
/** Of a chunk without its texts: its ids, and what ranking reads of its words. */
const leastChunkBytes = 1_500;
/** Passages that bear witness to one question, at most: company is given to the best until there are so many. */
const mostPassages = 220;
/**
 * Scopes whose readable rows are kept, with a key of some 300 bytes each, and room for their rows together, one bit each or two where
 * the memory has grown meanwhile: 4 to 8 MB. Who asked longest ago goes first.
 */
const mostScopes = 1_000;
const mostScopeRows = 32_000_000;

/** The pools of one open store. They keep what was read of chunks, and who was seen to read them while nothing was taken away, changed or said again. */
export function createPools(chunks: Chunks): (readable: Readable, now: Changes) => PoolReader {
  const kept = new Map<number, Kept>();
  const whole = new Map<number, FoundChunk>();
  let wholeBytes = 0;
  const heaviest = createHeaviest();
  const seenIn = new Map<string, RowSet>();
  let last: Pick<Changes, 'removals' | 'repeats'> = { removals: -1, repeats: -1 };

  /** The turns around one; what came before never changes, and what comes after is asked again until there is enough of it. */
  const runOf = (row: number, session: string): readonly number[] => {
    const entry = kept.get(row);
    if (entry?.run !== undefined) return entry.run;
    const run = chunks.around(row, session, reach);
    if (entry !== undefined && run.length - run.indexOf(row) > reach) entry.run = run;
    return run;
  };

  /** Rows that the scope was seen to read, of those that are there for ever. */
  const seenBy = (readable: Readable, now: Changes): RowSet => {
    if (now.removals !== last.removals) {
      kept.clear();
      whole.clear();
      wholeBytes = 0;
    }
    if (now.removals !== last.removals || now.repeats !== last.repeats) seenIn.clear();
    last = now;
    const key = JSON.stringify(readable.parameters);
    const seen = seenIn.get(key) ?? createRowSet(now.newest);
    seenIn.delete(key);
    for (const oldest of seenIn.keys()) {
      if (seenIn.size < mostScopes && (seenIn.size + 1) * now.newest <= mostScopeRows) break;
      seenIn.delete(oldest);
    }
    seenIn.set(key, seen);
    return seen;
  };

  return (readable, now) => {
    const seen = seenBy(readable, now);
    /** Rows that expire, as this question was seen to read them. */
    const seenNow = new Set<number>();
    const isSeen = (row: number): boolean => seen.has(row) || seenNow.has(row);

    /** Notes that the scope reads the row, and when what stands there was said again. */
    const note = ({ row, lastSaidAt, expiresAt }: ReadableRow): void => {
      (expiresAt === null ? seen : seenNow).add(row);
      const chunk = whole.get(row);
      if (chunk !== undefined) chunk.lastSaidAt = lastSaidAt;
    };
    /** Of these rows, those that are not known at all; those that other questions know are asked for. */
    const missingOf = (rows: readonly number[], known: ReadonlyMap<number, unknown>): number[] => {
      const [missing, unsure]: [number[], number[]] = [[], []];
      for (const row of rows) {
        if (!known.has(row)) missing.push(row);
        else if (!isSeen(row)) unsure.push(row);
      }
      if (unsure.length > 0) for (const found of chunks.readableRows(unsure, readable)) note(found);
      return missing;
    };
    /** Those of the rows that are known and that the scope may read, in the order that was asked for. */
    const seenOf = <T>(rows: readonly number[], known: ReadonlyMap<number, T>): Map<number, T> => {
      const found = new Map<number, T>();
      for (const row of rows) {
        const entry = known.get(row);
        if (entry !== undefined && isSeen(row)) found.set(row, entry);
      }
      return found;
    };
    /** The rows that the scope may read, in the order that was asked for, whatever was known before. */
    const load = (rows: readonly number[]): Map<number, Kept> => {
      const missing = missingOf(rows, kept);
      for (const found of missing.length === 0 ? [] : chunks.passages(missing, readable)) {
        const { row, isTurn, session, passage } = found;
        kept.set(row, { isTurn, session, passage, run: undefined });
        note(found);
      }
      const loaded = seenOf(rows, kept);
      for (const row of kept.keys()) {
        if (kept.size <= mostKept) break;
        kept.delete(row);
      }
      return loaded;
    };
    /** The heaviest rows that the scope may read; what only its tiers forbid must not stand in their way. */
    const loadHeaviest = (terms: readonly WeightedTerm[], most: number): Map<number, Kept> => {
      for (let wanted = most; ; wanted *= deeper) {
        const rows = heaviest(terms, wanted);
        const seeds = load(rows);
        if (seeds.size >= most / 2 || rows.length < wanted || wanted * deeper > mostKept)
          return new Map([...seeds].slice(0, most));
      }
    };
    const read = (rows: readonly number[]): Map<number, FoundChunk> => {
      const missing = missingOf(rows, whole);
      for (const chunk of missing.length === 0 ? [] : chunks.byRows(missing, readable)) {
        whole.set(chunk.row, chunk);
        wholeBytes += bytesOf(chunk);
        note(chunk);
      }
      const found = seenOf(rows, whole);
      for (const [row, chunk] of whole) {
        if (wholeBytes <= mostChunkBytes) break;
        whole.delete(row);
        wholeBytes -= bytesOf(chunk);
      }
      return found;
    };
    /** The passages of these rows, from their chunks where they were not written with them. */
    const passagesOf = (all: ReadonlyMap<number, Kept>): Passage[] => {
      const without = [...all].flatMap(([row, { passage }]) => (passage === undefined ? [row] : []));
      for (const [row, chunk] of without.length === 0 ? [] : read(without)) {
        const entry = all.get(row);
        if (entry !== undefined) entry.passage = passageIn(chunk);
      }
      return [...all.values()].flatMap(({ passage }) => passage ?? []);
    };

    return {
      read,
      gather(terms, most) {
        const seeds = loadHeaviest(terms, most);
        const runs: (readonly number[])[] = [];
        const poolOf = (all: ReadonlyMap<number, Kept>, answers: ReadonlyMap<number, Kept>): Pool => {
          let made: Dialogue | undefined;
          const dialogue = (): Dialogue => {
            made ??= createDialogue(passagesOf(all), runs);
            return made;
          };
          return { dialogue, answers };
        };
        // only turns have company
        if (![...seeds.values()].some(({ isTurn }) => isTurn)) return poolOf(seeds, seeds);
        const answers = new Set(seeds.keys());
        const passages = new Set(seeds.keys());
        let left = mostWithCompany;
        for (const [row, { isTurn, session }] of seeds) {
          if (!isTurn || left === 0 || passages.size >= mostPassages) continue;
          left -= 1;
          const run = runOf(row, session);
          runs.push(run);
          for (const near of run) passages.add(near);
          const at = run.indexOf(row);
          for (const near of run.slice(Math.max(0, at - answerReach), at + answerReach + 1))
            answers.add(near);
        }
        const company = load([...passages].filter((row) => !seeds.has(row)));
        const all = new Map([...seeds, ...company]);
        const found = new Map<number, Kept>();
        for (const [row, entry] of all) if (answers.has(row)) found.set(row, entry);
        return poolOf(all, found);
      },
    };
  };
}

/** About what a chunk takes while it is kept: its texts, and the words in them as numbers once it was ranked. */
function bytesOf({ content, saidTerms, answeredTerms }: FoundChunk): number {
  return leastChunkBytes + content.length + 2 * (saidTerms.length + answeredTerms.length);
}

function passageIn(chunk: FoundChunk): Passage {
  const { row, sessionID: session, speaker, source, at } = chunk;
  const words = passageWordsOf({
    content: chunk.content,
    said_terms: chunk.saidTerms,
    answered_terms: chunk.answeredTerms,
    about_terms: chunk.aboutTerms,
  });
  return passageOf({ row, session, speaker, isTurn: source === 'turn', at }, words);
}
