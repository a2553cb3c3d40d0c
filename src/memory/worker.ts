// What runs in a thread of the memory: searches over a connection that only reads, and imports over a connection of the worker.
import { workerData } from 'node:worker_threads';
import { z } from 'zod';
import { systemClock } from '#base/clock.ts';
import { createIds } from '#base/ids.ts';
import { finish } from '#base/sql/work.ts';
import { answerCalls, type Under } from '#base/threads/answer-calls.ts';
import type { Sources } from '#memory/chunks/sources.ts';
import { importPath } from '#memory/import/import-path.ts';
import { createFind, type Find } from '#memory/search/find.ts';
import { recall, search } from '#memory/search/search-and-recall.ts';
import { createRedact } from '#memory/secrets/redact.ts';
import { openStore, openStoreReader, type Store, type StoreReader } from '#memory/store/store.ts';
import type { ImportReport } from '#memory/types/import.ts';
import type { MemoryCalls } from './worker-protocol.ts';

/** Chunks that one transaction of an import stores: full text and indexes are written out once for all of them. */
const chunksAtOnce = 1_000;

const identitySchema = z.object({ provider: z.string(), model: z.string(), dimensions: z.number() });
const way = z.boolean().optional();
const waysSchema = z.object({
  words: way,
  vectors: way,
  keys: way,
  pinned: way,
  procedures: way,
  association: way,
});
// only their edges count here
const limits = z.object({ edges: z.number().optional() }).optional();
const budgetsSchema = z.object({
  audience: limits,
  agent: limits,
  agents: z.record(z.string(), limits).optional(),
});
const { path, identity, ways, budgets } = z
  .object({
    path: z.string(),
    identity: identitySchema.optional(),
    ways: waysSchema.optional(),
    budgets: budgetsSchema.optional(),
  })
  .parse(workerData);

let reading: { find: Find; store: StoreReader } | undefined;
let writer: Store | undefined;
const redact = createRedact();

/** Over one connection that is opened with the first search, and holds what it has in its cache. */
function opened(): { find: Find; store: StoreReader } {
  if (reading !== undefined) return reading;
  const store = openStoreReader(path, identity);
  reading = { find: createFind(store.searched, ways, budgets), store };
  return reading;
}

/** Over another that is opened with the first import. */
function openSources(): Sources {
  writer ??= openStore({ path, clock: systemClock, newId: createIds(systemClock) });
  return writer.sources;
}

function runImport(
  request: MemoryCalls['import']['request'],
  { signal, notify }: Under,
): Promise<ImportReport> {
  const parts = { sources: openSources(), redact, atOnce: chunksAtOnce };
  return importPath(parts, { ...request, signal, onFile: notify });
}

answerCalls<MemoryCalls>((asked, under) => {
  if (asked.name === 'import') return runImport(asked.request, under);
  const { find, store } = opened();
  if (asked.name === 'search') return finish(search(find, asked.request));
  return finish(recall(find, store.searched.records, { ...asked.request, pinned: ways?.pinned }));
});
