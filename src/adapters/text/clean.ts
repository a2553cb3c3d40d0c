// Text that every platform can carry: no control characters, no lone surrogates, bounded invisible runs. Not escaping.

// Controls but tab and newline; the byte order mark; line separators; bidirectional overrides (they can show text in
// another order than it is stored, and Telegram strips them).
// biome-ignore lint/suspicious/noControlCharactersInRegex: removing them is the point
const unwanted = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\ufeff\u2028-\u202e]/g;
const plain = /^[\t\n\u0020-\u007e\u00a0-\u00ac\u00ae-\u02ff\u4e00-\u9fff]*$/;
const invisible = '\\p{Default_Ignorable_Code_Point}\\u2800';
const longInvisible = new RegExp(`([${invisible}]{16})[${invisible}]+`, 'gu');
const unseen = new RegExp(`[\\s\\p{White_Space}\\p{Cc}\\p{Cf}${invisible}]+`, 'gu');

/**
 * The text without control characters and bidirectional overrides, newlines as `\n`, lone surrogates as U+FFFD. Joiners
 * and selectors stay (emoji and scripts need them), but of a long run of invisible characters only the first 16, so that
 * a part never holds nothing else.
 */
export function cleanText(text: string): string {
  if (plain.test(text)) return text;
  return text
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(unwanted, '')
    .toWellFormed()
    .replace(longInvisible, '$1');
}

/** The characters that leave a mark on the screen, in order: what must never be lost, and all that is compared. */
export function inkOf(text: string): string {
  return text.replace(unseen, '');
}

/** Names the code points of text that shows nothing, so that an answer of these still says something. */
export function nameInvisible(text: string): string {
  const names = [...text]
    .slice(0, 8)
    .map((c) => `U+${(c.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`);
  return `(an answer of invisible characters only: ${names.join(' ')}${[...text.slice(0, 32)].length > 8 ? ' …' : ''})`;
}
