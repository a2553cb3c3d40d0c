// BM25 of a passage alone, of the turns around it, and of any others taken together. Numbers only.
import type { Dialogue } from './dialogue.ts';

/** BM25's constants, over a fixed average length so that no other text in the store changes a score. */
const bm25 = { k1: 1.2, b: 0.75, averageWords: 24 };

/** Scores by place. */
interface Windows {
  words: Float64Array;
  around1: Float64Array;
  around2: Float64Array;
  around4: Float64Array;
  leadingUp: Float64Array;
}

export interface WindowSums {
  /** The passages at these places as one text of `size` times the usual length, without some of the terms if so told. */
  of(places: readonly number[], size: number, without?: readonly boolean[]): number;
  /** Writes the score of the passage alone, with one, two and four turns on either side, and with the two before it. */
  write(place: number, windows: Windows): void;
}

/** Over the counts of each term in each passage; scores are shares of `total`. */
export function windowSums(from: {
  dialogue: Dialogue;
  counts: Float64Array;
  weights: Float64Array;
  total: number;
}): WindowSums {
  const { dialogue, counts, weights, total } = from;
  const { passages } = dialogue;
  const size = weights.length;
  const lengths = Uint32Array.from(passages, ({ words }) => words.length);
  // many turns hold no word of the question, and so do many windows
  const holds = new Uint8Array(passages.length);
  for (let place = 0, at = 0; place < passages.length; place += 1)
    for (let index = 0; index < size; index += 1, at += 1) if ((counts[at] ?? 0) > 0) holds[place] = 1;
  const sums = new Float64Array(size);
  let [length, held] = [0, 0];

  const add = (place: number): void => {
    if (place < 0) return;
    length += lengths[place] ?? 0;
    if (holds[place] !== 1) return;
    held += 1;
    for (let index = 0, at = place * size; index < size; index += 1, at += 1)
      sums[index] = (sums[index] ?? 0) + (counts[at] ?? 0);
  };
  const clear = (): void => {
    if (held > 0) sums.fill(0);
    [length, held] = [0, 0];
  };
  const score = (usual: number, without?: readonly boolean[]): number => {
    if (held === 0) return 0;
    const longer = bm25.k1 * (1 - bm25.b + (bm25.b * length) / usual / bm25.averageWords);
    let sum = 0;
    for (let index = 0; index < size; index += 1) {
      const count = sums[index] ?? 0;
      if (count > 0 && without?.[index] !== true) sum += ((weights[index] ?? 0) * count) / (count + longer);
    }
    return sum / total;
  };

  return {
    of(places, usual, without) {
      clear();
      for (const place of places) add(place);
      return score(usual, without);
    },
    write(place, { words, around1, around2, around4, leadingUp }) {
      const [before1, after1] = [next(dialogue.before, place), next(dialogue.after, place)];
      const [before2, after2] = [next(dialogue.before, before1), next(dialogue.after, after1)];
      clear();
      add(place);
      words[place] = score(1);
      add(before1);
      add(before2);
      leadingUp[place] = score(3);
      add(after1);
      add(after2);
      around2[place] = score(5);
      const [before3, after3] = [next(dialogue.before, before2), next(dialogue.after, after2)];
      add(before3);
      add(after3);
      add(next(dialogue.before, before3));
      add(next(dialogue.after, after3));
      around4[place] = score(9);
      clear();
      add(place);
      add(before1);
      add(after1);
      around1[place] = score(3);
    },
  };
}

/** The linked place, or -1. */
function next(links: Int32Array, place: number): number {
  return place < 0 ? -1 : (links[place] ?? -1);
}
