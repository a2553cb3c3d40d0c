// What every change of a record is made of: the record as it is now, its row written again, and its chunks.
import { ParleyError } from '#base/errors.ts';
import type { NewId } from '#base/ids.ts';
import type { Work } from '#base/sql/work.ts';
import { splitExchange } from '#memory/chunks/split-exchange.ts';
import { type ChunkWriterDeps, createKeepPieces } from '#memory/chunks/store-chunks.ts';
import { readableBy } from '#memory/tables/audience.ts';
import type { AuditWork } from '#memory/tables/audit.ts';
import type { RecordChange } from '#memory/types/record.ts';
import { createQuestions, type QuestionWork } from './questions.ts';
import { chunkOf, recordReach } from './record-of-note.ts';
import type { StoredRecord } from './record-row.ts';
import type { RecordWork } from './records.ts';

export interface RecordWriterDeps extends ChunkWriterDeps {
  newId: NewId;
  records: RecordWork;
  audit: AuditWork;
}

export interface RecordEdits {
  /** The newest version of the lineage that this id belongs to. A ParleyError `memory_not_found` when the scope's own audiences have none. */
  current(of: Pick<RecordChange, 'id' | 'scope'>): Work<StoredRecord>;
  /** Writes the change into the record's row, and ends what asked whether it holds where it does no longer; the record as it is then. */
  changed(record: StoredRecord, change: Partial<StoredRecord>): Work<StoredRecord>;
  /** The active records that have its key and are read where it is, itself among them when it is stored. */
  withItsKey(record: StoredRecord): Work<StoredRecord[]>;
  /** The same, and of a record without a key what a question to the person sets against the one before it. */
  beside(record: StoredRecord, before: StoredRecord | undefined): Work<StoredRecord[]>;
  /** Makes the chunks of a record again; their ids. */
  index(record: StoredRecord): Work<string[]>;
  questions: QuestionWork;
}

/** Over one open database, inside the caller's transaction. */
export function createRecordEdits(parts: RecordWriterDeps): RecordEdits {
  const { chunks, clock, newId, records } = parts;
  const save = createKeepPieces(parts);
  const questions = createQuestions(parts.sql);
  const index: RecordEdits['index'] = function* (record) {
    yield* chunks.forgetSource(record.id);
    const pieces = splitExchange({ userText: record.text, assistantText: '' });
    const saved = yield* save(
      pieces.map((piece, ordinal) => ({
        ...chunkOf(record, { ordinal, of: pieces.length, text: piece.userText, tokens: piece.tokens }),
        id: ordinal === 0 ? record.id : newId('mem'),
      })),
    );
    return saved?.chunkIDs ?? [];
  };
  const current: RecordEdits['current'] = function* ({ id, scope }) {
    const newest = (yield* records.history([id], readableBy(scope))).at(-1);
    if (newest !== undefined) return newest;
    throw new ParleyError('memory_not_found', `There is no record ${id} in this audience.`, {
      hint: 'List what there is, and name the audience that it belongs to.',
    });
  };
  const changed: RecordEdits['changed'] = function* (record, change) {
    const now = { ...record, ...change, updatedAt: clock.now() };
    yield* records.update(now);
    if (now.state !== 'active') yield* questions.end(now.id, clock.now());
    return now;
  };
  const withItsKey: RecordEdits['withItsKey'] = function* (record) {
    const others = record.key === undefined ? [] : yield* records.withKey(record.audience, record.key);
    return others.filter(
      (other) => other.partition === record.partition && recordReach(other) === recordReach(record),
    );
  };
  const beside: RecordEdits['beside'] = function* (record, before) {
    if (record.key !== undefined || before === undefined) return yield* withItsKey(record);
    const ids = new Set(yield* questions.against(before.id));
    const found = ids.size === 0 ? [] : yield* records.lineages([...ids]);
    return found.filter(
      ({ id, state, audience }) => ids.has(id) && state === 'active' && audience === record.audience,
    );
  };
  return { current, changed, withItsKey, beside, index, questions };
}
