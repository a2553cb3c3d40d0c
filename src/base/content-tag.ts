// A tag of a text, by which someone who changes it says which state of it they have read.
import { hash } from 'node:crypto';

/** A short hash of a text: 132 bits of its SHA-256 in base64url, equal for equal texts. */
export function contentTag(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, 22);
}
