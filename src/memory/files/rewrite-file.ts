// Changing one file of an audience's folder, and writing those in another encoding again: one writer at a time in this process; another one that wrote in between is noticed.
import { lstatSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Clock } from '#base/clock.ts';
import { codeOf, ParleyError } from '#base/errors.ts';
import { recognizeText } from '#base/files/decode-text.ts';
import { replaceWhole } from '#base/files/files.ts';
import type { ConvertedFile, FileWritten, MemoryFilesOptions } from '#memory/types/files.ts';
import type { Audience, Scope } from '#memory/types/scope.ts';
import { ageAudienceFolder, ensureAudienceFolder } from './audience-folder.ts';
import type { FoundFile } from './find-files.ts';
import { readableFiles } from './read-lines.ts';
import {
  isUnchanged,
  readPlainFile,
  readTextFile,
  refillMs,
  type TextFile,
  usualMaxBytes,
} from './read-text.ts';

/** A text after a change; `note` runs in the transaction before the file is written. */
export interface FileChange {
  text: string;
  line: number;
  note?: ((folder: string) => void) | undefined;
  /** The time of its oldest words, where they are older than this change. */
  from?: number | undefined;
}

/** Changes one file of an audience's folder: `missing` and `changing` files too. A ParleyError `file_refused` for one that cannot be read. */
export type RewriteFile = (
  audience: Audience,
  name: string,
  change: (text: string, folder: string) => FileChange | { known: number },
) => Promise<Omit<FileWritten, 'redacted'>>;

/** Over one folder of memory files. */
export function createRewriteFile({
  options,
  atOnce,
  clock,
}: {
  options: MemoryFilesOptions;
  atOnce<T>(work: () => T): Promise<T>;
  clock: Clock;
}): RewriteFile {
  const last = new Map<string, Promise<unknown>>();
  /** Files that were left empty here, by when: no editor is about to fill them. */
  const leftEmpty = new Map<string, number | undefined>();
  const inTurn = <T>(path: string, work: () => Promise<T>): Promise<T> => {
    const next = (last.get(path) ?? Promise.resolve()).then(work, work);
    last.set(path, next);
    const end = (): void => {
      if (last.get(path) === next) last.delete(path);
    };
    next.then(end, end);
    return next;
  };

  return async (audience, name, change) => {
    const folder = await ensureAudienceFolder(options.root, audience, clock);
    const root = join(options.root, folder.name);
    const path = `${folder.name}/${name}`;
    const absolute = join(root, name);
    return inTurn(path, async () => {
      for (let attempt = 1; ; attempt += 1) {
        const before = await readTextFile(absolute, { root, maxBytes: options.maxBytes ?? usualMaxBytes });
        if (before.status === 'refused')
          throw new ParleyError('file_refused', `The memory file ${path} ${before.words}.`);
        const made =
          before.status === 'changing' || isBeingEmptied(before, { clock, leftAtMs: leftEmpty.get(path) })
            ? undefined
            : change(before.status === 'missing' ? '' : before.text, folder.name);
        if (made !== undefined && 'known' in made) return { status: 'duplicate', path, line: made.known };
        if (made !== undefined) {
          const { note, text: content, from } = made;
          if (from !== undefined) await ageAudienceFolder(options.root, folder.name, from);
          if (note !== undefined) await atOnce(() => note(folder.name));
          await mkdir(dirname(absolute), { recursive: true, mode: 0o700 });
          // what an editor wrote in between is never lost
          const isStill = (): boolean => isUnchanged(absolute, before);
          if (await replaceWhole(absolute, { content, isStill })) {
            if (content === '') leftEmpty.set(path, lstatSync(absolute, { throwIfNoEntry: false })?.mtimeMs);
            else leftEmpty.delete(path);
            return { status: 'written', path, line: made.line };
          }
        }
        if (attempt === maxAttempts)
          throw new ParleyError('file_refused', `The memory file ${path} is being written by someone else.`, {
            hint: 'Try again in a moment.',
          });
        await clock.sleep(retryMs * attempt);
      }
    });
  };
}

const maxAttempts = 5;
const retryMs = 20;

function isBeingEmptied(
  file: TextFile,
  { clock, leftAtMs }: { clock: Clock; leftAtMs: number | undefined },
): boolean {
  if (file.status !== 'read' || file.size > 0 || file.mtimeMs === leftAtMs) return false;
  return Math.abs(clock.now() - file.mtimeMs) < refillMs;
}

/** Converts the files of the scope that are refused for their encoding; those that cannot be converted are in the result with the reason. */
export async function convertFiles(
  options: MemoryFilesOptions,
  scope: Scope | 'every audience',
): Promise<ConvertedFile[]> {
  const done: ConvertedFile[] = [];
  for (const file of await readableFiles(options, scope)) {
    if (file.refused !== undefined) continue;
    const outcome = await converted(file, options.maxBytes ?? usualMaxBytes);
    if (outcome !== undefined) done.push({ path: file.path, ...outcome });
  }
  return done;
}

type Outcome =
  | { status: 'converted'; encoding: string; copy: string }
  | { status: 'left'; words: string }
  | undefined;

/** Undefined where the encoding is not what is wrong with the file. */
async function converted(file: FoundFile, maxBytes: number): Promise<Outcome> {
  const within = { root: file.root, maxBytes };
  if ((await readTextFile(file.absolute, within)).status !== 'refused') return undefined;
  const before = await readPlainFile(file.absolute, within);
  if (before.status !== 'read') return undefined;
  if (file.readOnly)
    return { status: 'left', words: 'is never written by Parley: save it as UTF-8 yourself' };
  const found = recognizeText(before.bytes, 'said to be text');
  if (found === undefined)
    return { status: 'left', words: 'is in an encoding that is not clear: save it as UTF-8 in an editor' };
  const size = Buffer.byteLength(found.text);
  if (size > maxBytes)
    return {
      status: 'left',
      words: `would have ${size} bytes in UTF-8, and at most ${maxBytes} are read: split it`,
    };
  const end = await copyBeside(file.absolute, before.bytes);
  const isStill = (): boolean => isUnchanged(file.absolute, before);
  if (await replaceWhole(file.absolute, { content: found.text, isStill }))
    return { status: 'converted', encoding: found.encoding, copy: `${file.path}${end}` };
  await rm(`${file.absolute}${end}`);
  return { status: 'left', words: 'is being written just now: try again' };
}

/** Writes the bytes next to the file, under a name that is free and no Markdown; what the name has behind the file's. */
async function copyBeside(path: string, bytes: Uint8Array): Promise<string> {
  for (let count = 1; ; count += 1) {
    const end = `.before-utf-8${count === 1 ? '' : `-${count}`}`;
    try {
      await writeFile(`${path}${end}`, bytes, { flag: 'wx', mode: 0o600 });
      return end;
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
    }
  }
}
