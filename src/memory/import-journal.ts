// Imports the journal of an export: each entry once, under its own id, and never for more readers than it had.
import { resolve } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { memoize } from '#base/caches/memoize.ts';
import { checkInput, received } from '#base/check-input.ts';
import { errorMessage, hintOf } from '#base/errors.ts';
import { tryJson } from '#base/json.ts';
import { itemsAt } from '#memory/import/formats.ts';
import { emptyReport, isOfMemory, totalled } from '#memory/import/import-path.ts';
import { readWholeFile, textOf } from '#memory/import/items/item.ts';
import { refuseUnfit } from '#memory/import/items/refuse-unfit.ts';
import { createTally } from '#memory/import/items/tally.ts';
import { exportedKinds, fieldOf, lineSchema } from '#memory/journal/exported.ts';
import { maskedAll } from '#memory/journal/journal.ts';
import {
  createWriteLines,
  type EntryLine,
  type LineOutcome,
  misfit,
  type Unread,
} from '#memory/journal/write-lines.ts';
import type { Redact } from '#memory/secrets/redact.ts';
import type { JournalStore } from '#memory/store/journal-store.ts';
import type { ImportReport, ImportRequest } from '#memory/types/import.ts';

/** Entries that one transaction writes; the event loop turns in between. */
const atOnce = 100;

/**
 * Imports the journal's lines of a file that `parley memory export` wrote, or of every `.jsonl` file below a folder. Other lines are counted
 * as skipped, a line that does not fit is named in the report, and what is there already stays as it is. Rejects as `importPath` does.
 */
export async function importJournal(
  { store, redact }: { store: JournalStore; redact: Redact },
  request: ImportRequest,
): Promise<ImportReport> {
  refuseUnfit(request);
  const report = emptyReport();
  const tally = createTally(report);
  const counting: Redact = async (text) => {
    const clean = await redact(text);
    report.redactions += clean.kinds.length;
    return clean;
  };
  const onLink = (path: string): void => void report.links.push(path);
  const { items } = await itemsAt(resolve(request.path), 'journal', { request, redact, tally, onLink });
  report.discovered = items.length;
  const write = createWriteLines({ store, request });
  const count = (where: string, outcome: LineOutcome): void => {
    if (outcome === 'known') report.entries.known += 1;
    else if (outcome === 'forgotten' || outcome === 'memory') tally.skip(outcome);
    else if ('misfit' in outcome) tally.unreadable(`${where}: ${outcome.misfit}`);
    else report.entries.stored += 1;
  };
  const read = async (path: string): Promise<void> => {
    const { bytes } = await readWholeFile(path);
    const lines = textOf(bytes, path).split('\n');
    for (let from = 0; from < lines.length; from += atOnce) {
      request.signal?.throwIfAborted();
      const some = await Promise.all(
        lines.slice(from, from + atOnce).map((written) => lineOf(written, counting)),
      );
      for (const [index, outcome] of (await write(some)).entries())
        if (lines[from + index]?.trim() !== '') count(`${path}, line ${from + index + 1}`, outcome);
      await nextTurn();
    }
  };
  for (const [index, { path }] of items.entries()) {
    const before = report.entries.stored;
    try {
      await read(path);
      report.files[report.entries.stored > before ? 'stored' : 'unchanged'] += 1;
    } catch (error) {
      if (request.signal?.aborted === true) return { ...totalled(report), complete: false };
      if (isOfMemory(error)) throw error;
      report.files.failed += 1;
      report.failures.push({ path, words: errorMessage(error), hint: hintOf(error) });
    }
    request.onFile?.({ done: index + 1, total: items.length, path });
  }
  return totalled(report);
}

/** What a line of the file says, its words without secrets: an entry, another memory, or nothing that can be read. */
async function lineOf(written: string, redact: Redact): Promise<EntryLine | Unread> {
  if (written.trim() === '') return 'memory';
  try {
    const { type, kind, ...fields } = objectOf(tryJson(written), written);
    if (typeof type !== 'string') throw misfit(`type: expected a text, received ${received(type)}`);
    if (type !== 'journal') return 'memory';
    if (typeof kind !== 'string' || !Object.hasOwn(exportedKinds, kind))
      throw misfit(
        `kind: expected one of ${Object.keys(exportedKinds).join(', ')}, received ${received(kind)}`,
      );
    const words = Object.entries(fields).filter(([field]) => !references.has(field));
    const clean = (await maskedAll(redact, Object.fromEntries(words))) as Record<string, unknown>;
    const line = { type, kind, ...fields, ...clean };
    return { kind, values: checkInput(schemaOf(kind), line, { code: 'invalid_journal', what: 'It' }) };
  } catch (error) {
    return { misfit: errorMessage(error) };
  }
}

const schemaOf = memoize(Object.keys(exportedKinds).length, lineSchema);

function objectOf(value: unknown, written: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw misfit(`expected a JSON object, received ${received(value ?? written)}`);
}

/** Fields whose values are no words. */
const references = new Set(
  [
    'id',
    'content_hash',
    'audience',
    'space',
    'lineage_id',
    'successor_id',
    'settled_in',
    'session_id',
    'run_id',
    'chat',
  ]
    .concat(Object.values(exportedKinds).flatMap(({ parent }) => parent?.column ?? []))
    .map(fieldOf),
);
