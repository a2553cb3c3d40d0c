// Rows of bits in one block of memory, and those of them that differ least from a pattern: the one loop of memory that WebAssembly runs, since JavaScript cannot count bits. Knows no database.
import { lazily } from '#base/lazily.ts';
import type { RowSet } from './row-set.ts';

/**
 * The module below, assembled (`wat2wasm`). Row after row it looks whether the set holds it and takes 64 bits at a time, two times
 * a round; then it looks for those within a distance from the newest to the oldest. A million rows of 384 bits take a sixth of the
 * time that they take when JavaScript asks the set and looks at the distances.
 *
 *     (import "of" "memory" (memory 1))
 *     (func (export "distances") (param $at $end $row $set $out $holders $asked $told $stride i32)
 *       (local $number $part $held i32) (local $sum i64)
 *       (block $none (br_if $none (i32.ge_u (local.get $at) (local.get $end))) (loop $rows
 *         (i32.store16 (local.get $out) (i32.const 0xffff))
 *         (local.set $number (i32.load (local.get $row)))
 *         (if (i32.and (i32.const 1) (i32.shr_u
 *             (i32.load (i32.add (local.get $set) (i32.shl (i32.shr_u (local.get $number) (i32.const 5)) (i32.const 2))))
 *             (local.get $number)))
 *           (then
 *             (local.set $sum (i64.const 0)) (local.set $part (i32.const 0))
 *             (loop $parts
 *               ;; the same once more with offset=8 of each load
 *               (local.set $sum (i64.add (local.get $sum) (i64.popcnt (i64.and (i64.xor
 *                 (i64.load (i32.add (local.get $at) (local.get $part))) (i64.load (i32.add (local.get $asked) (local.get $part))))
 *                 (i64.load (i32.add (local.get $told) (local.get $part)))))))
 *               (br_if $parts (i32.lt_u (local.tee $part (i32.add (local.get $part) (i32.const 16))) (local.get $stride))))
 *             (i64.store16 (local.get $out) (local.get $sum))
 *             (local.set $held (i32.add (local.get $holders) (i32.shl (i32.wrap_i64 (local.get $sum)) (i32.const 2))))
 *             (i32.store (local.get $held) (i32.add (i32.load (local.get $held)) (i32.const 1)))))
 *         (local.set $out (i32.add (local.get $out) (i32.const 2)))
 *         (local.set $row (i32.add (local.get $row) (i32.const 4)))
 *         (br_if $rows (i32.lt_u (local.tee $at (i32.add (local.get $at) (local.get $stride))) (local.get $end))))))
 *     (func (export "within") (param $from $out $farthest $ties $list i32) (result i32) (local $start $distance i32)
 *       (local.set $start (local.get $list))
 *       (block $none (br_if $none (i32.le_u (local.get $out) (local.get $from))) (loop $rows
 *         (local.set $distance (i32.load16_u (local.tee $out (i32.sub (local.get $out) (i32.const 2)))))
 *         (if (i32.le_u (local.get $distance) (local.get $farthest)) (then
 *           (if (i32.eq (local.get $distance) (local.get $farthest))
 *             (then (local.set $ties (i32.sub (local.get $ties) (i32.const 1)))))
 *           (if (i32.or (i32.lt_u (local.get $distance) (local.get $farthest)) (i32.ge_s (local.get $ties) (i32.const 0))) (then
 *             (i32.store (local.get $list) (i32.shr_u (i32.sub (local.get $out) (local.get $from)) (i32.const 1)))
 *             (local.set $list (i32.add (local.get $list) (i32.const 4)))))))
 *         (br_if $rows (i32.gt_u (local.get $out) (local.get $from)))))
 *       (i32.shr_u (i32.sub (local.get $list) (local.get $start)) (i32.const 2)))
 */
const assembled =
  'AGFzbQEAAAABFgJgCX9/f39/f39/fwBgBX9/f39/AX8CDgECb2YGbWVtb3J5AgABAwMCAAEHFgIJZGlzdGFuY2VzAAAGd2l0aGluAAEKtQICyAEDAn8BfgF/AkAgACABTw0AA0AgBEH//wM7AQAgAigCACEJIAMgCUEFdkECdGooAgAgCXZBAXEEQEIAIQtBACEKA0AgCyAAIApqKQMAIAYgCmopAwCFIAcgCmopAwCDe3wgACAKaikDCCAGIApqKQMIhSAHIApqKQMIg3t8IQsgCkEQaiIKIAhJDQALIAQgCz0BACAFIAunQQJ0aiEMIAwgDCgCAEEBajYCAAsgBEECaiEEIAJBBGohAiAAIAhqIgAgAUkNAAsLC2kBAn8gBCEFAkAgASAATQ0AA0AgAUECayIBLwEAIQYgBiACTQRAIAYgAkYEQCADQQFrIQMLIAYgAkkgA0EATnIEQCAEIAEgAGtBAXY2AgAgBEEEaiEECwsgASAASw0ACwsgBCAFa0ECdgs=';
/** What is used of it here; Node's types leave it to those of browsers. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object;
  Memory: new (size: { initial: number }) => { buffer: ArrayBuffer; grow(pages: number): number };
  Instance: new (module: object, imports: { of: { memory: object } }) => { exports: Record<string, unknown> };
};
const compiled = lazily(() => new WebAssembly.Module(Buffer.from(assembled, 'base64')));

/** The text above says so. */
interface Assembled {
  /** Writes in how many bits each row of the set differs, 65,535 for the others, and counts how many differ in so many. */
  distances(
    at: number,
    end: number,
    row: number,
    set: number,
    out: number,
    holders: number,
    asked: number,
    told: number,
    stride: number,
  ): void;
  /** Writes the places of those nearer than `farthest`, and of the first `ties` at that distance, from `out` down to `from`; how many. */
  within(from: number, out: number, farthest: number, ties: number, list: number): number;
}

export interface BitRows {
  /** Adds rows; the bits of each begin where those of the one before end, the first at byte `from`. */
  add(rows: readonly number[] | Int32Array | Uint32Array, bytes: Uint8Array, from: number): void;
  /** At most `most` rows of the set that differ least from `signs` where `told` has a bit, best first and those added later first among equals. */
  nearest(query: { signs: Uint8Array; told: Uint8Array; rows: RowSet; most: number }): number[];
}

const pageBytes = 65_536;
/** A multiple of 16. */
const rounded = (bytes: number): number => 16 * Math.ceil(bytes / 16);

/** A table for rows of `bits` bits (at most 65,528), with room for `expected` of them at first. */
export function createBitRows(bits: number, expected: number): BitRows {
  const bytes = bits / 8;
  const stride = rounded(bytes);
  // the pattern, which of its bits count, how many rows differ in so many bits, the rows' bits, their numbers, what a question needs
  const [told, holders] = [stride, 2 * stride];
  const first = holders + rounded(4 * (bits + 1));
  const numbersAt = (room: number): number => first + room * stride;
  const scratchAt = (room: number): number => numbersAt(room) + 4 * room;
  let room = 64 * Math.ceil(Math.max(1, expected) / 64);
  let [count, last] = [0, 0];
  const memory = new WebAssembly.Memory({ initial: Math.ceil(scratchAt(room) / pageBytes) });
  const { exports } = new WebAssembly.Instance(compiled(), { of: { memory } });
  const { distances, within } = exports as unknown as Assembled;

  const reach = (end: number): void => {
    const missing = end - memory.buffer.byteLength;
    if (missing > 0) memory.grow(Math.ceil(missing / pageBytes));
  };
  const widen = (to: number): void => {
    reach(scratchAt(to));
    new Uint8Array(memory.buffer).copyWithin(numbersAt(to), numbersAt(room), numbersAt(room) + 4 * count);
    room = to;
  };

  return {
    add(rows, from, start) {
      if (count + rows.length > room) widen(Math.max(2 * room, 64 * Math.ceil((count + rows.length) / 64)));
      const into = new Uint8Array(memory.buffer, first + count * stride, rows.length * stride);
      if (stride === bytes) into.set(from.subarray(start, start + rows.length * bytes));
      else
        for (let at = 0; at < rows.length; at += 1)
          into.set(from.subarray(start + at * bytes, start + (at + 1) * bytes), at * stride);
      new Uint32Array(memory.buffer, numbersAt(room) + 4 * count, rows.length).set(rows);
      for (const row of rows) if (row > last) last = row;
      count += rows.length;
    },
    nearest({ signs, told: counted, rows, most }) {
      const set = scratchAt(room);
      const list = set + 4 * ((last >>> 5) + 1);
      const out = list + 4 * most;
      reach(out + 2 * count);
      const head = new Uint8Array(memory.buffer, 0, first).fill(0);
      head.set(signs);
      head.set(counted, told);
      rows.copyTo(new Uint32Array(memory.buffer, set, (last >>> 5) + 1));
      distances(first, first + count * stride, numbersAt(room), set, out, holders, 0, told, stride);
      const held = new Uint32Array(memory.buffer, holders, bits + 1);
      let [farthest, nearer] = [0, 0];
      while (farthest < bits && nearer + (held[farthest] ?? 0) < most) {
        nearer += held[farthest] ?? 0;
        farthest += 1;
      }
      const found = within(out, out + 2 * count, farthest, most - nearer, list);
      const distance = new Uint16Array(memory.buffer, out, count);
      const numbers = new Uint32Array(memory.buffer, numbersAt(room), count);
      return [...new Uint32Array(memory.buffer, list, found)]
        .sort((a, b) => (distance[a] ?? 0) - (distance[b] ?? 0) || b - a)
        .map((at) => numbers[at] ?? 0);
    },
  };
}
