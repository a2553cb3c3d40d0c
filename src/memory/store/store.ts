// memory.sqlite, opened and closed: the one owner of its connection. What is done with it lives next to this file.

import type { Clock } from '#base/clock.ts';
import { isDiskFailure } from '#base/files/disk-failures.ts';
import { watchFile } from '#base/files/same-file.ts';
import type { NewId } from '#base/ids.ts';
import type { SqlStorage } from '#base/sql/sql.ts';
import { sqliteSql } from '#base/sql/sqlite-sql.ts';
import { finish, type Synchronous, synchronous, type Work, working } from '#base/sql/work.ts';
import { createCheckpoints } from '#base/sqlite/checkpoints.ts';
import { fileOf, openSqlite, openSqliteReader, type Sqlite } from '#base/sqlite/sqlite.ts';
import { loadVectorFunctions } from '#base/sqlite/vector-functions.ts';
import { cleaned, type Masked } from '#memory/chunks/archive.ts';
import { type ChunkTexts, createChunkTexts } from '#memory/chunks/chunk-texts.ts';
import { type Chunks, type ChunkWork, createChunks } from '#memory/chunks/chunks.ts';
import { createFileRows, type FileRows } from '#memory/chunks/file-rows.ts';
import type { JournalPassages } from '#memory/chunks/journal-passages.ts';
import { createNewest, type NewestWork, type Position } from '#memory/chunks/newest.ts';
import { createPassages, type Passages } from '#memory/chunks/passages.ts';
import type { SelectWork } from '#memory/chunks/selection.ts';
import {
  createImportedSources,
  createImportedTurns,
  type ImportedTurns,
  type Sources,
} from '#memory/chunks/sources.ts';
import { createSqliteWords } from '#memory/chunks/word-rows.ts';
import { createPromotionRows, type PromotionRows } from '#memory/recalls/promotion-rows.ts';
import { createRecallRows, type RecallRows } from '#memory/recalls/recall-rows.ts';
import { createSweepRows, type SweepRows } from '#memory/recalls/sweep-rows.ts';
import type { Episodes } from '#memory/records/episodes.ts';
import type { Knowledge } from '#memory/records/knowledge.ts';
import type { Governance, GovernanceWork } from '#memory/records/record-writer.ts';
import { createRecords, type Records } from '#memory/records/records.ts';
import type { SelectRecords } from '#memory/records/select-records.ts';
import { createSignals, type Signals } from '#memory/records/signals.ts';
import { addReadingFunctions } from '#memory/tables/audience.ts';
import { type Audit, createPrunedAudit } from '#memory/tables/audit.ts';
import type { ForgottenRows } from '#memory/tables/forgotten.ts';
import { createFullText, type FullText } from '#memory/tables/full-text.ts';
import type { Nodes, NodeWork } from '#memory/tables/nodes.ts';
import type { Responses } from '#memory/tables/responses.ts';
import { lockedMs, retryWhileLocked } from '#memory/tables/retry-while-locked.ts';
import { migrations } from '#memory/tables/schema.ts';
import type { EmbeddingIdentity } from '#memory/types/embedding.ts';
import type { ArchiveResult } from '#memory/types/exchange.ts';
import type { RoomState } from '#memory/types/scope.ts';
import { createDerivedData, type DerivedData } from '#memory/vectors/derived-data.ts';
import { type Embeddings, openEmbeddings } from '#memory/vectors/embeddings.ts';
import { areSignBitsWhole } from '#memory/vectors/sign-blocks.ts';
import { type ChunkEraser, createLeaveNoTrace, type ForgettingParts } from './chunk-eraser.ts';
import { createFileCheck } from './file-check.ts';
import type { GovernedStore } from './governed-store.ts';
import type { JournalEraser } from './journal-eraser.ts';
import type { JournalStore } from './journal-store.ts';
import type { SearchedStore } from './searched-store.ts';
import { createStoreWork, type StoreWork } from './store-work.ts';

export interface Store extends ChunkEraser {
  /**
   * Stores exchanges in one transaction, and answers in their order once it is committed: all of them, or none when it throws. SQLite's own
   * error says that another process has the file locked.
   */
  archive(exchanges: readonly Masked[]): ArchiveResult[];
  records: Records;
  governance: Governance;
  audit: Audit;
  texts: ChunkTexts;
  nodes: Nodes;
  knowledge: Knowledge;
  signals: Signals;
  /** What is left of exchanges that a budget took away. */
  episodes: Episodes;
  responses: Responses;
  /** Sets the state of rooms, in one transaction. */
  setRooms(rooms: readonly RoomState[]): void;
  turns: ImportedTurns;
  fileRows: FileRows;
  recalls: RecallRows;
  passages: Passages;
  promotions: PromotionRows;
  sweeps: SweepRows;
  /** What is known of entries that were forgotten. */
  forgotten: ForgottenRows;
  derived: DerivedData;
  /** Which entries of the journal are forgotten. */
  journal: Synchronous<JournalEraser>;
  /** The passages by which memory finds entries of the journal. */
  journalPassages: JournalPassages;
  /** The connection, for the tables of the journal. */
  database: Sqlite;
  /** Runs the work in one transaction that writes. */
  atOnce<T>(work: () => T): T;
  chunks: Chunks;
  /** Of the configured model; undefined when none is. */
  embeddings: Embeddings | undefined;
  /** Why vectors are compared in JavaScript and not by sqlite-vec; undefined when the extension is loaded. */
  extensionMissing: string | undefined;
  fullText: FullText;
  sources: Sources;
  select(...of: Parameters<SelectWork>): number[];
  selectRecords: Synchronous<{ of: SelectRecords }>['of'];
  newest(...of: Parameters<NewestWork>): Position[];
  /** What questions read, as work. */
  searched: SearchedStore;
  /** What lists read, as work. */
  listed: {
    chunks: ChunkWork;
    select: SelectWork;
    newest: NewestWork;
    nodes: NodeWork;
    journal: JournalEraser;
  };
  /** What forgetting reads and changes, as work. */
  forgetting: ForgettingParts;
  /** What is done to records and cached answers, and where it runs. */
  governed: GovernedStore;
  /** The journal as work, and where it runs. */
  journaled: JournalStore & StoreWork;
  /** Runs a write again while another process has the file locked, up to 5 s; a ParleyError `memory_busy` after that. */
  retryWhileLocked<T>(write: () => T): Promise<T>;
  /** Resolves when the log is not being emptied into the file: who writes very much waits for it between writes. */
  logSettled(): Promise<void>;
  /** Tidies, empties the write-ahead log into the file and lets go of it. */
  close(): void;
}

/** Memory may be opened by several programs at once (an import next to the gateway): each waits while another one prepares the file. */
const timeoutMs = 5_000;

/** What sixteen vectors change of a large memory is forty pages of the log, and an exchange twenty to sixty. */
const writesALog = 24;

/** A question reads far more of memory than of the other databases, and a reader of its own is there only for large files. */
const maxReaderCacheKiB = 32_000;

/** The reading half of an open file. */
export interface StoreReader extends Pick<Store, 'chunks' | 'embeddings' | 'searched'> {
  close(): void;
}

/** Opens a file that is open already, for reading only. Throws SQLite's own error. */
export function openStoreReader(path: string, identity: EmbeddingIdentity | undefined): StoreReader {
  const database = openSqliteReader({
    path,
    cacheKiB: maxReaderCacheKiB,
    prepare(opened) {
      if (identity !== undefined) loadVectorFunctions(opened);
      addReadingFunctions(opened, Date.now);
    },
  });
  const sql = sqliteSql(database);
  const words = createSqliteWords(database);
  const chunks = createChunks(sql, { words, derived: working(createDerivedData(database)) });
  const embeddings =
    identity === undefined ? undefined : openEmbeddings({ database, identity, now: Date.now });
  const nearest = embeddings && working(embeddings);
  return {
    ...{ chunks: synchronous(chunks), embeddings },
    searched: { chunks, records: createRecords(sql), signals: createSignals(sql), nearest },
    close: () => void database.close(),
  };
}

interface StoreOptions {
  path: string;
  clock: Clock;
  newId: NewId;
  identity?: EmbeddingIdentity | undefined;
  /** Who copies what `retryWhileLocked` writes from the log into the file: the thread of the disk, or, when absent, the writer. */
  checkpoints?: 'disk thread' | undefined;
}

/** Opens or makes the file; a ParleyError says what is wrong with it, and nothing is wiped. */
export function openStore(options: StoreOptions): Store {
  const { path, clock } = options;
  let extensionMissing: string | undefined;
  const database = openSqlite({
    path,
    migrations,
    clock,
    openMs: timeoutMs,
    prepare(opened) {
      extensionMissing = loadVectorFunctions(opened);
      opened.pragma('secure_delete = ON');
      addReadingFunctions(opened, clock.now);
    },
  });
  try {
    return { ...storeOver(database, options), extensionMissing };
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Every part over the open database, which closes with them. */
function storeOver(
  database: Sqlite,
  { clock, newId, identity, checkpoints: where }: StoreOptions,
): Omit<Store, 'extensionMissing'> {
  const fullText = createFullText(database);
  if (fullText.isMissing()) fullText.build();
  const derived = createDerivedData(database);
  if (!areSignBitsWhole(database)) database.transaction(derived.rebuild).immediate();
  const embeddings =
    identity === undefined ? undefined : openEmbeddings({ database, identity, now: clock.now });
  database.pragma(`busy_timeout = ${lockedMs}`);
  const checkFile = watchFile(fileOf(database));
  const checkpoints = where === undefined ? undefined : createCheckpoints(database, { every: writesALog });
  // made once: to make a transaction takes longer than to run a small one
  const transaction = database.transaction((work: () => unknown) => work());
  const atOnce = <T>(work: () => T): T => transaction.immediate(work) as T; // what the work gave
  const works = createStoreWork(sqliteSql(database), {
    ...{ clock, newId, words: createSqliteWords(database), derived: working(derived) },
  });
  const { archive, governance, responses, rooms, forget, forgetAgain } = works;
  const newest = createNewest(database);
  const chunks = synchronous(works.chunks);
  const records = synchronous(works.records);
  const knowledge = synchronous(works.knowledge);
  const shared = { database, chunks, derived, records, clock, newId };
  const audit = createPrunedAudit(database, works.audit);
  const whileLocked = async <T>(write: () => T): Promise<T> => {
    checkFile();
    const result = await retryWhileLocked(clock, write);
    checkpoints?.written();
    return result;
  };
  const storage: SqlStorage = {
    read: async (work) => finish(work()),
    write: (work) => whileLocked(() => atOnce(() => finish(work()))),
  };
  const leaveNoTrace = createLeaveNoTrace(database);
  const governed = { ...works, storage, leaveNoTrace: () => whileLocked(leaveNoTrace) };
  // another process may write between the statements of one answer
  const atOneTime: SqlStorage['read'] = async <T>(work: () => Work<T>) =>
    transaction.deferred(() => finish(work())) as T; // as above
  return {
    ...shared,
    ...{ audit, knowledge, embeddings, fullText, atOnce },
    ...{ journal: synchronous(works.journal), journalPassages: synchronous(works.journalPassages) },
    ...{ signals: synchronous(works.signals), episodes: synchronous(works.episodes) },
    ...{ forgotten: synchronous(works.forgotten), nodes: synchronous(works.nodes) },
    governance: eachAtOnce(atOnce, governance),
    responses: {
      ...synchronous(responses),
      put: (...values) => atOnce(() => finish(responses.put(...values))),
    },
    texts: createChunkTexts({ ...shared, fullText }),
    archive(exchanges) {
      const all = exchanges.map(cleaned);
      // no savepoint around each of them: at every one FTS5 writes out what it gathered
      return all.every(({ isEmpty }) => isEmpty) ? finish(archive(all)) : atOnce(() => finish(archive(all)));
    },
    sources: createImportedSources({ ...shared, audit }),
    searched: { ...works, nearest: embeddings && working(embeddings) },
    listed: { ...works, newest },
    forgetting: works,
    governed,
    journaled: {
      ...{ ...governed, storage: { ...storage, read: atOneTime } },
      writeOne: (work) => whileLocked(() => finish(work())),
    },
    select: (...of) => finish(works.select(...of)),
    selectRecords: (...of) => finish(works.selectRecords(...of)),
    newest: (...of) => finish(newest(...of)),
    setRooms: (states) => atOnce(() => finish(rooms.set(states))),
    turns: createImportedTurns(database),
    fileRows: createFileRows(database, chunks),
    recalls: createRecallRows(database),
    passages: createPassages(database),
    promotions: createPromotionRows(database),
    sweeps: createSweepRows(database),
    retryWhileLocked: whileLocked,
    logSettled: async () => checkpoints?.settled(),
    ...createFileCheck({ database, derived, knowledge }),
    forget: (what) => atOnce(() => finish(forget(what))),
    forgetAgain: (known, by) => atOnce(() => finish(forgetAgain(known, by))),
    leaveNoTrace,
    close() {
      try {
        database.pragma('optimize');
        database.pragma('wal_checkpoint(TRUNCATE)');
      } catch (error) {
        if (!isDiskFailure(error)) throw error; // what cannot be tidied now stays in the write-ahead log
      } finally {
        database.close();
      }
    },
  };
}

/** Each change of a record in a transaction of its own, or in the one that is under way. */
function eachAtOnce(atOnce: Store['atOnce'], governance: GovernanceWork): Governance {
  const { current, rewrite, restore, ...changes } = synchronous(governance);
  return {
    ...{ current, rewrite, restore },
    ...(Object.fromEntries(
      Object.entries(changes).map(([name, change]) => [
        name,
        (...values: never[]) => atOnce(() => (change as (...values: never[]) => unknown)(...values)),
      ]),
    ) as typeof changes), // the shape is kept, function by function
  };
}
