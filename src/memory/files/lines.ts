// Lines of memory files as they are recognised without being kept, those that a selection means by who wrote them, and texts without those that are forgotten.
import { hash } from 'node:crypto';
import type { FileRows } from '#memory/chunks/file-rows.ts';
import type { Redact } from '#memory/secrets/redact.ts';
import { folderNameOf } from '#memory/types/folder-name.ts';
import type { Selection } from '#memory/types/maintenance.ts';
import { plainWords } from '#memory/words/tokens.ts';
import { isFileAudience } from './audience-folder.ts';

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

/** The same for readers: also without what is left of a secret of several lines, which would be known as one no more. Not masked yet. */
export async function withoutForgotten(
  text: string,
  { isGone, redact }: { isGone: (line: string) => boolean; redact: Redact },
): Promise<string> {
  const left = withBlankLines(text, isGone);
  if (left === text) return text;
  const shown = new Set((await redact(text)).text.split('\n'));
  const lines = left.split('\n').map(async (line) => {
    const isPart = !shown.has(line) && (await redact(line)).text === line;
    return isPart ? '' : line;
  });
  return (await Promise.all(lines)).join('\n');
}

interface Line {
  folder: string;
  hash: string;
}

type Texts = Iterable<{ folder: string; found: { text: string } | undefined }>;

/** Whether the selection means all of a person, a chat, a session or a run, without anything that narrows it. */
export function meansAll(selection: Selection): boolean {
  return Object.values(selection).filter((value) => value !== undefined).length === 1;
}

/** A person who is forgotten, or a whole chat, leaves nothing in the own folder: headings and blank passages go too. */
export function wholeFolders(texts: Texts, { person, chat }: Selection): Line[] {
  const owners = [[person ?? []].flat().map((id) => `person:${id}`), roomsOf(chat)].flat();
  const folders = new Set(owners.filter(isFileAudience).map(folderNameOf));
  return linesIn(texts).filter(({ folder }) => folders.has(folder));
}

/**
 * Of a selection that is narrower, the lines that were written for everyone it names, with its words and in its rooms; none where it asks
 * for what is not known of a line.
 */
export function narrowedLines(
  texts: Texts,
  { person, session, run, chat, words, ...rest }: Selection,
  { linesOf }: Pick<FileRows, 'linesOf'>,
): Line[] {
  const none = { persons: [], sessionIDs: [], runIDs: [] };
  const writers = [
    ...(person === undefined ? [] : [{ ...none, persons: [person].flat() }]),
    ...(session === undefined ? [] : [{ ...none, sessionIDs: [session].flat() }]),
    ...(run === undefined ? [] : [{ ...none, runIDs: [run] }]),
  ];
  if (writers.length === 0 || Object.values(rest).some((value) => value !== undefined)) return [];
  const written = writers.map((of) => new Set(linesOf(of).map(({ hash }) => hash)));
  const folders = chat === undefined ? undefined : new Set(roomsOf(chat).map(folderNameOf));
  return linesIn(texts).filter(
    ({ folder, hash, text }) =>
      written.every((hashes) => hashes.has(hash)) &&
      (folders === undefined || folders.has(folder)) &&
      (words === undefined || hasWords(text, words)),
  );
}

/** Whether a line holds all of these words, and there are some. */
export function hasWords(line: string, words: string): boolean {
  const [wanted, held] = [plainWords(words), new Set(plainWords(line))];
  return wanted.length > 0 && wanted.every((word) => held.has(word));
}

function roomsOf(chat: Selection['chat'] = []): `room:${string}`[] {
  return [chat].flat().map((address) => `room:${address}` as const);
}

function linesIn(texts: Texts): (Line & { text: string })[] {
  return [...texts].flatMap(({ folder, found }) =>
    (found?.text ?? '')
      .split('\n')
      .filter((text) => text.trim() !== '')
      .map((text) => ({ folder, hash: lineHash(folder, text), text })),
  );
}
