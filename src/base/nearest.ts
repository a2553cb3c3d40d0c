// The known name that a mistyped one may have meant. Nothing is offered where none is near.
import { closest, distance } from 'fastest-levenshtein';

/**
 * The known name that alone begins with the word, or is nearest to it; undefined where it differs in more than a third of its letters: what is further away is
 * another name.
 */
export function nearestName(word: string, known: readonly string[]): string | undefined {
  if (known.length === 0) return undefined;
  const begun = known.filter((name) => name.startsWith(word));
  if (word.length > 2 && begun.length === 1) return begun[0];
  const found = closest(word, known);
  const most = Math.ceil(Math.max(word.length, found.length) / 3);
  return distance(word, found) <= most ? found : undefined;
}
