// What a backup and a restore print: how far they are, what a backup holds, what a restore has done.
import { formatBytes } from '#adapters/uploads/format-bytes.ts';
import { bytesOfBackup, type Manifest } from '#app/backup/manifest.ts';
import type { Restored } from '#app/backup/restore.ts';
import type { BackupProgress } from '#app/backup/write.ts';
import { showProgress } from '#app/screen/progress.ts';
import { minute } from '#app/screen/screen.ts';
import { counted } from '#base/text.ts';
import type { CommandInput } from './input.ts';

const mebibyte = 1024 * 1024;

/** What a restore has done, as lines for the terminal. */
export function restoredLines(home: string, { manifest, replaced, forgottenAgain }: Restored): string[] {
  const first = `${home} is as it was at ${minute(manifest.atMs)} UTC: ${contentOf(manifest)}.`;
  if (replaced === undefined) return [first];
  return [
    first,
    `What was there before is in ${replaced}; delete it when you miss nothing.`,
    ...forgottenNotice(forgottenAgain),
    'Conversations that were deleted after that moment are there again.',
  ];
}

/** How often what was forgotten after the backup was forgotten again, within 80 columns. */
function forgottenNotice(again: Restored['forgottenAgain']): string[] {
  if (typeof again !== 'number')
    return [
      `The memory that was there could not be read: ${again.unknown}.`,
      'So what was forgotten after that moment is there again.',
    ];
  if (again === 0) return [];
  const what = `${counted(again, 'memory')} that ${again === 1 ? 'was' : 'were'}`;
  return [`${what} forgotten after that moment ${again === 1 ? 'was' : 'were'} forgotten again.`];
}

/** How much a backup holds, as text. */
export function contentOf(manifest: Manifest): string {
  const size = formatBytes(bytesOfBackup(manifest));
  return `${counted(manifest.ledgers.length, 'database')} and ${counted(manifest.files.length, 'file')} (${size})`;
}

/** Does the work with a progress bar, or silently where the output is JSON. */
export async function withProgress<T>(
  { json }: Pick<CommandInput, 'json'>,
  work: (onProgress: (at: BackupProgress) => void) => Promise<T>,
): Promise<T> {
  const progress = showProgress('MiB', json ? 'silent' : 'shown');
  try {
    return await work(({ done, total }) =>
      progress.update({ done: Math.floor(done / mebibyte), total: Math.max(1, Math.ceil(total / mebibyte)) }),
    );
  } finally {
    progress.end();
  }
}
