// Cutting and escaping text without tearing what a reader sees as one character. Not rendering.

/** At most `limit` UTF-16 units, cut between graphemes, with `mark` at the end when something was cut. */
export function truncate(text: string, limit: number, mark = '…'): string {
  if (text.length <= limit) return text;
  let kept = '';
  for (const { segment } of new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(
    text.slice(0, limit + 64),
  )) {
    if (kept.length + segment.length + mark.length > limit) break;
    kept += segment;
  }
  return kept + mark;
}

/** Text that cannot open or close a tag: `&`, `<`, `>` and quotes as entities. */
export function escapeMarkup(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
