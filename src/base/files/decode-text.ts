// Whether bytes are text, and the text they are.
import { isAscii } from 'node:buffer';
import { detectEncoding } from './detect-encoding.ts';

/** Controls that no text has: all but tab, line feed, form feed, carriage return and escape. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: controls are what is looked for.
const controls = /[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f\x7f]/;

/** Bytes of a text in UTF-16 without its mark that are looked at, and the share of zeros that its ASCII letters leave in every other one. */
const utf16Bytes = 4_096;
const utf16Zeros = 0.4;
/** How Japanese mail switches between character sets: ASCII, as which the bytes could be read too. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: an escape begins them.
const switches = /\x1b\$[@B]|\x1b\(J/;

/**
 * The bytes as text: UTF-8, UTF-16 with its mark, and where the sender says that it is text, UTF-16 without it and the encoding that a
 * library finds. Undefined when they are none, or when the encoding is not clear. A character that the end of `bytes` tears is left out.
 */
export function decodeText(bytes: Uint8Array, claim: 'said to be text' | 'unknown'): string | undefined {
  return recognizeText(bytes, claim)?.text;
}

/** The same with the name of the encoding, in lower case as `TextDecoder` has it. */
export function recognizeText(
  bytes: Uint8Array,
  claim: 'said to be text' | 'unknown',
): { text: string; encoding: string } | undefined {
  const as = (encoding: string | undefined) => {
    const text = encoding === undefined ? undefined : decoded(encoding, bytes);
    return text === undefined || encoding === undefined ? undefined : { text, encoding };
  };
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return as('utf-16le');
  if (first === 0xfe && second === 0xff) return as('utf-16be');
  const utf8 = as('utf-8');
  const found =
    utf8 !== undefined && claim === 'said to be text' && isOnlyTorn(utf8.text, bytes) ? undefined : utf8;
  if (found !== undefined && switches.test(found.text)) return as('iso-2022-jp') ?? found;
  if (found !== undefined || claim === 'unknown') return found;
  return as(unmarkedUtf16(bytes) ?? detectEncoding(bytes, decoded));
}

/** Whether the bytes could be text in an encoding that was not found: there are no controls among them. */
export function maybeText(bytes: Uint8Array): boolean {
  return !controls.test(Buffer.from(bytes).toString('latin1'));
}

/** Whether all that would make it UTF-8 is a character that the end tears: more likely it is the last letter in another encoding. */
function isOnlyTorn(text: string, bytes: Uint8Array): boolean {
  return text.length < bytes.length && isAscii(bytes.subarray(0, text.length));
}

function unmarkedUtf16(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  const zeros = [0, 0];
  const length = Math.min(utf16Bytes, bytes.length - (bytes.length % 2));
  for (let at = 0; at < length; at += 1) if (bytes[at] === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros.map((count) => count / Math.max(4, length / 2));
  if (odd >= utf16Zeros && even === 0) return 'utf-16le';
  return even >= utf16Zeros && odd === 0 ? 'utf-16be' : undefined;
}

function decoded(encoding: string, bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: true });
    return controls.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}
