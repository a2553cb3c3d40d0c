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
  const forms = formsOf(terms);
  const placed = chunks.map((chunk) => placedIn(chunk, { terms, forms, read }));
  const weights = terms.map((term, index) => {
    const best = Math.max(0, ...placed.map(({ places }) => places[index]?.strength ?? 0));
    // a word that was only ever asked about is as good as unknown: asking twice must not hide the answer
    return best > worth.askedInVain ? term.weight : Math.min(term.weight, term.weightIfUnknown);
  });
  return placed.map((entry) => scored(entry, terms, weights));
}

const none = new Uint32Array();

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

interface Place {
  strength: number;
  count: number;
  /** By line, how well the term stands in it; absent where it stands in none. */
  lines: Map<number, number> | undefined;
}

interface Placed {
  chunk: FoundChunk;
  length: number;
  onlyAsks: boolean;
  places: Place[];
}

/** Which terms a word counts as, by its hash, and how alike it is. */
type Forms = ReadonlyMap<number, readonly { index: number; likeness: number }[]>;

function formsOf(terms: readonly WeightedTerm[]): Forms {
  const forms = new Map<number, { index: number; likeness: number }[]>();
  for (const [index, term] of terms.entries()) {
    for (const [form, likeness] of term.forms) {
      const word = hashOfWord(form);
      forms.set(word, [...(forms.get(word) ?? []), { index, likeness }]);
    }
  }
  return forms;
}

function placedIn(
  chunk: FoundChunk,
  asked: { terms: readonly WeightedTerm[]; forms: Forms; read: ReadLines },
): Placed {
  const { terms, forms, read } = asked;
  const { said, answered, length, onlyAsks, about: abouts } = read(chunk);
  const places = terms.map((): Place => ({ strength: 0, count: 0, lines: undefined }));
  noteIn(said, 0, { places, forms });
  noteIn(answered, said.lines.length, { places, forms });
  const about = new Set<number>();
  for (const word of abouts) for (const { index } of forms.get(word) ?? []) about.add(index);
  for (const [index, place] of places.entries()) {
    if (place.strength > 0) continue;
    if (about.has(index)) place.strength = worth.about;
    else if (holds(terms[index]?.rows ?? none, chunk.row)) place.strength = worth.unplaced;
  }
  return { chunk, places, length, onlyAsks };
}

/** Notes the terms in the lines, of which the first is the chunk's line number `first`. */
function noteIn(
  { words, lines, whenTold, whenAsked }: Lines,
  first: number,
  { places, forms }: { places: readonly Place[]; forms: Forms },
): void {
  let at = 0;
  for (let line = 0; line < lines.length; line += 1) {
    const end = lines[line] ?? 0;
    const value = (end & 1) === 1 ? whenAsked : whenTold;
    for (; at < end >> 1; at += 1) {
      const meant = forms.get(words[at] ?? 0);
      if (meant === undefined) continue;
      for (const { index, likeness } of meant) note(places[index], first + line, likeness * value);
    }
  }
}

function note(place: Place | undefined, line: number, value: number): void {
  if (place === undefined) return;
  place.count += 1;
  place.strength = Math.max(place.strength, value);
  place.lines ??= new Map();
  place.lines.set(line, Math.max(value, place.lines.get(line) ?? 0));
}

function scored(placed: Placed, terms: readonly WeightedTerm[], weights: readonly number[]): Ranked {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const byLine = new Map<number, number>();
  let coverage = 0;
  let frequency = 0;
  let telling = false;
  for (const [index, place] of placed.places.entries()) {
    const weight = total === 0 ? 0 : (weights[index] ?? 0) / total;
    coverage += weight * place.strength;
    frequency += weight * saturation(place.count, placed.length);
    if (place.count > 0 && terms[index]?.kind === 'telling') telling = true;
    for (const [line, value] of place.lines ?? []) byLine.set(line, (byLine.get(line) ?? 0) + weight * value);
  }
  const parts = { coverage, sentence: Math.max(0, ...byLine.values()), frequency };
  const meets =
    shares.coverage * parts.coverage + shares.sentence * parts.sentence + shares.frequency * parts.frequency;
  return { chunk: placed.chunk, score: meets, meets, parts, telling, onlyAsks: placed.onlyAsks };
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
