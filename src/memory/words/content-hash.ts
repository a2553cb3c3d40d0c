// By what contents are known as the same again.
import { hash } from 'node:crypto';

/** SHA-256 of the fields, in hexadecimal; no two lists of fields share one. */
export function digestOf(...fields: string[]): string {
  return hash('sha256', JSON.stringify(fields));
}

/** The words whatever their case, spacing and Unicode form. */
export function comparableText(text: string): string {
  return text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim();
}
