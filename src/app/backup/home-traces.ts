// Words looked for in every file of the home folder: databases with their logs, files of runs, uploads, exports, backups. In what place each file is.
import { join, relative, sep } from 'node:path';
import { type TraceSearch, tracesOf } from '#base/files/file-traces.ts';
import { filesUnder } from './copy.ts';

/** How long it may take, in milliseconds: a home folder may have gigabytes of uploads. */
const limitMs = 600_000;

/** What a file of the home folder is, by its path there. */
const places: readonly [RegExp, string][] = [
  [/^memory\.sqlite/, 'memory'],
  [/^memory\//, 'files of memory'],
  [/^engine\.sqlite/, 'conversations'],
  [/^sandbox\.sqlite/, 'the simulated platforms'],
  [/^gateway\.sqlite/, 'inbox and outbox'],
  [/^context_runs\//, 'files of runs'],
  [/^channel_uploads\//, 'files that people sent'],
  [/^artifact(?:s|_copies)\//, 'files that runs wrote'],
  [/^exports\//, 'exports'],
  [/\.log(?:\.\d+)?$/, 'a log'],
  [/(?:^|\/)(?:memory|engine|gateway|sandbox)\.sqlite/, 'a backup'],
];

/** Searches every file of the home folder for the words. Files that could not be read are in `unread`. */
export async function homeTraces(home: string, words: readonly string[]): Promise<TraceSearch> {
  const files = (await filesUnder(home)).map(({ path }) => path).filter((path) => path !== 'token');
  return tracesOf(
    words,
    files.map((path) => join(home, path)),
    { limitMs },
  );
}

/** The name of a file of the home folder with what it holds: `engine.sqlite (conversations)`. */
export function fileInHome(home: string, file: string): string {
  const path = relative(home, file).split(sep).join('/');
  const place = places.find(([pattern]) => pattern.test(path))?.[1];
  return place === undefined ? path : `${path} (${place})`;
}
