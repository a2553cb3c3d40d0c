// What tools and commands write: a line of today's note, or one passage of `MEMORY.md`. Only into the folder of one audience.
import { join } from 'node:path';
import type { Clock } from '#base/clock.ts';
import { contentTag } from '#base/content-tag.ts';
import { codeOf, errorMessage, ParleyError } from '#base/errors.ts';
import { fileCodeOf, storageHint } from '#base/files/disk-failures.ts';
import type { FileRows } from '#memory/chunks/file-rows.ts';
import type { Redact } from '#memory/secrets/redact.ts';
import type { FileAuthor, FileWritten, MemoryFilesOptions } from '#memory/types/files.ts';
import type { Audience } from '#memory/types/scope.ts';
import { lastingFile, notesFolder } from './audience-folder.ts';
import { dayIn } from './file-prompt.ts';
import { lineHash } from './lines.ts';
import { createRewriteFile, type FileChange } from './rewrite-file.ts';

interface WriteDeps {
  options: MemoryFilesOptions;
  rows: FileRows;
  atOnce<T>(work: () => T): Promise<T>;
  redact: Redact;
  clock: Clock;
}

interface Writing {
  audience: Audience;
  by: FileAuthor;
  alsoBy?: readonly FileAuthor[] | undefined;
}

/** One writer at a time for each file, in this process; another one that wrote in between is noticed. */
export function createFileWriter(deps: WriteDeps) {
  const { options, rows, redact, clock } = deps;
  const rewrite = createRewriteFile(deps);
  /** The same for one person's words: every line that is new is theirs. */
  const changed = (
    { audience, by, alsoBy = [] }: Writing,
    name: string,
    change: (text: string) => FileChange | { known: number },
  ): Promise<Omit<FileWritten, 'redacted'>> =>
    rewrite(audience, name, (before) => {
      const made = change(before);
      if ('known' in made) return made;
      const old = new Set(before.split('\n'));
      const added = made.text.split('\n').filter((line) => line.trim() !== '' && !old.has(line));
      const note = (folder: string): void =>
        rows.wrote(
          added.flatMap((line) =>
            [by, ...alsoBy].map((author) => ({ folder, hash: lineHash(folder, line), ...author })),
          ),
        );
      return { ...made, note };
    }).catch((error: unknown) => {
      throw refusedByDisk(name, error);
    });

  return {
    rewrite,
    async note({ text, ...writing }: Writing & { text: string }): Promise<FileWritten> {
      const clean = await redact(plainLine(text));
      if (clean.text === '') throw new ParleyError('invalid_note', 'Expected a text to note, got none.');
      const day = dayIn(options.timeZone, clock.now());
      const done = await changed(writing, join(notesFolder, `${day}.md`), (before) => {
        const known = before
          .split('\n')
          .findIndex((line) => line.replace(/^[-*+] /, '').trim() === clean.text);
        if (known >= 0) return { known: known + 1 };
        const head = before === '' ? `# ${day}\n\n` : before.endsWith('\n') ? before : `${before}\n`;
        return { text: `${head}- ${clean.text}\n`, line: head.split('\n').length };
      });
      return { ...done, redacted: clean.kinds };
    },
    /** Replaces the text of a file that has this tag. */
    async replace({
      name,
      text,
      tag,
      ...writing
    }: Writing & { name: string; text: string; tag: string }): Promise<{
      tag: string;
      redacted: readonly string[];
    }> {
      const clean = await redact(text.replaceAll('\r\n', '\n').replaceAll('\u0000', ''));
      await changed(writing, name, (before) => {
        if (contentTag(before) === tag) return { text: clean.text, line: 1 };
        throw new ParleyError('file_changed', `The memory file ${name} was changed in the meantime.`, {
          hint: 'Read it again, and make the change in what it holds now.',
        });
      });
      return { tag: contentTag(clean.text), redacted: clean.kinds };
    },
    async edit({
      replace,
      text,
      ...writing
    }: Writing & { replace: string; text: string }): Promise<FileWritten> {
      const clean = await redact(text.replaceAll('\r\n', '\n').replaceAll('\u0000', ''));
      const done = await changed(writing, lastingFile, (before) => {
        if (replace === '') {
          const head = before === '' || before.endsWith('\n') ? before : `${before}\n`;
          return { text: `${head}${clean.text.trimEnd()}\n`, line: head.split('\n').length };
        }
        const at = before.indexOf(replace);
        if (at < 0)
          throw new ParleyError('passage_not_found', `${lastingFile} does not hold that passage.`, {
            hint: 'Read the file with memory_get and give the passage exactly as in the file.',
          });
        if (before.indexOf(replace, at + 1) >= 0)
          throw new ParleyError('passage_not_unique', `${lastingFile} holds that passage more than once.`, {
            hint: 'Give more of the text around it, so that it fits one place only.',
          });
        const after = before.slice(0, at) + clean.text + before.slice(at + replace.length);
        return { text: after, line: before.slice(0, at).split('\n').length };
      });
      return { ...done, redacted: clean.kinds };
    },
  };
}

/** What a disk, the rights of this user or a file in the place of a folder refuse, by Node's code. */
const unwritable: Readonly<Record<string, string>> = {
  EACCES: storageHint('EACCES'),
  EPERM: storageHint('EPERM'),
  ENOTDIR: 'A file is in the place of a folder: move it away.',
  EEXIST: 'A file is in the place of a folder: move it away.',
};

/** The person writes it again: a command that waits for the disk of the files would hold up the chat. Other errors are returned unchanged. */
function refusedByDisk(name: string, error: unknown): unknown {
  const code = fileCodeOf(error);
  const hint = code === undefined ? unwritable[codeOf(error) ?? ''] : storageHint(code);
  if (hint === undefined) return error;
  return new ParleyError(
    'file_refused',
    `The memory file ${name} cannot be written: ${errorMessage(error)}.`,
    { hint },
  );
}

/** A note is one line: what would begin a heading or another item in the file stays part of its sentence. */
function plainLine(text: string): string {
  return text
    .replaceAll('\u0000', '')
    .replace(/\s*\n\s*/g, ' ')
    .replace(/^[\s#>*+-]+/, '')
    .trim();
}
