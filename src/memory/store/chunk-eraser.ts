// Taking chunks away permanently: rows, full text, vectors and the traces they leave in the file.
import type { Clock } from '#base/clock.ts';
import { emptyLog } from '#base/sqlite/empty-log.ts';
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import type { Chunks } from '#memory/chunks/chunks.ts';
import type { Episodes, MeantSource } from '#memory/records/episodes.ts';
import type { Knowledge } from '#memory/records/knowledge.ts';
import type { StoredRecord } from '#memory/records/record-row.ts';
import type { Records } from '#memory/records/records.ts';
import type { Audit } from '#memory/tables/audit.ts';
import type { ForgottenRows } from '#memory/tables/forgotten.ts';
import type { Responses } from '#memory/tables/responses.ts';
import { createBury, type Tombstone, tombstoneOf } from '#memory/tables/tombstones.ts';
import type { Forgotten } from '#memory/types/maintenance.ts';
import type { AuditActor } from '#memory/types/record.ts';
import type { Audience } from '#memory/types/scope.ts';
import type { DerivedData } from '#memory/vectors/derived-data.ts';
import { noteHash } from '#memory/words/content-hash.ts';
import { createFileCheck, type FileCheck, fullTexts } from './file-check.ts';
import type { JournalEraser } from './journal-eraser.ts';

/** What of a version of a record its removal goes by. */
type Buried = Pick<StoredRecord, 'id' | 'audience' | 'contentHash'> &
  Partial<Pick<StoredRecord, 'key' | 'text' | 'partition'>>;

export interface ChunkEraser extends FileCheck {
  /**
   * Forgets chunks, by their rows, and versions of records in one transaction, leaves tombstones and a line of the audit for each
   * audience. Of a lineage with versions left the newest of them holds again. `leaveNoTrace` follows it.
   */
  forget(what: {
    rows: readonly number[];
    records: readonly Buried[];
    /** Ids of entries of the journal. */
    journal?: readonly string[] | undefined;
    /** Exchanges that are only in summaries: these are made again without them. */
    sources?: readonly MeantSource[] | undefined;
    by: AuditActor;
    reason?: string | undefined;
    /** `none` leaves no tombstones of the chunks: they may be stored again. */
    marks?: 'none' | undefined;
  }): void;
  /** Forgets whatever these marks stand for, and notes them with what is known of the entries; how many chunks and lineages of records went. `leaveNoTrace` follows it. */
  forgetAgain(
    known: { tombstones: readonly Tombstone[]; forgotten: readonly Forgotten[] },
    by: AuditActor,
  ): number;
  /** Takes what was overwritten or removed out of full text, free pages and the write-ahead log. */
  leaveNoTrace(): void;
}

/** Removal in one open database. */
export function createChunkEraser(parts: {
  database: Sqlite;
  chunks: Chunks;
  derived: DerivedData;
  records: Records;
  knowledge: Knowledge;
  responses: Responses;
  audit: Audit;
  forgotten: ForgottenRows;
  journal: JournalEraser;
  episodes: Episodes;
  /** Writes a record in the place of its old form. */
  rewrite(record: StoredRecord): void;
  /** Makes a version active again that a later one took the place of. */
  restore(record: StoredRecord): void;
  clock: Clock;
}): ChunkEraser {
  const { database, chunks, derived, records, responses, audit, forgotten, journal, clock } = parts;
  const { episodes, rewrite } = parts;
  const identity = database.prepare<
    [number],
    { id: string; audience: `person:${string}`; contentHash: string; sourceKey: string }
  >(
    'SELECT id, audience, content_hash AS contentHash, source_key AS sourceKey FROM global_memory_chunks WHERE row = ?',
  );
  const dropEmptySource = database.prepare<[string, string]>(
    `DELETE FROM memory_sources WHERE key = ? AND content_hash <> ''
     AND NOT EXISTS (SELECT 1 FROM global_memory_chunks WHERE source_key = ?)
     AND NOT EXISTS (SELECT 1 FROM memory_shared_passages WHERE source_key = key)`,
  );
  const bury = createBury(database);
  const remove = database.transaction((what: Parameters<ChunkEraser['forget']>[0]) => {
    const sources = new Set<string>();
    const gone = new Map<Audience, Set<string>>();
    const { by, reason } = what;
    const went = (audience: Audience, id: string): void => {
      gone.set(audience, (gone.get(audience) ?? new Set()).add(id));
      forgotten.note({ id, audience, at: clock.now(), by: by.name, reason });
    };
    derived.dropCache(); // what a file said before it was imported again may be part of it
    for (const row of what.rows) {
      const found = identity.get(row);
      if (found === undefined) continue;
      if (what.marks !== 'none') bury(tombstoneOf(found), clock.now());
      for (const key of chunks.shared.filesOf(row)) sources.add(key);
      went(found.audience, found.id);
      chunks.forget(row);
    }
    for (const source of sources) dropEmptySource.run(source, source);
    const removed = new Set(what.records.map(({ id }) => id));
    const left = records.lineages([...removed]).filter(({ id }) => !removed.has(id));
    const saidStill = new Set(left.map(tombstoneOf));
    for (const record of what.records) {
      went(record.audience, record.id);
      if (saidStill.has(tombstoneOf(record))) continue;
      bury(tombstoneOf(record), clock.now());
      const words = wordsMark(record);
      const alike = words === undefined ? [] : records.withContent(words.audience, words.contentHash);
      if (words !== undefined && alike.every(({ id }) => removed.has(id)))
        bury(tombstoneOf(words), clock.now());
    }
    for (const { chunkID, audience } of what.sources ?? []) went(audience, chunkID);
    for (const { record, rest } of episodes.forget(what.sources ?? [], clock.now())) {
      if (rest !== undefined) rewrite(rest);
      else {
        chunks.forgetSource(record.id);
        bury(tombstoneOf(record), clock.now());
        went(record.audience, record.id);
        records.remove([record.id]);
      }
    }
    episodes.forgetWhole([...removed], clock.now());
    for (const { id, audience, contentHashes } of journal.remove(what.journal ?? [])) {
      went(audience, id);
      if (what.marks === 'none') continue;
      for (const contentHash of contentHashes) bury(tombstoneOf({ audience, contentHash }), clock.now());
    }
    records.remove([...removed]);
    for (const newest of new Map(left.map((version) => [version.lineageID, version])).values())
      if (newest.state === 'superseded') parts.restore(newest);
    responses.drop(); // any of them may have told it
    const detail = reason === undefined ? {} : { reason };
    for (const [audience, ids] of gone) audit.add({ action: 'forget', by, audience, ids: [...ids], detail });
  });

  const everyChunk = database.prepare<
    [],
    { row: number; audience: Audience; contentHash: string; sourceKey: string }
  >('SELECT row, audience, content_hash AS contentHash, source_key AS sourceKey FROM global_memory_chunks');
  const everyRecord = database.prepare<[], Buried & { lineageID: string }>(
    'SELECT id, lineage_id AS lineageID, audience, content_hash AS contentHash FROM memory_records',
  );
  const removeAgain = database.transaction(
    (known: Parameters<ChunkEraser['forgetAgain']>[0], by: AuditActor): number => {
      const { tombstones } = known;
      for (const entry of known.forgotten) forgotten.note(entry);
      const marks = new Set(tombstones.map(({ hash }) => hash));
      for (const { hash, forgottenAtMs } of tombstones) bury(hash, forgottenAtMs);
      const rows = everyChunk.all().filter((chunk) => marks.has(tombstoneOf(chunk)));
      const versions = everyRecord.all().filter((record) => marks.has(tombstoneOf(record)));
      const entries = journal.remove(known.forgotten.map(({ id }) => id)).length;
      const ids = new Set(versions.map(({ id }) => id));
      // what is only in a summary there
      const sources = episodes.marked(marks).filter(({ recordID = '' }) => !ids.has(recordID));
      if (rows.length + versions.length + sources.length === 0) return entries;
      remove({ rows: rows.map(({ row }) => row), records: versions, sources, by });
      // a record is in memory through its own chunk, which is no second entry
      const single = rows.filter(({ sourceKey }) => !ids.has(sourceKey));
      const summarized = sources.filter(({ recordID }) => recordID !== undefined);
      const lineages = new Set(versions.map(({ lineageID }) => lineageID));
      return entries + single.length + summarized.length + lineages.size;
    },
  );

  // deleted cells are overwritten (secure_delete); what the log still holds goes with it
  const leaveNoTrace = (): void => {
    for (const index of fullTexts) database.exec(`INSERT INTO ${index} (${index}) VALUES ('optimize')`);
    database.exec('PRAGMA incremental_vacuum');
    emptyLog(database);
  };
  return {
    ...createFileCheck(parts),
    forget: (what) => remove.immediate(what),
    forgetAgain: (known, by) => removeAgain.immediate(known, by),
    leaveNoTrace,
  };
}

/** The words of a version that has a key, as they would be known without one. */
function wordsMark({ audience, key, text, partition }: Buried) {
  return key === undefined || text === undefined
    ? undefined
    : { audience, contentHash: noteHash(text, { partition }) };
}
