// Questions to the index of an open memory: by words and by vectors, here while it is small and in a thread when it is large.
import type { Clock } from '#base/clock.ts';
import { finish } from '#base/sql/work.ts';
import { createFind } from '#memory/search/find.ts';
import { requestText } from '#memory/search/query/asked-text.ts';
import { recall, search } from '#memory/search/search-and-recall.ts';
import type { Redact } from '#memory/secrets/redact.ts';
import type { Store } from '#memory/store/store.ts';
import { readableBy } from '#memory/tables/audience.ts';
import type { Embedder } from '#memory/types/embedding.ts';
import type { Access } from './access.ts';
import { type Ask, createAsk } from './query-router.ts';
import { createQuestionVectors } from './question-vectors.ts';
import { createMemoryWorker } from './worker-client.ts';
import type { ThreadData } from './worker-protocol.ts';

/** A memory of more rows is searched by a thread, so that nothing else waits. */
const maxRowsHere = 8_000;

interface Finder extends Ask {
  /** Ends the thread. */
  end(): Promise<void>;
}

/** Over one open store. */
export function createFinding(
  { opened, reading }: Access,
  parts: {
    store: Store;
    redact: Redact;
    clock: Clock;
    embedder: Embedder | undefined;
    /** What a thread of it starts with; how is looked for here too. */
    thread: ThreadData;
    /** Rows from which on a thread does it. */
    rows: number | undefined;
  },
): Finder {
  const { store, redact, clock, embedder, rows = maxRowsHere } = parts;
  const { ways, budgets } = parts.thread;
  const { embeddings } = store;
  const { searched } = store;
  const find = createFind(searched, ways, budgets);
  const thread = createMemoryWorker(parts.thread);
  const questions =
    embedder && embeddings ? createQuestionVectors({ embedder, embeddings, clock }) : undefined;
  const asked = createAsk({
    thread,
    // a model somewhere else gets no secret of a question either
    questions: questions && {
      of: async (text, scope) =>
        questions.of(
          finish(requestText((await redact(text)).text, opened().searched.chunks, readableBy(scope))),
        ),
    },
    isLarge: async () => opened().chunks.newest() > rows,
    here: {
      search: (query) => reading(async () => finish(search(find, query))),
      recall: (request) =>
        reading(async () => finish(recall(find, searched.records, { ...request, pinned: ways?.pinned }))),
    },
  });
  return { ...asked, end: () => thread.end() };
}
