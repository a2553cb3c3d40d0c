// The half of the memory that governs records: written, looked up, reported on, promoted, and their audit.
import type { NewId } from '#base/ids.ts';
import { markedEntries, usualFound } from '#memory/journal/marked.ts';
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
import { isMarkedKind } from '#memory/types/record.ts';

type Work = <T>(work: (store: Store) => T | Promise<T>) => Promise<T>;

/** Over the open store; what `writing` changes gets its vector afterwards. */
export function createRecordHalf(parts: {
  within: Work;
  writing: Work;
  redact: Redact;
  newId: NewId;
  now: () => number;
}) {
  const { within, writing, redact, newId, now } = parts;
  return {
    put: (note) => writing((open) => put(open, redact, note)),
    records: (query) => within(({ records }) => searchRecords(records, query)),
    marked: (query) =>
      within(({ records, database }) => {
        const { kind, text = '', limit = usualFound } = query;
        const own = isMarkedKind(kind) ? [] : searchRecords(records, { ...query, kind });
        const all = [...own, ...markedEntries(database, query)];
        return (text === '' ? all.sort((a, b) => b.updatedAt - a.updatedAt) : all).slice(0, limit);
      }),
    promote: (request) => writing((open) => promote(open, redact, request)),
    demote: (request) => within((open) => withdraw(open, redact, { ...request, how: 'demote' })),
    retract: (request) => within((open) => withdraw(open, redact, { ...request, how: 'retract' })),
    signal: (request) => within((open) => signal(open, redact, request)),
    signals: (of) => within((open) => signalsOf(open, of)),
    pin: (request) => within((open) => pin(open, request)),
    promoteKnowledge: (request) => writing((open) => promoteKnowledge(open, { redact, newId, now }, request)),
    withdrawKnowledge: (request) => within((open) => withdrawKnowledge(open, request)),
    knowledge: (query) => within((open) => listKnowledge(open, query)),
    preflight: (query) => within((open) => preflight(open, query, now())),
    noteRead: (read) => within((open) => noteRead(open, read)),
    audit: (query) => within((open) => auditOf(open, query)),
    pruneAudit: (before, stop) => within(({ audit }) => audit.prune(before, stop)),
    countAudit: () => within(({ audit }) => audit.count()),
  } satisfies Partial<Memory>;
}
