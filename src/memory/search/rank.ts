// How well chunks meet a question, 0 to 1, with the parts of the score. Not who may see them, not which chunks are looked at.
import type { FoundChunk } from '#memory/store/chunk-row.ts';
import { aboutWords, wordsInLines } from '#memory/store/passage.ts';
import { holds } from '#memory/store/row-set.ts';
import { hashOfWord } from '#memory/store/word-table.ts';
import type { WeightedTerm } from './weights.ts';

export interface Ranked {
  chunk: FoundChunk;
  /** 0 to 1: what results are ordered by. */
  score: number;
  /** 0 to 1: how much of the question its own words meet; what recall admits by. */
  meets: number;
  parts: Record<string, number>;
  /** It holds a telling word of the question in what was said, not only in its date or its speaker's name. */
  telling: boolean;
  /** All it does is ask; nobody answered. */
  onlyAsks: boolean;
}

/** How much it counts where a word stands. A question that was answered is worth more than one that was not. */
const worth = {
  said: 1,
  answered: 0.95,
  asked: 0.85,
  askedInVain: 0.5,
  askedBack: 0.5,
  about: 0.8,
  unplaced: 0.5,
};
/** What the score is made of; the shares sum to 1, so that only a perfect match reaches it. */
const shares = { coverage: 0.72, sentence: 0.16, frequency: 0.12 };
/** BM25's usual constants, over a fixed average length so that no other text in the store changes a score. */
const bm25 = { k1: 1.2, b: 0.5, averageWords: 40 };

/** The chunks' ranks for the weighted terms, in no order; what `read` gives for a chunk may be kept as long as the chunk. */
export function rank(
  chunks: readonly FoundChunk[],
  terms: readonly WeightedTerm[],
  read: ReadLines,
): Ranked[] {
  const placed = placesIn(chunks, terms, read);
  const weights = terms.map((term, index) => {
    let best = 0;
    for (let at = index; at < placed.strengths.length; at += terms.length)
      best = Math.max(best, placed.strengths[at] ?? 0);
    // a word that was only ever asked about is as good as unknown: asking twice must not hide the answer
    return best > worth.askedInVain ? term.weight : Math.min(term.weight, term.weightIfUnknown);
  });
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const shareOf = Float64Array.from(weights, (weight) => (total === 0 ? 0 : weight / total));
  return chunks.map((chunk, place) => scored(chunk, place, { placed, terms, shareOf }));
}

/** Lines of a chunk's words, as in `PassageWords`: as strings they would be ten times as large. */
interface Lines {
  words: Int32Array;
  lines: Int32Array;
  /** What a word in a line is worth, and in a line that only asks. */
  whenTold: number;
  whenAsked: number;
}

/** A chunk's indexed words, line by line. */
export interface ReadChunk {
  said: Lines;
  answered: Lines;
  length: number;
  onlyAsks: boolean;
  about: Int32Array;
}

export type ReadLines = (chunk: FoundChunk) => ReadChunk;

/** Where the terms stand in all chunks, as numbers: a hundred and fifty chunks times ten terms would be as many objects. */
interface Placed {
  reads: ReadChunk[];
  /** A number for each term, a chunk after the other: how well it stands there at best, and how often in what was said. */
  strengths: Float64Array;
  counts: Uint32Array;
  /** The terms of each line that holds any, in their order, with how well each stands in it; where those of a line end. */
  inLines: number[];
  values: number[];
  lineEnds: number[];
  /** Where a chunk's lines end among these. */
  chunkEnds: Uint32Array;
}

/** Which terms a word counts as, and how alike it is; undefined for most. */
type MeaningOf = (word: number) => readonly { index: number; likeness: number }[] | undefined;

const filterSize = 1_024;

function meaningsOf(terms: readonly WeightedTerm[]): MeaningOf {
  const meanings = new Map<number, { index: number; likeness: number }[]>();
  // most words are none of those that are looked for, which one look at a few bits of their hash tells
  const may = new Uint8Array(filterSize);
  for (const [index, term] of terms.entries()) {
    for (const [form, likeness] of term.forms) {
      const word = hashOfWord(form);
      meanings.set(word, [...(meanings.get(word) ?? []), { index, likeness }]);
      may[word & (filterSize - 1)] = 1;
    }
  }
  return (word) => (may[word & (filterSize - 1)] === 0 ? undefined : meanings.get(word));
}

function placesIn(chunks: readonly FoundChunk[], terms: readonly WeightedTerm[], read: ReadLines): Placed {
  const size = terms.length;
  const meaningOf = meaningsOf(terms);
  const placed: Placed = {
    reads: chunks.map(read),
    strengths: new Float64Array(chunks.length * size),
    counts: new Uint32Array(chunks.length * size),
    inLines: [],
    values: [],
    lineEnds: [],
    chunkEnds: new Uint32Array(chunks.length),
  };
  const { reads, strengths, chunkEnds } = placed;
  const inLine = new Float64Array(size);
  let abouts: Int32Array | undefined;
  let about: ReadonlySet<number> = new Set();
  for (let place = 0, first = 0; place < chunks.length; place += 1, first += size) {
    const known = reads[place];
    if (known === undefined) continue;
    noteLines(known.said, { placed, first, inLine, meaningOf });
    noteLines(known.answered, { placed, first, inLine, meaningOf });
    chunkEnds[place] = placed.lineEnds.length;
    // those of one speaker and day are the same list
    if (known.about !== abouts) about = termsIn(known.about, meaningOf);
    abouts = known.about;
    const row = chunks[place]?.row ?? 0;
    for (let index = 0; index < size; index += 1) {
      if ((strengths[first + index] ?? 0) > 0) continue;
      if (about.has(index)) strengths[first + index] = worth.about;
      else if (holds(terms[index]?.rows ?? none, row)) strengths[first + index] = worth.unplaced;
    }
  }
  return placed;
}

const none = new Uint32Array();

function termsIn(words: Int32Array, meaningOf: MeaningOf): Set<number> {
  const found = new Set<number>();
  for (const word of words) for (const { index } of meaningOf(word) ?? []) found.add(index);
  return found;
}

/** Notes the terms in these lines of the chunk whose first term is at `first`; `inLine` is room for each term, and left empty. */
function noteLines(
  { words, lines, whenTold, whenAsked }: Lines,
  to: { placed: Placed; first: number; inLine: Float64Array; meaningOf: MeaningOf },
): void {
  const { placed, first, inLine, meaningOf } = to;
  const { strengths, counts, inLines, values, lineEnds } = placed;
  let at = 0;
  for (let line = 0; line < lines.length; line += 1) {
    const end = lines[line] ?? 0;
    const worthHere = (end & 1) === 1 ? whenAsked : whenTold;
    let isMet = false;
    for (; at < end >> 1; at += 1) {
      const meant = meaningOf(words[at] ?? 0);
      if (meant === undefined) continue;
      isMet = true;
      for (const { index, likeness } of meant) {
        const value = likeness * worthHere;
        counts[first + index] = (counts[first + index] ?? 0) + 1;
        strengths[first + index] = Math.max(strengths[first + index] ?? 0, value);
        inLine[index] = Math.max(inLine[index] ?? 0, value);
      }
    }
    if (!isMet) continue;
    for (let index = 0; index < inLine.length; index += 1) {
      const value = inLine[index] ?? 0;
      if (value === 0) continue;
      inLines.push(index);
      values.push(value);
      inLine[index] = 0;
    }
    lineEnds.push(inLines.length);
  }
}

function scored(
  chunk: FoundChunk,
  place: number,
  of: { placed: Placed; terms: readonly WeightedTerm[]; shareOf: Float64Array },
): Ranked {
  const { placed, terms, shareOf } = of;
  const { reads, strengths, counts } = placed;
  const { length = 0, onlyAsks = false } = reads[place] ?? {};
  const first = place * terms.length;
  let [coverage, frequency, telling] = [0, 0, false];
  for (let index = 0; index < terms.length; index += 1) {
    const [strength, count, share] = [
      strengths[first + index] ?? 0,
      counts[first + index] ?? 0,
      shareOf[index] ?? 0,
    ];
    coverage += share * strength;
    if (count === 0) continue;
    frequency += share * saturation(count, length);
    if (terms[index]?.kind === 'telling') telling = true;
  }
  const parts = { coverage, sentence: bestLine(placed, place, shareOf), frequency };
  const meets =
    shares.coverage * parts.coverage + shares.sentence * parts.sentence + shares.frequency * parts.frequency;
  return { chunk, score: meets, meets, parts, telling, onlyAsks };
}

/** The largest share of the question that one line of the chunk holds. */
function bestLine(placed: Placed, place: number, shareOf: Float64Array): number {
  const { inLines, values, lineEnds, chunkEnds } = placed;
  let best = 0;
  for (let line = place === 0 ? 0 : (chunkEnds[place - 1] ?? 0); line < (chunkEnds[place] ?? 0); line += 1) {
    let sum = 0;
    for (let at = line === 0 ? 0 : (lineEnds[line - 1] ?? 0); at < (lineEnds[line] ?? 0); at += 1)
      sum += (shareOf[inLines[at] ?? 0] ?? 0) * (values[at] ?? 0);
    if (sum > best) best = sum;
  }
  return best;
}

/** BM25's term frequency part, 0 to 1. */
function saturation(count: number, length: number): number {
  const { k1, b, averageWords } = bm25;
  return count / (count + k1 * (1 - b + (b * length) / averageWords));
}

/** Reads the indexed words of a chunk, and keeps them as long as the chunk itself is kept. */
export function createReadLines(): ReadLines {
  const kept = new WeakMap<FoundChunk, ReadChunk>();
  return (chunk) => {
    const known = kept.get(chunk);
    if (known !== undefined) return known;
    const answered = linesOf(chunk.answeredTerms, worth.answered, worth.askedBack);
    const isAnswered = answered.lines.some(isTold);
    const said = linesOf(chunk.saidTerms, worth.said, isAnswered ? worth.asked : worth.askedInVain);
    const onlyAsks = !isAnswered && !said.lines.some(isTold);
    const found: ReadChunk = {
      said,
      answered,
      length: lengthOf(said) + lengthOf(answered),
      onlyAsks: onlyAsks && said.lines.length + answered.lines.length > 0,
      about: aboutWords(chunk.aboutTerms),
    };
    kept.set(chunk, found);
    return found;
  };
}

function linesOf(indexed: string, whenTold: number, whenAsked: number): Lines {
  return { ...wordsInLines(indexed), whenTold, whenAsked };
}

const isTold = (line: number): boolean => (line & 1) === 0;

/** Its words, and a sign for each line that only asks. */
function lengthOf({ words, lines }: Lines): number {
  let length = words.length;
  for (const line of lines) length += line & 1;
  return length;
}
