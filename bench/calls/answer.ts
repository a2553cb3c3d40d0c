// The answers that are counted: a text of a given length, as a model writes it.

const sentence = 'The quick brown fox jumps over the lazy dog near the river bank. ';

/** Markdown of exactly `length` characters: paragraphs, some with emphasis, a list and code. */
export function answerOf(length: number): string {
  const blocks: string[] = [];
  for (let at = 0; blocks.join('\n\n').length < length; at += 1) {
    if (at % 7 === 3) blocks.push('- one thing\n- **another** thing\n- a `third` thing');
    else if (at % 7 === 5) blocks.push('```ts\nconst answer = 42;\nconsole.log(answer);\n```');
    else blocks.push(`**Point ${at + 1}.** ${sentence.repeat(5).trim()}`);
  }
  return `${blocks
    .join('\n\n')
    .slice(0, length - 5)
    .trimEnd()} `
    .padEnd(length - 4, '.')
    .concat('end.');
}

/** The same in `count` pieces of about the same length. */
export function piecesOf(text: string, count: number): string[] {
  const size = Math.ceil(text.length / count);
  return Array.from({ length: count }, (_, at) => text.slice(at * size, (at + 1) * size)).filter(Boolean);
}
