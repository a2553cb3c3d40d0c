// The known name that a mistyped one may have meant. Nothing is offered where none is near.
import { closest, distance } from 'fastest-levenshtein';

/**
 * The known name that is nearest to the word; undefined where it differs in more than a third of its letters: what is further away is
 * another name.
 */
export function nearestName(word: string, known: readonly string[]): string | undefined {
  if (known.length === 0) return undefined;
  const found = closest(word, known);
  const most = Math.ceil(Math.max(word.length, found.length) / 3);
  return distance(word, found) <= most ? found : undefined;
}
