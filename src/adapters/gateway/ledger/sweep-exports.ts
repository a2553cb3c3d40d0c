// Deletes the files that exports left once they are sent.
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '#base/errors.ts';

/** Deletes the files of exports, except those in `save`, which are still to be sent. */
export async function sweepExports(folder: string, save: readonly string[]): Promise<void> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  });
  const gone = names.map((name) => join(folder, name)).filter((path) => !save.includes(path));
  await Promise.all(gone.map((path) => rm(path, { force: true })));
}
