// A short name for texts. Not for secrets.
import { createHash } from 'node:crypto';

/** The same 24 characters for the same texts in the same order. */
export function hashOf(...texts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(texts)).digest('hex').slice(0, 24);
}
