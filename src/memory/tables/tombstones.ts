// How something forgotten is recognised without being kept: by a hash of its audience and content.
import { openSqliteReader, type Sqlite } from '#base/sqlite/sqlite.ts';
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
export function createBury(database: Sqlite): (hash: string, at: number) => void {
  const bury = database.prepare<[string, number]>(
    'INSERT INTO memory_tombstones (hash, forgotten_at_ms) VALUES (?, ?) ON CONFLICT (hash) DO NOTHING',
  );
  return (hash, at) => void bury.run(hash, at);
}

/** Takes the mark of a content away, in the caller's transaction: it is stored again on purpose. */
export function createUnbury(database: Sqlite): (content: Content) => void {
  const unbury = database.prepare<[string]>('DELETE FROM memory_tombstones WHERE hash = ?');
  return (content) => void unbury.run(tombstoneOf(content));
}

/** Whether this content was forgotten in its audience. */
export type IsForgotten = (content: Content) => boolean;

/** Asks one open database. */
export function createIsForgotten(database: Sqlite): IsForgotten {
  const inTransaction = forgottenInTransaction(database);
  return (content) => inTransaction()(content);
}

/** The same for many contents inside one transaction that writes: whether anything was ever forgotten is asked once. */
export function forgottenInTransaction(database: Sqlite): () => IsForgotten {
  const find = database.prepare<[string]>('SELECT 1 FROM memory_tombstones WHERE hash = ?');
  const any = database.prepare<[]>('SELECT 1 FROM memory_tombstones LIMIT 1');
  return () =>
    any.get() === undefined ? () => false : (content) => find.get(tombstoneOf(content)) !== undefined;
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
      forgotten: has('memory_forgotten') ? createForgottenRows(database).all() : [],
    };
  } finally {
    database.close();
  }
}
