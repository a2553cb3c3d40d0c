// `parley uploads prune`: deletes files that people sent longer ago than the retention, or only shows which those are.
import { join } from 'node:path';
import { formatBytes } from '#adapters/uploads/format-bytes.ts';
import { deleteFiles, oldFiles } from '#adapters/uploads/prune.ts';
import { loadConfig } from '#app/config/load.ts';
import { uploadsFolder } from '#app/home/folders.ts';
import { systemClock } from '#base/clock.ts';
import { counted } from '#base/text.ts';
import type { CommandInput } from './parts/input.ts';

/** Prints each file with its size and deletes it, unless it is a dry run; may be called while the gateway runs. */
export async function parleyUploads(input: CommandInput): Promise<number> {
  const { print, dryRun, json } = input;
  const { config, home } = loadConfig(input);
  const path = join(home, uploadsFolder);
  const days = config.uploads.retentionDays;
  const old = days === undefined ? [] : await oldFiles(path, { days, now: systemClock.now() });
  if (!dryRun) await deleteFiles(path, old);
  if (json) {
    print(JSON.stringify({ uploads: old, deleted: !dryRun }));
    return 0;
  }
  if (days === undefined) {
    print('Uploads are never deleted: `uploads.retentionDays` is not set in the config.');
    print('Nothing to delete.');
    return 0;
  }
  for (const file of old) print(`${file.path}  ${formatBytes(file.bytes)}`);
  const all = formatBytes(old.reduce((sum, { bytes }) => sum + bytes, 0));
  const which = `that ${old.length === 1 ? 'is' : 'are'} older than ${counted(days, 'day')}`;
  print(
    `${dryRun ? 'Would delete' : 'Deleted'} ${counted(old.length, 'file')} (${all}) ${which} from ${path}.`,
  );
  return 0;
}
