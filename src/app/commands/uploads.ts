// `parley uploads prune`: deletes files that people sent longer ago than the retention, or only shows which those are.
import { join } from 'node:path';
import { formatBytes } from '#adapters/uploads/format-bytes.ts';
import { deleteFiles, oldFiles } from '#adapters/uploads/prune.ts';
import { loadConfig } from '#app/config/load.ts';
import { uploadsFolder } from '#app/home/folders.ts';
import { systemClock } from '#base/clock.ts';
import { ParleyError } from '#base/errors.ts';
import { counted } from '#base/text.ts';
import type { CommandInput } from './parts/input.ts';

/** Prints each file with its size and deletes it, unless it is a dry run; may be called while the gateway runs. */
export async function parleyUploads(input: CommandInput): Promise<number> {
  const { folder, configFile, variables, print, rest, dryRun } = input;
  if (rest.length !== 1 || rest[0] !== 'prune')
    throw new ParleyError(
      'invalid_usage',
      `Expected "parley uploads prune", got "parley uploads ${rest.join(' ')}".`,
    );
  const { config, home } = loadConfig({ folder, configFile, variables });
  const days = config.uploads.retentionDays;
  if (days === undefined) {
    print('Uploads are never deleted: `uploads.retentionDays` is not set in the config.');
    print('Nothing to delete.');
    return 0;
  }
  const path = join(home, uploadsFolder);
  const old = await oldFiles(path, { days, now: systemClock.now() });
  for (const file of old) print(`${file.path}  ${formatBytes(file.bytes)}`);
  const all = formatBytes(old.reduce((sum, { bytes }) => sum + bytes, 0));
  const which = `that ${old.length === 1 ? 'is' : 'are'} older than ${counted(days, 'day')}`;
  const what = `${counted(old.length, 'file')} (${all}) ${which}`;
  if (dryRun) {
    print(`Would delete ${what} from ${path}.`);
    return 0;
  }
  await deleteFiles(path, old);
  print(`Deleted ${what} from ${path}.`);
  return 0;
}
