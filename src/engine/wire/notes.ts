// Notes that the gateway puts around a person's words: what they reply to, what they sent. For the model, not for memory.

const replyStart = '[in reply to ';
const fileStart = '[sent a file ';

/** One line that tells what a message replies to; the quoted text is a JSON string, so that it cannot end the note. */
export function replyNote(whose: string, text: string): string {
  return `${replyStart}${oneLine(whose)}: ${JSON.stringify(text)}]`;
}

/** One line that tells of a file that came along. */
export function fileNote(about: string): string {
  return `${fileStart}${oneLine(about)}]`;
}

const oneLine = (text: string): string => text.replaceAll(/[\r\n\u2028\u2029]+/g, ' ');

/** The text without such lines: what the person said. */
export function withoutNotes(text: string): string {
  const isNote = (line: string): boolean =>
    line.endsWith(']') && (line.startsWith(replyStart) || line.startsWith(fileStart));
  return text
    .split('\n')
    .filter((line) => !isNote(line))
    .join('\n')
    .trim();
}
