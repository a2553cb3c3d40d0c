// The doctor on who may read what the home folder holds: only its owner. Looks at modes and opens nothing.
import { type Dirent, lstatSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '#base/errors.ts';
import { closeToOthers, isOpenToOthers } from '#base/files/files.ts';
import { type Diagnostic, warning } from './diagnostic.ts';

/** How many are named; the rest is counted. */
const maxNamed = 3;

/** Warns of files in the home folder that other users of the machine may read. */
export async function checkModes(home: string): Promise<Diagnostic[]> {
  const open = await openBelow(home);
  if (open.length === 0) return [];
  const named = open.slice(0, maxNamed).join(', ');
  const more = open.length > maxNamed ? `, ${open.length - maxNamed} more` : '';
  return [
    warning(
      `What lies in the home folder can be read by other users of this machine (${named}${more}).`,
      `chmod -R go= ${home} (or --fix).`,
      () => {
        for (const path of open) closeToOthers(path);
      },
    ),
  ];
}

/** Paths of all below a folder that others may read or enter; links are not followed. */
async function openBelow(folder: string): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await entriesOf(folder)) {
    const path = join(folder, entry.name);
    // a file that is deleted during the look is no problem
    const about = lstatSync(path, { throwIfNoEntry: false });
    if (about === undefined || !(about.isFile() || about.isDirectory())) continue;
    if (isOpenToOthers(about)) found.push(path);
    if (about.isDirectory()) for (const each of await openBelow(path)) found.push(each);
  }
  return found;
}

async function entriesOf(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'EACCES') return [];
    throw error;
  }
}
