// The current files of audiences for an export: `MEMORY.md`, notes and reports. Extra folders belong to the person who configured them.
import type { ExportedFile, MemoryFilesOptions } from '#memory/types/files.ts';
import { folderNameOf } from '#memory/types/folder-name.ts';
import type { Scope } from '#memory/types/scope.ts';
import { mayReadFolder } from './audience-folder.ts';
import { findFiles } from './find-files.ts';
import { withBlankLines } from './lines.ts';
import { readTextFile, usualMaxBytes } from './read-text.ts';
import { findReports } from './report-files.ts';

/** Every file of the scope's own audiences that can be read. */
export async function exportFiles(
  options: MemoryFilesOptions,
  scope: Scope,
  isForgotten: (folder: string, line: string) => boolean,
): Promise<ExportedFile[]> {
  const { files, folders } = await findFiles(options);
  const own = new Map(
    folders
      .filter(
        ({ audience, created }) =>
          scope.audiences.some((each) => each === audience) && mayReadFolder(scope, audience, created),
      )
      .map(({ name, audience }) => [name, audience] as const),
  );
  const reports = await findReports(options.root, [...own.keys()]);
  const found: ExportedFile[] = [];
  for (const { absolute, root, folder, path } of [...files, ...reports]) {
    const audience = own.get(folder);
    if (audience === undefined || folderNameOf(audience) !== folder) continue;
    const read = await readTextFile(absolute, { root, maxBytes: options.maxBytes ?? usualMaxBytes });
    if (read.status !== 'read') continue;
    found.push({ path, audience, text: withBlankLines(read.text, (line) => isForgotten(folder, line)) });
  }
  return found;
}
