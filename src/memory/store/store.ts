// memory.sqlite, opened and closed: the one owner of its connection. What is done with it lives next to this file.
import { createCheckpoints } from '#base/checkpoints.ts';
import type { Clock } from '#base/clock.ts';
import { isDiskFailure } from '#base/disk-failures.ts';
import { errorMessage } from '#base/errors.ts';
import type { NewId } from '#base/ids.ts';
import { watchFile } from '#base/same-file.ts';
import { fileOf, openSqlite, openSqliteReader, type Sqlite } from '#base/sqlite.ts';
import type { EmbeddingIdentity } from '#memory/types/embedding.ts';
import type { AudienceCount } from '#memory/types/maintenance.ts';
import { type Archive, createArchive } from './archive.ts';
import { type Audit, createAudit } from './audit.ts';
import { type ChunkEraser, createChunkEraser } from './chunk-eraser.ts';
import { type ChunkTexts, createChunkTexts } from './chunk-texts.ts';
import { type Chunks, createChunks } from './chunks.ts';
import { createDerivedData, type DerivedData } from './derived-data.ts';
import { type Embeddings, openEmbeddings } from './embeddings.ts';
import { createFileRows, type FileRows } from './file-rows.ts';
import { createForgottenRows, type ForgottenRows } from './forgotten.ts';
import { createFullText, type FullText } from './full-text.ts';
import { createJournalEraser, type JournalEraser } from './journal-eraser.ts';
import { createJournalPassages, type JournalPassages } from './journal-passages.ts';
import { createKnowledge, type Knowledge } from './knowledge.ts';
import { createNodes, type Nodes } from './nodes.ts';
import { createGovernance, type Governance } from './record-writer.ts';
import { createRecords, type Records } from './records.ts';
import { createResponses, type Responses } from './responses.ts';
import { lockedMs, retryWhileLocked } from './retry-while-locked.ts';
import { createRooms, type Rooms } from './rooms.ts';
import { migrations } from './schema.ts';
import { createSelectRecords, type SelectRecords } from './select-records.ts';
import { createSelect, type Select } from './selection.ts';
import { createSources, type Sources } from './sources.ts';
import { createTurns, type Turns } from './turns.ts';
import { dropFormer, type LoadVectorExtension, loadSqliteVec } from './vector-extension.ts';
import { createWordsWork, type WordsWork } from './words-work.ts';

export interface Store extends ChunkEraser {
  archive: Archive;
  records: Records;
  governance: Governance;
  audit: Audit;
  texts: ChunkTexts;
  words: WordsWork;
  nodes: Nodes;
  knowledge: Knowledge;
  responses: Responses;
  rooms: Rooms;
  turns: Turns;
  fileRows: FileRows;
  /** What is known of entries that were forgotten. */
  forgotten: ForgottenRows;
  derived: DerivedData;
  /** Which entries of the journal are forgotten. */
  journal: JournalEraser;
  /** The passages by which memory finds entries of the journal. */
  passages: JournalPassages;
  /** The connection, for the tables of the journal. */
  database: Sqlite;
  /** Runs the work in one transaction that writes. */
  atOnce<T>(work: () => T): T;
  chunks: Chunks;
  /** Why the vector extension did not load; undefined when it did. */
  missing: string | undefined;
  /** Of the configured model; undefined when none is. */
  embeddings: Embeddings | undefined;
  fullText: FullText;
  sources: Sources;
  select: Select;
  selectRecords: SelectRecords;
  /** How many entries each audience owns: for the operator only. */
  places(): AudienceCount[];
  /** Runs a write again while another process has the file locked, up to 5 s; a ParleyError `memory_busy` after that. */
  retryWhileLocked<T>(write: () => T): Promise<T>;
  /** Resolves when the log is not being emptied into the file: who writes very much waits for it between writes. */
  logSettled(): Promise<void>;
  /** Tidies, empties the write-ahead log into the file and lets go of it. */
  close(): void;
}

/** How many vectors that were made without the vector extension get their signs while opening. */
const catchUpAtOpen = 2000;
/** Memory may be opened by several programs at once (an import next to the gateway): each waits while another one prepares the file. */
const timeoutMs = 5_000;

/** What sixteen vectors change of a large memory is forty pages of the log, and an exchange twenty to sixty. */
const writesALog = 24;

/** A question reads far more of memory than of the other databases, and its own reader is there for large files only. */
const maxReaderCacheKiB = 32_000;

/** The reading half of an open file. */
export interface StoreReader extends Pick<Store, 'chunks' | 'embeddings' | 'records' | 'missing'> {
  close(): void;
}

/** Opens a file that is open already, for reading only. Throws SQLite's own error. */
export function openStoreReader(path: string, identity: EmbeddingIdentity | undefined): StoreReader {
  let missing: string | undefined;
  const database = openSqliteReader({
    path,
    cacheKiB: maxReaderCacheKiB,
    prepare(opened) {
      opened.function('now_ms', () => Date.now());
      try {
        loadSqliteVec(opened);
      } catch (error) {
        missing = errorMessage(error);
      }
    },
  });
  const chunks = createChunks(database);
  const embeddings =
    identity === undefined ? undefined : openEmbeddings({ database, identity, now: Date.now, missing });
  const records = createRecords(database);
  return { chunks, embeddings, records, missing, close: () => void database.close() };
}

/** Opens or makes the file; a ParleyError says what is wrong with it, and nothing is wiped. */
export function openStore(options: {
  path: string;
  clock: Clock;
  newId: NewId;
  loadVectorExtension: LoadVectorExtension;
  identity?: EmbeddingIdentity | undefined;
  /** Where what `retryWhileLocked` writes gets from the log into the file: in the thread of the disk, or, when absent, by anyone who writes. */
  checkpoints?: 'beside' | undefined;
}): Store {
  const { path, clock, newId, identity } = options;
  let missing: string | undefined;
  const database = openSqlite({
    path,
    migrations,
    clock,
    openMs: timeoutMs,
    prepare(opened) {
      opened.pragma('secure_delete = ON');
      opened.function('now_ms', () => Math.round(clock.now()));
      try {
        options.loadVectorExtension(opened);
      } catch (error) {
        missing = errorMessage(error);
      }
    },
  });
  try {
    const fullText = createFullText(database);
    if (fullText.isMissing()) fullText.build();
    const chunks = createChunks(database);
    if (missing === undefined) dropFormer(database);
    const derived = createDerivedData(database, missing);
    const embeddings =
      identity === undefined ? undefined : openEmbeddings({ database, identity, now: clock.now, missing });
    embeddings?.catchUp(catchUpAtOpen);
    database.pragma(`busy_timeout = ${lockedMs}`);
    const checkFile = watchFile(fileOf(database));
    const checkpoints =
      options.checkpoints === undefined ? undefined : createCheckpoints(database, { every: writesALog });
    const places = database.prepare<[], AudienceCount>(
      `SELECT audience, sum(entries) AS entries FROM
         (SELECT audience, count(*) AS entries FROM global_memory_chunks GROUP BY audience
          UNION ALL SELECT DISTINCT audience, 0 FROM memory_records)
       GROUP BY audience ORDER BY audience`,
    );
    const records = createRecords(database);
    const audit = createAudit({ database, clock, newId });
    const knowledge = createKnowledge(database);
    const responses = createResponses(database);
    const forgotten = createForgottenRows(database);
    const passages = createJournalPassages({ database, chunks, derived, newId, now: clock.now });
    const journal = createJournalEraser(database, passages);
    const parts = {
      database,
      journal,
      knowledge,
      responses,
      chunks,
      derived,
      clock,
      newId,
      records,
      audit,
      forgotten,
    };
    const texts = createChunkTexts({ ...parts, fullText });
    return {
      archive: createArchive(parts),
      records,
      audit,
      governance: createGovernance(parts),
      chunks,
      missing,
      embeddings,
      sources: createSources(parts),
      select: createSelect(database, chunks),
      selectRecords: createSelectRecords(database, records, knowledge),
      fullText,
      texts,
      words: createWordsWork(database, texts),
      nodes: createNodes(database),
      knowledge,
      responses,
      rooms: createRooms(database, () => responses.drop()),
      turns: createTurns(database),
      fileRows: createFileRows(database, derived),
      forgotten,
      derived,
      journal,
      passages,
      database,
      atOnce: (work) => database.transaction(work).immediate(),
      places: () => places.all(),
      async retryWhileLocked(write) {
        checkFile();
        const result = await retryWhileLocked(clock, write);
        checkpoints?.written();
        return result;
      },
      logSettled: async () => checkpoints?.settled(),
      ...createChunkEraser(parts),
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
  } catch (error) {
    database.close();
    throw error;
  }
}
