// The rows in which the most of a question's weight stands, out of many thousands. Numbers only: not who may read them.
import type { WeightedTerm } from './weights.ts';

/** Weights are told apart to this share of one; with row numbers below 2^32 both fit one exact number. */
const steps = 10_000;
const mostSteps = 2 ** 21 - 1;

/** A finder of the rows that hold the heaviest words, newer ones first among equals; it keeps its room between questions. */
export function createHeaviest(): (terms: readonly WeightedTerm[], most: number) => number[] {
  let sums = new Float32Array();
  return (terms, most) => {
    const known = terms.filter((term) => term.rows.length > 0);
    const rarer = known.filter((term) => !term.common);
    const used = rarer.length > 0 ? rarer : known;
    const last = used.reduce((newest, { rows }) => Math.max(newest, rows.at(-1) ?? 0), 0);
    if (last >= sums.length) sums = new Float32Array(last + 1 + (last >> 2));
    const met = new Uint32Array(used.reduce((sum, { rows }) => sum + rows.length, 0));
    let count = 0;
    for (const { rows, weight } of used) {
      for (const row of rows) {
        if (sums[row] === 0) {
          met[count] = row;
          count += 1;
        }
        sums[row] = (sums[row] ?? 0) + weight;
      }
    }
    const keys = new Float64Array(count);
    for (let at = 0; at < count; at += 1) {
      const row = met[at] ?? 0;
      keys[at] = Math.min(mostSteps, Math.round((sums[row] ?? 0) * steps)) * 2 ** 32 + row;
      sums[row] = 0;
    }
    return [...best(keys, most)].map((key) => key % 2 ** 32);
  };
}

/** The largest of the keys, largest first. Of many only those at least as large as the last one wanted are sorted. */
function best(keys: Float64Array, most: number): Float64Array {
  const sample = 16;
  if (keys.length <= sample * most) return keys.sort().reverse().subarray(0, most);
  // what is among the best of every sixteenth key bounds what can be among the best of all
  const some = new Float64Array(Math.ceil(keys.length / sample));
  for (let at = 0; at < some.length; at += 1) some[at] = keys[at * sample] ?? 0;
  some.sort();
  const least = some[Math.max(0, some.length - most)] ?? 0;
  let count = 0;
  for (const key of keys) {
    if (key < least) continue;
    keys[count] = key;
    count += 1;
  }
  return keys.subarray(0, count).sort().reverse().subarray(0, most);
}
