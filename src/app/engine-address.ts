// Where the running engine listens, for the commands of the same home folder. Not whether one runs: that is the lock's to say.
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { wordsOf } from '#base/errors.ts';
import { writeWhole } from '#base/files.ts';
import type { Log } from '#base/log.ts';

const fileName = 'engine.url';

/** Notes the address in the home folder. A disk that refuses is logged: all but the commands goes on without the note. */
export async function noteAddress(home: string, url: string, log: Log): Promise<void> {
  await writeWhole(join(home, fileName), `${url}\n`).catch((error: unknown) =>
    log.warn({ words: wordsOf(error) }, 'the address of the engine could not be noted'),
  );
}

/** Takes the note away. One that a disk keeps does no harm: whether anything runs is the lock's to say. */
export async function forgetAddress(home: string, log: Log): Promise<void> {
  await rm(join(home, fileName), { force: true }).catch((error: unknown) =>
    log.warn({ words: wordsOf(error) }, 'the note of the address of the engine stays'),
  );
}

/** The address that was noted last; of a process that was killed it is still there. */
export function notedAddress(home: string): string | undefined {
  try {
    return readFileSync(join(home, fileName), 'utf8').trim();
  } catch {
    return undefined; // nothing was noted
  }
}
