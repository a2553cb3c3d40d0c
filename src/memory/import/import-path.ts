// One importer for every format and every way in: finds the files, skips what is unchanged, reports a bad file and goes on.
import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { extname, join, resolve } from 'node:path';
import { z } from 'zod';
import { codeOf, ParleyError, wordsOf } from '#base/errors.ts';
import { zodWords } from '#base/json.ts';
import type { Draft, SourceFile, Sources } from '#memory/store/sources.ts';
import {
  type ImportFormat,
  type ImportReport,
  type ImportRequest,
  importFormats,
} from '#memory/terms/import.ts';
import { readDocument } from './document.ts';
import { readTranscript } from './transcript.ts';

const extensions: Record<ImportFormat, readonly string[]> = {
  directory: ['.md', '.mdx', '.txt'],
  transcript: ['.json', '.jsonl'],
};
/** A larger file is refused: it is read whole, so that its hash is known before anything of it is stored. */
const largestBytes = 256 * 1024 * 1024;
const skippedFolders = new Set(['node_modules', '.git', '.parley']);

const requestSchema = z.object({
  path: z.string().min(1),
  format: z.enum(importFormats),
  where: z.object({
    audience: z.string().regex(/^(person|room):[\s\S]+$/, 'expected person:ID or room:KEY'),
    space: z.string().min(1).optional(),
    restricted: z.boolean(),
  }),
  projectID: z.string().min(1).optional(),
});

/**
 * Imports a file, or every file of the format below a folder; files that vanished from the folder are forgotten. Rejects with
 * a ParleyError `invalid_import` for a request that does not fit and `nothing_to_import` for a path without such files; what is
 * wrong with a single file is in the report.
 */
export async function importPath(sources: Sources, request: ImportRequest): Promise<ImportReport> {
  const checked = requestSchema.safeParse(request);
  if (!checked.success)
    throw new ParleyError(
      'invalid_import',
      `The import does not fit: ${zodWords(checked.error).join('; ')}.`,
    );
  const root = resolve(request.path);
  const files = await filesOf(root, request.format);
  const report: ImportReport = {
    files: { stored: 0, unchanged: 0, empty: 0, failed: 0 },
    chunks: { stored: 0, removed: 0 },
    failures: [],
    complete: true,
  };
  const present = new Set<string>();
  for (const [index, path] of files.entries()) {
    if (request.signal?.aborted === true) return { ...report, complete: false };
    present.add(keyOf(path, request));
    try {
      await importFile(sources, { path, request, report });
    } catch (error) {
      if (isOfMemory(error)) throw error; // the memory's fault, not the file's
      report.files.failed += 1;
      report.failures.push({
        path,
        words: wordsOf(error),
        cure: error instanceof ParleyError ? error.cure : undefined,
      });
    }
    request.onFile?.({ done: index + 1, total: files.length, path });
  }
  const { where, projectID, format } = request;
  report.chunks.removed += await sources.dropMissing(
    { path: root, audience: where.audience, projectID, format },
    present,
  );
  return report;
}

async function importFile(
  sources: Sources,
  one: { path: string; request: ImportRequest; report: ImportReport },
): Promise<void> {
  const { path, request, report } = one;
  const { size, mtimeMs } = await stat(path);
  if (size > largestBytes)
    throw new ParleyError('file_too_large', `${path} has ${size} bytes; the most is ${largestBytes}.`, {
      cure: 'Split it into smaller files.',
    });
  const bytes = await readFile(path);
  const file: SourceFile = {
    key: keyOf(path, request),
    path,
    audience: request.where.audience,
    projectID: request.projectID,
    format: request.format,
    contentHash: digest(bytes),
  };
  if (sources.isUnchanged(file)) {
    report.files.unchanged += 1;
    return;
  }
  const content = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  // read whole before anything is replaced: a file that turned bad leaves what is known of it
  const drafts = await Array.fromAsync(
    request.format === 'transcript'
      ? readTranscript(content, request, path)
      : readDocument(content, request, { path, at: Math.round(mtimeMs) }),
  );
  const { stored, removed } = await sources.replace(file, from(drafts));
  report.files[drafts.length === 0 ? 'empty' : 'stored'] += 1;
  report.chunks.stored += stored;
  report.chunks.removed += removed;
}

async function* from(drafts: readonly Draft[]): AsyncGenerator<Draft> {
  yield* drafts;
}

async function filesOf(root: string, format: ImportFormat): Promise<string[]> {
  const info = await stat(root).catch((cause: unknown) => {
    throw new ParleyError('nothing_to_import', `${root} cannot be read: ${wordsOf(cause)}.`, { cause });
  });
  const files = info.isFile() ? [root] : await below(root, extensions[format]);
  if (files.length > 0 || info.isDirectory()) return files;
  throw new ParleyError('nothing_to_import', `${root} is neither a file nor a folder.`);
}

/** Files with these extensions, in the order of their paths; links are not followed. */
async function below(folder: string, wanted: readonly string[]): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const found: string[] = [];
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && !skippedFolders.has(entry.name)) found.push(...(await below(path, wanted)));
    else if (entry.isFile() && wanted.includes(extname(entry.name).toLowerCase())) found.push(path);
  }
  return found;
}

function keyOf(path: string, { where, projectID, format }: ImportRequest): string {
  return `file:${digest(JSON.stringify([path, where.audience, projectID ?? null, format]))}`;
}

function digest(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

function isOfMemory(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'memory_busy' || code?.startsWith('SQLITE_') === true;
}
