// The half of the memory that governs records: written, looked up, reported on, promoted, and their audit.
import type { NewId } from '#base/ids.ts';
import { finish, type Work } from '#base/sql/work.ts';
import { markedEntries, usualFound } from '#memory/journal/marked.ts';
import type { JournalLists } from '#memory/journal/newest.ts';
import {
  auditOf,
  noteRead,
  pin,
  promote,
  put,
  signal,
  signalsOf,
  withdraw,
} from '#memory/maintenance/govern.ts';
import { listKnowledge, promoteKnowledge, withdrawKnowledge } from '#memory/maintenance/knowledge.ts';
import { preflight } from '#memory/search/preflight.ts';
import { searchRecords } from '#memory/search/records.ts';
import type { Redact } from '#memory/secrets/redact.ts';
import type { Store } from '#memory/store/store.ts';
import type { Memory } from '#memory/types/contract.ts';
import { isMarkedKind, type MarkedEntry, type MarkedQuery } from '#memory/types/record.ts';

type Within = <T>(work: (store: Store) => T | Promise<T>) => Promise<T>;

/** Over the open store; what `writing` changes gets its vector afterwards. */
export function createRecordHalf(parts: {
  within: Within;
  writing: Within;
  lists: Pick<JournalLists, 'newest'>;
  redact: Redact;
  newId: NewId;
  now: () => number;
}) {
  const { within, writing, lists, redact, newId, now } = parts;
  return {
    put: (note) => writing(({ governed }) => put(governed, redact, note)),
    records: (query) => within(({ recordWork }) => finish(searchRecords(recordWork, query))),
    marked: (query) => within(({ recordWork }) => finish(searchMarked(recordWork, lists, query))),
    promote: (request) => writing(({ governed }) => promote(governed, redact, request)),
    demote: (request) => within(({ governed }) => withdraw(governed, redact, { ...request, how: 'demote' })),
    retract: (request) =>
      within(({ governed }) => withdraw(governed, redact, { ...request, how: 'retract' })),
    signal: (request) => within(({ governed }) => signal(governed, redact, request)),
    signals: (of) => within(({ governed }) => signalsOf(governed, of)),
    pin: (request) => within(({ governed }) => pin(governed, request)),
    promoteKnowledge: (request) =>
      writing(({ governed }) => promoteKnowledge(governed, { redact, newId, now }, request)),
    withdrawKnowledge: (request) => within(({ governed }) => withdrawKnowledge(governed, request)),
    knowledge: (query) => within(({ governed }) => listKnowledge(governed, query)),
    preflight: (query) => within(({ governed }) => finish(preflight(governed.knowledge, query, now()))),
    noteRead: (read) => within(({ governed }) => noteRead(governed, read)),
    audit: (query) => within(({ governed }) => auditOf(governed, query)),
    pruneAudit: (before, stop) => within(({ audit }) => audit.prune(before, stop)),
    countAudit: () => within(({ audit }) => audit.count()),
  } satisfies Partial<Memory>;
}

/** What has a key, a tag, a kind or a pin, among records and in the journal. */
export function* searchMarked(
  records: Parameters<typeof searchRecords>[0],
  lists: Pick<JournalLists, 'newest'>,
  query: MarkedQuery,
): Work<MarkedEntry[]> {
  const { kind, text = '', limit = usualFound } = query;
  const own = isMarkedKind(kind) ? [] : yield* searchRecords(records, { ...query, kind });
  const all = [...own, ...(yield* markedEntries(lists, query))];
  return (text === '' ? all.sort((a, b) => b.updatedAt - a.updatedAt) : all).slice(0, limit);
}
