// How something forgotten is recognised without being kept: by a hash of its audience and content.
import type { Sql } from '#base/sql/sql.ts';
import { sqliteSql } from '#base/sql/sqlite-sql.ts';
import { finish, type Work } from '#base/sql/work.ts';
import { openSqliteReader } from '#base/sqlite/sqlite.ts';
import type { Forgotten } from '#memory/types/maintenance.ts';
import type { Audience } from '#memory/types/scope.ts';
import { digestOf } from '#memory/words/content-hash.ts';
import { createForgottenRows } from './forgotten.ts';

interface Content {
  audience: Audience;
  contentHash: string;
}

/** The mark that keeps a forgotten chunk from being stored again for the same audience. */
export function tombstoneOf({ audience, contentHash }: Content): string {
  return digestOf(audience, contentHash);
}

/** Marks contents as forgotten, in the caller's transaction. */
export function createBury(sql: Sql): (hash: string, at: number) => Work<number> {
  const bury = sql.prepare<[string, number], never>(
    'INSERT INTO memory_tombstones (hash, forgotten_at_ms) VALUES (?, ?) ON CONFLICT (hash) DO NOTHING',
  );
  return (hash, at) => bury.run(hash, Math.round(at));
}

/** Takes the mark of a content away, in the caller's transaction: it is stored again on purpose. */
export function createUnbury(sql: Sql): (content: Content) => Work<number> {
  const unbury = sql.prepare<[string], never>('DELETE FROM memory_tombstones WHERE hash = ?');
  return (content) => unbury.run(tombstoneOf(content));
}

/** Whether this content was forgotten in its audience. */
export type IsForgotten = (content: Content) => Work<boolean>;

/** Asks one database. */
export function createIsForgotten(sql: Sql): IsForgotten {
  const inTransaction = forgottenInTransaction(sql);
  return function* (content) {
    return yield* (yield* inTransaction())(content);
  };
}

/** The same for many contents inside one transaction that writes: whether anything was ever forgotten is asked once. */
export function forgottenInTransaction(sql: Sql): () => Work<IsForgotten> {
  const find = sql.pluck<[string], 1>('SELECT 1 FROM memory_tombstones WHERE hash = ?');
  const any = sql.pluck<[], 1>('SELECT 1 FROM memory_tombstones LIMIT 1');
  return function* () {
    const isAnyForgotten = (yield* any.get()) !== undefined;
    return function* (content) {
      return isAnyForgotten && (yield* find.get(tombstoneOf(content))) !== undefined;
    };
  };
}

export interface Tombstone {
  hash: string;
  forgottenAtMs: number;
}

/** A line of a memory file, by its hash. */
export interface ForgottenLine {
  folder: string;
  hash: string;
}

/** All tombstones of a file that need not be open, and the entries that they stand for; none of a version that had none yet. Throws SQLite's own error. */
export function readTombstones(path: string): {
  tombstones: Tombstone[];
  forgotten: Forgotten[];
  lines: ForgottenLine[];
} {
  const database = openSqliteReader({ path });
  try {
    const table = database
      .prepare<[string], 1>("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?")
      .pluck();
    const has = (name: string): boolean => table.get(name) !== undefined;
    const tombstones = has('memory_tombstones')
      ? database
          .prepare<[], Tombstone>('SELECT hash, forgotten_at_ms AS forgottenAtMs FROM memory_tombstones')
          .all()
      : [];
    const lines = has('memory_file_forgetting')
      ? database.prepare<[], ForgottenLine>('SELECT folder, hash FROM memory_file_forgetting').all()
      : [];
    return {
      lines,
      tombstones,
      forgotten: has('memory_forgotten') ? finish(createForgottenRows(sqliteSql(database)).all()) : [],
    };
  } finally {
    database.close();
  }
}
