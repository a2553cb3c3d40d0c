// What memory shows other programs of its files: long-term memory, daily notes, reports of dreams and the journal of events, by scope.
import { lstat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { MemoryArtifact, MemoryFilesOptions } from '#memory/types/files.ts';
import type { Scope } from '#memory/types/scope.ts';
import { lastingFile, mayReadFolder } from './audience-folder.ts';
import { findFiles } from './find-files.ts';
import { findReports } from './report-files.ts';

/** Those that the scope may read, by audience and path. Files that cannot be read are left out; extra folders have other owners. */
export async function listArtifacts(options: MemoryFilesOptions, scope: Scope): Promise<MemoryArtifact[]> {
  const { files, folders } = await findFiles(options);
  const readable = new Map(
    folders
      .filter(({ audience, created }) => mayReadFolder(scope, audience, created))
      .map(({ name, audience }) => [name, audience] as const),
  );
  const found: MemoryArtifact[] = [];
  const add = (path: string, folder: string, about: { bytes: number; changedAt: number }): void => {
    const audience = readable.get(folder);
    if (audience !== undefined) found.push({ path, audience, ...about, ...formOf(path) });
  };
  for (const { path, folder, size, mtimeMs, refused, readOnly, audience, created } of files)
    if (refused === undefined && !readOnly && mayReadFolder(scope, audience, created))
      add(path, folder, { bytes: size, changedAt: Math.round(mtimeMs) });
  for (const { path, folder, absolute } of await findReports(options.root, [...readable.keys()])) {
    const about = await lstat(absolute).catch(() => undefined);
    if (about?.isFile()) add(path, folder, { bytes: about.size, changedAt: Math.round(about.mtimeMs) });
  }
  const order = ({ audience, path }: MemoryArtifact): string => JSON.stringify([audience, path]);
  return found.sort((a, b) => (order(a) < order(b) ? -1 : 1));
}

function formOf(path: string): Pick<MemoryArtifact, 'kind' | 'contentType'> {
  if (path.endsWith('.jsonl')) return { kind: 'event-log', contentType: 'application/x-ndjson' };
  const [, ...below] = path.split('/');
  const kind =
    basename(path) === lastingFile && below.length === 1
      ? 'memory-root'
      : below.length === 2
        ? 'daily-note'
        : 'dream-report';
  return { kind, contentType: 'text/markdown' };
}
