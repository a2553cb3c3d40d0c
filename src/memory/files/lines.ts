// Lines of memory files as they are known again without being stored, and texts without those that are forgotten. Pure.
import { hash } from 'node:crypto';

/** Knows a line of a folder again, whatever is blank around it. */
export function lineHash(folder: string, line: string): string {
  return hash('sha256', JSON.stringify([folder, line.trim()]));
}

/** The text without the lines that `isGone` names, and how many went. The bytes of the other lines stay unchanged. */
export function withoutLines(
  text: string,
  isGone: (line: string) => boolean,
): { text: string; gone: number } {
  const lines = text.split('\n');
  const left = lines.filter((line) => line.trim() === '' || !isGone(line));
  return { text: left.join('\n'), gone: lines.length - left.length };
}

/** The same with every such line blank: the numbers of the others stay. */
export function withBlankLines(text: string, isGone: (line: string) => boolean): string {
  return text
    .split('\n')
    .map((line) => (line.trim() !== '' && isGone(line) ? '' : line))
    .join('\n');
}
