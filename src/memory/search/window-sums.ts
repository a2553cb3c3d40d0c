// BM25 of a passage alone, of the turns around it, and of any others taken together. Numbers only.
import type { Dialogue } from './dialogue.ts';

/** BM25's constants, over a fixed average length so that no other text in the store changes a score. */
const bm25 = { k1: 1.2, b: 0.75, averageWords: 24 };

export interface WindowSums {
  /** The passages at these places as one text of `size` times the usual length, without some of the terms if so told. */
  of(places: readonly number[], size: number, without?: readonly boolean[]): number;
  /** The passage alone, with one, two and four turns on either side, and with the two before it. Good until the next call. */
  around(place: number): {
    own: number;
    around1: number;
    around2: number;
    around4: number;
    leadingUp: number;
  };
}

/** Over the counts of each term in each passage; scores are shares of `total`. */
export function windowSums(from: {
  dialogue: Dialogue;
  counts: Float64Array;
  weights: readonly number[];
  total: number;
}): WindowSums {
  const { dialogue, counts, weights, total } = from;
  const { passages, before, after } = dialogue;
  const size = weights.length;
  const sums = new Float64Array(size);
  let length = 0;

  const add = (place: number): void => {
    if (place < 0) return;
    length += passages[place]?.words.length ?? 0;
    for (let index = 0; index < size; index += 1)
      sums[index] = (sums[index] ?? 0) + (counts[place * size + index] ?? 0);
  };
  const clear = (): void => {
    length = 0;
    sums.fill(0);
  };
  const score = (usual: number, without?: readonly boolean[]): number => {
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
    around(place) {
      const [before1, after1] = [before[place] ?? -1, after[place] ?? -1];
      const [before2, after2] = [before[before1] ?? -1, after[after1] ?? -1];
      clear();
      add(place);
      const own = score(1);
      add(before1);
      add(before2);
      const leadingUp = score(3);
      add(after1);
      add(after2);
      const around2 = score(5);
      const before3 = before[before2] ?? -1;
      const after3 = after[after2] ?? -1;
      add(before3);
      add(after3);
      add(before[before3] ?? -1);
      add(after[after3] ?? -1);
      const around4 = score(9);
      clear();
      add(place);
      add(before1);
      add(after1);
      return { own, around1: score(3), around2, around4, leadingUp };
    },
  };
}
