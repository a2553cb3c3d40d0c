// The half of the memory that governs records: written, looked up, reported on, promoted, and their audit.
import type { NewId } from '#base/ids.ts';
import type { Work } from '#base/sql/work.ts';
import { markedEntries, usualFound } from '#memory/journal/marked.ts';
import type { JournalLists } from '#memory/journal/newest.ts';
import { keepResponse } from '#memory/maintenance/caches.ts';
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
import type { GovernedStore } from '#memory/store/governed-store.ts';
import type { Memory } from '#memory/types/contract.ts';
import { isMarkedKind, type MarkedEntry, type MarkedQuery } from '#memory/types/record.ts';

type Within = <T>(work: (store: { governed: GovernedStore }) => Promise<T>) => Promise<T>;

/** Over the open store of either engine; what `writing` changes gets its vector afterwards. */
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
    records: (query) =>
      within(({ governed }) => governed.storage.read(() => searchRecords(governed.records, query))),
    marked: (query) =>
      within(({ governed }) => governed.storage.read(() => searchMarked(governed.records, lists, query))),
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
    preflight: (query) =>
      within(({ governed }) => governed.storage.read(() => preflight(governed.knowledge, query, now()))),
    noteRead: (read) => within(({ governed }) => noteRead(governed, read)),
    audit: (query) => within(({ governed }) => auditOf(governed, query)),
    countAudit: () => within(({ governed }) => governed.storage.read(() => governed.audit.count())),
    response: (query) => within(({ governed }) => governed.storage.read(() => governed.responses.get(query))),
    keepResponse: (response) => within(({ governed }) => keepResponse(governed, { redact, now }, response)),
  } satisfies Partial<Memory>;
}

/** What has a key, a tag, a kind or a pin, among records and in the journal. */
function* searchMarked(
  records: Parameters<typeof searchRecords>[0],
  lists: Pick<JournalLists, 'newest'>,
  query: MarkedQuery,
): Work<MarkedEntry[]> {
  const { kind, text = '', limit = usualFound } = query;
  const own = isMarkedKind(kind) ? [] : yield* searchRecords(records, { ...query, kind });
  const all = [...own, ...(yield* markedEntries(lists, query))];
  return (text === '' ? all.sort((a, b) => b.updatedAt - a.updatedAt) : all).slice(0, limit);
}
