// memory.sqlite, opened and closed: the one owner of its connection. What is done with it lives next to this file.

import type { Clock } from '#base/clock.ts';
import { isDiskFailure } from '#base/files/disk-failures.ts';
import { watchFile } from '#base/files/same-file.ts';
import type { NewId } from '#base/ids.ts';
import { createCheckpoints } from '#base/sqlite/checkpoints.ts';
import { fileOf, openSqlite, openSqliteReader, type Sqlite } from '#base/sqlite/sqlite.ts';
import { loadVectorFunctions } from '#base/sqlite/vector-functions.ts';
import { type Archive, createArchive } from '#memory/chunks/archive.ts';
import { type ChunkTexts, createChunkTexts } from '#memory/chunks/chunk-texts.ts';
import { type Chunks, createChunks } from '#memory/chunks/chunks.ts';
import { createFileRows, type FileRows } from '#memory/chunks/file-rows.ts';
import { createJournalPassages, type JournalPassages } from '#memory/chunks/journal-passages.ts';
import { createNewest, type Newest } from '#memory/chunks/newest.ts';
import { createPassages, type Passages } from '#memory/chunks/passages.ts';
import { createSelect, type Select } from '#memory/chunks/selection.ts';
import {
  createImportedSources,
  createImportedTurns,
  type ImportedTurns,
  type Sources,
} from '#memory/chunks/sources.ts';
import { createPromotionRows, type PromotionRows } from '#memory/recalls/promotion-rows.ts';
import { createRecallRows, type RecallRows } from '#memory/recalls/recall-rows.ts';
import { createSweepRows, type SweepRows } from '#memory/recalls/sweep-rows.ts';
import { createEpisodes, type Episodes } from '#memory/records/episodes.ts';
import { createKnowledge, type Knowledge } from '#memory/records/knowledge.ts';
import type { StoredRecord } from '#memory/records/record-row.ts';
import { createGovernance, type Governance } from '#memory/records/record-writer.ts';
import { createRecords, type Records } from '#memory/records/records.ts';
import { createSelectRecords, type SelectRecords } from '#memory/records/select-records.ts';
import { createSignals, type Signals } from '#memory/records/signals.ts';
import { addReadingFunctions } from '#memory/tables/audience.ts';
import { type Audit, createAudit } from '#memory/tables/audit.ts';
import { createForgottenRows, type ForgottenRows } from '#memory/tables/forgotten.ts';
import { createFullText, type FullText } from '#memory/tables/full-text.ts';
import { createNodes, type Nodes } from '#memory/tables/nodes.ts';
import { createResponses, type Responses } from '#memory/tables/responses.ts';
import { lockedMs, retryWhileLocked } from '#memory/tables/retry-while-locked.ts';
import { type ClosedRooms, createClosedRooms } from '#memory/tables/rooms.ts';
import { migrations } from '#memory/tables/schema.ts';
import type { EmbeddingIdentity } from '#memory/types/embedding.ts';
import { createDerivedData, type DerivedData } from '#memory/vectors/derived-data.ts';
import { type Embeddings, openEmbeddings } from '#memory/vectors/embeddings.ts';
import { areSignBitsWhole } from '#memory/vectors/sign-blocks.ts';
import { type ChunkEraser, createChunkEraser } from './chunk-eraser.ts';
import { createJournalEraser, type JournalEraser } from './journal-eraser.ts';

export interface Store extends ChunkEraser {
  archive: Archive;
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
  rooms: ClosedRooms;
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
  journal: JournalEraser;
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
  select: Select;
  newest: Newest;
  selectRecords: SelectRecords;
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
export interface StoreReader extends Pick<Store, 'chunks' | 'embeddings' | 'records' | 'signals'> {
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
  const chunks = createChunks(database, createDerivedData(database));
  const embeddings =
    identity === undefined ? undefined : openEmbeddings({ database, identity, now: Date.now });
  const records = createRecords(database);
  const signals = createSignals(database);
  return { chunks, embeddings, records, signals, close: () => void database.close() };
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
  const chunks = createChunks(database, derived);
  const embeddings =
    identity === undefined ? undefined : openEmbeddings({ database, identity, now: clock.now });
  database.pragma(`busy_timeout = ${lockedMs}`);
  const checkFile = watchFile(fileOf(database));
  const checkpoints = where === undefined ? undefined : createCheckpoints(database, { every: writesALog });
  const records = createRecords(database);
  const audit = createAudit({ database, clock, newId });
  const knowledge = createKnowledge(database);
  const signals = createSignals(database);
  const episodes = createEpisodes(database, records);
  const responses = createResponses(database);
  const forgotten = createForgottenRows(database);
  const journalPassages = createJournalPassages({ database, chunks, newId, now: clock.now });
  const journal = createJournalEraser(database, journalPassages);
  const shared = {
    ...{
      database,
      chunks,
      derived,
      records,
      audit,
      knowledge,
      signals,
      episodes,
      responses,
      forgotten,
      journal,
    },
    ...{ clock, newId },
  };
  const governance = createGovernance(shared);
  const rewrite = (record: StoredRecord): void =>
    governance.rewrite(record, { text: record.text, kinds: [] });
  const texts = createChunkTexts({ ...shared, fullText });
  return {
    ...shared,
    ...{ governance, embeddings, fullText, texts, journalPassages },
    archive: createArchive({ ...shared, takenTo: episodes.placeOf }),
    sources: createImportedSources(shared),
    select: createSelect(database, chunks),
    newest: createNewest(database),
    selectRecords: createSelectRecords(database, shared),
    nodes: createNodes(database),
    rooms: createClosedRooms(database, () => responses.drop()),
    turns: createImportedTurns(database),
    fileRows: createFileRows(database, chunks),
    recalls: createRecallRows(database),
    passages: createPassages(database),
    promotions: createPromotionRows(database),
    sweeps: createSweepRows(database),
    atOnce: (work) => database.transaction(work).immediate(),
    async retryWhileLocked(write) {
      checkFile();
      const result = await retryWhileLocked(clock, write);
      checkpoints?.written();
      return result;
    },
    logSettled: async () => checkpoints?.settled(),
    ...createChunkEraser({ ...shared, rewrite, restore: governance.restore }),
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
