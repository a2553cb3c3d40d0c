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
  return isNear(word, found) ? found : undefined;
}

/** At most `most` known names that begin with the word or are near to it, as `nearestName` has it; the nearest first. */
export function nearestNames(word: string, known: readonly string[], most: number): string[] {
  const first = nearestName(word, known);
  const near = known
    .filter((name) => name !== first && (isNear(word, name) || (word.length > 2 && name.startsWith(word))))
    .map((name) => ({ name, far: distance(word, name) }))
    .sort((a, b) => a.far - b.far);
  return [...(first === undefined ? [] : [first]), ...near.map(({ name }) => name)].slice(0, most);
}

/** The names that may have been meant, as a sentence for whoever mistyped one; empty where there are none. */
export function nearestWords(names: readonly string[]): string {
  const quoted = names.map((name) => JSON.stringify(name)).join(', ');
  if (names.length === 0) return '';
  return names.length === 1 ? `The nearest name is ${quoted}.` : `The nearest names are ${quoted}.`;
}

const isNear = (word: string, name: string): boolean => distance(word, name) <= Math.ceil(word.length / 3);
