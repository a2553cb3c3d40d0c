// Letters as they are compared: lower case, without marks that people leave out. Not stems.

const letters: Record<string, string> = {
  ł: 'l',
  ø: 'o',
  đ: 'd',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ı: 'i',
  þ: 'th',
  ð: 'd',
};

/** What has no marks: most words, for which the rest changes nothing. */
const ascii = /^[\0-\x7f]*$/;

/** The word as it is compared. The Russian short и is a letter of its own. */
export function fold(word: string): string {
  if (ascii.test(word)) return word.toLowerCase();
  return word
    .toLowerCase()
    .normalize('NFKD')
    .replace(/и\u0306/g, 'й')
    .replace(/([\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])\p{M}+/gu, '$1')
    .normalize('NFC')
    .replace(/[łøđßæœıþð]/g, (letter) => letters[letter] ?? letter);
}
