// How many bits differ between one pattern and each of many rows: the one loop of memory that WebAssembly runs, since JavaScript cannot count bits. Not which rows are near.
import { lazily } from '#base/lazily.ts';

/**
 * The module below, assembled. It takes 64 bits at a time: a million rows of 384 bits in a twentieth of the time of a loop in
 * JavaScript, which has to count the bits of each 32 by twelve operations.
 *
 *     (import "of" "memory" (memory 1))
 *     (func (export "distances") (param $row $end $asked $told $stride $out i32) (local $at i32) (local $sum i64)
 *       (loop $rows
 *         (local.set $sum (i64.const 0)) (local.set $at (i32.const 0))
 *         (loop $parts
 *           (local.set $sum (i64.add (local.get $sum) (i64.popcnt (i64.and
 *             (i64.xor (i64.load (i32.add (local.get $row) (local.get $at))) (i64.load (i32.add (local.get $asked) (local.get $at))))
 *             (i64.load (i32.add (local.get $told) (local.get $at)))))))
 *           (br_if $parts (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 8))) (local.get $stride))))
 *         (i64.store16 (local.get $out) (local.get $sum))
 *         (local.set $out (i32.add (local.get $out) (i32.const 2)))
 *         (br_if $rows (i32.lt_u (local.tee $row (i32.add (local.get $row) (local.get $stride))) (local.get $end)))))
 */
const assembled =
  'AGFzbQEAAAABCgFgBn9/f39/fwACDgECb2YGbWVtb3J5AgABAwIBAAcNAQlkaXN0YW5jZXMAAApcAVoCAX8BfgNAQgAhB0EAIQYDQCAHIAAgBmopAwAgAiAGaikDAIUgAyAGaikDAIN7fCEHIAZBCGoiBiAESQ0ACyAFIAc9AQAgBUECaiEFIAAgBGoiACABSQ0ACws=';
/** What is used of it here; Node's types leave it to those of browsers. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object;
  Memory: new (size: { initial: number }) => { buffer: ArrayBuffer; grow(pages: number): number };
  Instance: new (module: object, imports: { of: { memory: object } }) => { exports: Record<string, unknown> };
};
const compiled = lazily(() => new WebAssembly.Module(Buffer.from(assembled, 'base64')));

export interface BitRows {
  /** Adds a row; its bits begin at this byte. */
  add(bytes: Uint8Array, from: number): void;
  /** In how many bits each row differs from `asked` where `told` has a bit, in the order in which they were added; good until the next call. */
  distances(asked: Uint8Array, told: Uint8Array): Uint16Array;
}

const pageBytes = 65_536;

/** Rows of so many bytes, with room for `expected` of them at first. */
export function createBitRows(bytes: number, expected: number): BitRows {
  const stride = 8 * Math.ceil(bytes / 8);
  // the pattern, which of its bits count, the rows, a distance for each
  const rows = 2 * stride;
  const pagesFor = (room: number): number => Math.ceil((rows + room * (stride + 2)) / pageBytes);
  let room = Math.max(64, expected);
  let count = 0;
  const memory = new WebAssembly.Memory({ initial: pagesFor(room) });
  const { exports } = new WebAssembly.Instance(compiled(), { of: { memory } });
  // the text above says so
  const distances = exports.distances as (
    row: number,
    end: number,
    asked: number,
    told: number,
    stride: number,
    out: number,
  ) => void;

  return {
    add(from, start) {
      if (count === room) {
        memory.grow(pagesFor(2 * room) - pagesFor(room));
        room *= 2;
      }
      new Uint8Array(memory.buffer, rows + count * stride, bytes).set(from.subarray(start, start + bytes));
      count += 1;
    },
    distances(asked, told) {
      const head = new Uint8Array(memory.buffer, 0, rows).fill(0);
      head.set(asked);
      head.set(told, stride);
      const [end, out] = [rows + count * stride, rows + room * stride];
      if (count > 0) distances(rows, end, 0, stride, stride, out);
      return new Uint16Array(memory.buffer, out, count);
    },
  };
}
