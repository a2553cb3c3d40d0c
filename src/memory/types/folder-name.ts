// What the folder of an audience's memory files is called. Pure.
import { hash } from 'node:crypto';
import type { FileAudience } from './files.ts';

/** Letters of the readable part. */
const slugLength = 40;

/**
 * `person-per-01h-8c1f0a2b4d6e7f90`: lower case only, so that audiences differ on a disk that ignores case, and 64 bits of the
 * whole name, so that two that look alike differ.
 */
export function folderNameOf(audience: FileAudience): string {
  if (audience === 'everyone') return audience;
  const slug = audience
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, slugLength)
    .replace(/^-+|-+$/g, '');
  return `${slug}-${hash('sha256', audience).slice(0, 16)}`;
}
