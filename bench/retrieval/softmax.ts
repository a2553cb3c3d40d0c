// Learns a linear ranking by listwise softmax: the share of right answers among all candidates of a question. L-BFGS, no dependencies.

/** The candidates of one question: a row of numbers each, and which of them are right (summing to 1). */
export interface List {
  rows: readonly (readonly number[])[];
  right: readonly number[];
}

const memoryOf = 10;
const maxSteps = 100;

/** All candidates' numbers one after another, standardised, with where each question begins. */
interface Table {
  size: number;
  numbers: Float32Array;
  right: Float32Array;
  starts: readonly number[];
}

/**
 * Weights on the rows' own scale that minimise cross entropy with a penalty on the weights of the standardised rows. Columns in
 * `helping` never get a weight below 0: those that would are left out and the rest is learned again.
 */
export function learnSoftmax(
  lists: readonly List[],
  options: { penalty: number; helping: ReadonlySet<number> },
): Float64Array {
  const { table, deviation } = tableOf(lists);
  const out = new Set<number>();
  let weights = new Float64Array(table.size);
  for (;;) {
    for (const at of out) weights[at] = 0;
    weights = minimise((at) => lossOf(table, at, { penalty: options.penalty, out }), weights);
    const below = [...options.helping].filter((at) => (weights[at] ?? 0) < 0);
    if (below.length === 0) break;
    for (const at of below) out.add(at);
  }
  return weights.map((weight, index) => weight / (deviation[index] ?? 1));
}

function tableOf(lists: readonly List[]): { table: Table; deviation: Float64Array } {
  const size = lists[0]?.rows[0]?.length ?? 0;
  const count = lists.reduce((sum, { rows }) => sum + rows.length, 0);
  const numbers = new Float32Array(count * size);
  const right = new Float32Array(count);
  const starts = [0];
  let row = 0;
  for (const list of lists) {
    for (const [index, values] of list.rows.entries()) {
      numbers.set(values, row * size);
      right[row] = list.right[index] ?? 0;
      row += 1;
    }
    starts.push(row);
  }
  const deviation = standardise(numbers, size);
  return { table: { size, numbers, right, starts }, deviation };
}

/** Gives every column mean 0 and deviation 1, and returns the deviations; a column that never varies stays at 0. */
function standardise(numbers: Float32Array, size: number): Float64Array {
  const deviation = new Float64Array(size);
  const count = numbers.length / size;
  for (let column = 0; column < size; column += 1) {
    let [sum, squares] = [0, 0];
    for (let at = column; at < numbers.length; at += size) {
      const value = numbers[at] ?? 0;
      sum += value;
      squares += value * value;
    }
    const mean = sum / count;
    const spread = Math.sqrt(Math.max(0, squares / count - mean * mean));
    deviation[column] = spread < 1e-6 ? 1 : spread;
    for (let at = column; at < numbers.length; at += size)
      numbers[at] = spread < 1e-6 ? 0 : ((numbers[at] ?? 0) - mean) / spread;
  }
  return deviation;
}

interface Point {
  loss: number;
  gradient: Float64Array;
}

function lossOf(
  { size, numbers, right, starts }: Table,
  weights: Float64Array,
  { penalty, out }: { penalty: number; out: ReadonlySet<number> },
): Point {
  const gradient = new Float64Array(size);
  const questions = starts.length - 1;
  let loss = 0;
  const scores = new Float64Array(right.length);
  for (let question = 0; question < questions; question += 1) {
    const [from, to] = [starts[question] ?? 0, starts[question + 1] ?? 0];
    let top = -Infinity;
    for (let row = from; row < to; row += 1) {
      let score = 0;
      const base = row * size;
      for (let at = 0; at < size; at += 1) score += (numbers[base + at] ?? 0) * (weights[at] ?? 0);
      scores[row] = score;
      if (score > top) top = score;
    }
    let sum = 0;
    for (let row = from; row < to; row += 1) sum += Math.exp((scores[row] ?? 0) - top);
    const log = Math.log(sum) + top;
    for (let row = from; row < to; row += 1) {
      const wanted = right[row] ?? 0;
      const pull = Math.exp((scores[row] ?? 0) - log) - wanted;
      if (wanted > 0) loss -= wanted * ((scores[row] ?? 0) - log);
      if (Math.abs(pull) < 1e-7) continue;
      const base = row * size;
      for (let at = 0; at < size; at += 1)
        gradient[at] = (gradient[at] ?? 0) + pull * (numbers[base + at] ?? 0);
    }
  }
  return {
    loss: loss / questions + (penalty * dot(weights, weights)) / 2,
    gradient: gradient.map((value, at) =>
      out.has(at) ? 0 : value / questions + penalty * (weights[at] ?? 0),
    ),
  };
}

interface Move {
  step: Float64Array;
  turn: Float64Array;
}

function minimise(of: (at: Float64Array) => Point, start: Float64Array): Float64Array<ArrayBuffer> {
  let at = moved(start, start, 0);
  let here = of(at);
  const moves: Move[] = [];
  for (let round = 0; round < maxSteps; round += 1) {
    const direction = directionOf(here.gradient, moves);
    let length = 1;
    let next = moved(at, direction, -length);
    let there = of(next);
    while (there.loss > here.loss - 1e-4 * length * dot(here.gradient, direction) && length > 1e-4) {
      length /= 2;
      next = moved(at, direction, -length);
      there = of(next);
    }
    const step = moved(next, at, -1);
    const turn = moved(there.gradient, here.gradient, -1);
    if (dot(step, turn) > 1e-10) moves.push({ step, turn });
    if (moves.length > memoryOf) moves.shift();
    const gain = here.loss - there.loss;
    if (gain > 0) [at, here] = [next, there];
    if (gain < 5e-6) break;
  }
  return at;
}

function directionOf(gradient: Float64Array, moves: readonly Move[]): Float64Array {
  let direction = gradient;
  const factors: number[] = [];
  for (const { step, turn } of [...moves].reverse()) {
    const factor = dot(step, direction) / dot(turn, step);
    factors.unshift(factor);
    direction = moved(direction, turn, -factor);
  }
  const last = moves.at(-1);
  if (last !== undefined) {
    const scale = dot(last.step, last.turn) / dot(last.turn, last.turn);
    direction = moved(new Float64Array(direction.length), direction, scale);
  }
  for (const [index, { step, turn }] of moves.entries()) {
    const back = dot(turn, direction) / dot(turn, step);
    direction = moved(direction, step, (factors[index] ?? 0) - back);
  }
  return direction;
}

function moved(from: Float64Array, by: Float64Array, length: number): Float64Array<ArrayBuffer> {
  const to = new Float64Array(from.length);
  for (let at = 0; at < to.length; at += 1) to[at] = (from[at] ?? 0) + length * (by[at] ?? 0);
  return to;
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let index = 0; index < a.length; index += 1) sum += (a[index] ?? 0) * (b[index] ?? 0);
  return sum;
}
