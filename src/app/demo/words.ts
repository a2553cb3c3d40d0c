// How a delivered answer is compared with the whole one. Pure.

const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{N}]{3,}/gu) ?? [];

function counted(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of wordsOf(text)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** A word of `markdown` (link targets and code languages left out) that `shown` has fewer times, or undefined. */
export function missingWord(markdown: string, shown: string): string | undefined {
  const withoutTargets = markdown
    .replace(/^\s*```.*$/gm, ' ')
    .replace(/\]\([^)]*\)/g, ']')
    .replace(/<?https?:\/\/\S+/g, ' ');
  const found = counted(shown);
  return [...counted(withoutTargets)].find(([word, times]) => (found.get(word) ?? 0) < times)?.[0];
}

/** True when the headings of `markdown` are in `shown` in their order. */
export function headingsInOrder(markdown: string, shown: string): boolean {
  let at = 0;
  for (const [, heading = ''] of markdown.matchAll(/^#+ (.+)$/gm)) {
    at = shown.indexOf(heading.trim(), at);
    if (at === -1) return false;
  }
  return true;
}
