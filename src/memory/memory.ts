// The entry of the memory layer: one object that stores exchanges and finds them again, inside the scope of who asks.

import type { Clock } from '#base/clock.ts';
import { codeOf, errorMessage, ParleyError } from '#base/errors.ts';
import { storageCodeOf, storageHint } from '#base/files/disk-failures.ts';
import type { NewId } from '#base/ids.ts';
import { yieldToEventLoop } from '#base/waiting/yield-to-event-loop.ts';
import { createBudgets } from '#memory/budgets/consolidate.ts';
import { createJournal } from '#memory/journal/journal.ts';
import { newestEntries } from '#memory/journal/newest.ts';
import { dropCaches, keepResponse } from '#memory/maintenance/caches.ts';
import { carryForgetting } from '#memory/maintenance/carry-forgetting.ts';
import { createEmbeddingQueue } from '#memory/maintenance/embedding-queue.ts';
import { exported } from '#memory/maintenance/export.ts';
import { forget, forgetTurns } from '#memory/maintenance/forget.ts';
import { list, show } from '#memory/maintenance/read.ts';
import { reindex } from '#memory/maintenance/reindex.ts';
import { scan } from '#memory/maintenance/scan.ts';
import { statusOf } from '#memory/maintenance/status.ts';
import { verify } from '#memory/maintenance/verify.ts';
import { requestText } from '#memory/search/asked-text.ts';
import { createFind } from '#memory/search/find.ts';
import { fullTextDamaged, searchLike } from '#memory/search/like.ts';
import { recall, search } from '#memory/search/search-and-recall.ts';
import { createRedact } from '#memory/secrets/redact.ts';
import { openStore, type Store } from '#memory/store/store.ts';
import { readableBy } from '#memory/tables/audience.ts';
import type { BudgetSettings } from '#memory/types/budget.ts';
import type { Memory, MemoryMaintenance } from '#memory/types/contract.ts';
import type { DreamingOptions } from '#memory/types/dreaming.ts';
import type { Embedder } from '#memory/types/embedding.ts';
import type { MemoryFilesOptions } from '#memory/types/files.ts';
import type { Corpus, RetrievalWays, SearchQuery, SearchResult } from '#memory/types/recall.ts';
import { type LoadVectorExtension, loadSqliteVec } from '#memory/vectors/vector-extension.ts';
import { createArchiving } from './archiving.ts';
import { createCorpora } from './corpora.ts';
import { createFileHalf } from './file-half.ts';
import { chunksAtOnce, createImporting } from './importing.ts';
import { createAsk } from './query-router.ts';
import { createQuestionVectors } from './question-vectors.ts';
import { createRecordHalf } from './record-half.ts';
import { createMemoryWorker } from './worker-client.ts';

export interface MemoryOptions {
  /** The file, usually `memory.sqlite` in the home folder; made when it is not there. */
  path: string;
  clock: Clock;
  newId: NewId;
  /** The memory as files next to it; none when absent. */
  files?: MemoryFilesOptions | undefined;
  /** Corpora that other parts add; the folders of pages are among `files`. */
  corpora?: readonly Corpus[] | undefined;
  /** How short-term memory becomes long-term memory; only on request when absent. */
  dreaming?: DreamingOptions | undefined;
  /** A model that makes vectors of what is stored and of what is asked; only words are searched when absent. */
  embedder?: Embedder | undefined;
  /** Why there is none although one is wanted: status, search and recall say it. */
  embedderMissing?: string | undefined;
  /** `questions only` leaves what waits for a vector to another process. */
  embed?: 'everything' | 'questions only' | undefined;
  /** How much may be remembered; without it nothing is ever taken away. */
  budgets?: BudgetSettings | undefined;
  /** Which ways of finding are used. */
  ways?: RetrievalWays | undefined;
  /** What a prompt is given at most, in UTF-16 units, where a request says nothing else; 6,000 when absent. */
  recallCharacters?: number | undefined;
  /** Memories with more rows are searched, and files of more bytes imported, in a thread; 8,000 rows and 32 KiB when absent. */
  threadAbove?: { rows: number; bytes: number } | undefined;
  /** True where people will ask for hours: what other processes write is embedded here. */
  ahead?: boolean | undefined;
  /** Another build of sqlite-vec, which no thread is used with; the npm package's own when absent. A throw leaves memory without vectors, and says so. */
  loadVectorExtension?: LoadVectorExtension | undefined;
}

/** An import of more than this is done by a thread: it writes a thousand at once. */
const maxBytesHere = 32 * 1024;
/** Its thread ends when no other import followed for so long. */
const idleMs = 2_000;
/** How often it is looked for what other processes wrote, in milliseconds. */
const othersMs = 2_000;
/** A memory of more rows is searched by a thread, so that nothing else waits; of fewer where, without sqlite-vec, all vectors are compared. */
const [maxRowsHere, maxCompared] = [8_000, 2_000];

/**
 * Opens the memory. Throws a ParleyError `database_unusable` or `database_newer` for a file that cannot be used and leaves it unchanged.
 * After `close` every call rejects with `memory_closed`.
 */
export function createMemory(options: MemoryOptions): Memory & MemoryMaintenance {
  const { path, clock, newId, embedder, embedderMissing } = options;
  let store: Store | undefined = openStore({
    path,
    clock,
    newId,
    loadVectorExtension: options.loadVectorExtension ?? loadSqliteVec,
    identity: embedder?.identity,
    checkpoints: 'disk thread',
  });
  const find = createFind(store, options.ways, options.budgets);
  const redact = createRedact();
  /** What SQLite cannot do is reported with a message. */
  const told = (cause: unknown): unknown =>
    codeOf(cause)?.startsWith('SQLITE_') !== true
      ? cause
      : new ParleyError('memory_unusable', `The memory ${path} cannot be used: ${errorMessage(cause)}.`, {
          hint: isIndexDamage(cause)
            ? 'Only an index is damaged: run "parley memory reindex".'
            : `Nothing was wiped. ${storageHint(storageCodeOf(cause))}`,
          cause,
        });
  const opened = (): Store => {
    if (store !== undefined) return store;
    throw new ParleyError('memory_closed', 'Expected an open memory, but it was closed.');
  };
  /** Runs the work on the open store; once more with a full text that is made again, where that was damaged. */
  async function within<T>(work: (store: Store) => T | Promise<T>): Promise<T> {
    await yieldToEventLoop();
    const open = opened();
    try {
      return await work(open);
    } catch (cause) {
      if (!open.fullText.isReason(cause)) throw told(cause);
    }
    try {
      await open.retryWhileLocked(open.fullText.build);
      return await work(open);
    } catch (cause) {
      throw told(cause);
    }
  }
  /** The same for a question, which waits for no index. */
  const reading = async <T>(work: (store: Store) => Promise<T>): Promise<T> => {
    await yieldToEventLoop();
    return work(opened());
  };
  let building: Promise<void> | undefined;
  /** What a question gets whose search met a damaged full text, which is made again after it; any other failure unchanged. */
  const withoutFullText = <T>(cause: unknown, answer: (store: Store) => T): T => {
    if (store?.fullText.isReason(cause) !== true) throw told(cause);
    const { fullText, retryWhileLocked } = store;
    const end = (): void => {
      building = undefined;
    };
    // where it cannot be written the next search meets the damage, and says it
    building ??= new Promise((resolve) => setImmediate(resolve))
      .then(() => retryWhileLocked(fullText.build))
      .then(end, end);
    return answer(store);
  };

  const { embeddings } = store;
  const model =
    embedder === undefined || embeddings === undefined ? undefined : { embedder, embeddings, clock };
  const questions = model && createQuestionVectors(model);
  const queue =
    model && options.embed !== 'questions only'
      ? createEmbeddingQueue({
          ...model,
          retryWhileLocked: store.retryWhileLocked,
          logSettled: store.logSettled,
        })
      : undefined;
  /** What was written gets its vector afterwards. */
  async function writing<T>(work: (store: Store) => T | Promise<T>): Promise<T> {
    const result = await within(work);
    queue?.nudge();
    return result;
  }

  const archived = createArchiving((exchanges) =>
    opened().retryWhileLocked(() => opened().archive(exchanges)),
  );
  const unmet = embedderMissing === undefined ? [] : [`no embeddings (${embedderMissing})`];
  const lacking = <T extends { degraded: string[] }>(result: T): T => ({
    ...result,
    degraded: [...result.degraded, ...unmet],
  });
  const isOwn = options.loadVectorExtension !== undefined;
  const above = options.threadAbove ?? { rows: maxRowsHere, bytes: maxBytesHere };
  const { ways, budgets } = options;
  const thread = { path, identity: embedder?.identity, ways, budgets };
  const [searching, importing] = [createMemoryWorker(thread), createMemoryWorker(thread, idleMs)];
  /** Called at once: a turn of the event loop is for work that takes some time. */
  const isLarge = async () =>
    !isOwn && opened().chunks.newest() > (opened().missing === undefined ? above.rows : maxCompared);
  const closed = new AbortController();
  /** What another process writes gets its vector too: a command next to the program that has the model. */
  const lookForOthers = async (): Promise<void> => {
    while (queue !== undefined) {
      await clock.sleep(othersMs, closed.signal);
      queue.nudge();
    }
  };
  /** Words of rows that an earlier version wrote are made again, a few at once; until then the old words are searched. */
  const renewWords = async (): Promise<void> => {
    const { words, retryWhileLocked } = opened();
    while (words.left().rows > 0) {
      await clock.sleep(othersMs / 100, closed.signal);
      await retryWhileLocked(() => words.step(chunksAtOnce * 4));
    }
  };
  const renewing = options.ahead === true ? renewWords().catch(() => {}) : undefined; // it is closed, or the next start continues
  const looking = options.ahead === true ? lookForOthers().catch(() => {}) : undefined; // it is closed
  const budgetChars = options.recallCharacters;
  const asked = createAsk({
    thread: searching,
    // a model somewhere else gets no secret of a question either
    questions: questions && {
      of: async (text, scope) =>
        questions.of(requestText((await redact(text)).text, opened().chunks, readableBy(scope))),
    },
    isLarge,
    here: {
      search: (query) => reading(() => search(find, query)),
      recall: (request) =>
        reading(({ records }) => recall(find, records, { ...request, pinned: options.ways?.pinned })),
    },
  });
  const imported = createImporting({ redact, worker: importing, bytes: above.bytes, isOwn });
  const files = createFileHalf(options.files, {
    ...{ store, redact, clock, newId, opened, ahead: options.ahead, dreaming: options.dreaming },
    search: (query) => asked.search(query),
    onStored: () => queue?.nudge(),
  });
  const inIndex = (query: SearchQuery): Promise<SearchResult> =>
    files
      .search(query, asked.search)
      .catch((cause) => withoutFullText(cause, (open) => searchLike(open, query)));
  const corpora = createCorpora({
    ...{ added: options.corpora ?? [], folders: options.files?.extra ?? [] },
    ...{ calls: files.calls, search: inIndex, clock },
  });

  return {
    archive: (exchange) =>
      writing(async () => {
        const said = await redact(exchange.userText);
        const answered = await redact(exchange.assistantText);
        return archived({
          exchange: { ...exchange, userText: said.text, assistantText: answered.text },
          masked: [...said.kinds, ...answered.kinds],
        });
      }),
    ...createBudgets({ settings: options.budgets ?? {}, redact, now: clock.now, within: writing }),
    ...createRecordHalf({ within, writing, redact, newId, now: clock.now }),
    journal: createJournal({ within, writing, redact, newId, now: clock.now }),
    journalEntries: (query) => within(({ database }) => newestEntries(database, query)),
    forgetTurns: (turns) => within((open) => forgetTurns(open, turns)),
    setRooms: (rooms) => within((open) => open.retryWhileLocked(() => open.rooms.set(rooms))),
    response: (query) => within(({ responses }) => responses.get(query)),
    keepResponse: (response) => within((open) => keepResponse(open, { redact, now: clock.now }, response)),
    dropResponses: (which) => within((open) => open.retryWhileLocked(() => open.responses.drop(which))),
    ...{ dropCaches: () => within(dropCaches), ...files.calls, ...corpora.calls },
    search: (query) => corpora.search(query, () => inIndex(query)).then(lacking),
    recall: (request) =>
      files
        .recall({ ...request, budgetChars: request.budgetChars ?? budgetChars }, asked.recall)
        .catch((cause) => withoutFullText(cause, () => ({ ...nothingRecalled, degraded: [fullTextDamaged] })))
        .then(lacking),
    importPath: (request) => writing(({ sources }) => imported(sources, request)),
    list: (query) => within((open) => list(open, query).entries),
    page: (query) => within((open) => list(open, query)),
    show: (query) => within((open) => show(open, query)),
    nodes: ({ scope }) => within(({ nodes }) => nodes.all(readableBy(scope))),
    places: () => within((open) => open.places()),
    forget: (request) =>
      within(async (open) => {
        const reason = request.reason === undefined ? undefined : (await redact(request.reason)).text;
        const { signal } = closed;
        return files.forgetting(request, (lines) => forget(open, { ...request, reason }, { signal, lines }));
      }),
    forgotten: (query) => within(({ forgotten }) => forgotten.find(query)),
    scan: (request) => writing((open) => scan(open, redact, request)),
    reindex: (onProgress) => within((open) => reindex(open, onProgress)),
    async *export(query) {
      yield* await within((open) => exported(open, query));
      for (const file of await files.calls.exportFiles(query)) yield { type: 'file', ...file };
    },
    verify: (words = []) => within((open) => verify(open, words, closed.signal)),
    status: async () => lacking({ ...(await within(statusOf)), ...(await files.status()) }),
    async close() {
      const closing = store;
      store = undefined;
      closed.abort();
      await files.close();
      await Promise.all([searching.end(), importing.end(), queue?.end(), looking, renewing, building]);
      await embedder?.close?.();
      closing?.close();
      await closing?.logSettled();
    },
  };
}

/** What a prompt gets of a memory that cannot be searched just now. */
const nothingRecalled = { block: '', hits: [], omitted: 0 };

const isIndexDamage = (error: unknown): boolean => codeOf(error) === 'SQLITE_CORRUPT_VTAB';

/** See `carryForgetting`. */
export const forgetAgain = carryForgetting;
