// What the disk and the clock do to memory files, as text with what to do about it. Looks only.
import { statfs } from 'node:fs/promises';
import type { FileProblem } from '#memory/types/files.ts';
import type { FoundFile } from './find-files.ts';

/** Below so many bytes a note and a promotion, each with its copy, may not fit any more. */
const minFreeBytes = 1024 * 1024;
/** Disks of other machines differ by a little, in milliseconds. */
const maxAheadMs = 5 * 60 * 1000;

/** A disk of the folder `root` that is full, and files that have times after `now`. Never throws: a folder that cannot be read is named as such by the look at it. */
export async function diskAndClock(
  root: string,
  files: readonly FoundFile[],
  now: number,
): Promise<FileProblem[]> {
  const disk = await statfs(root).catch(() => undefined);
  const free = disk === undefined ? Number.POSITIVE_INFINITY : disk.bavail * disk.bsize;
  const ahead = files
    .filter(({ mtimeMs }) => mtimeMs - now > maxAheadMs)
    .sort((one, other) => other.mtimeMs - one.mtimeMs);
  return [
    ...(free >= minFreeBytes
      ? []
      : [
          {
            words: `the disk is full, with ${free} bytes free: nothing more may be noted or promoted`,
            hint: 'Free some space. The files are read as usual, and no line of them is lost.',
          },
        ]),
    ...ahead.slice(0, 1).map(({ path, mtimeMs }) => ({
      words: `${path}${ahead.length === 1 ? ' has' : ` and ${ahead.length - 1} more have`} a time up to ${formatSpan(mtimeMs - now)} after now: the clock was set`,
      hint: 'Set the clock, best automatically: "timedatectl set-ntp true" on Linux. Where it is right, save the files again. They are shown and found as usual.',
    })),
  ];
}

function formatSpan(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  return minutes < 120 ? `${minutes} minutes` : `${Math.round(minutes / 60)} hours`;
}
