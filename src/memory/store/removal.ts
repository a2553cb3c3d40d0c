// Taking chunks away for good: rows, full text, vectors and the traces they leave in the file; and looking for what stayed. Not which ones.
import { existsSync } from 'node:fs';
import type { Clock } from '#base/clock.ts';
import { wordsOf } from '#base/errors.ts';
import type { Sqlite } from '#base/sqlite.ts';
import type { Chunks } from './chunks.ts';
import { tombstoneOf } from './tombstones.ts';
import type { Vectors } from './vectors.ts';

export interface Removal {
  /** Forgets the rows in one transaction, leaves tombstones, and empties the write-ahead log. */
  forget(rows: readonly number[]): void;
  /** What does not fit together, in words. */
  problems(): string[];
  /** The files that hold the memory now. */
  files(): string[];
}

/** Removal in one open database. */
export function createRemoval(parts: {
  database: Sqlite;
  chunks: Chunks;
  vectors: Vectors;
  clock: Clock;
}): Removal {
  const { database, chunks, vectors, clock } = parts;
  const identity = database.prepare<
    [number],
    { audience: `person:${string}`; contentHash: string; sourceKey: string }
  >(
    'SELECT audience, content_hash AS contentHash, source_key AS sourceKey FROM global_memory_chunks WHERE row = ?',
  );
  const bury = database.prepare<[string, number]>(
    'INSERT INTO memory_tombstones (hash, forgotten_at_ms) VALUES (?, ?) ON CONFLICT (hash) DO NOTHING',
  );
  const dropEmptySource = database.prepare<[string, string]>(
    `DELETE FROM memory_sources WHERE key = ? AND content_hash <> ''
     AND NOT EXISTS (SELECT 1 FROM global_memory_chunks WHERE source_key = ?)`,
  );
  const remove = database.transaction((rows: readonly number[]) => {
    const sources = new Set<string>();
    for (const row of rows) {
      const found = identity.get(row);
      if (found === undefined) continue;
      bury.run(tombstoneOf(found), clock.now());
      sources.add(found.sourceKey);
      vectors.remove(row);
      chunks.remove(row);
    }
    for (const source of sources) dropEmptySource.run(source, source);
  });

  return {
    forget(rows) {
      remove.immediate(rows);
      // deleted cells are overwritten (secure_delete); what the log still holds goes with it
      database.exec("INSERT INTO global_memory_fts (global_memory_fts) VALUES ('optimize')");
      database.exec('PRAGMA incremental_vacuum');
      database.pragma('wal_checkpoint(TRUNCATE)');
    },
    problems() {
      const found: string[] = [];
      try {
        database.exec(
          "INSERT INTO global_memory_fts (global_memory_fts, rank) VALUES ('integrity-check', 1)",
        );
      } catch (error) {
        found.push(`the full text does not fit the chunks (${wordsOf(error)})`);
      }
      const check = database.pragma('quick_check', { simple: true });
      if (check !== 'ok') found.push(`the file is damaged (${String(check)})`);
      const orphans = vectors.orphans();
      if (orphans > 0) found.push(`${orphans} vectors have no chunk`);
      return found;
    },
    files: () =>
      ['', '-wal', '-shm'].map((end) => `${database.name}${end}`).filter((path) => existsSync(path)),
  };
}
