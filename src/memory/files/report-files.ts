// The files that sweeps write for people: found when lines are forgotten, and never for the index. Reads names only.
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { notesFolder } from './audience-folder.ts';

export const dreamsFile = 'DREAMS.md';
/** Below the folder of the notes. */
export const reportsFolder = 'dreaming';

/** A report in an audience's folder. */
export interface ReportFile {
  /** As `FoundFile` has it; the path, since no index knows it. */
  key: string;
  /** As people see it: folder and name, with `/`. */
  path: string;
  absolute: string;
  root: string;
  folder: string;
}

/** The reports of these folders; what cannot be listed is none. */
export async function findReports(root: string, folders: readonly string[]): Promise<ReportFile[]> {
  const found: ReportFile[] = [];
  for (const folder of folders) {
    const own = join(root, folder);
    const below = await readdir(join(own, notesFolder, reportsFolder), {
      recursive: true,
      withFileTypes: true,
    }).catch(() => []);
    const reports = below.filter((entry) => entry.isFile() && !entry.name.startsWith('.'));
    const paths = reports.map((entry) => join(entry.parentPath, entry.name)).sort();
    for (const absolute of [join(own, dreamsFile), ...paths]) {
      const path = absolute.slice(root.length + 1).replaceAll('\\', '/');
      found.push({ key: path, path, absolute, root: own, folder });
    }
  }
  return found;
}

/** A write that was killed leaves its temporary file; it is nobody's after so long, in milliseconds. */
const abandonedMs = 60_000;

/** Removes temporary files that a killed process left in these folders: they hold what a file had. */
export async function dropAbandoned(root: string, folders: readonly string[], now: number): Promise<void> {
  for (const folder of folders) {
    const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true }).catch(
      () => [],
    );
    for (const entry of entries) {
      if (!entry.isFile() || !/^\.[0-9a-f]+\.tmp$/.test(entry.name)) continue;
      const path = join(entry.parentPath, entry.name);
      const about = await stat(path).catch(() => undefined);
      if (about !== undefined && Math.abs(now - about.mtimeMs) > abandonedMs) await rm(path, { force: true });
    }
  }
}
