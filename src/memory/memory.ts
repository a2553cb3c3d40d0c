// The entry of the memory layer: one object that stores exchanges and finds them again, inside the scope of who asks.

import type { Clock } from '#base/clock.ts';
import type { NewId } from '#base/ids.ts';
import { finish } from '#base/sql/work.ts';
import { createBudgets } from '#memory/budgets/consolidate.ts';
import { exportedJournal } from '#memory/journal/exported.ts';
import { createJournal } from '#memory/journal/journal.ts';
import { createJournalLists } from '#memory/journal/newest.ts';
import { dropCaches } from '#memory/maintenance/caches.ts';
import { carryForgetting } from '#memory/maintenance/carry-forgetting.ts';
import { exported } from '#memory/maintenance/export.ts';
import { forget, forgetSessionTier, forgetTurns } from '#memory/maintenance/forget.ts';
import { list, show } from '#memory/maintenance/read.ts';
import { reindex } from '#memory/maintenance/reindex.ts';
import { scan } from '#memory/maintenance/scan.ts';
import { statusOf } from '#memory/maintenance/status.ts';
import { verify } from '#memory/maintenance/verify.ts';
import { fullTextDamaged, searchLike } from '#memory/search/like.ts';
import { createRedact } from '#memory/secrets/redact.ts';
import { openStore, type Store } from '#memory/store/store.ts';
import { readableBy } from '#memory/tables/audience.ts';
import type { BudgetSettings } from '#memory/types/budget.ts';
import type { Memory, MemoryMaintenance } from '#memory/types/contract.ts';
import type { DreamingOptions } from '#memory/types/dreaming.ts';
import type { Embedder } from '#memory/types/embedding.ts';
import type { MemoryFilesOptions } from '#memory/types/files.ts';
import type { Corpus, RetrievalWays, SearchQuery, SearchResult } from '#memory/types/recall.ts';
import { isGreeting, saysNothing } from '#memory/words/greeting.ts';
import { tellingWords } from '#memory/words/telling-words.ts';
import { createAccess } from './access.ts';
import { createArchiving, maskedExchange } from './archiving.ts';
import { startBackground } from './background.ts';
import { createCorpora } from './corpora.ts';
import { createFileHalf } from './file-half.ts';
import { createFinding } from './finding.ts';
import { createImporting } from './importing.ts';
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
}

/** An import of more than this is done by a thread: it writes a thousand at once. */
const maxBytesHere = 32 * 1024;
/** Its thread ends when no other import followed for so long. */
const idleMs = 2_000;

/**
 * Opens the memory. Throws a ParleyError `database_unusable` or `database_newer` for a file that cannot be used and leaves it unchanged.
 * After `close` every call rejects with `memory_closed`.
 */
export function createMemory(options: MemoryOptions): Memory & MemoryMaintenance {
  const { path, clock, newId, embedder, embedderMissing } = options;
  const store = openStore({ path, clock, newId, identity: embedder?.identity, checkpoints: 'disk thread' });
  const access = createAccess(store, path);
  const { opened, within, withoutFullText } = access;
  const redact = createRedact();
  const { journaled } = store;
  const lists = createJournalLists(journaled.sql);
  const background = startBackground({
    ...{ store, clock, ahead: options.ahead === true },
    embedder: options.embed === 'questions only' ? undefined : embedder,
  });
  /** What was written gets its vector afterwards. */
  async function writing<T>(work: (store: Store) => T | Promise<T>): Promise<T> {
    const result = await within(work);
    background.nudge();
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
  const { ways, budgets } = options;
  const thread = { path, identity: embedder?.identity, ways, budgets };
  const asked = createFinding(access, {
    ...{ store, redact, clock, embedder, thread, rows: options.threadAbove?.rows },
  });
  const importing = createMemoryWorker(thread, idleMs);
  const bytes = options.threadAbove?.bytes ?? maxBytesHere;
  const closed = new AbortController();
  const budgetChars = options.recallCharacters;
  const imported = createImporting({ redact, worker: importing, bytes });
  const files = createFileHalf(options.files, {
    ...{ store, redact, clock, newId, opened, ahead: options.ahead, dreaming: options.dreaming },
    search: (query) => asked.search(query),
    onStored: background.nudge,
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
    archive: (exchange) => writing(async () => archived(await maskedExchange(redact, exchange))),
    ...createBudgets({ settings: options.budgets ?? {}, redact, now: clock.now, within: writing }),
    ...createRecordHalf({ within, writing, lists, redact, newId, now: clock.now }),
    journal: createJournal({ store: journaled, lists, within, writing, redact, newId, now: clock.now }),
    journalEntries: (query) => within(() => finish(lists.newest(query))),
    ...{ tellingWords, isGreeting },
    forgetTurns: (turns) => within((open) => forgetTurns(open, turns)),
    endSession: (sessionID) => within((open) => forgetSessionTier(open, sessionID)),
    setRooms: (rooms) => within((open) => open.retryWhileLocked(() => open.setRooms(rooms))),
    pruneAudit: (before, stop) => within(({ audit }) => audit.prune(before, stop)),
    dropResponses: (which) => within((open) => open.retryWhileLocked(() => open.responses.drop(which))),
    ...{ dropCaches: () => within(dropCaches), ...files.calls, ...corpora.calls },
    search: (query) => corpora.search(query, () => inIndex(query)).then(lacking),
    recall: ({ text, ...request }) =>
      files
        .recall(
          {
            ...{ ...request, budgetChars: request.budgetChars ?? budgetChars },
            // a model finds other greetings near; what is pinned is given all the same
            text: saysNothing(text) ? '' : text,
          },
          asked.recall,
        )
        .catch((cause) => withoutFullText(cause, () => ({ ...nothingRecalled, degraded: [fullTextDamaged] })))
        .then(lacking),
    importPath: (request) => writing((open) => imported(open, request)),
    list: (query) => within(({ listed }) => finish(list(listed, query)).entries),
    page: (query) => within(({ listed }) => finish(list(listed, query))),
    show: (query) => within(({ listed }) => finish(show(listed, query))),
    nodes: ({ scope }) => within(({ nodes }) => nodes.all(readableBy(scope))),
    places: (limit) => within(({ nodes }) => nodes.audiences(limit)),
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
      for (const each of [exported, exportedJournal]) yield* await within(() => each(journaled, query));
      for (const file of await files.calls.exportFiles(query)) yield { type: 'file', ...file };
    },
    verify: (words = []) => within((open) => verify(open, words, closed.signal)),
    status: async ({ imported } = { imported: false }) =>
      lacking({ ...(await within((open) => statusOf(open, imported))), ...(await files.status()) }),
    async close() {
      access.close();
      closed.abort();
      await files.close();
      await Promise.all([asked.end(), importing.end(), background.end()]);
      await embedder?.close?.();
      await access.end();
    },
  };
}

/** What a prompt gets of a memory that cannot be searched just now. */
const nothingRecalled = { block: '', hits: [], omitted: 0 };

/** See `carryForgetting`. */
export const forgetAgain = carryForgetting;
