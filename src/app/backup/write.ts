// A backup of a home folder while it is in use: three ledgers as they are at one moment, and the files that they name. Verified before it is called one.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { shareHome } from '#app/home/home-share.ts';
import { readVersion } from '#app/home/version.ts';
import type { Clock } from '#base/clock.ts';
import { codeOf, ParleyError } from '#base/errors.ts';
import { ensureFolder, writeWhole } from '#base/files/files.ts';
import { copyFile, type FileEntry, fileHash, filesUnder, linkFile } from './copy.ts';
import {
  fileFolders,
  type LedgerName,
  ledgers,
  type Manifest,
  manifestFile,
  runsFolder,
} from './manifest.ts';
import { assertIntact, holdMoment, settleCopy } from './snapshot.ts';

export interface BackupProgress {
  done: number;
  total: number;
}

interface Work {
  home: string;
  folder: string;
  onBytes: (bytes: number) => void;
}

/**
 * Writes the backup into `folder`, which must be empty or not exist yet, and resolves with what it holds; nothing stays there
 * when it fails. The home folder is only read, and whatever runs there continues. A ParleyError says what stands in the way.
 */
export async function writeBackup(options: {
  home: string;
  folder: string;
  clock: Clock;
  /** About how many bytes of how many. */
  onProgress?: ((progress: BackupProgress) => void) | undefined;
}): Promise<Manifest> {
  const { home, clock, onProgress = () => undefined } = options;
  const folder = resolve(options.folder);
  const there = ledgers.filter((name) => existsSync(join(home, name)));
  if (there.length === 0)
    throw new ParleyError('nothing_to_back_up', `There is no database in ${home}: nothing was written yet.`, {
      hint: 'Name the home folder with PARLEY_HOME or `home` in the config.',
    });
  refuseUsed(home, folder);
  using share = new DisposableStack();
  share.adopt(shareHome(home), (held) => held.release());
  ensureFolder(folder);
  try {
    const progress = { done: 0, total: await sizeOf(home) };
    const onBytes = (bytes: number): void => {
      progress.done = Math.min(progress.total, progress.done + bytes);
      onProgress({ ...progress });
    };
    const work: Work = { home, folder, onBytes };
    const runFiles = await copyAll(work, { inside: runsFolder, found: await endedRuns(home) });
    const atMs = clock.now();
    const saved = await copyLedgers(work, there);
    const files: Manifest['files'] = [...runFiles];
    for (const inside of fileFolders)
      files.push(...(await copyAll(work, { inside, found: await settledFiles(home, inside) })));
    const made: Manifest = { format: 1, program: readVersion(), atMs, ledgers: saved, files };
    await writeWhole(join(folder, manifestFile), `${JSON.stringify(made, null, 1)}\n`);
    onProgress({ done: progress.total, total: progress.total });
    return made;
  } catch (error) {
    for (const name of readdirSync(folder)) await rm(join(folder, name), { recursive: true, force: true });
    throw error;
  }
}

/** About how many bytes there are to copy; it may change during the copy. */
async function sizeOf(home: string): Promise<number> {
  const folders = [runsFolder, ...fileFolders].map((name) => filesUnder(join(home, name)));
  const sizes = (await Promise.all(folders)).flat().map(({ bytes }) => bytes);
  for (const name of ledgers) sizes.push(statSync(join(home, name), { throwIfNoEntry: false })?.size ?? 0);
  return Math.max(
    1,
    sizes.reduce((sum, bytes) => sum + bytes, 0),
  );
}

/** The moments of all ledgers are taken one after the other without a pause, in their order, and then copied at leisure. */
async function copyLedgers(
  { home, folder, onBytes }: Work,
  there: readonly LedgerName[],
): Promise<Manifest['ledgers']> {
  using held = new DisposableStack();
  const moments = there.map((name) => {
    const moment = holdMoment(join(home, name));
    held.defer(() => moment.close());
    return { name, moment };
  });
  const copied: Manifest['ledgers'] = [];
  for (const { name, moment } of moments) {
    const path = join(folder, name);
    await moment.copyTo(path, onBytes);
    moment.close(); // from here on its log can be emptied again
    settleCopy(path);
    assertIntact(path);
    copied.push({ name, schema: moment.schema, ...(await fileHash(path)) });
  }
  return copied;
}

function refuseUsed(home: string, folder: string): void {
  if (`${folder}${sep}`.startsWith(`${resolve(home)}${sep}`))
    throw new ParleyError('invalid_usage', `The backup would be inside the home folder ${home}.`, {
      hint: 'Name a folder somewhere else, best on another disk: what destroys the home folder could take the backup with it.',
    });
  let names: string[] = [];
  try {
    names = readdirSync(folder);
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return;
    throw new ParleyError('folder_unusable', `${folder} cannot be used (${codeOf(cause) ?? 'error'}).`, {
      hint: 'Name a folder that does not exist yet.',
      cause,
    });
  }
  if (names.length === 0) return;
  const what = names.includes(manifestFile) ? 'holds a backup already' : 'is not empty';
  throw new ParleyError('folder_not_empty', `${folder} ${what}; nothing is written over.`, {
    hint: 'Name a folder that does not exist yet.',
  });
}

/** Files of runs that have ended: those of others still change, and are written again from the engine's ledger. */
async function endedRuns(home: string): Promise<FileEntry[]> {
  const found = await filesUnder(join(home, runsFolder));
  const ended: FileEntry[] = [];
  for (const [run, files] of Map.groupBy(found, ({ path }) => path.split('/')[0] ?? '')) {
    const text = await readFile(join(home, runsFolder, run, 'run_state.json'), 'utf8').catch(() => '{}');
    if (/"finished_at_ms":\s*\d/.test(text)) ended.push(...files);
  }
  return ended;
}

/** What is there only for a moment is left out: a file that is just arriving from a platform. */
async function settledFiles(home: string, folder: string): Promise<FileEntry[]> {
  return (await filesUnder(join(home, folder))).filter(({ path }) => !path.startsWith('.arriving/'));
}

/** Copies what is still there, each content once where files have several names. */
async function copyAll(
  { home, folder, onBytes }: Work,
  { inside, found }: { inside: string; found: readonly FileEntry[] },
): Promise<Manifest['files']> {
  const copies = new Map<string, Manifest['files'][number]>();
  const files: Manifest['files'] = [];
  for (const { path, bytes, file } of found) {
    const to = `${inside}/${path}`;
    const before = copies.get(file);
    const linked = before !== undefined && (await linkFile(join(folder, before.path), join(folder, to)));
    const copied = linked ? before : await copyFile(join(home, to), join(folder, to));
    onBytes(bytes);
    if (copied === undefined) continue;
    const entry = { path: to, bytes: copied.bytes, sha256: copied.sha256 };
    copies.set(file, entry);
    files.push(entry);
  }
  return files;
}
