// The statements over governed records and their full text, on either engine. Every read takes a `Readable`; what is done with records is next to this file.
import type { Sql } from '#base/sql/sql.ts';
import type { Synchronous, Work } from '#base/sql/work.ts';
import { readingIn, type ScopeFilter } from '#memory/tables/audience.ts';
import { createRowStatement, insertInto } from '#memory/tables/row-statement.ts';
import { type RecordRow, recordFromRow, recordToRow, type StoredRecord } from './record-row.ts';
import { createRecordSearch } from './record-search.ts';

/** Which records a search or a list is narrowed to; null leaves a field open. */
export interface RecordFilter {
  channelTag: string | null;
  hostTag: string | null;
  userID: string | null;
  kind: string | null;
  key: string | null;
  tag: string | null;
  pinned: 1 | null;
  /** Groups of words: a record has one of each. */
  words: readonly (readonly string[])[] | null;
}

export interface RecordWork {
  insert(record: StoredRecord): Work<void>;
  /** Writes the record again under its id. */
  update(record: StoredRecord): Work<void>;
  /** Removes these versions permanently. */
  remove(ids: readonly string[]): Work<number>;
  /** The versions of this audience with this content, the newest first, whatever their state. */
  withContent(audience: string, contentHash: string): Work<StoredRecord[]>;
  /** This version, whatever its state and audience; undefined where there is none. For upkeep only. */
  get(id: string): Work<StoredRecord | undefined>;
  /** The active records of this audience with this key. */
  withKey(audience: string, key: string): Work<StoredRecord[]>;
  /** Active records of the scope that are pinned, changed last first. */
  pinned(readable: ScopeFilter, limit: number): Work<StoredRecord[]>;
  /** Active records of the scope with one of these keys, changed last first. */
  keyed(keys: readonly string[], readable: ScopeFilter): Work<StoredRecord[]>;
  /** Rows of chunks of the scope from the same run, or of records that have a key or a tag in common with one of these. */
  linked(
    to: { sessionID: string; runID: string; ids: readonly string[]; edges: number },
    readable: ScopeFilter,
    limit: number,
  ): Work<number[]>;
  /** Every version of the lineages of these ids, oldest first, whatever their state or expiry: of audiences that are the scope's own. */
  history(ids: readonly string[], readable: ScopeFilter): Work<StoredRecord[]>;
  /** Active records that hold one of the words, the most relevant first; `rank` is at or below zero, and says more the less it is. */
  matching(
    words: readonly string[],
    of: RecordFilter,
    readable: ScopeFilter,
    limit: number,
  ): Work<(StoredRecord & { rank: number })[]>;
  /** Active records that hold the text as it is written, newest first; all of them for an empty text. */
  holding(text: string, of: RecordFilter, readable: ScopeFilter, limit: number): Work<StoredRecord[]>;
  /** The same of every audience: for what is forgotten with something that the scope may read. */
  lineages(ids: readonly string[]): Work<StoredRecord[]>;
  /** Of these ids those of sensitive records. */
  sensitive(ids: readonly string[]): Work<ReadonlySet<string>>;
  /** Every record of every audience, some at a time: only for its owner's upkeep. */
  all(afterID: string, limit: number): Work<StoredRecord[]>;
}

/** The same where nothing is waited for. */
export type Records = Synchronous<RecordWork>;

/** Records whose keys are in one text. */
const maxKeyed = 20;

/** The statements over one database. */
export function createRecords(sql: Sql): RecordWork {
  const { dialect } = sql;
  const { audience, inPartition, ownAudience, record: readable, writtenSince } = readingIn(dialect);
  const insert = createRowStatement<RecordRow>(sql, (columns) => insertInto('memory_records', columns));
  const update = createRowStatement<RecordRow>(
    sql,
    (columns) => `UPDATE memory_records SET ${columns.map((name) => `${name} = ?`).join(', ')} WHERE id = ?`,
  );
  const remove = sql.prepare<[string], never>(`DELETE FROM memory_records WHERE id IN ${dialect.texts('?')}`);
  const byID = sql.prepare<[string], RecordRow>(`SELECT * FROM memory_records WHERE id = ?`);
  const withContent = sql.prepare<[string, string], RecordRow>(
    `SELECT * FROM memory_records WHERE audience = ? AND content_hash = ? ORDER BY row DESC`,
  );
  const withKey = sql.prepare<[string, string], RecordRow>(
    `SELECT * FROM memory_records WHERE record_key = ? AND audience = ? AND state = 'active'`,
  );
  const ofLineages = (ids: string): string =>
    `SELECT * FROM memory_records
     WHERE lineage_id IN (SELECT lineage_id FROM memory_records WHERE id IN ${dialect.texts(ids)})`;
  const history = sql.prepare<[object], RecordRow>(
    `${ofLineages('@ids')} AND ${ownAudience} AND ${writtenSince('created_at_ms')} AND ${inPartition}
     ORDER BY lineage_id, version`,
  );
  const lineages = sql.prepare<[string], RecordRow>(`${ofLineages('?')} ORDER BY lineage_id, version`);
  const search = createRecordSearch(sql);
  const admitted = `state = 'active' AND demoted = 0 AND ${readable}
    AND (@channelTag IS NULL OR channel_tag = @channelTag) AND (@hostTag IS NULL OR host_tag = @hostTag)
    AND (@userID IS NULL OR user_id = @userID) AND (@kind IS NULL OR kind = @kind)
    AND (@key IS NULL OR record_key = @key) AND (@pinned IS NULL OR pinned = @pinned)
    AND (@tag IS NULL OR @tag IN ${dialect.texts('tags')})
    AND (@words IS NULL OR ${search.has('@words')})`;
  const matching = sql.prepare<[object], RecordRow & { rank: number }>(
    `SELECT memory_records.*, ${search.rank('@expression')} AS rank FROM ${search.ranked('@expression')} AND ${admitted}
     ORDER BY rank, memory_records.row DESC LIMIT @limit`,
  );
  const holding = sql.prepare<[object], RecordRow>(
    `SELECT * FROM memory_records WHERE ${admitted} AND ${dialect.like('content', '@pattern')}
     ORDER BY updated_at_ms DESC, row DESC LIMIT @limit`,
  );
  const active = (which: string) =>
    sql.prepare<[object], RecordRow>(
      `SELECT * FROM memory_records WHERE ${which} AND state = 'active' AND demoted = 0 AND (${readable})
       ORDER BY updated_at_ms DESC, row DESC LIMIT @limit`,
    );
  // what is pinned in a room is for its own prompts, not for those of its space
  const pinned = active(`pinned = 1 AND ${ownAudience}`);
  const keyed = active(`record_key IN ${dialect.texts('@keys')}`);
  const linked = sql.pluck<[object], number>(
    `SELECT row FROM global_memory_chunks WHERE (${audience}) AND ordinal = 0
       AND ((@run <> '' AND session_id = @of AND run_id = @run)
         OR id IN (SELECT id FROM memory_records WHERE (${readable}) AND state = 'active'
           AND id NOT IN ${dialect.texts('@ids')}
           AND (record_key IN (SELECT this.record_key FROM memory_records AS this WHERE this.id IN ${dialect.texts('@ids')})
             OR EXISTS (SELECT 1 FROM ${dialect.eachText('tags', 'own')} WHERE own.value IN (
               SELECT tag.value FROM memory_records AS this CROSS JOIN ${dialect.eachText('this.tags', 'tag')}
               WHERE this.id IN ${dialect.texts('@ids')})))
           ORDER BY id DESC LIMIT @edges))
     ORDER BY at_ms DESC, row DESC LIMIT @limit`,
  );
  const sensitive = sql.pluck<[string], string>(
    `SELECT id FROM memory_records WHERE sensitivity = 'sensitive' AND id IN ${dialect.texts('?')}`,
  );
  const all = sql.prepare<[string, number], RecordRow>(
    `SELECT * FROM memory_records WHERE id > ? ORDER BY id LIMIT ?`,
  );
  function* stored(rows: Work<RecordRow[]>): Work<StoredRecord[]> {
    return (yield* rows).map(recordFromRow);
  }
  function* written(row: RecordRow, write: (row: RecordRow) => Work<number>): Work<void> {
    yield* write(row);
    yield* search.index(row.id, row.terms);
  }
  const bound = ({ words, ...of }: RecordFilter) => ({ ...of, words: words && search.all(words) });
  return {
    insert: (record) => written(recordToRow(record), (row) => insert(row)),
    update: (record) => written(recordToRow(record), (row) => update(row, record.id)),
    remove: (ids) => remove.run(JSON.stringify(ids)),
    *get(id) {
      const row = yield* byID.get(id);
      return row && recordFromRow(row);
    },
    withContent: (of, contentHash) => stored(withContent.all(of, contentHash)),
    withKey: (of, key) => stored(withKey.all(key, of)),
    pinned: ({ parameters }, limit) => stored(pinned.all({ ...parameters, limit })),
    keyed: (keys, { parameters }) =>
      stored(keyed.all({ ...parameters, keys: JSON.stringify(keys), limit: maxKeyed })),
    linked: ({ sessionID, runID, ids, edges }, { parameters }, limit) =>
      linked.all({ ...parameters, of: sessionID, run: runID, ids: JSON.stringify(ids), edges, limit }),
    history: (ids, { parameters: { audiences, since, partition, everyPartition } }) =>
      stored(history.all({ audiences, since, partition, everyPartition, ids: JSON.stringify(ids) })),
    lineages: (ids) => stored(lineages.all(JSON.stringify(ids))),
    *matching(words, of, { parameters }, limit) {
      const values = { ...parameters, ...bound(of), expression: search.any(words), limit };
      const rows = yield* matching.all(values);
      return rows.map(({ rank, ...row }) => ({ ...recordFromRow(row), rank }));
    },
    holding: (text, of, { parameters }, limit) =>
      stored(
        holding.all({
          ...{ ...parameters, ...bound(of), limit },
          pattern: `%${text.replace(/[\\%_]/g, '\\$&')}%`,
        }),
      ),
    *sensitive(ids) {
      return new Set(ids.length === 0 ? [] : yield* sensitive.all(JSON.stringify(ids)));
    },
    all: (afterID, limit) => stored(all.all(afterID, limit)),
  };
}
