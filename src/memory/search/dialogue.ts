// Who spoke before and after: links between the turns of a session, as far as they were loaded. Not what they say.
import type { Passage } from './passage.ts';

/** The loaded passages with their links. */
export interface Dialogue {
  passages: readonly Passage[];
  /** The passage so many turns later (or, below zero, earlier) in the same session. */
  turnFrom(passage: Passage, steps: number): Passage | undefined;
}

/** Links passages by runs of rows that follow each other in one session; a row that was not loaded breaks the link. */
export function createDialogue(passages: readonly Passage[], runs: Iterable<readonly number[]>): Dialogue {
  const byRow = new Map(passages.map((passage) => [passage.row, passage]));
  const next = new Map<number, number>();
  const previous = new Map<number, number>();
  for (const run of runs) {
    for (let index = 1; index < run.length; index += 1) {
      const [before, after] = [run[index - 1] ?? 0, run[index] ?? 0];
      next.set(before, after);
      previous.set(after, before);
    }
  }
  return {
    passages,
    turnFrom(passage, steps) {
      const links = steps < 0 ? previous : next;
      let row: number | undefined = passage.row;
      for (let step = Math.abs(steps); step > 0 && row !== undefined; step -= 1) row = links.get(row);
      return row === undefined ? undefined : byRow.get(row);
    },
  };
}
