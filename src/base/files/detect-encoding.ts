// In which encoding bytes are that are no UTF-8, as far as it is clear: what is not clear is nothing, so that no text is shown garbled.
import { analyse } from 'chardet';

/** Bytes that are looked at, from the first one that is not ASCII. */
const sampleBytes = 16 * 1024;
/** The library's confidence, of 100, below which it guesses. A short text of one script has about 30. */
const least = 20;
/** How much likelier than the next different reading one has to be. */
const ahead = 1.5;
/** Encodings that are only believed with this confidence: the library takes others for them. */
const seldom = /^(windows-1257|gb18030|big5|euc-|shift_jis)/i;
const leastSeldom = 40;
const western = /^(windows-1252|iso-8859-(1|15))$/i;
/** Letters of Icelandic, as which š and ž of Baltic languages are read: then the western one has to be this much likelier. */
const icelandic = /[ÐðÞþ]/u;
const aheadOfBaltic = 2;

/** Scripts of encodings with one byte for a letter. */
const scripts: readonly (readonly [RegExp, RegExp])[] = [
  [/^(windows-1251|koi8|iso-8859-5)/i, /\p{Script=Cyrillic}/gu],
  [/^(windows-1253|iso-8859-7)/i, /\p{Script=Greek}/gu],
  [/^(windows-1255|iso-8859-8)/i, /\p{Script=Hebrew}/gu],
  [/^(windows-1256|iso-8859-6)/i, /\p{Script=Arabic}/gu],
];
const multiByte = /^(gb|big5|euc-|shift_jis)/i;

/**
 * The name of the encoding as `TextDecoder` knows it; undefined where two readings that differ are about as likely. `decode` gives the text
 * in an encoding, or undefined where the bytes are none in it.
 */
export function detectEncoding(
  bytes: Uint8Array,
  decode: (encoding: string, bytes: Uint8Array) => string | undefined,
): string | undefined {
  const first = bytes.findIndex((byte) => byte >= 0x80);
  if (first === -1) return undefined;
  const from = Math.max(0, first - sampleBytes / 16);
  const sample = bytes.subarray(from, first + sampleBytes);
  const [best, ...others] = analyse(sample)
    .flatMap(({ name, confidence }) => {
      const text = confidence > 0 ? decode(name.toLowerCase(), sample) : undefined;
      return text !== undefined && isPlausible(name, text) ? [{ name, confidence, text }] : [];
    })
    .sort((a, b) => b.confidence - a.confidence);
  if (best === undefined || best.confidence < (seldom.test(best.name) ? leastSeldom : least))
    return undefined;
  // most of what people send in an old encoding is in the western one, and others of Latin letters differ from it in few of them
  const rivals = others.filter(
    ({ name, text }) => text !== best.text && !(western.test(best.name) && isLatin(name)),
  );
  const isClear = rivals.every(({ confidence }) => best.confidence >= confidence * ahead);
  const baltic = others.find(({ name }) => /^windows-1257$/i.test(name))?.confidence ?? 0;
  if (western.test(best.name) && icelandic.test(best.text) && best.confidence < baltic * aheadOfBaltic)
    return undefined;
  return isClear ? best.name.toLowerCase() : undefined;
}

const isLatin = (name: string): boolean =>
  !multiByte.test(name) && !scripts.some(([encoding]) => encoding.test(name));

/** Whether a text looks as people write in the script of the encoding. */
function isPlausible(name: string, text: string): boolean {
  // bytes that stand for nothing become these controls
  if (/[\x80-\x9f]/.test(text)) return false;
  const foreign = text.match(/\P{ASCII}/gu)?.length ?? 0;
  if (multiByte.test(name)) return true;
  const [, script] = scripts.find(([encoding]) => encoding.test(name)) ?? [];
  if (script !== undefined) return (text.match(script)?.length ?? 0) >= foreign * 0.7;
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const foreignLetters = text.match(/(?!\p{ASCII})\p{L}/gu)?.length ?? 0;
  // words of Latin letters are mostly ASCII, and have no signs in them
  const signs = foreign - foreignLetters;
  return foreignLetters < letters * 0.5 && signs < letters && !/\p{L}[¿¡³¹²¼½¾¥¦¤¨¯¸¬±¶§]\p{L}/u.test(text);
}
