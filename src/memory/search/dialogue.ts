// Who spoke before and after: links between the turns of a session, as far as they were loaded. Not what they say.
import type { Passage } from '#memory/store/passage.ts';

/** The loaded passages with their links, as places in `passages`; -1 where there is none. */
export interface Dialogue {
  passages: readonly Passage[];
  before: Int32Array;
  after: Int32Array;
}

/** Links passages by runs of rows that follow each other in one session; a row that was not loaded breaks the link. */
export function createDialogue(passages: readonly Passage[], runs: Iterable<readonly number[]>): Dialogue {
  const places = new Map<number, number>();
  for (const [place, { row }] of passages.entries()) places.set(row, place);
  const before = new Int32Array(passages.length).fill(-1);
  const after = new Int32Array(passages.length).fill(-1);
  for (const run of runs) {
    let last = -1;
    for (const row of run) {
      const place = places.get(row) ?? -1;
      if (last >= 0 && place >= 0) {
        after[last] = place;
        before[place] = last;
      }
      last = place;
    }
  }
  return { passages, before, after };
}
