// The memory storey's door: one object that keeps exchanges and finds them again, inside the scope of who asks.
import { breathe } from '#base/breathe.ts';
import type { Clock } from '#base/clock.ts';
import { codeOf, ParleyError, wordsOf } from '#base/errors.ts';
import type { NewId } from '#base/ids.ts';
import { storageCodeOf, storageCure } from '#base/storage.ts';
import { importPath } from '#memory/import/import-path.ts';
import { createFind } from '#memory/search/find.ts';
import { recall, search } from '#memory/search/hits.ts';
import { searchRecords } from '#memory/search/records.ts';
import { createRedact } from '#memory/secrets/redact.ts';
import { readableBy } from '#memory/store/audience.ts';
import { hashedModel } from '#memory/store/hashed-embedding.ts';
import { openStore, type Store } from '#memory/store/store.ts';
import { type LoadVectorExtension, loadSqliteVec } from '#memory/store/vectors.ts';
import type { Keeping, Memory } from '#memory/terms/contract.ts';
import { exported } from '#memory/upkeep/export.ts';
import { forget } from '#memory/upkeep/forget.ts';
import { auditOf, noteRead, promote, put, withdraw } from '#memory/upkeep/govern.ts';
import { list, show } from '#memory/upkeep/read.ts';
import { reindex } from '#memory/upkeep/reindex.ts';
import { scan } from '#memory/upkeep/scan.ts';
import { verify } from '#memory/upkeep/verify.ts';

export interface MemoryOptions {
  /** The file, usually `memory.sqlite` in the home folder; made when it is not there. */
  path: string;
  clock: Clock;
  newId: NewId;
  /** Another build of sqlite-vec; the npm package's own when absent. A throw leaves memory without vectors, and says so. */
  loadVectorExtension?: LoadVectorExtension | undefined;
}

/**
 * Opens the memory. Throws a ParleyError `database_unusable` or `database_newer` for a file that cannot be used and leaves it as it is.
 * After `close` every call rejects with `memory_closed`.
 */
export function createMemory(options: MemoryOptions): Memory & Keeping {
  let store: Store | undefined = openStore({
    path: options.path,
    clock: options.clock,
    newId: options.newId,
    loadVectorExtension: options.loadVectorExtension ?? loadSqliteVec,
  });
  const find = createFind(store);
  const redact = createRedact();
  /** Runs the work on the open store; what SQLite cannot do is told in words. */
  async function within<T>(work: (store: Store) => T | Promise<T>): Promise<T> {
    await breathe();
    if (store === undefined) {
      throw new ParleyError('memory_closed', 'Expected an open memory, but it was closed.');
    }
    try {
      return await work(store);
    } catch (cause) {
      if (!codeOf(cause)?.startsWith('SQLITE_')) throw cause;
      throw new ParleyError(
        'memory_unusable',
        `The memory ${options.path} cannot be used: ${wordsOf(cause)}.`,
        {
          cure: `Nothing was wiped. ${storageCure(storageCodeOf(cause))}`,
          cause,
        },
      );
    }
  }

  return {
    archive: (exchange) =>
      within(async (open) => {
        const said = await redact(exchange.userText);
        const answered = await redact(exchange.assistantText);
        const clean = { ...exchange, userText: said.text, assistantText: answered.text };
        return open.patiently(() => open.archive(clean, [...said.kinds, ...answered.kinds]));
      }),
    put: (note) => within((open) => put(open, redact, note)),
    records: (query) => within(({ records }) => searchRecords(records, query)),
    promote: (request) => within((open) => promote(open, redact, request)),
    demote: (request) => within((open) => withdraw(open, 'demote', request)),
    retract: (request) => within((open) => withdraw(open, 'retract', request)),
    noteRead: (read) => within((open) => noteRead(open, read)),
    audit: (query) => within((open) => auditOf(open, query)),
    search: (query) => within(() => search(find, query)),
    recall: (request) => within(({ records }) => recall(find, records.sensitive, request)),
    importPath: (request) => within(({ sources }) => importPath({ sources, redact }, request)),
    list: (query) => within((open) => list(open, query)),
    show: (query) => within((open) => show(open, query)),
    nodes: ({ scope }) => within(({ nodes }) => nodes.all(readableBy(scope))),
    places: () => within((open) => open.places()),
    forget: (request) => within((open) => open.patiently(() => forget(open, request))),
    scan: (request) => within((open) => scan(open, redact, request)),
    reindex: (onProgress) => within((open) => reindex(open, onProgress)),
    async *export(query) {
      yield* await within((open) => exported(open, query));
    },
    verify: (words = []) => within((open) => verify(open, words)),
    status: () => within(statusOf),
    async close() {
      const closing = store;
      store = undefined;
      closing?.close();
    },
  };
}

function statusOf({ chunks, vectors }: Store): Awaited<ReturnType<Memory['status']>> {
  const why = vectors.missing === undefined ? [] : [`sqlite-vec did not load: ${vectors.missing}`];
  return {
    chunks: chunks.count(),
    vectors: vectors.count(),
    embedding: hashedModel.name,
    degraded: [...vectors.degraded(), ...why],
  };
}
