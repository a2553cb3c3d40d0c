// What runs in a thread of the memory: searches over a connection that only reads, and imports over one of their own. Not when it is asked.
import { parentPort, workerData } from 'node:worker_threads';
import { z } from 'zod';
import { systemClock } from '#base/clock.ts';
import { codeOf, cureOf, wordsOf } from '#base/errors.ts';
import { createIds } from '#base/ids.ts';
import { importPath } from '#memory/import/import-path.ts';
import { createFind, type Find } from '#memory/search/find.ts';
import { recall, search } from '#memory/search/hits.ts';
import { rehearse } from '#memory/search/rehearse.ts';
import { createRedact } from '#memory/secrets/redact.ts';
import type { Sources } from '#memory/store/sources.ts';
import { openStore, openStoreReader, type Store, type StoreReader } from '#memory/store/store.ts';
import { loadSqliteVec } from '#memory/store/vectors.ts';
import type { ImportProgress, ImportReport } from '#memory/terms/import.ts';
import type { Answer, Asked } from './thread-calls.ts';

/** Chunks that one transaction of an import stores: full text and indexes are written out once for all of them. */
const chunksAtOnce = 1_000;

const identitySchema = z.object({ provider: z.string(), model: z.string(), dimensions: z.number() });
const { path, identity } = z
  .object({ path: z.string(), identity: identitySchema.optional() })
  .parse(workerData);
const port = parentPort;
if (port === null) throw new Error('Expected to run in a thread.');

let reading: { find: Find; store: StoreReader } | undefined;
let writer: Store | undefined;
const redact = createRedact();
const running = new Map<number, AbortController>();
const answer = (what: Answer): void => port.postMessage(what);

/** Over one connection that is opened with the first search and stays with what it keeps in memory. */
function opened(): { find: Find; store: StoreReader } {
  if (reading !== undefined) return reading;
  const store = openStoreReader(path, identity);
  reading = { find: createFind(store), store };
  return reading;
}

/** Over another that is opened with the first import. */
function openSources(): Sources {
  writer ??= openStore({
    path,
    clock: systemClock,
    newId: createIds(systemClock),
    loadVectorExtension: loadSqliteVec,
  });
  return writer.sources;
}

function runImport(asked: Extract<Asked, { name: 'import' }>, signal: AbortSignal): Promise<ImportReport> {
  const onFile = (news: ImportProgress): void => answer({ id: asked.id, kind: 'news', news });
  const parts = { sources: openSources(), redact, atOnce: chunksAtOnce };
  return importPath(parts, { ...asked.request, signal, onFile });
}

function run(asked: Extract<Asked, { kind: 'call' }>, signal: AbortSignal): unknown {
  if (asked.name === 'import') return runImport(asked, signal);
  const { find, store } = opened();
  if (asked.name === 'prepare') {
    const dimensions = store.embeddings?.any() === true ? identity?.dimensions : undefined;
    return rehearse({ find, chunks: store.chunks, dimensions }, () => !signal.aborted && running.size === 1);
  }
  if (asked.name === 'search') return search(find, asked.request);
  return recall(find, store.records.sensitive, asked.request);
}

async function answered(asked: Extract<Asked, { kind: 'call' }>): Promise<void> {
  const { id } = asked;
  const stop = new AbortController();
  running.set(id, stop);
  try {
    answer({ id, kind: 'result', result: await run(asked, stop.signal) });
  } catch (error) {
    const cure = cureOf(error);
    answer({ id, kind: 'failure', code: codeOf(error), message: wordsOf(error), cure });
  } finally {
    running.delete(id);
  }
}

port.on('message', (asked: Asked) => {
  if (asked.kind === 'abort') running.get(asked.id)?.abort();
  else void answered(asked);
});
