// What tools and commands write: a line of today's note, or one passage of `MEMORY.md`. Only into the folder of one audience, one writer at a time.
import { createHash } from 'node:crypto';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '#base/clock.ts';
import { ParleyError } from '#base/errors.ts';
import { writeWhole } from '#base/files.ts';
import type { FileRows } from '#memory/chunks/file-rows.ts';
import type { Redact } from '#memory/secrets/redact.ts';
import type { FileAuthor, FileWritten, MemoryFilesOptions } from '#memory/types/files.ts';
import type { Audience } from '#memory/types/scope.ts';
import { ensureAudienceFolder, lastingFile, notesFolder } from './audience-folder.ts';
import { dayIn } from './file-prompt.ts';
import { lineHash } from './lines.ts';
import { isSame, readTextFile, usualMaxBytes } from './read-text.ts';

export interface WriteDeps {
  options: MemoryFilesOptions;
  rows: FileRows;
  atOnce<T>(work: () => T): Promise<T>;
  redact: Redact;
  clock: Clock;
}

interface Writing {
  audience: Audience;
  by: FileAuthor;
}

/** One writer at a time for each file, in this process; another one that wrote in between is noticed. */
export function createFileWriter(deps: WriteDeps) {
  const { options, rows, atOnce, redact, clock } = deps;
  const last = new Map<string, Promise<unknown>>();
  const inTurn = <T>(path: string, work: () => Promise<T>): Promise<T> => {
    const next = (last.get(path) ?? Promise.resolve()).then(work, work);
    last.set(path, next);
    const end = (): void => {
      if (last.get(path) === next) last.delete(path);
    };
    next.then(end, end);
    return next;
  };

  /** Changes the file by `change`, again where someone wrote it in between. */
  const changed = async (
    { audience, by }: Writing,
    name: string,
    change: (text: string) => { text: string; line: number } | { known: number },
  ): Promise<Omit<FileWritten, 'redacted'>> => {
    const folder = await ensureAudienceFolder(options.root, audience, clock);
    const root = join(options.root, folder.name);
    const path = `${folder.name}/${name}`;
    return inTurn(path, async () => {
      for (let attempt = 1; ; attempt += 1) {
        const before = await readTextFile(join(root, name), {
          root,
          maxBytes: options.maxBytes ?? usualMaxBytes,
        });
        if (before.status === 'refused')
          throw new ParleyError('file_refused', `The memory file ${path} ${before.words}.`);
        const made =
          before.status === 'changing' ? undefined : change(before.status === 'missing' ? '' : before.text);
        if (made !== undefined && 'known' in made) return { status: 'duplicate', path, line: made.known };
        const now = await lstat(join(root, name)).catch(() => undefined);
        const isUntouched =
          before.status === 'read' ? now !== undefined && isSame(now, before) : now === undefined;
        if (made !== undefined && isUntouched) {
          const old = new Set(before.status === 'read' ? before.text.split('\n') : []);
          const added = made.text.split('\n').filter((line) => line.trim() !== '' && !old.has(line));
          await atOnce(() =>
            rows.wrote(
              added.map((line) => ({ folder: folder.name, hash: lineHash(folder.name, line), ...by })),
            ),
          );
          await writeWhole(join(root, name), made.text);
          return { status: 'written', path, line: made.line };
        }
        if (attempt === maxAttempts)
          throw new ParleyError('file_refused', `The memory file ${path} is being written by someone else.`, {
            hint: 'Try again in a moment.',
          });
        await clock.sleep(retryMs * attempt);
      }
    });
  };

  return {
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
        if (tagOf(before) === tag) return { text: clean.text, line: 1 };
        throw new ParleyError('file_changed', `The memory file ${name} was changed in the meantime.`, {
          hint: 'Read it again, and make the change in what it holds now.',
        });
      });
      return { tag: tagOf(clean.text), redacted: clean.kinds };
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

/** What stands for the text of a file: the same for the same text. */
export function tagOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}

const maxAttempts = 5;
const retryMs = 20;

/** A note is one line: what would begin a heading or another item in the file stays part of its sentence. */
function plainLine(text: string): string {
  return text
    .replaceAll('\u0000', '')
    .replace(/\s*\n\s*/g, ' ')
    .replace(/^[\s#>*+-]+/, '')
    .trim();
}
