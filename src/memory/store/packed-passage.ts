// The words and signs of a passage as the bytes that its row keeps, so that ranking need not read its texts. Derived; absent or of another version it is read from the texts.
import type { PassageWords } from './passage.ts';

/** Changes whenever the same texts would give another passage: those of other versions are not used. */
const version = 1;
/** The version with the signs, how many names, lines, words, words about it and telling words; all in 32 bits. */
const headNumbers = 6;
const signs = ['quotes', 'showsPicture', 'tellsTime', 'tellsNumber', 'tellsCause', 'tellsFeeling'] as const;

/** The bytes of a passage. */
export function packedPassage(passage: PassageWords): Buffer {
  const { lines, words, about, telling } = passage;
  const packed = new Int32Array(headNumbers + lines.length + words.length + about.length + telling.length);
  let head = version << signs.length;
  for (const [bit, sign] of signs.entries()) if (passage[sign]) head |= 1 << bit;
  packed.set([head, passage.names, lines.length, words.length, about.length, telling.length]);
  let at = headNumbers;
  for (const part of [lines, words, about, telling]) {
    packed.set(part, at);
    at += part.length;
  }
  return Buffer.from(packed.buffer);
}

/** The passage of these bytes, which it keeps; undefined when there are none or they are of another version. */
export function unpackedPassage(bytes: Buffer | null): PassageWords | undefined {
  if (bytes === null || bytes.length < 4 * headNumbers) return undefined;
  // numbers of four bytes can only be read in place where they begin at a multiple of four
  const { buffer, byteOffset } = bytes.byteOffset % 4 === 0 ? bytes : Uint8Array.from(bytes);
  const [head = 0, names = 0, ...lengths] = new Int32Array(buffer, byteOffset, headNumbers);
  if (head >> signs.length !== version) return undefined;
  let at = byteOffset + 4 * headNumbers;
  const [lines = 0, words = 0, about = 0, telling = 0] = lengths;
  if (bytes.length !== 4 * (headNumbers + lines + words + about + telling)) return undefined;
  const next = (length: number): Int32Array => {
    const part = new Int32Array(buffer, at, length);
    at += 4 * length;
    return part;
  };
  return {
    lines: next(lines),
    words: next(words),
    about: next(about),
    telling: next(telling),
    names,
    quotes: (head & 1) !== 0,
    showsPicture: (head & 2) !== 0,
    tellsTime: (head & 4) !== 0,
    tellsNumber: (head & 8) !== 0,
    tellsCause: (head & 16) !== 0,
    tellsFeeling: (head & 32) !== 0,
  };
}
