// Memory in PostgreSQL, shared by several instances: exchanges, records, the journal, search and forgetting. Files, imports, budgets and dreams are not in it.
import type { Clock } from '#base/clock.ts';
import { ParleyError } from '#base/errors.ts';
import type { NewId } from '#base/ids.ts';
import type { Postgres } from '#base/postgres/postgres.ts';
import type { SqlStorage } from '#base/sql/sql.ts';
import { cleaned } from '#memory/chunks/archive.ts';
import { exportedJournal } from '#memory/journal/exported.ts';
import { createJournal } from '#memory/journal/journal.ts';
import { createJournalLists } from '#memory/journal/newest.ts';
import { createEmbeddingQueue } from '#memory/maintenance/embedding-queue.ts';
import { exported } from '#memory/maintenance/export.ts';
import { forgetMeant, leftOver, meantEntries } from '#memory/maintenance/forget.ts';
import { list, show } from '#memory/maintenance/read.ts';
import { createFind } from '#memory/search/find.ts';
import { requestText } from '#memory/search/query/asked-text.ts';
import { recall, search } from '#memory/search/search-and-recall.ts';
import { createRedact, type Redact } from '#memory/secrets/redact.ts';
import type { ForgettingParts } from '#memory/store/chunk-eraser.ts';
import type { JournalStore } from '#memory/store/journal-store.ts';
import { openPostgresStore, type PostgresStore } from '#memory/store/postgres-store.ts';
import { createSaidIn, type SaidInWork } from '#memory/store/said-in.ts';
import { readableBy } from '#memory/tables/audience.ts';
import { createPostgresPrune } from '#memory/tables/audit.ts';
import type { BudgetSettings } from '#memory/types/budget.ts';
import type { Memory, MemoryMaintenance } from '#memory/types/contract.ts';
import type { Embedder } from '#memory/types/embedding.ts';
import type { ForgetRequest, ForgetResult } from '#memory/types/maintenance.ts';
import type { RetrievalWays } from '#memory/types/recall.ts';
import type { Scope } from '#memory/types/scope.ts';
import { isGreeting, saysNothing } from '#memory/words/greeting.ts';
import { tellingWords } from '#memory/words/telling-words.ts';
import { createArchiving, maskedExchange } from './archiving.ts';
import { noFileCalls } from './file-half.ts';
import { importJournal } from './import-journal.ts';
import { createQuestionVectors, type QuestionVectors } from './question-vectors.ts';
import { createRecordHalf } from './record-half.ts';

/** Memory in PostgreSQL: what it does not do yet rejects with `not_shared`, and of files, dreams and budgets there are none. */
export type PostgresMemory = Memory & MemoryMaintenance;

interface PostgresMemoryOptions {
  /** Stays open when the memory is closed. */
  postgres: Postgres;
  clock: Clock;
  newId: NewId;
  /** Names this program among those that archive. */
  instance: string;
  /** See `MemoryOptions`. */
  embedderMissing?: string | undefined;
  /** True where it lasts: what other instances took back of exchanges is forgotten here too. */
  ahead?: boolean | undefined;
  /** See `MemoryOptions`. */
  embedder?: Embedder | undefined;
  budgets?: BudgetSettings | undefined;
  ways?: RetrievalWays | undefined;
  /** See `MemoryOptions`. */
  recallCharacters?: number | undefined;
}

/**
 * Opens the memory and makes its tables where there are none. Rejects as `openPostgresStore` does. After `close` every call rejects with
 * `memory_closed`.
 */
export async function openPostgresMemory(options: PostgresMemoryOptions): Promise<PostgresMemory> {
  const { clock, newId, ways, budgets, recallCharacters } = options;
  const { embedder } = options;
  const store = await openPostgresStore({ ...options, identity: embedder?.identity });
  const redact = createRedact();
  const { searched, listed } = store;
  let isClosed = false;
  const storage = whileOpen(store.storage, () => !isClosed);
  // dead rows and the log of the server are its own to clean up
  const governed = { ...store, storage, writeOne: storage.write, leaveNoTrace: async () => {} };
  const find = createFind(searched, ways, budgets);
  const saidIn = createSaidIn(store.sql, options.instance);
  const archived = createArchiving((exchanges) => {
    const all = exchanges.map(cleaned);
    return storage.write(function* () {
      const results = yield* store.archive(all);
      for (const { exchange } of all) yield* saidIn.note(exchange);
      return results;
    });
  });
  const { embeddings } = store;
  const { queue, vectorOf } = createVectors({ ...store, storage }, { embedder, redact, clock });
  /** What is written gets its vector afterwards. */
  const writing = async <T>(work: Promise<T>): Promise<T> => {
    const result = await work;
    queue?.nudge();
    return result;
  };
  const forget = createForget({ ...store, storage });
  const unmet = options.embedderMissing === undefined ? [] : [`no embeddings (${options.embedderMissing})`];
  const sweep = options.ahead === true ? startTakingBack({ storage, saidIn, forget, clock }) : undefined;
  if (options.ahead === true) queue?.nudge(); // an instance that ended may have left some
  return {
    ...noFileCalls,
    ...createUpkeep(governed, { redact, storage }),
    budgets: async () => [],
    consolidate: async () => [],
    archive: async (exchange) => writing(archived(await maskedExchange(redact, exchange))),
    setRooms: (rooms) => storage.write(() => store.rooms.set(rooms)),
    async search(query) {
      const { vector, degraded } = await vectorOf(query.text, query.scope);
      const found = await storage.read(() => search(find, { ...query, vector }));
      return { ...found, degraded: [...found.degraded, ...degraded, ...unmet] };
    },
    async recall({ text, inPrompt, ...request }) {
      const shown = await inPrompt;
      const asked = saysNothing(text) ? '' : text;
      const { vector, degraded } = await vectorOf(asked, request.scope);
      const found = await storage.read(() =>
        recall(find, searched.records, {
          ...{ ...request, inPrompt: shown, text: asked, vector, pinned: ways?.pinned },
          budgetChars: request.budgetChars ?? recallCharacters,
        }),
      );
      return { ...found, degraded: [...found.degraded, ...degraded, ...unmet] };
    },
    list: async (query) => (await storage.read(() => list(listed, query))).entries,
    page: (query) => storage.read(() => list(listed, query)),
    show: (query) => storage.read(() => show(listed, query)),
    nodes: ({ scope }) => storage.read(() => store.nodes.all(readableBy(scope))),
    places: (limit) => storage.read(() => store.nodes.audiences(limit)),
    async forget(request) {
      const reason = request.reason === undefined ? undefined : (await redact(request.reason)).text;
      return forget({ ...request, reason });
    },
    async endSession(sessionID) {
      const audiences = await storage.read(() => store.nodes.audiencesOfSession(sessionID));
      if (audiences.length === 0) return 0;
      const scope = {
        audiences,
        spaces: [],
        everyone: false,
        everyPartition: true,
        tiers: ['session' as const],
      };
      const selection = { session: sessionID };
      const by = { name: 'gateway' };
      return (await forget({ scope, selection, mode: 'forget', by, proof: 'none', marks: 'none' })).entries;
    },
    forgotten: (query) => storage.read(() => store.forgotten.find(query)),
    ...createWrittenHalf(governed, { writing, redact, newId, now: clock.now }),
    dropResponses: (which) => storage.write(() => store.responses.drop(which)),
    ...{ tellingWords, isGreeting },
    status: async () => ({
      chunks: await storage.read(() => store.chunks.count()),
      vectors: (await embeddings?.count()) ?? 0,
      embedding: embeddings?.name ?? 'none: no embedding model',
      waiting: (await embeddings?.behind()) ?? 0,
      refused: (await embeddings?.refused()) ?? [],
      responses: await storage.read(() => store.responses.count()),
      degraded: [...((await embeddings?.degraded()) ?? []), ...unmet],
    }),
    verify: (words = []) =>
      storage.read(function* () {
        return { problems: yield* store.check.problems(), traces: yield* store.check.traces(words) };
      }),
    async close() {
      isClosed = true;
      await sweep?.end();
      await queue?.end();
      await embedder?.close?.();
    },
  };
}

/** What an operator and the program do from time to time. */
function createUpkeep(
  store: PostgresStore & JournalStore,
  { redact, storage }: { redact: Redact; storage: SqlStorage },
): Pick<PostgresMemory, 'forgetTurns' | 'importPath' | 'pruneAudit' | 'scan' | 'reindex' | 'dropCaches'> {
  const prune = createPostgresPrune(store.sql);
  return {
    // only an import makes turns
    forgetTurns: async () => 0,
    importPath: (request) =>
      request.format === 'journal'
        ? importJournal({ store, redact }, request)
        : Promise.reject(notShared('Imports of histories and documents')),
    async pruneAudit(before, signal) {
      for (let removed = 0; ; ) {
        if (signal.aborted) return removed;
        const some = await storage.write(() => prune(before, linesAtOnce));
        removed += some;
        if (some < linesAtOnce) return removed;
      }
    },
    scan: () => Promise.reject(notShared('The search for old secrets')),
    reindex: () => Promise.reject(notShared('Making indexes again')),
    dropCaches: () =>
      storage.write(function* () {
        return { responses: yield* store.responses.drop(), embeddings: yield* store.dropVectorCache() };
      }),
  };
}

/** Lines of the audit that one transaction removes. */
const linesAtOnce = 1_000;

const notShared = (what: string): ParleyError =>
  new ParleyError('not_shared', `${what} do not work with a shared memory yet.`, {
    hint: "Set `storage.memory` to home where you need it: memory is then each instance's own again.",
  });

/** Between two looks for what other instances have taken back, in milliseconds. */
const takingBackMs = 15_000;

/** Forgets what was taken back of exchanges whose own instance has not done it: that one may be gone for good. */
function startTakingBack(parts: {
  storage: SqlStorage;
  saidIn: SaidInWork;
  forget: (request: ForgetRequest) => Promise<ForgetResult>;
  clock: Clock;
}): { end(): Promise<void> } {
  const { storage, saidIn, forget, clock } = parts;
  const closing = new AbortController();
  const look = async (): Promise<void> => {
    for (const { runID, audience } of await storage.read(() => saidIn.due()))
      await forget({
        scope: { audiences: [audience], spaces: [], everyone: false, everyPartition: true },
        ...{ selection: { run: runID }, mode: 'forget', by: { name: 'gateway', runID }, proof: 'none' },
      });
  };
  const run = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      await look().catch(() => undefined); // a database that is away: the next look does it
      await clock.sleep(takingBackMs, closing.signal);
    }
  };
  const running = run().catch(() => undefined); // it is closed
  return {
    async end() {
      closing.abort();
      await running;
    },
  };
}

/** Records, the journal, and what has to do with them. */
function createWrittenHalf(
  store: PostgresStore & JournalStore,
  of: { writing<T>(work: Promise<T>): Promise<T>; redact: Redact; newId: NewId; now: () => number },
) {
  const { storage } = store;
  const lists = createJournalLists(store.sql);
  return {
    ...createRecordHalf({
      ...{ ...of, lists },
      within: async (work) => work({ governed: store }),
      writing: (work) => of.writing(work({ governed: store })),
    }),
    journal: createJournal({
      ...{ ...of, store, lists },
      within: (call) => call(),
      writing: (call) => of.writing(call()),
    }),
    journalEntries: (query) => storage.read(() => lists.newest(query)),
    async *export(query) {
      for (const each of [exported, exportedJournal]) yield* each(store, query);
    },
  } satisfies Partial<PostgresMemory>;
}

/** Rejects once the memory is closed. */
function whileOpen({ read, write }: SqlStorage, isOpen: () => boolean): SqlStorage {
  const opened = (): void => {
    if (!isOpen()) throw new ParleyError('memory_closed', 'Expected an open memory, but it was closed.');
  };
  return {
    async read(work) {
      opened();
      return read(work);
    },
    async write(work) {
      opened();
      return write(work);
    },
  };
}

/** Makes vectors of what is written and of questions, where there is a model. */
function createVectors(
  { embeddings, searched, storage }: Pick<PostgresStore, 'embeddings' | 'searched' | 'storage'>,
  { embedder, redact, clock }: { embedder: Embedder | undefined; redact: Redact; clock: Clock },
) {
  const parts = embedder && embeddings && { embedder, embeddings, clock };
  const questions = parts && createQuestionVectors(parts);
  return {
    queue:
      parts &&
      createEmbeddingQueue({
        ...parts,
        retryWhileLocked: async <T>(write: () => T): Promise<T> => write(),
        logSettled: async () => {},
      }),
    /** A model somewhere else gets no secret of a question either. */
    async vectorOf(text: string, scope: Scope): ReturnType<QuestionVectors['of']> {
      if (questions === undefined) return { degraded: [] };
      const { text: clean } = await redact(text);
      return questions.of(await storage.read(() => requestText(clean, searched.chunks, readableBy(scope))));
    },
  };
}

/** Forgets in one transaction what it found in it, and looks afterwards for what is left in the tables. */
function createForget(
  forgetting: ForgettingParts & Pick<PostgresStore, 'storage' | 'check'>,
): (request: ForgetRequest) => Promise<ForgetResult> {
  const { storage, check } = forgetting;
  return async (request) => {
    const readable = readableBy(request.scope, { expired: 'included' });
    if (request.mode === 'preview')
      return storage.read(function* () {
        const { shown } = yield* meantEntries(forgetting, request, readable);
        return { ...shown, forgotten: false, remains: [] };
      });
    const { shown, words } = await storage.write(function* () {
      const entries = yield* meantEntries(forgetting, request, readable);
      const words = yield* forgetMeant(forgetting, entries, { request, note: () => {} });
      return { shown: entries.shown, words };
    });
    return storage.read(function* () {
      const left = yield* leftOver(forgetting, { request, words }, readable);
      const traces = request.proof === 'none' ? [] : yield* check.traces(left.words);
      const found = traces.map(({ word, file }) => `"${word}" is in ${file}`);
      return { ...shown, forgotten: true, remains: [...left.remains, ...found] };
    });
  };
}
