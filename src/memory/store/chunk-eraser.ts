// Taking chunks away permanently: rows, full text, vectors and the traces they leave in the file.
import type { Clock } from '#base/clock.ts';
import type { Sql } from '#base/sql/sql.ts';
import type { Synchronous, Work } from '#base/sql/work.ts';
import { emptyLog } from '#base/sqlite/empty-log.ts';
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import type { ChunkWork } from '#memory/chunks/chunks.ts';
import type { JournalPassageWork } from '#memory/chunks/journal-passages.ts';
import type { SelectWork } from '#memory/chunks/selection.ts';
import type { EpisodeWork, MeantSource } from '#memory/records/episodes.ts';
import type { KnowledgeWork } from '#memory/records/knowledge.ts';
import type { StoredRecord } from '#memory/records/record-row.ts';
import type { RecordWork } from '#memory/records/records.ts';
import type { SelectRecords } from '#memory/records/select-records.ts';
import type { AuditWork } from '#memory/tables/audit.ts';
import type { ForgottenWork } from '#memory/tables/forgotten.ts';
import type { ResponseWork } from '#memory/tables/responses.ts';
import { createBury, type Tombstone, tombstoneOf } from '#memory/tables/tombstones.ts';
import type { Forgotten } from '#memory/types/maintenance.ts';
import type { AuditActor } from '#memory/types/record.ts';
import type { Audience } from '#memory/types/scope.ts';
import { noteHash } from '#memory/words/content-hash.ts';
import { type FileCheck, fullTexts } from './file-check.ts';
import type { JournalEraser } from './journal-eraser.ts';

/** What of a version of a record its removal goes by. */
type Buried = Pick<StoredRecord, 'id' | 'audience' | 'contentHash'> &
  Partial<Pick<StoredRecord, 'key' | 'text' | 'partition'>>;

/** What is to be forgotten. */
export interface ForgottenThings {
  rows: readonly number[];
  records: readonly Buried[];
  /** Ids of entries of the journal. */
  journal?: readonly string[] | undefined;
  /** Exchanges that are only in summaries: these are made again without them. */
  sources?: readonly MeantSource[] | undefined;
  by: AuditActor;
  reason?: string | undefined;
  /** `none` leaves no tombstones: what goes may be stored again. */
  marks?: 'none' | undefined;
}

export interface ChunkEraserWork {
  /**
   * Forgets chunks, by their rows, and versions of records in one transaction, leaves tombstones and a line of the audit for each
   * audience. Of a lineage with versions left the newest of them holds again. `leaveNoTrace` follows it.
   */
  forget(what: ForgottenThings): Work<void>;
  /** Forgets whatever these marks stand for, and notes them with what is known of the entries; how many chunks and lineages of records went. `leaveNoTrace` follows it. */
  forgetAgain(
    known: { tombstones: readonly Tombstone[]; forgotten: readonly Forgotten[] },
    by: AuditActor,
  ): Work<number>;
}

/** The same in an open file, each in a transaction of its own. */
export interface ChunkEraser extends Synchronous<ChunkEraserWork>, FileCheck {
  /** Takes what was overwritten or removed out of full text, free pages and the write-ahead log. */
  leaveNoTrace(): void;
}

/** What forgetting reads and changes on either engine. */
export interface ForgettingParts {
  chunks: Pick<ChunkWork, 'inOrder' | 'rowsOf' | 'knows'>;
  select: SelectWork;
  selectRecords: SelectRecords;
  episodes: Pick<EpisodeWork, 'select' | 'textsOf' | 'claimsOf'>;
  knowledge: Pick<KnowledgeWork, 'wordsOf'>;
  forget: ChunkEraserWork['forget'];
  journal: JournalEraser;
  journalPassages: Pick<JournalPassageWork, 'ownersOf'>;
}

/** Removal in one database; each call is part of the caller's transaction. */
export function createChunkEraser(parts: {
  sql: Sql;
  chunks: ChunkWork;
  /** Takes away every vector that waits for its file to be imported again. */
  dropCache(): Work<number>;
  records: RecordWork;
  responses: ResponseWork;
  audit: AuditWork;
  forgotten: ForgottenWork;
  journal: Pick<JournalEraser, 'remove'>;
  episodes: EpisodeWork;
  /** Writes a record in the place of its old form. */
  rewrite(record: StoredRecord): Work<void>;
  /** Makes a version active again that a later one took the place of. */
  restore(record: StoredRecord): Work<void>;
  clock: Clock;
}): ChunkEraserWork {
  const { sql, chunks, records, responses, audit, forgotten, journal, clock } = parts;
  const { episodes, rewrite } = parts;
  const identity = sql.prepare<[number], { id: string; audience: Audience; contentHash: string }>(
    'SELECT id, audience, content_hash AS contentHash FROM global_memory_chunks WHERE row = ?',
  );
  const dropEmptySource = sql.prepare<[string, string], never>(
    `DELETE FROM memory_sources WHERE key = ? AND content_hash <> ''
     AND NOT EXISTS (SELECT 1 FROM global_memory_chunks WHERE source_key = ?)
     AND NOT EXISTS (SELECT 1 FROM memory_shared_passages WHERE source_key = key)`,
  );
  const bury = createBury(sql);
  const now = (): number => clock.now();

  /** Leaves marks of versions whose words no version that is left has. */
  function* buryRecords(versions: readonly Buried[], saidStill: ReadonlySet<string>): Work<void> {
    const removed = new Set(versions.map(({ id }) => id));
    for (const record of versions) {
      if (saidStill.has(tombstoneOf(record))) continue;
      yield* bury(tombstoneOf(record), now());
      const words = wordsMark(record);
      if (words === undefined) continue;
      const alike = yield* records.withContent(words.audience, words.contentHash);
      if (alike.every(({ id }) => removed.has(id))) yield* bury(tombstoneOf(words), now());
    }
  }

  function* remove(what: ForgottenThings): Work<void> {
    const sources = new Set<string>();
    const gone = new Map<Audience, Set<string>>();
    const { by, reason } = what;
    const went = (audience: Audience, id: string): Work<number> => {
      gone.set(audience, (gone.get(audience) ?? new Set()).add(id));
      return forgotten.note({ id, audience, at: now(), by: by.name, reason });
    };
    yield* parts.dropCache(); // what a file said before it was imported again may be part of it
    for (const row of what.rows) {
      const found = yield* identity.get(row);
      if (found === undefined) continue;
      if (what.marks !== 'none') yield* bury(tombstoneOf(found), now());
      for (const key of yield* chunks.shared.filesOf(row)) sources.add(key);
      yield* went(found.audience, found.id);
      yield* chunks.forget(row);
    }
    for (const source of sources) yield* dropEmptySource.run(source, source);
    const removed = new Set(what.records.map(({ id }) => id));
    const left = (yield* records.lineages([...removed])).filter(({ id }) => !removed.has(id));
    for (const record of what.records) yield* went(record.audience, record.id);
    if (what.marks !== 'none') yield* buryRecords(what.records, new Set(left.map(tombstoneOf)));
    for (const { chunkID, audience } of what.sources ?? []) yield* went(audience, chunkID);
    for (const { record, rest } of yield* episodes.forget(what.sources ?? [], now())) {
      if (rest !== undefined) yield* rewrite(rest);
      else {
        yield* chunks.forgetSource(record.id);
        yield* bury(tombstoneOf(record), now());
        yield* went(record.audience, record.id);
        yield* records.remove([record.id]);
      }
    }
    yield* episodes.forgetWhole([...removed], now());
    for (const { id, audience, contentHashes } of yield* journal.remove(what.journal ?? [])) {
      yield* went(audience, id);
      if (what.marks === 'none') continue;
      for (const contentHash of contentHashes) yield* bury(tombstoneOf({ audience, contentHash }), now());
    }
    yield* records.remove([...removed]);
    for (const newest of new Map(left.map((version) => [version.lineageID, version])).values())
      if (newest.state === 'superseded') yield* parts.restore(newest);
    yield* responses.drop(); // any of them may have told it
    const detail = reason === undefined ? {} : { reason };
    for (const [audience, ids] of gone)
      yield* audit.add({ action: 'forget', by, audience, ids: [...ids], detail });
  }

  const everyChunk = sql.prepare<
    [],
    { row: number; audience: Audience; contentHash: string; sourceKey: string }
  >('SELECT row, audience, content_hash AS contentHash, source_key AS sourceKey FROM global_memory_chunks');
  const everyRecord = sql.prepare<[], Buried & { lineageID: string }>(
    'SELECT id, lineage_id AS lineageID, audience, content_hash AS contentHash FROM memory_records',
  );
  return {
    forget: remove,
    *forgetAgain(known, by) {
      const { tombstones } = known;
      for (const entry of known.forgotten) yield* forgotten.note(entry);
      const marks = new Set(tombstones.map(({ hash }) => hash));
      for (const { hash, forgottenAtMs } of tombstones) yield* bury(hash, forgottenAtMs);
      const rows = (yield* everyChunk.all()).filter((chunk) => marks.has(tombstoneOf(chunk)));
      const versions = (yield* everyRecord.all()).filter((record) => marks.has(tombstoneOf(record)));
      const entries = (yield* journal.remove(known.forgotten.map(({ id }) => id))).length;
      const ids = new Set(versions.map(({ id }) => id));
      // what is only in a summary there
      const sources = (yield* episodes.marked(marks)).filter(({ recordID = '' }) => !ids.has(recordID));
      if (rows.length + versions.length + sources.length === 0) return entries;
      yield* remove({ rows: rows.map(({ row }) => row), records: versions, sources, by });
      // a record is in memory through its own chunk, which is no second entry
      const single = rows.filter(({ sourceKey }) => !ids.has(sourceKey));
      const summarized = sources.filter(({ recordID }) => recordID !== undefined);
      const lineages = new Set(versions.map(({ lineageID }) => lineageID));
      return entries + single.length + summarized.length + lineages.size;
    },
  };
}

/** Takes what was overwritten or removed out of full text, free pages and the write-ahead log of an open file. */
export function createLeaveNoTrace(database: Sqlite): () => void {
  // deleted cells are overwritten (secure_delete); what the log still holds goes with it
  return () => {
    for (const index of fullTexts) database.exec(`INSERT INTO ${index} (${index}) VALUES ('optimize')`);
    database.exec('PRAGMA incremental_vacuum');
    emptyLog(database);
  };
}

/** The words of a version that has a key, as they would be known without one. */
function wordsMark({ audience, key, text, partition }: Buried) {
  return key === undefined || text === undefined
    ? undefined
    : { audience, contentHash: noteHash(text, { partition }) };
}
