// The files that sweeps write, and the journal of events: found when lines are forgotten, and never for the index. Reads names only.
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '#base/clock.ts';
import { notesFolder } from './audience-folder.ts';
import { eventLogFile, olderEventLogFile } from './event-log.ts';

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
    const logs = [olderEventLogFile, eventLogFile].map((name) => join(own, notesFolder, name));
    for (const absolute of [join(own, dreamsFile), ...paths, ...logs]) {
      const path = absolute.slice(root.length + 1).replaceAll('\\', '/');
      found.push({ key: path, path, absolute, root: own, folder });
    }
  }
  return found;
}

/** A write that is at work changes or ends its temporary file within this time, in milliseconds. */
const abandonedMs = 5_000;

/** Removes temporary files that a killed process left in these folders, since they hold what a file had; waits for young ones. */
export async function dropAbandoned(root: string, folders: readonly string[], clock: Clock): Promise<void> {
  const before = await temporaryFiles(root, folders);
  if (before.size === 0) return;
  const ages = [...before.values()].map(({ mtimeMs }) => Math.abs(clock.now() - mtimeMs));
  const wait = abandonedMs - Math.min(...ages);
  if (wait > 0) await clock.sleep(wait);
  const now = await temporaryFiles(root, folders);
  for (const [path, { mtimeMs, size }] of now) {
    const seen = before.get(path);
    if (seen !== undefined && seen.mtimeMs === mtimeMs && seen.size === size) await rm(path, { force: true });
  }
}

async function temporaryFiles(
  root: string,
  folders: readonly string[],
): Promise<Map<string, { mtimeMs: number; size: number }>> {
  const found = new Map<string, { mtimeMs: number; size: number }>();
  for (const folder of folders) {
    const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true }).catch(
      () => [],
    );
    for (const entry of entries) {
      if (!entry.isFile() || !/^\.[0-9a-f]+\.tmp$/.test(entry.name)) continue;
      const path = join(entry.parentPath, entry.name);
      const about = await stat(path).catch(() => undefined);
      if (about !== undefined) found.set(path, { mtimeMs: about.mtimeMs, size: about.size });
    }
  }
  return found;
}

/** Removes the reports of phases from before this day. */
export async function dropOldReports(root: string, folder: string, day: string): Promise<void> {
  for (const { absolute } of await findReports(root, [folder])) {
    const [of] = /\d{4}-\d{2}-\d{2}(?=\.md$)/.exec(absolute) ?? [];
    if (of !== undefined && of < day) await rm(absolute, { force: true });
  }
}
