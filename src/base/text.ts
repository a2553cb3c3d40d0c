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

/** `1 file`, `2 files`. */
export function counted(many: number, what: string): string {
  return `${many} ${what}${many === 1 ? '' : 's'}`;
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
