// Chunks that say the same thing shown once. Chunks that differ in a fact, a number, a negation or a person are both kept.
import { fillers } from '#memory/store/word-classes.ts';
import type { Ranked } from './find.ts';

/** An answer of no more words than this beside an equal statement is an acknowledgement. */
const acknowledgement = 20;

/** The first `most` different ones of the ranked chunks; the best of each stays, counting in `parts.repeats` how many it was seen to stand for. */
export function collapse(ranked: readonly Ranked[], most: number): Ranked[] {
  const kept = new Map<string, Ranked>();
  for (const entry of ranked) {
    const key = meaningOf(entry);
    const same = kept.get(key);
    if (same !== undefined) kept.set(key, joined(same, entry));
    else if (kept.size === most) break;
    else kept.set(key, entry);
  }
  return [...kept.values()];
}

/** Said twice is said when it was said last. */
function joined(first: Ranked, repeat: Ranked): Ranked {
  const lastSaidAt = Math.max(first.chunk.lastSaidAt, repeat.chunk.lastSaidAt);
  const repeats = (first.parts.repeats ?? 0) + 1;
  return { ...first, chunk: { ...first.chunk, lastSaidAt }, parts: { ...first.parts, repeats } };
}

/** Equal for two chunks only when they say the same in the same order, courtesies and articles aside. */
function meaningOf({ chunk }: Ranked): string {
  const said = bare(chunk.saidTerms);
  const answered = bare(chunk.answeredTerms);
  const told = said.length > 0 && !said.includes('?');
  const shownAnswer = told && answered.length <= acknowledgement ? [] : answered;
  return JSON.stringify([chunk.person, said, shownAnswer]);
}

function bare(indexed: string): string[] {
  return indexed
    .replaceAll('\n', ' ')
    .split(' ')
    .filter((word) => word !== '' && !fillers.has(word));
}
