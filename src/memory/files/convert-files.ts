// Memory files in another encoding, written again as UTF-8 with a copy of the old one beside it. Only on request.
import { rm, writeFile } from 'node:fs/promises';
import { codeOf } from '#base/errors.ts';
import { recognizeText } from '#base/files/decode-text.ts';
import { replaceWhole } from '#base/files/files.ts';
import type { ConvertedFile, MemoryFilesOptions } from '#memory/types/files.ts';
import type { Scope } from '#memory/types/scope.ts';
import type { FoundFile } from './find-files.ts';
import { readableFiles } from './read-lines.ts';
import { isUnchanged, readPlainFile, readTextFile, usualMaxBytes } from './read-text.ts';

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
