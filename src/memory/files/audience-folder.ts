// The folder of each audience: a name that people can read, no two alike on any disk, and a small file that says whose it is.
import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Clock } from '#base/clock.ts';
import { ParleyError } from '#base/errors.ts';
import { writeWhole } from '#base/files/files.ts';
import { parseJson } from '#base/json.ts';
import type { FileAudience } from '#memory/types/files.ts';
import { folderNameOf } from '#memory/types/folder-name.ts';
import type { Audience, Provenance, Scope } from '#memory/types/scope.ts';
import { readTextFile } from './read-text.ts';

const audienceFile = 'audience.json';
/** The file of what lasts, and the folder of the notes of each day. */
export const lastingFile = 'MEMORY.md';
export const notesFolder = 'memory';

const pattern = /^(?:(?:person|room|space):[\s\S]+|everyone)$/;
const schema = z.object({
  audience: z.custom<FileAudience>((value) => typeof value === 'string' && pattern.test(value), {
    message: 'expected person:ID, room:KEY, space:KEY or everyone',
  }),
  created: z.number(),
});
/** Looks at a file that is replaced just then, before it is refused. */
const maxLooks = 10;

/** A folder with whose it is. */
export interface AudienceFolder {
  /** Its name below the root. */
  name: string;
  audience: FileAudience;
  /** When it was made: no text in it is older. */
  created: number;
}

/** Whether the text names an audience that can own files. */
export function isFileAudience(text: string): text is FileAudience {
  return pattern.test(text);
}

/** Makes the folder where it is missing, readable by its owner only, and says in it whose it is. */
export async function ensureAudienceFolder(
  root: string,
  audience: FileAudience,
  clock: Clock,
): Promise<AudienceFolder> {
  const name = folderNameOf(audience);
  const folder = join(root, name);
  await mkdir(join(folder, notesFolder), { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
  const known = await readAudience(root, name);
  if (known !== undefined) return known;
  const created = Math.round(clock.now());
  await writeAudience(root, { name, audience, created });
  return { name, audience, created };
}

/** Says of a folder that a text in it is as old as `from`: nobody who came in after that reads it as younger. */
export async function ageAudienceFolder(root: string, name: string, from: number): Promise<void> {
  const known = await readAudience(root, name);
  if (known === undefined || known.created <= from) return;
  await writeAudience(root, { ...known, created: Math.round(from) });
}

async function writeAudience(root: string, { name, audience, created }: AudienceFolder): Promise<void> {
  await writeWhole(join(root, name, audienceFile), `${JSON.stringify({ audience, created }, null, 2)}\n`);
}

/** Whose folder it is; undefined when nothing in it says so. Throws a ParleyError `file_refused` for a file that does not fit its folder. */
export async function readAudience(root: string, name: string): Promise<AudienceFolder | undefined> {
  const path = join(root, name, audienceFile);
  let read = await readTextFile(path, { root, maxBytes: 64 * 1024 });
  // Parley replaces it as a whole, so that the next look finds the new one
  for (let looks = 1; read.status === 'changing' && looks < maxLooks; looks += 1)
    read = await readTextFile(path, { root, maxBytes: 64 * 1024 });
  if (read.status === 'missing') return undefined;
  const refuse = (words: string, cause?: unknown): never => {
    throw new ParleyError('file_refused', `${name}/${audienceFile} ${words}.`, {
      hint: 'Restore the file, or move the folder away: Parley makes a new one.',
      cause,
    });
  };
  if (read.status !== 'read')
    return refuse(read.status === 'refused' ? read.words : 'changed while it was read');
  try {
    const found = { name, ...parseJson(read.text, schema, `${name}/${audienceFile}`) };
    // a copied or renamed folder must not give one audience's text to another
    if (folderNameOf(found.audience) === name) return found;
  } catch (cause) {
    return refuse('is not as Parley wrote it', cause);
  }
  return refuse('names an audience that belongs to another folder');
}

/** Where passages of the folder are found: in the rows of memory, a space and everyone are rooms that nobody is in. */
export function whereOf(audience: FileAudience): Provenance {
  if (audience === 'everyone') return { audience: 'room:files:everyone', restricted: false };
  if (!audience.startsWith('space:'))
    // the other kinds of audience were just ruled out
    return { audience: audience as Audience, restricted: true };
  return { audience: `room:files:${audience}`, space: audience.slice('space:'.length), restricted: false };
}

/** Whether the scope may read files of the audience whose texts are at least as young as `from`. Equal to what SQL answers for their passages. */
export function mayReadFolder(scope: Scope, audience: FileAudience, from: number): boolean {
  if (audience === 'everyone') return scope.everyone;
  if (audience.startsWith('space:'))
    return scope.everyone || scope.spaces.includes(audience.slice('space:'.length));
  const own = audience as Audience; // as above
  const since = scope.since?.[own];
  return scope.audiences.includes(own) && (since === undefined || since < from);
}
