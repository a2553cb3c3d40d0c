// Where the running engine listens, for the commands of the same home folder. Not whether one runs: that is the lock's to say.
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeWhole } from '#base/files.ts';

const fileName = 'engine.url';

/** Notes the address in the home folder. */
export async function noteAddress(home: string, url: string): Promise<void> {
  await writeWhole(join(home, fileName), `${url}\n`);
}

/** Takes the note away. */
export async function forgetAddress(home: string): Promise<void> {
  await rm(join(home, fileName), { force: true });
}

/** The address that was noted last; of a process that was killed it is still there. */
export function notedAddress(home: string): string | undefined {
  try {
    return readFileSync(join(home, fileName), 'utf8').trim();
  } catch {
    return undefined; // nothing was noted
  }
}
