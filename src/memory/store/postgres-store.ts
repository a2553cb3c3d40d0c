// Memory in PostgreSQL: the parts that are written for either engine, with the words and the vectors of this one. There are no files in it.
import type { Clock } from '#base/clock.ts';
import type { NewId } from '#base/ids.ts';
import { migratePostgres } from '#base/postgres/migrations.ts';
import type { Postgres } from '#base/postgres/postgres.ts';
import { postgresSql, postgresStorage } from '#base/sql/postgres-sql.ts';
import type { Sql, SqlStorage } from '#base/sql/sql.ts';
import type { Work } from '#base/sql/work.ts';
import { createNewestInPostgres } from '#memory/chunks/newest.ts';
import { createPostgresWords } from '#memory/chunks/postgres-words.ts';
import { storedPassages } from '#memory/chunks/shared-passages.ts';
import { memoryPostgresSchema } from '#memory/tables/schemas/postgres-schema.ts';
import type { EmbeddingIdentity } from '#memory/types/embedding.ts';
import {
  type Awaitable,
  createEmbeddings,
  type Embeddings,
  identityName,
} from '#memory/vectors/embeddings.ts';
import { modelId } from '#memory/vectors/models.ts';
import { createPostgresVectors } from '#memory/vectors/postgres-vectors.ts';
import { createTextOfRow, hashOf } from '#memory/vectors/text-hash.ts';
import type { SearchedStore } from './searched-store.ts';
import { createStoreWork, type StoreWork } from './store-work.ts';

export interface PostgresStore extends StoreWork {
  storage: SqlStorage;
  searched: SearchedStore;
  listed: Pick<StoreWork, 'chunks' | 'select' | 'nodes' | 'journal'> & {
    newest: ReturnType<typeof createNewestInPostgres>;
  };
  /** Of the configured model, each call in a transaction of its own; undefined when there is none. */
  embeddings: (Awaitable<Omit<Embeddings, 'name'>> & { name: string }) | undefined;
  check: PostgresCheck;
  /** Takes away every vector that waits for its file to be imported again; how many. */
  dropVectorCache(): Work<number>;
}

interface PostgresCheck {
  /** What does not fit together, as text. */
  problems(): Work<string[]>;
  /** Of these words, in lower case, those that a row of memory holds, each with the table. */
  traces(words: readonly string[]): Work<{ word: string; file: string }[]>;
}

/** The tables whose rows hold what people said, or words of it. */
const tablesWithWords = [
  ...['global_memory_chunks', 'memory_chunk_words', 'memory_words', 'memory_records', 'memory_knowledge'],
  ...['memory_signals', 'memory_episode_sources', 'memory_shared_passages', 'memory_responses'],
  'journal_documents',
];
/** Those of the journal, and what of them says whose an entry is and where it comes from. */
const journalTables = [
  ...['session_headers', 'session_decisions', 'open_threads', 'next_steps', 'key_context', 'lessons'],
  ...['touchstones', 'conversations', 'conversation_entries'],
  ...['build_records', 'build_phases', 'work_slices', 't4_entries'],
];
const origin = [
  ...['id', 'agent_id', 'audience', 'space', 'session_id', 'run_id', 'chat', 'project_id', 'written_by'],
  ...['platform', 'partition', 'settled_by', 'updated_by', 'author'],
];

/**
 * Makes the tables where there are none, as one of several instances that start at once. Rejects as `migratePostgres` does, with
 * `database_newer` for tables of a newer program.
 */
export async function openPostgresStore(parts: {
  postgres: Postgres;
  clock: Clock;
  newId: NewId;
  identity?: EmbeddingIdentity | undefined;
}): Promise<PostgresStore> {
  const { postgres, clock, newId, identity } = parts;
  await migratePostgres(postgres, [memoryPostgresSchema]);
  const sql = postgresSql(clock);
  const derived = createDerived(sql);
  const works = createStoreWork(sql, { words: createPostgresWords(sql), derived, clock, newId });
  const storage = postgresStorage(postgres);
  const embeddings = identity && (await openEmbeddings(sql, { storage, identity, now: clock.now }));
  return {
    ...works,
    storage,
    searched: { ...works, nearest: embeddings?.works },
    embeddings: embeddings?.waited,
    listed: { ...works, newest: createNewestInPostgres(sql) },
    check: createCheck(sql, works),
    dropVectorCache: derived.dropCache,
  };
}

async function openEmbeddings(
  sql: Sql,
  of: { storage: SqlStorage; identity: EmbeddingIdentity; now: () => number },
) {
  const { storage, identity, now } = of;
  const { dimensions } = identity;
  const name = identityName(identity);
  const model = await storage.write(() => modelId(sql, { name, dimensions }, now()));
  const table = createPostgresVectors(sql, { model, dimensions });
  const works = createEmbeddings(sql, { table, model, dimensions, now });
  const { read, write } = storage;
  const waited: PostgresStore['embeddings'] = {
    name,
    waiting: (limit) => read(() => works.waiting(limit)),
    works: () => write(() => works.works()),
    settle: () => write(() => works.settle()),
    hasNewer: () => read(() => works.hasNewer()),
    askAgain: () => write(() => works.askAgain()),
    failed: (words) => write(() => works.failed(words)),
    waitMs: () => read(() => works.waitMs()),
    behind: () => read(() => works.behind()),
    refused: () => read(() => works.refused()),
    known: (chunks) => read(() => works.known(chunks)),
    save: (chunks, outcomes) => write(() => works.save(chunks, outcomes)),
    count: () => read(() => works.count()),
    any: () => read(() => works.any()),
    question: (vector) => read(() => works.question(vector)),
    degraded: () => read(() => works.degraded()),
    nearest: (...values) => read(() => works.nearest(...values)),
    similarity: (...values) => read(() => works.similarity(...values)),
  };
  return { works, waited };
}

/** The vectors of a chunk go with its row; those that wait for a file are kept by their text. */
function createDerived(sql: Sql) {
  const textOfRow = createTextOfRow(sql);
  // a row whose file was imported again may have no vector yet
  const uncache = sql.prepare<[object], never>(
    `DELETE FROM memory_embedding_cache WHERE text_hash = @hash OR text_hash IN
       (SELECT text_hash FROM memory_embeddings WHERE row = @row)`,
  );
  const cache = sql.prepare<[object], never>(
    `INSERT INTO memory_embedding_cache (model, text_hash, embedding)
     SELECT model, text_hash, embedding FROM memory_embeddings WHERE row = @row AND embedding IS NOT NULL
     ON CONFLICT (model, text_hash) DO NOTHING`,
  );
  const dropCache = sql.prepare<[], never>('DELETE FROM memory_embedding_cache');
  return {
    *forget(row: number): Work<void> {
      yield* uncache.run({ row, hash: hashOf((yield* textOfRow(row)) ?? '') });
    },
    *replace(row: number): Work<void> {
      yield* cache.run({ row });
    },
    dropCache: () => dropCache.run(),
  };
}

function createCheck(sql: Sql, { knowledge }: Pick<StoreWork, 'knowledge'>): PostgresCheck {
  const wordless = sql.pluck<[], number>(
    `SELECT count(*) FROM global_memory_chunks AS chunk
     WHERE NOT EXISTS (SELECT 1 FROM memory_chunk_words AS held WHERE held.row = chunk.row)`,
  );
  const incomplete = sql.pluck<[], number>(
    `SELECT count(*) FROM memory_sources WHERE content_hash <> '' AND chunks <> ${storedPassages}`,
  );
  const miscounted = sql.pluck<[], number>(
    `SELECT count(*) FROM (SELECT audience, count(*) AS entries FROM global_memory_chunks GROUP BY audience) AS there
     FULL JOIN memory_audiences AS noted USING (audience) WHERE there.entries IS DISTINCT FROM noted.entries`,
  );
  const unfound = sql.pluck<[], number>(
    `SELECT count(*) FROM (SELECT id FROM session_headers UNION ALL SELECT id FROM conversations UNION ALL SELECT id FROM t4_entries) AS there
     FULL JOIN journal_documents ON entry_id = id WHERE id IS NULL OR entry_id IS NULL`,
  );
  const holder = (table: string, said: string) => ({
    table,
    count: sql.pluck<[string], boolean>(
      `SELECT EXISTS (SELECT 1 FROM ${table} AS held WHERE strpos(lower(${said}), ?) > 0)`,
    ),
  });
  const holding = [
    ...tablesWithWords.map((table) => holder(table, 'held::text')),
    ...journalTables.map((table) =>
      holder(table, `(to_jsonb(held) - '{${origin.join(',')}}'::text[])::text`),
    ),
  ];
  return {
    *problems() {
      const counts = [
        [yield* wordless.get(), 'entries cannot be found by their words'],
        [yield* incomplete.get(), 'imported files lack passages: import them again'],
        [yield* miscounted.get(), 'audiences have another number of entries than is noted'],
        [yield* knowledge.orphans(), 'items of knowledge have no record'],
        [yield* unfound.get(), 'entries of the journal are not as their words are noted'],
      ] as const;
      return counts.flatMap(([count = 0, words]) => (count > 0 ? [`${count} ${words}`] : []));
    },
    *traces(words) {
      const traces: { word: string; file: string }[] = [];
      for (const word of words)
        for (const { table, count } of holding)
          if (yield* count.get(word.toLowerCase())) traces.push({ word, file: `the table ${table}` });
      return traces;
    },
  };
}
