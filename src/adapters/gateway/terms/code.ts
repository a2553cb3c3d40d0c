// The short codes that people read aloud and type: pairing, linking.
import { randomInt } from 'node:crypto';

/** Nothing that is mistaken for something else: no O and 0, no I, L and 1, no U and V side by side. */
const alphabet = 'ABCDEFGHJKMNPQRSTVWXYZ23456789';
const length = 8;

/** A new code of eight characters, about 6.5 * 10^11 of them, from the system's randomness. */
export function newCode(): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
}

/** The code in what a person typed, whatever its case and spaces and dashes in it; undefined for what can be none. */
export function codeIn(text: string): string | undefined {
  const code = text.replace(/[\s`-]/g, '').toUpperCase();
  return code.length === length && [...code].every((sign) => alphabet.includes(sign)) ? code : undefined;
}
