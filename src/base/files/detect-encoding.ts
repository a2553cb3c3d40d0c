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
/** Letters of Icelandic that are letters of Turkish in windows-1254, and what tells the two apart: their commonest words, and other letters. */
const eths = /[ÐÝÞðýþ]/u;
const ofTurkish =
  /(?<!\p{L})(?:bir|bu|için|ile|çok|gibi|daha|yok|olarak|değil|iyi|merhaba|teşekkür\p{L}*|lütfen|evet|hayır|bugün|yarın|günler)(?!\p{L})/iu;
const ofIcelandic = /[áéíóúæ]|(?<!\p{L})(?:og|er|að|það|ekki|við|sem|til|með|þú|eru)(?!\p{L})/iu;
/** Of the letters of a script, capitals after small ones: as people write, there are fewer. */
const mostCapitals = 0.1;

/** Scripts of encodings with one byte for a letter. */
const scripts: readonly (readonly [RegExp, RegExp])[] = [
  [/^(windows-1251|koi8|iso-8859-5)/i, /\p{Script=Cyrillic}/gu],
  [/^(windows-1253|iso-8859-7)/i, /\p{Script=Greek}/gu],
  [/^(windows-1255|iso-8859-8)/i, /\p{Script=Hebrew}/gu],
  [/^(windows-1256|iso-8859-6)/i, /\p{Script=Arabic}/gu],
];
/** Syllables that a third of every Korean text is made of. */
const commonSyllables = new Set(
  '이다는에의가을를은하고지로한기사도니어나서인자해리시아요일있게들그대것만수습합으과와했보정',
);
/** Of a Korean text: characters, and different common syllables among them, and their share. */
const leastKorean = { characters: 8, common: 4, share: 0.25 };
/** Of a Japanese text: characters, and the share of kana. */
const leastJapanese = { characters: 6, share: 0.3 };

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
  const eastern = readByRows(sample, decode);
  if (eastern !== undefined) return eastern;
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
  if (western.test(best.name) && eths.test(best.text) && !ofIcelandic.test(best.text)) {
    const turkish = decode('windows-1254', sample);
    return turkish !== undefined && ofTurkish.test(turkish) ? 'windows-1254' : undefined;
  }
  if (western.test(best.name) && icelandic.test(best.text) && best.confidence < baltic * aheadOfBaltic)
    return undefined;
  return isClear ? best.name.toLowerCase() : undefined;
}

/**
 * Korean and Japanese of a few words, for which the library has too little: in the double bytes of Chinese, a text of nothing but syllables
 * that are common in Korean, or one with hiragana in the upper rows, has no sense.
 */
function readByRows(
  bytes: Uint8Array,
  decode: (encoding: string, bytes: Uint8Array) => string | undefined,
): 'euc-kr' | 'euc-jp' | undefined {
  const high = bytes.filter((byte) => byte >= 0x80);
  if (high.length % 2 !== 0 || high.some((byte) => byte < 0xa1 || byte > 0xfe)) return undefined;
  const foreign = (encoding: string): string[] =>
    [...(decode(encoding, bytes) ?? '')].filter((character) => /[^\p{ASCII}\p{P}\p{S}]/u.test(character));
  const korean = foreign('euc-kr');
  const common = korean.filter((character) => commonSyllables.has(character));
  if (
    korean.length >= leastKorean.characters &&
    korean.every((character) => /[가-힣]/u.test(character)) &&
    new Set(common).size >= leastKorean.common &&
    common.length >= korean.length * leastKorean.share
  )
    return 'euc-kr';
  const japanese = foreign('euc-jp');
  const kana = japanese.filter((character) => /[ぁ-んァ-ヶ]/u.test(character));
  return japanese.length >= leastJapanese.characters &&
    kana.length >= japanese.length * leastJapanese.share &&
    kana.some((character) => /[ま-んァ-ヶ]/u.test(character))
    ? 'euc-jp'
    : undefined;
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
  if (script !== undefined) {
    const capitals = text.match(/\p{Ll}\p{Lu}/gu)?.length ?? 0;
    const written = text.match(script)?.filter((character) => /[\p{L}\p{M}]/u.test(character)).length ?? 0;
    return written >= foreign * 0.7 && capitals <= foreign * mostCapitals;
  }
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const foreignLetters = text.match(/(?!\p{ASCII})\p{L}/gu)?.length ?? 0;
  // words of Latin letters are mostly ASCII, and have no signs in them
  const signs = foreign - foreignLetters;
  return foreignLetters < letters * 0.5 && signs < letters && !/\p{L}[¿¡³¹²¼½¾¥¦¤¨¯¸¬±¶§]\p{L}/u.test(text);
}
