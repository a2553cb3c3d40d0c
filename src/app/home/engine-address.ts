// Where the running engine listens, and the channels where they run apart, for the commands of the same home folder.
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { errorMessage } from '#base/errors.ts';
import { writeWhole } from '#base/files/files.ts';
import type { Log } from '#base/log/log.ts';
import type { ProcessRole } from './home-lock.ts';

const fileNames: Readonly<Record<ProcessRole, string>> = { engine: 'engine.url', channels: 'channels.url' };

/** Notes the address in the home folder. A disk that refuses is logged: everything but the commands works without the note. */
export async function noteAddress(
  role: ProcessRole,
  home: string,
  { url, log }: { url: string; log: Log },
): Promise<void> {
  await writeWhole(join(home, fileNames[role]), `${url}\n`).catch((error: unknown) =>
    log.warn({ role, words: errorMessage(error) }, 'an address could not be noted'),
  );
}

/** Deletes the note of the address. A note that stays does no harm: the lock shows whether anything runs. */
export async function forgetAddress(role: ProcessRole, home: string, log: Log): Promise<void> {
  await rm(join(home, fileNames[role]), { force: true }).catch((error: unknown) =>
    log.warn({ role, words: errorMessage(error) }, 'the note of an address stays'),
  );
}

/** The address that was noted last; it may be that of a killed process. */
export function notedAddress(role: ProcessRole, home: string): string | undefined {
  try {
    return readFileSync(join(home, fileNames[role]), 'utf8').trim();
  } catch {
    return undefined; // nothing was noted
  }
}
