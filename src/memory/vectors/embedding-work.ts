// What is left to embed for one model, and what could not be: durable, so that a restart continues from there.
import type { Sql } from '#base/sql/sql.ts';
import type { Work } from '#base/sql/work.ts';
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
  waiting(limit: number): Work<UnembeddedChunk[]>;
  /** Notes that every chunk up to this row, or before the first that waits, has a vector or a refusal, inside the caller's transaction. The model works. */
  done(row: number): Work<void>;
  /** Whether there are chunks after those that are noted as done. */
  hasNewer(): Work<boolean>;
  /** Notes that nothing waits, if that is so, inside the caller's transaction; a later start then looks at new chunks only. */
  settle(): Work<void>;
  /** Notes that the model works, inside the caller's transaction: its earlier failures count no more. */
  works(): Work<void>;
  /**
   * Inside the caller's transaction, after the model gave a vector: texts for which it gave none that can be compared wait once more, and, if
   * it gives none again, no more.
   */
  gaveVector(): Work<void>;
  /** At the start of the program, when the config may have changed, inside the caller's transaction: all such texts wait once more. */
  askAgain(): Work<void>;
  /** Notes that the model failed, inside the caller's transaction; it is not asked again before `waitMs` is over, also after a restart. */
  failed(words: string): Work<void>;
  /** How long the model is to be left alone, in milliseconds. */
  waitMs(): Work<number>;
  /** Why the last call failed; undefined once one succeeded. */
  lastError(): Work<string | undefined>;
  /** Chunks that wait for a vector; of more than a thousand at most so many. */
  behind(): Work<number>;
  /** Texts that the model refused, most first. */
  refused(): Work<Refused[]>;
}

/** Waiting chunks that are counted one by one. */
const maxCounted = 1_000;
/** How many reasons are reported. */
const maxReasons = 5;
const backoff = { firstMs: 2_000, maxMs: 10 * 60_000 };

/** The work of the model with this number in one database. */
export function createEmbeddingWork(sql: Sql, model: number, now: () => number): EmbeddingWork {
  const { larger, smaller } = sql.dialect;
  const state = sql.prepare<
    [number],
    { done_to: number; failures: number; next_try_at_ms: number; last_error: string | null }
  >('SELECT done_to, failures, next_try_at_ms, last_error FROM memory_embedding_work WHERE model = ?');
  const begin = sql.prepare<[number], never>(
    `INSERT INTO memory_embedding_work (model, done_to, failures, next_try_at_ms) VALUES (?, 0, 0, 0)
     ON CONFLICT (model) DO NOTHING`,
  );
  const done = sql.prepare<[number, number], never>(
    `UPDATE memory_embedding_work SET done_to = ${larger('done_to', '?')}, failures = 0, next_try_at_ms = 0, last_error = NULL
     WHERE model = ?`,
  );
  const fail = sql.prepare<[number, string, number], never>(
    'UPDATE memory_embedding_work SET failures = failures + 1, next_try_at_ms = ?, last_error = ? WHERE model = ?',
  );
  const without = `FROM global_memory_chunks AS chunk WHERE row > ? AND NOT EXISTS (SELECT 1 FROM memory_embeddings AS made
    WHERE made.row = chunk.row AND made.model = ? AND ask_again IS DISTINCT FROM 'now')`;
  const waiting = sql.prepare<[number, number, number], Parameters<typeof embeddedText>[0] & { row: number }>(
    `SELECT row, source, content, user_text AS userText, assistant_text AS assistantText ${without} ORDER BY row LIMIT ?`,
  );
  const behind = sql.pluck<[number, number], number>(`SELECT count(*) ${without}`);
  const newest = sql.pluck<[], number | null>('SELECT max(row) FROM global_memory_chunks');
  const refused = sql.prepare<[number, number], Refused>(
    `SELECT coalesce(refusal, 'no reason is known') AS words, count(*) AS texts FROM memory_embeddings
     WHERE model = ? AND embedding IS NULL AND ask_again IS DISTINCT FROM 'now' GROUP BY 1 ORDER BY texts DESC, words LIMIT ?`,
  );
  const askNow = sql.pluck<[object], number>(
    `UPDATE memory_embeddings SET ask_again = 'now'
     WHERE model = @model AND embedding IS NULL AND (ask_again = 'after success' OR ask_again = @also) RETURNING row`,
  );
  const lookFrom = sql.prepare<[number, number], never>(
    `UPDATE memory_embedding_work SET done_to = ${smaller('done_to', '? - 1')} WHERE model = ?`,
  );
  function* askAgain(also?: 'at start'): Work<void> {
    const rows = yield* askNow.all({ model, also: also ?? null });
    if (rows.length > 0) yield* lookFrom.run(Math.min(...rows), model);
  }
  function* doneTo(): Work<number> {
    return (yield* state.get(model))?.done_to ?? 0;
  }
  function* noteDone(row: number): Work<void> {
    yield* begin.run(model);
    yield* done.run(row, model);
  }

  return {
    *waiting(limit) {
      const chunks = yield* waiting.all(yield* doneTo(), model, limit);
      return chunks.map((chunk) => ({ row: chunk.row, text: embeddedText(chunk) }));
    },
    *done(row) {
      const [first] = yield* waiting.all(yield* doneTo(), model, 1);
      yield* noteDone(Math.min(row, (first?.row ?? Number.POSITIVE_INFINITY) - 1));
    },
    works: () => noteDone(0),
    gaveVector: () => askAgain(),
    askAgain: () => askAgain('at start'),
    *hasNewer() {
      return ((yield* newest.get()) ?? 0) > (yield* doneTo());
    },
    *settle() {
      const [last, to] = [(yield* newest.get()) ?? 0, yield* doneTo()];
      if (last > to && (yield* waiting.all(to, model, 1)).length === 0) yield* noteDone(last);
    },
    *failed(words) {
      yield* begin.run(model);
      const failures = (yield* state.get(model))?.failures ?? 0;
      const wait = Math.min(backoff.maxMs, backoff.firstMs * 2 ** Math.min(20, failures));
      yield* fail.run(Math.round(now() + wait), words, model);
    },
    *waitMs() {
      return Math.max(0, ((yield* state.get(model))?.next_try_at_ms ?? 0) - now());
    },
    *lastError() {
      return (yield* state.get(model))?.last_error ?? undefined;
    },
    // counted when they are few: counting many takes longer than a search, and only removed rows make the difference
    *behind() {
      const from = yield* doneTo();
      const most = ((yield* newest.get()) ?? 0) - from;
      return most > maxCounted ? most : ((yield* behind.get(from, model)) ?? 0);
    },
    refused: () => refused.all(model, maxReasons),
  };
}
