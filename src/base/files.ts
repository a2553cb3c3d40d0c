// Files that are whole or absent, and readable by their owner alone. Not for databases or logs.
import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { codeOf, ParleyError } from './errors.ts';

/** Makes the folder (owner only) and returns its path; a ParleyError `folder_unusable` says why not. */
export function ensureFolder(path: string): string {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    return path;
  } catch (cause) {
    throw new ParleyError(
      'folder_unusable',
      `The folder ${path} cannot be made (${codeOf(cause) ?? 'error'}).`,
      {
        cure: 'Choose a folder that this user may write, with PARLEY_HOME or `home` in the config.',
        cause,
      },
    );
  }
}

/** Replaces the file as a whole (temporary file, fsync, rename), mode 0600 unless told. */
export async function writeWhole(path: string, content: string | Uint8Array, mode = 0o600): Promise<void> {
  const temporary = join(dirname(path), `.${randomBytes(6).toString('hex')}.tmp`);
  try {
    const handle = await open(temporary, 'wx', mode);
    try {
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
