// What a scope holds, one by one, for a file of its owner's. Nothing outside the scope.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { entryOf } from '#memory/chunks/entry.ts';
import { corpusOf } from '#memory/chunks/file-rows.ts';
import { type StoredRecord, shownRecord } from '#memory/records/record-row.ts';
import type { JournalStore } from '#memory/store/journal-store.ts';
import type { StoreWork } from '#memory/store/store-work.ts';
import { readableBy } from '#memory/tables/audience.ts';
import { journalPlatform } from '#memory/types/journal.ts';
import type { ExportLine } from '#memory/types/maintenance.ts';
import type { Scope } from '#memory/types/scope.ts';

const atOnce = 500;

/**
 * Every memory of the scope, newest first; of a record each version that its audiences own, oldest first, in the place of its
 * chunks. Of the journal there are lines of its own in the place of its passages (`exportedJournal`). Pages of a corpus are no memory. Throws `missing_scope`.
 */
export async function* exported(
  { storage, chunks, records, knowledge, select, selectRecords }: StoreWork & Pick<JournalStore, 'storage'>,
  query: { scope: Scope; projectID?: string | undefined },
): AsyncGenerator<ExportLine> {
  const readable = readableBy(query.scope, { ...query, expired: 'included' });
  const selection = { until: Number.MAX_SAFE_INTEGER };
  const rows = await storage.read(() => select(selection, readable));
  for (let from = 0; from < rows.length; from += atOnce) {
    const some = rows.slice(from, from + atOnce);
    for (const chunk of await storage.read(() => chunks.inOrder(some, readable))) {
      const corpus = corpusOf(chunk);
      if (corpus !== 'sessions' && corpus !== 'memory') continue;
      const entry = entryOf(chunk);
      if (entry.recordID === undefined && entry.platform !== journalPlatform)
        yield { type: 'entry', ...entry };
    }
    await nextTurn();
  }
  const found = new Map<string, StoredRecord>();
  // by a time alone no whole summary is meant
  for (const each of [selection, { kind: 'episode' } as const]) {
    const { versions } = await storage.read(() => selectRecords(each, readable, []));
    for (const record of versions) found.set(record.id, record);
  }
  const versions = [...found.values()];
  const ids = versions.map(({ id }) => id);
  const history = await storage.read(() => records.history(ids, readable));
  const own = new Set(history.map(({ id }) => id));
  for (const record of versions) if (own.has(record.id)) yield { type: 'record', ...shownRecord(record) };
  const page = { projectID: query.projectID, limit: Number.MAX_SAFE_INTEGER, offset: 0 };
  const items = await storage.read(() => knowledge.list(page, readableBy(query.scope)));
  for (const { record: _, ...item } of items) yield { type: 'knowledge', ...item };
}
