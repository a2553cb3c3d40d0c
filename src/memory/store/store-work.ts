// The parts of memory that are written for either engine, over one database. What only one engine has is given to them.
import type { Clock } from '#base/clock.ts';
import type { NewId } from '#base/ids.ts';
import type { Sql } from '#base/sql/sql.ts';
import type { Work } from '#base/sql/work.ts';
import { createArchive } from '#memory/chunks/archive.ts';
import { createChunks, type DropDerived } from '#memory/chunks/chunks.ts';
import { createJournalPassages } from '#memory/chunks/journal-passages.ts';
import { createSelect } from '#memory/chunks/selection.ts';
import type { WordWork } from '#memory/chunks/word-rows.ts';
import { createEpisodes } from '#memory/records/episodes.ts';
import { createKnowledge } from '#memory/records/knowledge.ts';
import { createGovernance } from '#memory/records/record-writer.ts';
import { createRecords } from '#memory/records/records.ts';
import { createSelectRecords } from '#memory/records/select-records.ts';
import { createSignals } from '#memory/records/signals.ts';
import { createAudit } from '#memory/tables/audit.ts';
import { createForgottenRows } from '#memory/tables/forgotten.ts';
import { createNodes } from '#memory/tables/nodes.ts';
import { createResponses } from '#memory/tables/responses.ts';
import { createClosedRooms } from '#memory/tables/rooms.ts';
import { createChunkEraser } from './chunk-eraser.ts';
import { createJournalEraser } from './journal-eraser.ts';

interface StoreWorkOptions {
  /** How rows are found by their words. */
  words: WordWork;
  /** What else is derived of chunks. */
  derived: DropDerived & { dropCache(): Work<number> };
  clock: Clock;
  newId: NewId;
}

export type StoreWork = ReturnType<typeof createStoreWork>;

/** Nothing of it is a transaction of its own. */
export function createStoreWork(sql: Sql, { words, derived, clock, newId }: StoreWorkOptions) {
  const chunks = createChunks(sql, { words, derived });
  const records = createRecords(sql);
  const audit = createAudit({ sql, clock, newId });
  const knowledge = createKnowledge(sql);
  const signals = createSignals(sql);
  const episodes = createEpisodes(sql, records);
  const responses = createResponses(sql);
  const forgotten = createForgottenRows(sql);
  const shared = { sql, chunks, records, audit, clock, newId };
  const governance = createGovernance({ ...shared, knowledge, signals });
  const journalPassages = createJournalPassages({ sql, chunks, newId, now: clock.now });
  const journal = createJournalEraser(sql, journalPassages);
  return {
    ...{ sql, journal, journalPassages },
    ...{ chunks, records, audit, knowledge, signals, episodes, responses, forgotten, governance },
    archive: createArchive({ ...shared, takenTo: episodes.placeOf }),
    select: createSelect(sql, chunks),
    selectRecords: createSelectRecords(sql, { records, knowledge, episodes }),
    nodes: createNodes(sql),
    rooms: createClosedRooms(sql, () => responses.drop()),
    ...createChunkEraser({
      ...{ ...shared, episodes, responses, forgotten, journal },
      dropCache: derived.dropCache,
      restore: governance.restore,
      rewrite: (record) => governance.rewrite(record, { text: record.text, kinds: [] }),
    }),
  };
}
