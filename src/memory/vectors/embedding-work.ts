// What is left to embed for one model, and what could not be: durable, so that a restart continues from there.
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import { embeddedText } from '#memory/words/embedded-text.ts';

/** A chunk that has no vector of the model yet. */
export interface UnembeddedChunk {
  row: number;
  text: string;
}

/** Texts that have no vector for the same reason. */
interface Refused {
  words: string;
  texts: number;
}

export interface EmbeddingWork {
  /** The next chunks without a vector and without a refusal, at most `limit`, in the order of their rows. */
  waiting(limit: number): UnembeddedChunk[];
  /** Notes that every chunk up to this row, or before the first that waits, has a vector or a refusal, inside the caller's transaction. The model works. */
  done(row: number): void;
  /** Notes that nothing waits, if that is so; a later start then looks at new chunks only. */
  settle(): void;
  /** Notes that the model works, inside the caller's transaction: its earlier failures count no more. */
  works(): void;
  /**
   * Inside the caller's transaction, after the model gave a vector: texts for which it gave none that can be compared wait once more, and, if
   * it gives none again, no more.
   */
  gaveVector(): void;
  /** At the start of the program, when the config may have changed: all such texts wait once more. */
  askAgain(): void;
  /** Notes that the model failed; it is not asked again before `waitMs` is over, also after a restart. */
  failed(words: string): void;
  /** How long the model is to be left alone, in milliseconds. */
  waitMs(): number;
  /** Why the last call failed; undefined once one succeeded. */
  lastError(): string | undefined;
  /** Chunks that wait for a vector; of more than a thousand at most so many. */
  behind(): number;
  /** Texts that the model refused, most first. */
  refused(): Refused[];
}

/** Waiting chunks that are counted one by one. */
const maxCounted = 1_000;
/** How many reasons are reported. */
const maxReasons = 5;
const backoff = { firstMs: 2_000, maxMs: 10 * 60_000 };

/** The work of the model with this number in one open database. */
export function openEmbeddingWork(database: Sqlite, model: number, now: () => number): EmbeddingWork {
  const state = database.prepare<
    [number],
    { done_to: number; failures: number; next_try_at_ms: number; last_error: string | null }
  >('SELECT done_to, failures, next_try_at_ms, last_error FROM memory_embedding_work WHERE model = ?');
  const begin = database.prepare<[number]>(
    `INSERT INTO memory_embedding_work (model, done_to, failures, next_try_at_ms) VALUES (?, 0, 0, 0)
     ON CONFLICT (model) DO NOTHING`,
  );
  const done = database.prepare<[number, number]>(
    `UPDATE memory_embedding_work SET done_to = max(done_to, ?), failures = 0, next_try_at_ms = 0, last_error = NULL
     WHERE model = ?`,
  );
  const fail = database.prepare<[number, string, number]>(
    'UPDATE memory_embedding_work SET failures = failures + 1, next_try_at_ms = ?, last_error = ? WHERE model = ?',
  );
  const without = `FROM global_memory_chunks AS chunk WHERE row > ? AND NOT EXISTS
    (SELECT 1 FROM memory_embeddings AS made WHERE made.row = chunk.row AND made.model = ? AND ask_again IS NOT 'now')`;
  const waiting = database.prepare<
    [number, number, number],
    Parameters<typeof embeddedText>[0] & { row: number }
  >(
    `SELECT row, source, content, user_text AS userText, assistant_text AS assistantText ${without} ORDER BY row LIMIT ?`,
  );
  const behind = database.prepare<[number, number], number>(`SELECT count(*) ${without}`).pluck();
  const newest = database.prepare<[], number | null>('SELECT max(row) FROM global_memory_chunks').pluck();
  const refused = database.prepare<[number, number], Refused>(
    `SELECT coalesce(refusal, 'no reason is known') AS words, count(*) AS texts FROM memory_embeddings
     WHERE model = ? AND embedding IS NULL AND ask_again IS NOT 'now' GROUP BY 1 ORDER BY texts DESC, words LIMIT ?`,
  );
  const askNow = database
    .prepare<[object], number>(
      `UPDATE memory_embeddings SET ask_again = 'now'
       WHERE model = @model AND embedding IS NULL AND (ask_again = 'after success' OR ask_again = @also) RETURNING row`,
    )
    .pluck();
  const lookFrom = database.prepare<[number, number]>(
    'UPDATE memory_embedding_work SET done_to = min(done_to, ? - 1) WHERE model = ?',
  );
  const askAgain = (also?: 'at start'): void => {
    const rows = askNow.all({ model, also: also ?? null });
    if (rows.length > 0) lookFrom.run(Math.min(...rows), model);
  };
  const doneTo = (): number => state.get(model)?.done_to ?? 0;
  const noteDone = (row: number): void => {
    begin.run(model);
    done.run(row, model);
  };
  const settle = database.transaction((): void => {
    const last = newest.get() ?? 0;
    if (last > doneTo() && waiting.all(doneTo(), model, 1).length === 0) noteDone(last);
  });

  return {
    waiting: (limit) =>
      waiting.all(doneTo(), model, limit).map((chunk) => ({ row: chunk.row, text: embeddedText(chunk) })),
    done(row) {
      const [first] = waiting.all(doneTo(), model, 1);
      noteDone(Math.min(row, (first?.row ?? Number.POSITIVE_INFINITY) - 1));
    },
    works: () => noteDone(0),
    gaveVector: () => askAgain(),
    askAgain: () => database.transaction(askAgain).immediate('at start'),
    settle() {
      if ((newest.get() ?? 0) > doneTo()) settle.immediate();
    },
    failed(words) {
      begin.run(model);
      const failures = state.get(model)?.failures ?? 0;
      const wait = Math.min(backoff.maxMs, backoff.firstMs * 2 ** Math.min(20, failures));
      fail.run(now() + wait, words, model);
    },
    waitMs: () => Math.max(0, (state.get(model)?.next_try_at_ms ?? 0) - now()),
    lastError: () => state.get(model)?.last_error ?? undefined,
    // counted when they are few: counting many takes longer than a search, and only removed rows make the difference
    behind() {
      const from = doneTo();
      const most = (newest.get() ?? 0) - from;
      return most > maxCounted ? most : (behind.get(from, model) ?? 0);
    },
    refused: () => refused.all(model, maxReasons),
  };
}
