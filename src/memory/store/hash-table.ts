// Small numbers by hash: what a map does, in two blocks of memory and without an object for each number.

export interface HashTable {
  /** The number of this hash, 0 when it has none. */
  get(hash: number): number;
  /** Numbers other than 0; a hash keeps its place. */
  set(hash: number, value: number): void;
}

/** A table with room for `room` hashes; it grows when more come. */
export function createHashTable(room: number): HashTable {
  /** Hash and number of each slot, side by side. */
  let slots = new Int32Array(sizeFor(room));
  let mask = slots.length - 1;
  let count = 0;
  let limit = slots.length >> 2;

  const slotOf = (hash: number): number => {
    let slot = ((hash ^ (hash >>> 15)) << 1) & mask;
    while (slots[slot + 1] !== 0 && slots[slot] !== hash) slot = (slot + 2) & mask;
    return slot;
  };
  const take = (wider: Int32Array<ArrayBuffer>): void => {
    slots = wider;
    mask = slots.length - 1;
    limit = slots.length >> 2;
  };
  const grow = (): void => {
    const before = slots;
    take(new Int32Array(2 * before.length));
    for (let slot = 0; slot < before.length; slot += 2) {
      if (before[slot + 1] === 0) continue;
      const to = slotOf(before[slot] ?? 0);
      slots[to] = before[slot] ?? 0;
      slots[to + 1] = before[slot + 1] ?? 0;
    }
  };

  return {
    get: (hash) => slots[slotOf(hash | 0) + 1] ?? 0,
    set(hash, value) {
      if (count >= limit) grow();
      const slot = slotOf(hash | 0);
      if (slots[slot + 1] === 0) count += 1;
      slots[slot] = hash | 0;
      slots[slot + 1] = value;
    },
  };
}

/** A power of two, at most half of which is filled, two numbers a slot. */
function sizeFor(room: number): number {
  return 2 ** Math.ceil(Math.log2(4 * Math.max(16, room)));
}
