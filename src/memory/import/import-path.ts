// One importer for every format and every way in: takes the items, skips what is unchanged, reports a bad one and goes on.
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { codeOf, errorMessage, hintOf } from '#base/errors.ts';
import type { NewChunk, SourceFile, Sources } from '#memory/chunks/sources.ts';
import type { Redact } from '#memory/secrets/redact.ts';
import type { ImportReport, ImportRequest } from '#memory/types/import.ts';
import { projectForm } from '#memory/types/project-form.ts';
import { createBatch, type Read } from './batch.ts';
import { type Items, itemsAt } from './formats.ts';
import { digest, type ImportContext, type Item } from './items/item.ts';
import { refuseUnfit } from './items/refuse-unfit.ts';
import { createTally } from './items/tally.ts';
import { isLargerThan } from './items/walk.ts';
import { mayEmpty, refuseEmptying } from './refuse-emptying.ts';

interface Parts {
  sources: Sources;
  redact: Redact;
  /** Chunks that one transaction stores; the event loop turns in between. */
  atOnce: number;
  /** Paths of items that were found unchanged just now, and are not opened again. */
  unchanged?: ReadonlySet<string> | undefined;
}

/**
 * Imports a file, or every item of the format below a folder. Rejects with a ParleyError `invalid_import` for a request that does not
 * fit and `nothing_to_import` for a path without such items; what is wrong with a single one is in the report.
 */
export async function importPath(
  { sources, redact, atOnce, unchanged }: Parts,
  request: ImportRequest,
): Promise<ImportReport> {
  refuseUnfit(request);
  const root = resolve(request.path);
  const report = emptyReport();
  const counting: Redact = async (text) => {
    const clean = await redact(text);
    report.redactions += clean.kinds.length;
    return clean;
  };
  const onLink = (path: string): void => void report.links.push(path);
  const reading: ImportContext = { request, redact: counting, tally: createTally(report), onLink };
  const found = await foundAt(root, reading);
  if (found === 'stopped') return { ...report, complete: false };
  const { items, close } = found;
  report.discovered = items.length;
  const batch = createBatch(sources, { report, atOnce, tally: reading.tally });
  try {
    if (request.syncDeletes === true && !mayEmpty(request)) await refuseMostGone(sources, items, request);
    const present = new Set<string>();
    for (const [index, item] of items.entries()) {
      if (isStopped(request)) {
        report.complete = false;
        break;
      }
      const key = keyOf(item.path, request);
      present.add(key);
      try {
        if (unchanged?.has(item.path) === true) {
          report.files.unchanged += 1;
          report.entries.known += sources.count(key);
        } else {
          const read = await readItem(sources, { item, reading, report });
          if (read !== undefined) await batch.add(read);
        }
      } catch (error) {
        if (isOfMemory(error)) throw error; // the memory's fault, not the item's
        if (isStopped(request)) {
          report.complete = false;
          break;
        }
        report.files.failed += 1;
        report.failures.push({
          path: item.path,
          words: errorMessage(error),
          hint: hintOf(error),
        });
      }
      request.onFile?.({ done: index + 1, total: items.length, path: item.path });
    }
    await batch.end();
    if (report.complete && request.syncDeletes === true) {
      const { files, chunks } = await sources.dropMissing({ ...placeOf(request), path: root }, present);
      report.deleted = files;
      report.chunks.removed += chunks;
    }
    return totalled(report);
  } finally {
    close();
  }
}

/** The report of an import that has read nothing yet. */
export function emptyReport(): ImportReport {
  return {
    discovered: 0,
    files: { stored: 0, unchanged: 0, empty: 0, failed: 0 },
    deleted: 0,
    chunks: { stored: 0, removed: 0 },
    entries: { read: 0, stored: 0, known: 0, skipped: {} },
    unreadable: [],
    redactions: 0,
    failures: [],
    links: [],
    complete: true,
  };
}

/** The same report, which says how many entries were read: all that it counts. */
export function totalled(report: ImportReport): ImportReport {
  const { entries } = report;
  const skipped = Object.values(entries.skipped).reduce((sum, count) => sum + count, 0);
  entries.read = entries.stored + entries.known + skipped;
  return report;
}

async function refuseMostGone(
  sources: Sources,
  items: readonly Item[],
  request: ImportRequest,
): Promise<void> {
  const root = resolve(request.path);
  const byKey = new Map(items.map((item) => [keyOf(item.path, request), item]));
  await refuseEmptying({
    root,
    known: sources.below({ ...placeOf(request), path: root }),
    present: new Set(byKey.keys()),
    async hashOf(key) {
      const opened = await byKey
        .get(key)
        ?.open()
        .catch(() => undefined);
      return opened && hashIn(request, opened.contentHash);
    },
  });
}

/** The items; `stopped` when the signal aborted while they were looked for. */
async function foundAt(root: string, reading: ImportContext): Promise<Items | 'stopped'> {
  try {
    return await itemsAt(root, reading.request.format, reading);
  } catch (error) {
    if (isStopped(reading.request)) return 'stopped';
    throw error;
  }
}

/**
 * The item with its chunks; undefined when it is unchanged. What may turn out to be bad is read whole before anything is replaced, so that what
 * is known of it stays.
 */
async function readItem(
  sources: Sources,
  of: { item: Item; reading: ImportContext; report: ImportReport },
): Promise<Read | undefined> {
  const { item, reading, report } = of;
  const { request } = reading;
  const { contentHash, read, isSound } = await item.open();
  const file = fileOf({ item, request, contentHash });
  if (sources.isUnchanged(file)) {
    report.files.unchanged += 1;
    report.entries.known += sources.count(file.key);
    return undefined;
  }
  const unreadableBefore = reading.tally.sofar().unreadable;
  const drafts = read();
  return {
    file,
    unreadableBefore,
    drafts:
      isSound === true
        ? mapped(drafts, request)
        : await Array.fromAsync(drafts, (draft) => tiered(draft, request)),
  };
}

async function* mapped(drafts: AsyncIterable<NewChunk>, request: ImportRequest): AsyncGenerator<NewChunk> {
  for await (const draft of drafts) yield tiered(draft, request);
}

function fileOf({
  item,
  request,
  contentHash,
}: {
  item: Item;
  request: ImportRequest;
  contentHash: string;
}): SourceFile {
  return {
    key: keyOf(item.path, request),
    path: item.path,
    ...placeOf(request),
    contentHash: hashIn(request, contentHash),
  };
}

/** The same contents are others where they go to other rooms (another account), or reach further. */
function hashIn({ account, where }: ImportRequest, contentHash: string): string {
  const { space, restricted } = where;
  if (account === undefined && space === undefined && restricted) return contentHash;
  return digest(JSON.stringify([contentHash, account ?? null, space ?? null, restricted]));
}

/** Bytes that are read here only to find out that they are unchanged; a thread reads more in less time than that takes. */
const maxLookedAt = 64 * 1024 * 1024;

/**
 * The items that are unchanged; undefined when what the request means is larger than `bytes` and not all of it is unchanged.
 * What is small is not looked at, and what cannot be read counts nothing.
 */
export async function unchangedUnlessLarge(
  { sources, redact }: Omit<Parts, 'atOnce'>,
  request: ImportRequest,
  bytes: number,
): Promise<ReadonlySet<string> | undefined> {
  refuseUnfit(request);
  const root = resolve(request.path);
  const unchanged = new Set<string>();
  if (!(await isLarge(root, bytes, request.signal)) || isStopped(request)) return unchanged;
  if (await isLarge(root, maxLookedAt, request.signal)) return undefined;
  const tally = createTally({ entries: { read: 0, stored: 0, known: 0, skipped: {} }, unreadable: [] });
  const found = await foundAt(root, { request, redact, tally });
  if (found === 'stopped') return unchanged;
  const { items, close } = found;
  try {
    for (const item of items) {
      if (isStopped(request)) return unchanged;
      const opened = await item.open().catch(() => undefined);
      if (opened === undefined) continue;
      if (!sources.isUnchanged(fileOf({ item, request, contentHash: opened.contentHash }))) return undefined;
      unchanged.add(item.path);
    }
    return unchanged;
  } finally {
    close();
  }
}

async function isLarge(root: string, most: number, signal: AbortSignal | undefined): Promise<boolean> {
  const info = await stat(root).catch(() => undefined);
  if (info?.isDirectory() !== true) return (info?.size ?? 0) > most;
  return isLargerThan(root, most, signal).catch((error: unknown) => {
    if (signal?.aborted === true) return false; // what is asked next says so
    throw error;
  });
}

function isStopped({ signal }: ImportRequest): boolean {
  return signal?.aborted === true;
}

function tiered(draft: NewChunk, { tier, sessionID, where: { partition } }: ImportRequest): NewChunk {
  if (tier === 'session' && sessionID !== undefined) return { ...draft, tier, sessionID, partition };
  return { ...draft, tier, partition };
}

/** What distinguishes two imports of one path; the format with the tier, where it is not the usual one. */
function placeOf({ where, projectID, format, tier = 'global', sessionID }: ImportRequest) {
  const narrower = [
    ...(tier === 'global' ? [] : tier === 'session' ? [tier, sessionID] : [tier]),
    ...(where.partition === undefined ? [] : [`agent ${where.partition}`]),
  ];
  return {
    audience: where.audience,
    projectID,
    format: [format, ...narrower].join(' '),
  };
}

function keyOf(path: string, request: ImportRequest): string {
  const { audience, projectID, format } = placeOf(request);
  // in another case it is the same project, whose files are not imported twice
  const project = projectID === undefined ? null : projectForm(projectID);
  return `file:${digest(JSON.stringify([path, audience, project, format])).slice(0, 32)}`;
}

/** Whether it is the memory's fault, and not that of what is imported. */
export function isOfMemory(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'memory_busy' || code?.startsWith('SQLITE_') === true;
}
