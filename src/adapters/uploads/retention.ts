// Prunes the uploads folder while the program runs: at its start and once a day. prune.ts decides what is old.
import type { Clock } from '#base/clock.ts';
import { errorMessage } from '#base/errors.ts';
import type { Log } from '#base/log/log.ts';
import { every } from '#base/waiting/async.ts';
import { deleteFiles, oldFiles } from './prune.ts';

const dayMs = 24 * 3600_000;

/** Prunes until the signal aborts, then resolves. A round that fails is logged and tried again a day later. */
export function runUploadRetention(
  folder: string,
  { days, clock, log }: { days: number; clock: Clock; log: Log },
  signal: AbortSignal,
): Promise<void> {
  return every({ clock, ms: dayMs, signal }, async () => {
    try {
      const old = await oldFiles(folder, { days, now: clock.now() });
      await deleteFiles(folder, old);
      if (old.length > 0)
        log.info({ files: old.length, days }, 'uploads beyond their retention were deleted');
    } catch (error) {
      log.error({ words: errorMessage(error) }, 'uploads could not be pruned');
    }
  });
}
