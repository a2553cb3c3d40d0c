// What of a text a reader sees, by which a text is compared with what a platform shows of it. Not a test.
import { hasInk } from '#adapters/text/parse/clean.ts';

/** The characters that leave a mark on the screen, in order: what must never be lost, and all that is compared. */
export function inkOf(text: string): string {
  return [...text].filter(hasInk).join('');
}
