// Taking chunks away for good: rows, full text, vectors and the traces they leave in the file; and looking for what stayed. Not which ones.
import { existsSync } from 'node:fs';
import type { Clock } from '#base/clock.ts';
import { wordsOf } from '#base/errors.ts';
import { fileOf, type Sqlite } from '#base/sqlite.ts';
import type { Actor } from '#memory/terms/record.ts';
import type { Audience } from '#memory/terms/scope.ts';
import type { Audit } from './audit.ts';
import type { Chunks } from './chunks.ts';
import type { Derived } from './derived.ts';
import type { Knowledge } from './knowledge.ts';
import { isBusy } from './patience.ts';
import type { StoredRecord } from './record-row.ts';
import type { Records } from './records.ts';
import type { Responses } from './responses.ts';
import { type Tombstone, tombstoneOf } from './tombstones.ts';
import type { Vectors } from './vectors.ts';

/** What of a version of a record its removal goes by. */
type Buried = Pick<StoredRecord, 'id' | 'audience' | 'contentHash'>;

/** A search elsewhere, or a checkpoint, keeps the log from being emptied for some milliseconds; so often, and so long apart, it is tried again. */
const mostTries = 10;
const betweenTriesMs = 10;

export interface Removal {
  /**
   * Forgets chunks, by their rows, and versions of records in one transaction, leaves tombstones and a line of the audit for each
   * audience. `leaveNoTrace` follows it.
   */
  forget(what: { rows: readonly number[]; records: readonly Buried[]; by: Actor }): void;
  /** Forgets whatever these marks stand for, and keeps them; how many chunks and lineages of records went. `leaveNoTrace` follows it. */
  forgetAgain(tombstones: readonly Tombstone[], by: Actor): number;
  /** Takes what was overwritten or removed out of full text, free pages and the write-ahead log. */
  leaveNoTrace(): void;
  /** What does not fit together, in words. Throws SQLite's own error while another process writes. */
  problems(): string[];
  /** The files that hold the memory now. */
  files(): string[];
}

/** Removal in one open database. */
export function createRemoval(parts: {
  database: Sqlite;
  chunks: Chunks;
  vectors: Vectors;
  derived: Derived;
  records: Records;
  knowledge: Knowledge;
  responses: Responses;
  audit: Audit;
  clock: Clock;
}): Removal {
  const { database, chunks, vectors, derived, records, knowledge, responses, audit, clock } = parts;
  const identity = database.prepare<
    [number],
    { id: string; audience: `person:${string}`; contentHash: string; sourceKey: string }
  >(
    'SELECT id, audience, content_hash AS contentHash, source_key AS sourceKey FROM global_memory_chunks WHERE row = ?',
  );
  const bury = database.prepare<[string, number]>(
    'INSERT INTO memory_tombstones (hash, forgotten_at_ms) VALUES (?, ?) ON CONFLICT (hash) DO NOTHING',
  );
  const dropEmptySource = database.prepare<[string, string]>(
    `DELETE FROM memory_sources WHERE key = ? AND content_hash <> ''
     AND NOT EXISTS (SELECT 1 FROM global_memory_chunks WHERE source_key = ?)`,
  );
  const remove = database.transaction((what: Parameters<Removal['forget']>[0]) => {
    const sources = new Set<string>();
    const gone = new Map<Audience, Set<string>>();
    const went = (audience: Audience, id: string): void =>
      void gone.set(audience, (gone.get(audience) ?? new Set()).add(id));
    for (const row of what.rows) {
      const found = identity.get(row);
      if (found === undefined) continue;
      bury.run(tombstoneOf(found), clock.now());
      sources.add(found.sourceKey);
      went(found.audience, found.id);
      derived.forget(row);
      chunks.remove(row);
    }
    for (const source of sources) dropEmptySource.run(source, source);
    for (const record of what.records) {
      bury.run(tombstoneOf(record), clock.now());
      went(record.audience, record.id);
    }
    records.remove(what.records.map(({ id }) => id));
    responses.drop(); // any of them may have told it
    for (const [audience, ids] of gone) audit.add({ action: 'forget', by: what.by, audience, ids: [...ids] });
  });

  const everyChunk = database.prepare<
    [],
    { row: number; audience: Audience; contentHash: string; sourceKey: string }
  >('SELECT row, audience, content_hash AS contentHash, source_key AS sourceKey FROM global_memory_chunks');
  const everyRecord = database.prepare<[], Buried & { lineageID: string }>(
    'SELECT id, lineage_id AS lineageID, audience, content_hash AS contentHash FROM memory_records',
  );
  const removeAgain = database.transaction((tombstones: readonly Tombstone[], by: Actor): number => {
    const marks = new Set(tombstones.map(({ hash }) => hash));
    for (const { hash, forgottenAtMs } of tombstones) bury.run(hash, forgottenAtMs);
    const rows = everyChunk.all().filter((chunk) => marks.has(tombstoneOf(chunk)));
    const versions = everyRecord.all().filter((record) => marks.has(tombstoneOf(record)));
    if (rows.length + versions.length === 0) return 0;
    remove({ rows: rows.map(({ row }) => row), records: versions, by });
    // a record stands in memory by a chunk of its own, which is no entry beside it
    const ids = new Set(versions.map(({ id }) => id));
    const alone = rows.filter(({ sourceKey }) => !ids.has(sourceKey));
    return alone.length + new Set(versions.map(({ lineageID }) => lineageID)).size;
  });

  // deleted cells are overwritten (secure_delete); what the log still holds goes with it
  const leaveNoTrace = (): void => {
    for (const index of ['global_memory_fts', 'memory_records_fts'])
      database.exec(`INSERT INTO ${index} (${index}) VALUES ('optimize')`);
    database.exec('PRAGMA incremental_vacuum');
    for (let tries = 0; tries < mostTries && isLogLeft(); tries += 1) standStill(betweenTriesMs);
  };
  /** Empties the log into the file; true when somebody was in the way. */
  const isLogLeft = (): boolean => database.pragma('wal_checkpoint(TRUNCATE)', { simple: true }) !== 0;

  return {
    forget: (what) => remove.immediate(what),
    forgetAgain: (tombstones, by) => removeAgain.immediate(tombstones, by),
    leaveNoTrace,
    problems() {
      const found: string[] = [];
      try {
        for (const index of ['global_memory_fts', 'memory_records_fts'])
          database.exec(`INSERT INTO ${index} (${index}, rank) VALUES ('integrity-check', 1)`);
      } catch (error) {
        // For SQLite this check is a write: another process that writes says nothing about the full text.
        if (isBusy(error)) throw error;
        found.push(`the full text does not fit the chunks (${wordsOf(error)})`);
      }
      const check = database.pragma('quick_check', { simple: true });
      if (check !== 'ok') found.push(`the file is damaged (${String(check)})`);
      const orphans = vectors.orphans();
      if (orphans > 0) found.push(`${orphans} vectors have no chunk`);
      const adrift = knowledge.orphans();
      if (adrift > 0) found.push(`${adrift} items of knowledge have no record`);
      return found;
    },
    files: () =>
      ['', '-wal', '-shm'].map((end) => `${fileOf(database)}${end}`).filter((path) => existsSync(path)),
  };
}

const nobody = new Int32Array(new SharedArrayBuffer(4));

function standStill(ms: number): void {
  Atomics.wait(nobody, 0, 0, ms);
}
