// Cutting and escaping text without tearing what a reader sees as one character. Not rendering.

/** At most `limit` UTF-16 units, cut between graphemes, with `mark` at the end when something was cut. */
export function truncate(text: string, limit: number, mark = '…'): string {
  if (text.length <= limit) return text;
  const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(
    text.slice(0, limit + 64),
  );
  // the grapheme that holds the first unit beyond the room goes, and all behind it
  const end = graphemes.containing(Math.max(0, limit - mark.length))?.index ?? 0;
  return text.slice(0, end) + mark;
}

const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}|\ufe0f/u;
const zeroWidth = /^[\p{M}\p{Cf}]/u;
// biome-ignore lint/suspicious/noControlCharactersInRegex: plain ASCII needs no measuring
const ascii = /^[\u0000-\u007f]*$/;

/** How many columns of a monospace font the text takes: two for wide letters and emoji, none for marks and joiners. */
export function columnsOf(text: string): number {
  if (ascii.test(text)) return text.length;
  let columns = 0;
  for (const { segment } of graphemesOf(text)) columns += columnsOfGrapheme(segment);
  return columns;
}

/** Where the text has taken all of so many columns: its length when all of it fits. */
export function endWithin(text: string, columns: number): number {
  if (ascii.test(text.slice(0, columns + 1))) return Math.min(text.length, columns);
  let taken = 0;
  for (const { segment, index } of graphemesOf(text)) {
    taken += columnsOfGrapheme(segment);
    if (taken > columns) return index;
  }
  return text.length;
}

/** At most so many columns of a monospace font, cut between graphemes, with `…` at the end when something was cut. */
export function truncateColumns(text: string, columns: number): string {
  if (endWithin(text, columns) === text.length) return text;
  return `${text.slice(0, endWithin(text, columns - 1))}…`;
}

function graphemesOf(text: string): Intl.Segments {
  return new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text);
}

function columnsOfGrapheme(grapheme: string): number {
  return zeroWidth.test(grapheme) ? 0 : wide.test(grapheme) ? 2 : 1;
}

/** `1 file`, `2 files`, `2 entries`. */
export function counted(many: number, what: string): string {
  return `${many} ${many === 1 ? what : `${what}s`.replace(/([^aeiou])ys$/, '$1ies')}`;
}

/** Text that cannot open or close a tag: `&`, `<`, `>` and quotes as entities. */
export function escapeMarkup(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** The texts, each within `each` characters and all within `all`; what is blank or finds no more room is left out. */
export function withinTogether(
  texts: readonly string[],
  { each, all }: { each: number; all: number },
): string[] {
  let left = all;
  return texts.flatMap((text) => {
    if (text.trim() === '' || left <= 0) return [];
    const shown = truncate(text, Math.min(each, left));
    left -= shown.length;
    return [shown];
  });
}

/** The text as a JSON string in which no line ends, also not where only some programs take a sign for the end of one. */
export function quotation(text: string): string {
  return JSON.stringify(text).replaceAll(
    /[\u0085\u2028\u2029]/g,
    (end) => `\\u${end.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** What a part of a URL says, in which `%40` stands for `@`; undefined where a `%` in it stands for nothing in UTF-8. */
export function decodedPart(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}
