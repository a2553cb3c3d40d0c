// `parley backup DIR` and `parley restore DIR`: everything that the home folder holds, out while it is in use, and back while it is not.
import { resolve } from 'node:path';
import { formatBytes } from '#adapters/uploads/format-bytes.ts';
import { bytesOfBackup, type Manifest } from '#app/backup/manifest.ts';
import { carryOutRestore } from '#app/backup/planned-restore.ts';
import { type Restored, restoreBackup } from '#app/backup/restore.ts';
import { type BackupProgress, writeBackup } from '#app/backup/write.ts';
import { loadConfig } from '#app/config/load.ts';
import { showProgress } from '#app/screen/progress.ts';
import { minute } from '#app/screen/screen.ts';
import { systemClock } from '#base/clock.ts';
import { codeOf, errorMessage, ParleyError } from '#base/errors.ts';
import type { CommandInput } from './parts/input.ts';

const mebibyte = 1024 * 1024;

/** Writes the backup; may be called while Parley runs. */
export async function backup(input: CommandInput): Promise<number> {
  const folder = folderOf(input, 'backup');
  const { home } = loadConfig(input);
  const manifest = await withProgress(input, (onProgress) =>
    writeBackup({ home, folder, clock: systemClock, onProgress }),
  );
  if (input.json) input.print(JSON.stringify({ folder, ...summary(manifest) }));
  else input.print(`${words(manifest)} of ${home} were backed up, verified, into ${folder}.`);
  return 0;
}

/** Puts a backup back into the home folder, in which no Parley may run. */
export async function restore(input: CommandInput): Promise<number> {
  const folder = folderOf(input, 'restore');
  const { home } = loadConfig(input);
  const over = input.values.replace === true ? 'replace' : 'refuse';
  const { manifest, replaced, forgottenAgain } = await withProgress(input, (onProgress) =>
    restoreBackup({ home, folder, over, clock: systemClock, onProgress }),
  );
  if (input.json) {
    input.print(JSON.stringify({ home, replaced: replaced ?? null, forgottenAgain, ...summary(manifest) }));
    return 0;
  }
  for (const line of restoredWords(home, { manifest, replaced, forgottenAgain })) input.print(line);
  return 0;
}

/**
 * Restores what was planned in the console, before anything of the home folder is open, and says so. Where that fails, a warning says why,
 * and everything is as it was.
 */
export async function restoreAsPlanned(
  home: string,
  input: Pick<CommandInput, 'print' | 'json'>,
): Promise<void> {
  try {
    const restored = await withProgress(input, (onProgress) =>
      carryOutRestore({ home, clock: systemClock, onProgress }),
    );
    if (restored === undefined) return;
    for (const line of restoredWords(home, restored)) input.print(line);
  } catch (error) {
    const hint = codeOf(error) === 'home_in_use' ? 'It is restored at a start while nothing else runs.' : '';
    input.print(`WARNING: The planned restore did not happen. ${errorMessage(error)} ${hint}`.trimEnd());
  }
}

function restoredWords(home: string, { manifest, replaced, forgottenAgain }: Restored): string[] {
  const first = `${home} is as it was at ${minute(manifest.atMs)} UTC: ${words(manifest)}.`;
  if (replaced === undefined) return [first];
  return [
    first,
    `What was there before is in ${replaced}; delete it when you miss nothing.`,
    ...forgottenNotice(forgottenAgain),
    'Conversations that were deleted after that moment are there again.',
  ];
}

/** How often what was forgotten after the backup was forgotten again, within 80 columns. */
function forgottenNotice(again: Restored['forgottenAgain']): string[] {
  if (typeof again !== 'number')
    return [
      `The memory that was there could not be read: ${again.unknown}.`,
      'So what was forgotten after that moment is there again.',
    ];
  if (again === 0) return [];
  const what = again === 1 ? '1 memory that was' : `${again} memories that were`;
  return [`${what} forgotten after that moment ${again === 1 ? 'was' : 'were'} forgotten again.`];
}

function words(manifest: Manifest): string {
  const size = formatBytes(bytesOfBackup(manifest));
  return `${manifest.ledgers.length} databases and ${manifest.files.length} files (${size})`;
}

function summary(manifest: Manifest): object {
  const { atMs, program, ledgers, files } = manifest;
  const bytes = bytesOfBackup(manifest);
  return { atMs, program, ledgers: ledgers.map(({ name }) => name), files: files.length, bytes };
}

function folderOf({ rest, folder }: CommandInput, command: string): string {
  const [path, ...more] = rest;
  if (path !== undefined && path !== '' && more.length === 0) return resolve(folder, path);
  throw new ParleyError('invalid_usage', `Expected "parley ${command} DIR" with one folder.`, {
    hint: 'A backup is its own folder; each new one needs a new folder.',
  });
}

async function withProgress<T>(
  { json }: Pick<CommandInput, 'json'>,
  work: (onProgress: (at: BackupProgress) => void) => Promise<T>,
): Promise<T> {
  const progress = showProgress('MiB', json ? 'silent' : 'shown');
  try {
    return await work(({ done, total }) =>
      progress.update({ done: Math.floor(done / mebibyte), total: Math.max(1, Math.ceil(total / mebibyte)) }),
    );
  } finally {
    progress.end();
  }
}
