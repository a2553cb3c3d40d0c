// Which files are memory: `MEMORY.md` and the notes of each audience, and Markdown below extra folders and those of corpora. Reads names and `audience.json` only.
import { hash } from 'node:crypto';
import type { Dirent } from 'node:fs';
import { lstat, readdir, realpath, stat } from 'node:fs/promises';
import { basename, isAbsolute, join, relative, sep } from 'node:path';
import { Temporal } from 'temporal-polyfill';
import { memoize } from '#base/caches/memoize.ts';
import { codeOf, errorMessage } from '#base/errors.ts';
import type { ExtraFolder, FileAudience, MemoryFilesOptions } from '#memory/types/files.ts';
import { type AudienceFolder, lastingFile, notesFolder, readAudience } from './audience-folder.ts';
import { type FileState, readRefusal, usualMaxBytes } from './read-text.ts';

/** A file that is memory, as the disk has it. */
export interface FoundFile extends FileState {
  /** Known again by it in the index. */
  key: string;
  /** As people see it: folder and name, with `/`. */
  path: string;
  absolute: string;
  /** The folder that no read leaves. */
  root: string;
  /** What a line of it is forgotten in: the audience's folder, or the extra one. */
  folder: string;
  audience: FileAudience;
  /** The corpus that it is a page of; undefined for a memory file. */
  corpus: string | undefined;
  /** No text of it is older. */
  created: number;
  readOnly: boolean;
  /** Why it is not read. */
  refused: string | undefined;
}

export interface FoundFiles {
  files: FoundFile[];
  folders: AudienceFolder[];
  /** Folders that cannot be used, as text. */
  problems: { path: string; words: string }[];
  /** Folders whose files are unknown now: what is indexed of them stays. */
  unknown: string[];
}

/** Folders of an extra folder in which nobody writes memory. */
const noisy = new Set(['node_modules', '.git', '.venv', 'venv', '__pycache__']);
/** Looks at files that wait for the disk at the same time. */
const atOnce = 64;

/** Looks at the names; what is wrong with a folder or file is in the result. */
export async function findFiles(options: MemoryFilesOptions): Promise<FoundFiles> {
  const found: FoundFiles = { files: [], folders: [], problems: [], unknown: [] };
  const names = (await entriesOf(options.root, '', found)).filter((entry) => !entry.name.startsWith('.'));
  for (const entry of names) {
    if (!entry.isDirectory()) continue;
    const folder = await readAudience(options.root, entry.name).catch((error: unknown) => {
      found.problems.push({ path: entry.name, words: errorMessage(error) });
      found.unknown.push(entry.name);
      return undefined;
    });
    if (folder !== undefined) {
      found.folders.push(folder);
      await ownFiles(options, folder, found);
    }
  }
  for (const extra of options.extra ?? []) await extraFiles(extra, options, found);
  return found;
}

async function ownFiles(
  options: MemoryFilesOptions,
  folder: AudienceFolder,
  found: FoundFiles,
): Promise<void> {
  const { name, audience } = folder;
  const root = join(options.root, name);
  const [top, notes] = [await entriesOf(root, name, found), await notesOf(root, name, found)];
  const paths = [
    ...(top.some((entry) => entry.name === lastingFile) ? [lastingFile] : []),
    ...notes.filter((entry) => isMarkdown(entry.name)).map((entry) => join(notesFolder, entry.name)),
  ];
  await looked(paths, options, found, (path) => ({
    key: keyOf(name, path),
    path: [name, ...path.split(sep)].join('/'),
    absolute: join(root, path),
    root,
    folder: name,
    audience,
    corpus: undefined,
    created: dayOf(path, options.timeZone) ?? folder.created,
    readOnly: false,
  }));
}

async function notesOf(root: string, name: string, found: FoundFiles): Promise<Dirent[]> {
  const path = join(root, notesFolder);
  const about = await lstat(path).catch(() => undefined);
  if (about === undefined || about.isDirectory()) return entriesOf(path, name, found);
  found.problems.push({ path: `${name}/${notesFolder}`, words: 'is no folder, and a folder was expected' });
  found.unknown.push(name);
  return [];
}

async function extraFiles(
  { path: root, audience, corpus }: ExtraFolder,
  options: MemoryFilesOptions,
  found: FoundFiles,
): Promise<void> {
  // a line of a folder is forgotten for every reader; a page of a corpus belongs to one audience
  const name =
    corpus === undefined
      ? `extra-${digestOf(root)}`
      : `${corpus}-${digestOf(JSON.stringify([root, audience]))}`;
  const problem = await problemOf(root, options.root);
  if (problem !== undefined) {
    const key = corpus === undefined ? 'memory.files.extra' : `memory.${corpus}.path`;
    found.problems.push({ path: root, words: `${problem.words} (${key})` });
    if (!problem.isRefused) found.unknown.push(name);
    return;
  }
  const shown = corpus ?? name;
  const paths: string[] = [];
  const walk = async (folder: string): Promise<void> => {
    for (const entry of await entriesOf(folder, name, found)) {
      if (entry.name.startsWith('.') || noisy.has(entry.name)) continue;
      const path = join(folder, entry.name);
      if (entry.isDirectory()) await walk(path);
      else if (isMarkdown(entry.name)) paths.push(relative(root, path));
      else if (entry.isSymbolicLink() && (await isFolder(path)))
        found.problems.push({
          path: [shown, ...relative(root, path).split(sep)].join('/'),
          words: 'is a symbolic link, which is not followed',
        });
    }
  };
  await walk(root);
  await looked(paths, options, found, (path) => ({
    // another audience makes other files of it: nothing that the former one may read stays in the index
    key: keyOf(corpus === undefined ? JSON.stringify([name, audience]) : name, path),
    path: [shown, ...path.split(sep)].join('/'),
    absolute: join(root, path),
    root,
    folder: name,
    audience,
    corpus,
    created: Number.NaN,
    readOnly: true,
  }));
}

const digestOf = (text: string): string => hash('sha256', text).slice(0, 12);

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (about) => about.isDirectory(),
    () => false,
  );

/** Why the folder is not read; one that is refused, unlike one that cannot be read now, has no passages in the index. */
async function problemOf(
  root: string,
  memory: string,
): Promise<{ words: string; isRefused: boolean } | undefined> {
  const about = await lstat(root).catch((error: unknown) => codeOf(error) ?? 'error');
  if (about === 'ENOENT') return { words: 'does not exist', isRefused: false };
  if (typeof about === 'string') return { words: `cannot be read (${about})`, isRefused: false };
  if (about.isSymbolicLink())
    return { words: 'is a symbolic link: name the folder that it leads to', isRefused: false };
  if (!about.isDirectory()) return { words: 'is no folder', isRefused: false };
  const [own, other] = await Promise.all([root, memory].map((path) => realpath(path).catch(() => path)));
  const isInside = (inner = '', outer = ''): boolean => {
    const way = relative(outer, inner);
    return way === '' || (way.split(sep)[0] !== '..' && !isAbsolute(way));
  };
  if (isInside(own, other) || isInside(other, own))
    return { words: 'holds memory files of other audiences: name another folder', isRefused: true };
  return undefined;
}

async function looked(
  paths: readonly string[],
  { maxBytes = usualMaxBytes }: MemoryFilesOptions,
  found: FoundFiles,
  of: (path: string) => Omit<FoundFile, 'size' | 'mtimeMs' | 'ctimeMs' | 'refused'>,
): Promise<void> {
  for (let from = 0; from < paths.length; from += atOnce) {
    const some = await Promise.all(
      paths.slice(from, from + atOnce).map(async (path): Promise<FoundFile | undefined> => {
        const file = of(path);
        const about = await lstat(file.absolute).catch((error: unknown) => codeOf(error) ?? 'error');
        if (typeof about === 'string')
          return about === 'ENOENT'
            ? undefined
            : { ...file, size: 0, mtimeMs: 0, ctimeMs: 0, refused: `cannot be read (${about})` };
        const refused = readRefusal(about, maxBytes);
        const created = Number.isNaN(file.created)
          ? Math.round(Math.min(about.birthtimeMs || about.mtimeMs, about.mtimeMs))
          : file.created;
        return {
          ...file,
          created,
          size: about.size,
          mtimeMs: about.mtimeMs,
          ctimeMs: about.ctimeMs,
          refused,
        };
      }),
    );
    found.files.push(...some.filter((file) => file !== undefined));
  }
}

/** What is in a folder, by name; a folder that cannot be read is a problem, and one that is missing is empty. */
async function entriesOf(path: string, folder: string, found: FoundFiles): Promise<Dirent[]> {
  try {
    const entries = await readdir(path, { withFileTypes: true });
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    found.problems.push({ path: basename(path), words: `cannot be read (${codeOf(error) ?? 'error'})` });
    found.unknown.push(folder);
    return [];
  }
}

function isMarkdown(name: string): boolean {
  return !name.startsWith('.') && /\.(?:md|markdown)$/i.test(name);
}

/** By which the index knows a file of a folder. */
export function keyOf(folder: string, path: string): string {
  return `memory-file:${hash('sha256', JSON.stringify([folder, path]))}`;
}

/** When the day of a note begins in the zone of its name: a note of the day on which someone came in may hold older messages. */
function dayOf(path: string, timeZone = 'UTC'): number | undefined {
  const [day] = /^\d{4}-\d{2}-\d{2}/.exec(basename(path)) ?? [];
  const midnight = day === undefined ? Number.NaN : Date.parse(`${day}T00:00:00Z`);
  return Number.isNaN(midnight) ? undefined : beginIn(timeZone)(String(midnight)).at;
}

/** The beginning, in a zone, of the day that begins at this moment in UTC; many folders have notes of the same days. */
const beginIn = memoize(2, (timeZone) =>
  memoize(2_000, (midnight) => {
    const day = Temporal.Instant.fromEpochMilliseconds(Number(midnight))
      .toZonedDateTimeISO('UTC')
      .toPlainDate();
    return { at: day.toZonedDateTime(timeZone).epochMilliseconds };
  }),
);
