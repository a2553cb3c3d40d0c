// `parley backup DIR` and `parley restore DIR`: everything that the home folder holds, out while it is in use, and back while it is not.
import { resolve } from 'node:path';
import { bytesOfBackup, type Manifest } from '#app/backup/manifest.ts';
import { restoreBackup } from '#app/backup/restore.ts';
import { writeBackup } from '#app/backup/write.ts';
import { loadConfig } from '#app/config/load.ts';
import { systemClock } from '#base/clock.ts';
import { ParleyError } from '#base/errors.ts';
import { contentOf, restoredLines, withProgress } from './parts/backup-lines.ts';
import type { CommandInput } from './parts/input.ts';

/** Writes the backup; may be called while Parley runs. */
export async function backup(input: CommandInput): Promise<number> {
  const folder = folderOf(input, 'backup');
  const { home } = loadConfig(input);
  const manifest = await withProgress(input, (onProgress) =>
    writeBackup({ home, folder, clock: systemClock, onProgress }),
  );
  if (input.json) input.print(JSON.stringify({ folder, ...summary(manifest) }));
  else input.print(`${contentOf(manifest)} of ${home}\nare in ${folder}, and verified.`);
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
  for (const line of restoredLines(home, { manifest, replaced, forgottenAgain })) input.print(line);
  return 0;
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
    hint: 'A backup is a folder of its own; each new one needs a new folder.',
  });
}
