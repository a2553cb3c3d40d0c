// A start waits for a command that has the home folder for a moment, and not for a Parley that runs there.

import { systemClock } from '#base/clock.ts';
import { codeOf } from '#base/errors.ts';
import { createClient } from '#engine/client/client.ts';
import { notedAddress } from './engine-address.ts';
import { type HomeLock, lockHome, type ProcessRole } from './home-lock.ts';

/** Most commands take less than ten seconds: so many looks, so far apart. */
const looks = 100;
const betweenMs = 100;
/** A Parley that runs says within so many milliseconds that it is alive. */
const answerMs = 1_000;

/**
 * The role in the home folder, once no command has it. Throws a ParleyError `home_in_use` at once when a Parley that runs has it, and after
 * 10 s when something else does; `restore_unfinished` as `lockHome`.
 */
export async function lockHomeWhenFree(
  home: string,
  role: ProcessRole,
  purpose?: 'restore',
): Promise<HomeLock> {
  for (let look = 1; ; look += 1) {
    try {
      return lockHome(home, role, purpose);
    } catch (error) {
      if (codeOf(error) !== 'home_in_use' || look === looks || (await isAnswering(home))) throw error;
    }
    await systemClock.sleep(betweenMs);
  }
}

/** Whether a Parley answers where one has noted its address. A note without an answer is one of a program that was killed. */
async function isAnswering(home: string): Promise<boolean> {
  for (const role of ['engine', 'channels'] as const) {
    const baseUrl = notedAddress(role, home);
    if (baseUrl === undefined) continue;
    const { health } = createClient({ baseUrl, token: 'none', timeoutMs: answerMs });
    const isThere = await health().then(
      () => true,
      () => false,
    );
    if (isThere) return true;
  }
  return false;
}
