// Where each format's items are found below a path. To add a format, add its line here; how its items are read is in a separate file.
import { readdir, stat } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { codeOf, errorMessage, ParleyError } from '#base/errors.ts';
import { discordItems } from '#memory/import/histories/discord.ts';
import { slackItems } from '#memory/import/histories/slack.ts';
import { telegramItems } from '#memory/import/histories/telegram.ts';
import type { ImportFormat } from '#memory/types/import.ts';
import { documentEndings, documentsBelow, filledByPrograms, largestDocument } from './items/directory.ts';
import { chunksOfDocument } from './items/document.ts';
import { fileItem, type ImportContext, type Item, limitsOf, refuseDatabase } from './items/item.ts';
import { readTranscript } from './items/transcript.ts';
import { type EntryFilter, filesBelow, type WalkLimits } from './items/walk.ts';
import { mayEmpty } from './refuse-emptying.ts';

export interface Items {
  items: Item[];
  /** Lets go of what they are read from. */
  close(): void;
}

type Find = (root: string, reading: ImportContext) => Promise<Items | Item[]>;

const skippedFolders = new Set([...filledByPrograms, '.git', '.next', '.turbo', '.cache', '.parley']);

const finders: Record<ImportFormat, Find> = {
  directory: async (root, reading) =>
    (await filesOf(root, documentEndings, (folder) => documentsBelow(folder, limitsOf(reading)))).map(
      (path) => documentItem(path, reading, largestDocument),
    ),
  openclaw: async (root, reading) =>
    (await openclawFiles(root, reading)).map((path) => documentItem(path, reading)),
  transcript: async (root, reading) =>
    (await filesBelowOf(root, ['.json', '.jsonl'], reading)).map((path) =>
      fileItem(path, (text) => readTranscript(text, reading, path)),
    ),
  telegram: telegramItems,
  slack: slackItems,
  discord: discordItems,
  // its entries are rows of their own and no passages: `importJournal` reads these files
  journal: async (root, reading) =>
    (await filesBelowOf(root, ['.jsonl'], reading)).map((path) => fileItem(path, async function* () {})),
};

/**
 * The items of the format at `root`, in the order of their paths; none where it is gone and the request may remove everything. A ParleyError
 * `nothing_to_import` when it cannot be read or holds none.
 */
export async function itemsAt(root: string, format: ImportFormat, reading: ImportContext): Promise<Items> {
  const info = await stat(root).catch((cause: unknown) => {
    if (codeOf(cause) === 'ENOENT' && mayEmpty(reading.request)) return undefined;
    throw new ParleyError('nothing_to_import', `${root} cannot be read: ${errorMessage(cause)}.`, { cause });
  });
  const found = info === undefined ? [] : await finders[format](root, reading);
  return Array.isArray(found) ? { items: found, close() {} } : found;
}

function documentItem(path: string, { redact, request }: ImportContext, most?: number): Item {
  const read = async function* (text: string, at: number) {
    const clean = await redact(text);
    yield* chunksOfDocument(clean.text, request, { path, at: dayInName(path) ?? at });
  };
  return fileItem(path, read, most);
}

/** A daily note is of its day, whenever its file was copied: `memory/2026-11-21.md`. */
function dayInName(path: string): number | undefined {
  const day = /^(\d{4}-\d\d-\d\d)(?:[-_ ].*)?\.\w+$/.exec(basename(path))?.[1];
  const at = day === undefined ? Number.NaN : Date.parse(day);
  return Number.isFinite(at) ? at : undefined;
}

/** The file itself, where it has one of the endings, or those that are found below the folder. */
async function filesOf(
  root: string,
  endings: readonly string[],
  find: (folder: string) => Promise<string[]>,
): Promise<string[]> {
  const info = await stat(root);
  if (info.isFile()) return [await onlyOf(root, endings)];
  if (info.isDirectory()) return find(root);
  throw new ParleyError('nothing_to_import', `${root} is neither a file nor a folder.`);
}

/** The file, or those below the folder, with one of these endings. */
function filesBelowOf(root: string, endings: readonly string[], reading: ImportContext): Promise<string[]> {
  return filesOf(root, endings, (folder) => below(folder, endings, limitsOf(reading)));
}

/** A single file is held to the same endings as those of a folder: anything else would be read as what it is not. */
async function onlyOf(path: string, endings: readonly string[]): Promise<string> {
  await refuseDatabase(path);
  if (endings.includes(extname(path).toLowerCase())) return path;
  throw new ParleyError(
    'nothing_to_import',
    `Expected a file that ends with ${endings.join(', ')}, got ${path}.`,
    { hint: 'Rename a copy of it, if it is of that kind, or name another --format.' },
  );
}

/** Files with these extensions, in the order of their paths; links are not followed. */
function below(root: string, wanted: readonly string[], limits: WalkLimits): Promise<string[]> {
  const isWanted: EntryFilter = (entry) =>
    entry.isDirectory()
      ? !skippedFolders.has(entry.name)
      : wanted.includes(extname(entry.name).toLowerCase());
  return filesBelow(root, { ...limits, enter: () => isWanted });
}

/**
 * `MEMORY.md` and `memory/**` of OpenClaw's workspaces: of `root` itself, or of the folders in it where its state folder
 * (`~/.openclaw`) has them, `workspace` and, for further agents, `workspace-NAME`.
 */
async function openclawFiles(root: string, reading: ImportContext): Promise<string[]> {
  if (!(await isFolder(root))) return [await onlyOf(root, documentEndings)];
  const named = (await readdir(root, { withFileTypes: true })).filter(({ name }) =>
    /^workspace(?:-.+)?$/.test(name),
  );
  for (const entry of named) if (entry.isSymbolicLink()) reading.onLink?.(join(root, entry.name));
  const inside = named.filter((entry) => entry.isDirectory()).map(({ name }) => join(root, name));
  const found: string[] = [];
  for (const workspace of [root, ...inside.sort()]) {
    for (const entry of await readdir(workspace, { withFileTypes: true })) {
      const path = join(workspace, entry.name);
      const isMemory = /^memory\.md$/i.test(entry.name);
      if (entry.isSymbolicLink() && (isMemory || entry.name === 'memory')) reading.onLink?.(path);
      if (entry.isFile() && isMemory) found.push(path);
      if (entry.isDirectory() && entry.name === 'memory')
        found.push(...(await below(path, documentEndings, limitsOf(reading))));
    }
  }
  if (found.length > 0 || mayEmpty(reading.request)) return found;
  throw new ParleyError(
    'nothing_to_import',
    `${root} has no MEMORY.md and no folder memory, nor has a workspace in it.`,
    {
      hint: 'Name the workspace, or the folder that it is in (~/.openclaw).',
    },
  );
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path)).isDirectory();
}
