// How the demo's transcript is set for a terminal, and how a delivered answer is compared with the whole one. Pure.

/** Lines of at most `width` columns; words that are longer are cut. */
export function wrap(text: string, width: number): string[] {
  return text.split('\n').flatMap((line) => {
    const lines: string[] = [];
    let rest = line.trimEnd();
    while (rest.length > width) {
      const space = rest.lastIndexOf(' ', width);
      const cut = space > width / 3 ? space : width;
      lines.push(rest.slice(0, cut));
      rest = rest.slice(cut).trimStart();
    }
    return [...lines, rest];
  });
}

const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{N}]{3,}/gu) ?? [];

/** The first word of `markdown` (link targets and code languages left out) that does not follow in `shown`, or undefined when all do, in order. */
export function firstMissingWord(markdown: string, shown: string): string | undefined {
  const withoutTargets = markdown
    .replace(/^\s*```.*$/gm, ' ')
    .replace(/\]\([^)]*\)/g, ']')
    .replace(/<?https?:\/\/\S+/g, ' ');
  const found = wordsOf(shown);
  let at = 0;
  for (const word of wordsOf(withoutTargets)) {
    const next = found.indexOf(word, at);
    if (next === -1) return word;
    at = next + 1;
  }
  return undefined;
}
