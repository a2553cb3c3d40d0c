// One importer for every format and every way in: takes the items, skips what is unchanged, reports a bad one and goes on.
import { resolve } from 'node:path';
import { z } from 'zod';
import { codeOf, ParleyError, wordsOf } from '#base/errors.ts';
import { zodWords } from '#base/json.ts';
import type { Redact } from '#memory/secrets/redact.ts';
import type { Draft, SourceFile, Sources } from '#memory/store/sources.ts';
import { type ImportReport, type ImportRequest, importFormats } from '#memory/terms/import.ts';
import { tiers } from '#memory/terms/scope.ts';
import { itemsAt } from './formats.ts';
import { digest, type Item } from './item.ts';

const text = z.string().min(1).optional();
const requestSchema = z
  .object({
    path: z.string().min(1),
    format: z.enum(importFormats),
    where: z.object({
      audience: z.string().regex(/^(person|room):[\s\S]+$/, 'expected person:ID or room:KEY'),
      space: text,
      restricted: z.boolean(),
    }),
    account: text,
    tier: z.enum(tiers).optional(),
    sessionID: text,
    projectID: text,
  })
  .refine(({ tier, sessionID }) => tier !== 'session' || sessionID !== undefined, {
    path: ['sessionID'],
    message: 'the session tier needs the session',
  })
  .refine(({ tier, projectID }) => tier !== 'project' || projectID !== undefined, {
    path: ['projectID'],
    message: 'the project tier needs the project',
  });

interface Parts {
  sources: Sources;
  redact: Redact;
}

/**
 * Imports a file, or every item of the format below a folder. Rejects with a ParleyError `invalid_import` for a request that does not
 * fit and `nothing_to_import` for a path without such items; what is wrong with a single one is in the report.
 */
export async function importPath({ sources, redact }: Parts, request: ImportRequest): Promise<ImportReport> {
  const checked = requestSchema.safeParse(request);
  if (!checked.success)
    throw new ParleyError(
      'invalid_import',
      `The import does not fit: ${zodWords(checked.error).join('; ')}.`,
    );
  const root = resolve(request.path);
  const report: ImportReport = {
    discovered: 0,
    files: { stored: 0, unchanged: 0, empty: 0, failed: 0 },
    deleted: 0,
    chunks: { stored: 0, removed: 0 },
    redactions: 0,
    failures: [],
    complete: true,
  };
  const counting: Redact = async (said) => {
    const clean = await redact(said);
    report.redactions += clean.kinds.length;
    return clean;
  };
  const { items, close } = await itemsAt(root, request.format, { request, redact: counting });
  report.discovered = items.length;
  try {
    const present = new Set<string>();
    for (const [index, item] of items.entries()) {
      if (request.signal?.aborted === true) return { ...report, complete: false };
      present.add(keyOf(item.path, request));
      try {
        await importItem(sources, { item, request, report });
      } catch (error) {
        if (isOfMemory(error)) throw error; // the memory's fault, not the item's
        report.files.failed += 1;
        report.failures.push({
          path: item.path,
          words: wordsOf(error),
          cure: error instanceof ParleyError ? error.cure : undefined,
        });
      }
      request.onFile?.({ done: index + 1, total: items.length, path: item.path });
    }
    if (request.syncDeletes === true) {
      const { files, chunks } = await sources.dropMissing({ ...placeOf(request), path: root }, present);
      report.deleted = files;
      report.chunks.removed += chunks;
    }
    return report;
  } finally {
    close();
  }
}

async function importItem(
  sources: Sources,
  { item, request, report }: { item: Item; request: ImportRequest; report: ImportReport },
): Promise<void> {
  const { contentHash, read } = await item.open();
  const file: SourceFile = {
    key: keyOf(item.path, request),
    path: item.path,
    ...placeOf(request),
    contentHash,
  };
  if (sources.isUnchanged(file)) {
    report.files.unchanged += 1;
    return;
  }
  // read whole before anything is replaced: a file that turned bad leaves what is known of it
  const drafts = await Array.fromAsync(read(), (draft) => tiered(draft, request));
  const { stored, removed } = await sources.replace(file, from(drafts));
  report.files[drafts.length === 0 ? 'empty' : 'stored'] += 1;
  report.chunks.stored += stored;
  report.chunks.removed += removed;
}

async function* from(drafts: readonly Draft[]): AsyncGenerator<Draft> {
  yield* drafts;
}

function tiered(draft: Draft, { tier, sessionID }: ImportRequest): Draft {
  if (tier === 'session' && sessionID !== undefined) return { ...draft, tier, sessionID };
  return { ...draft, tier };
}

/** What of an import tells two imports of one path apart; the format with the tier, where it is not the usual one. */
function placeOf({ where, projectID, format, tier = 'global', sessionID }: ImportRequest) {
  const narrower = tier === 'session' ? [tier, sessionID] : [tier];
  return {
    audience: where.audience,
    projectID,
    format: tier === 'global' ? format : [format, ...narrower].join(' '),
  };
}

function keyOf(path: string, request: ImportRequest): string {
  const { audience, projectID, format } = placeOf(request);
  return `file:${digest(JSON.stringify([path, audience, projectID ?? null, format]))}`;
}

function isOfMemory(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'memory_busy' || code?.startsWith('SQLITE_') === true;
}
