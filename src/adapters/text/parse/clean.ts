// Text that every platform can carry: no control characters, no lone surrogates, bounded invisible runs. Not escaping.

// Controls but tab and newline; the byte order mark; line separators; bidirectional overrides (they can show text in
// another order than it is stored, and Telegram strips them).
// biome-ignore lint/suspicious/noControlCharactersInRegex: removing them is the point
const unwanted = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\ufeff\u2028-\u202e]/g;
const plain = /^[\t\n\u0020-\u007e\u00a0-\u00ac\u00ae-\u02ff\u4e00-\u9fff]*$/;
const invisible = '\\p{Default_Ignorable_Code_Point}\\u2800';
const longestInvisible = 16;
const longInvisible = new RegExp(`([${invisible}]{${longestInvisible}})[${invisible}]+`, 'gu');
const notInk = `\\s\\p{White_Space}\\p{Cc}\\p{Cf}${invisible}`;
const seen = new RegExp(`[^${notInk}]`, 'u');

/**
 * The text without control characters and bidirectional overrides, newlines as `\n`, lone surrogates as U+FFFD. Joiners
 * and selectors stay (emoji and scripts need them), but of a long run of invisible characters only the first 16, so that
 * a part never holds nothing else.
 */
export function cleanText(text: string): string {
  if (plain.test(text)) return text;
  const wanted =
    text.search(unwanted) < 0 ? text : text.replace(/\r\n?|[\u2028\u2029]/g, '\n').replace(unwanted, '');
  const clean = wanted.toWellFormed();
  return mayHideLong(clean) ? clean.replace(longInvisible, '$1') : clean;
}

/** False when no 17 invisible characters follow each other: by code unit, since the pattern for them is slow. */
function mayHideLong(text: string): boolean {
  let row = 0;
  for (let i = 0; i < text.length && row <= longestInvisible; i++) {
    const unit = text.charCodeAt(i);
    // most of what people read: ASCII and Latin-1 characters, kana and Han
    const visible = unit < 0xad || (unit > 0x3164 && unit < 0xd800) || (unit > 0x2fff && unit < 0x3164);
    row = visible ? 0 : row + 1;
  }
  return row > longestInvisible;
}

/** Whether any character of the text leaves a mark on the screen. */
export function hasInk(text: string): boolean {
  return seen.test(text);
}

/** Names the code points of text that shows nothing, so that an answer of these still says something. */
export function nameInvisible(text: string): string {
  const names = [...text]
    .slice(0, 8)
    .map((c) => `U+${(c.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`);
  return `(an answer of invisible characters only: ${names.join(' ')}${[...text.slice(0, 32)].length > 8 ? ' …' : ''})`;
}
