// The statements over governed records and their full text. Every read takes a `Readable`; what is done with records is next to this file.
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import {
  audiencePredicate,
  inPartition,
  recordPredicate,
  type ScopeFilter,
  writtenSince,
} from '#memory/tables/audience.ts';
import { createRowStatement, insertInto } from '#memory/tables/row-statement.ts';
import { type RecordRow, recordFromRow, recordToRow, type StoredRecord } from './record-row.ts';

/** Which records a search or a list is narrowed to; null leaves a field open. */
export interface RecordFilter {
  channelTag: string | null;
  hostTag: string | null;
  userID: string | null;
  kind: string | null;
  key: string | null;
  tag: string | null;
  pinned: 1 | null;
  /** A full-text expression. */
  words: string | null;
}

export interface Records {
  insert(record: StoredRecord): void;
  /** Writes the record again under its id. */
  update(record: StoredRecord): void;
  /** Removes these versions permanently. */
  remove(ids: readonly string[]): void;
  /** The versions of this audience with this content, the newest first, whatever their state. */
  withContent(audience: string, contentHash: string): StoredRecord[];
  /** This version, whatever its state and audience; undefined where there is none. For upkeep only. */
  get(id: string): StoredRecord | undefined;
  /** The active records of this audience with this key. */
  withKey(audience: string, key: string): StoredRecord[];
  /** Active records of the scope that are pinned, changed last first. */
  pinned(readable: ScopeFilter, limit: number): StoredRecord[];
  /** Active records of the scope with one of these keys, changed last first. */
  keyed(keys: readonly string[], readable: ScopeFilter): StoredRecord[];
  /** Rows of chunks of the scope from the same run, or of records that have a key or a tag in common with one of these. */
  linked(
    to: { sessionID: string; runID: string; ids: readonly string[]; edges: number },
    readable: ScopeFilter,
    limit: number,
  ): number[];
  /** Every version of the lineages of these ids, oldest first, whatever their state or expiry: of audiences that are the scope's own. */
  history(ids: readonly string[], readable: ScopeFilter): StoredRecord[];
  /** Active records that hold the full-text expression, the most relevant first; `rank` is FTS5's, below zero. */
  matching(
    expression: string,
    of: RecordFilter,
    readable: ScopeFilter,
    limit: number,
  ): (StoredRecord & { rank: number })[];
  /** Active records that hold the text as it is written, newest first; all of them for an empty text. */
  holding(text: string, of: RecordFilter, readable: ScopeFilter, limit: number): StoredRecord[];
  /** The same of every audience: for what is forgotten with something that the scope may read. */
  lineages(ids: readonly string[]): StoredRecord[];
  /** Of these ids those of sensitive records. */
  sensitive(ids: readonly string[]): ReadonlySet<string>;
  /** Every record of every audience, some at a time: only for its owner's upkeep. */
  all(afterID: string, limit: number): StoredRecord[];
}

/** Records whose keys are in one text. */
const maxKeyed = 20;

/** The statements over one open database. */
export function createRecords(database: Sqlite): Records {
  const insert = createRowStatement<RecordRow>(database, (columns) => insertInto('memory_records', columns));
  const update = createRowStatement<RecordRow>(
    database,
    (columns) => `UPDATE memory_records SET ${columns.map((name) => `${name} = ?`).join(', ')} WHERE id = ?`,
  );
  const remove = database.prepare<[string]>(
    'DELETE FROM memory_records WHERE id IN (SELECT value FROM json_each(?))',
  );
  const byID = database.prepare<[string], RecordRow>(`SELECT * FROM memory_records WHERE id = ?`);
  const withContent = database.prepare<[string, string], RecordRow>(
    `SELECT * FROM memory_records WHERE audience = ? AND content_hash = ? ORDER BY row DESC`,
  );
  const withKey = database.prepare<[string, string], RecordRow>(
    `SELECT * FROM memory_records WHERE record_key = ? AND audience = ? AND state = 'active'`,
  );
  const history = database.prepare<[object], RecordRow>(
    `SELECT * FROM memory_records
     WHERE lineage_id IN (SELECT lineage_id FROM memory_records WHERE id IN (SELECT value FROM json_each(@ids)))
       AND audience IN (SELECT value FROM json_each(@audiences)) AND ${writtenSince('created_at_ms')}
       AND ${inPartition}
     ORDER BY lineage_id, version`,
  );
  const lineages = database.prepare<[string], RecordRow>(
    `SELECT * FROM memory_records
     WHERE lineage_id IN (SELECT lineage_id FROM memory_records WHERE id IN (SELECT value FROM json_each(?)))
     ORDER BY lineage_id, version`,
  );
  const admitted = `state = 'active' AND demoted = 0 AND ${recordPredicate}
    AND (@channelTag IS NULL OR channel_tag = @channelTag) AND (@hostTag IS NULL OR host_tag = @hostTag)
    AND (@userID IS NULL OR user_id = @userID) AND (@kind IS NULL OR kind = @kind)
    AND (@key IS NULL OR record_key = @key) AND (@pinned IS NULL OR pinned = @pinned)
    AND (@tag IS NULL OR EXISTS (SELECT 1 FROM json_each(tags) WHERE value = @tag))
    AND (@words IS NULL OR memory_records.row IN (SELECT rowid FROM memory_records_fts WHERE memory_records_fts MATCH @words))`;
  const matching = database.prepare<[object], RecordRow & { rank: number }>(
    `SELECT memory_records.*, bm25(memory_records_fts) AS rank
     FROM memory_records_fts JOIN memory_records ON memory_records.row = memory_records_fts.rowid
     WHERE memory_records_fts MATCH @expression AND ${admitted}
     ORDER BY rank, memory_records.row DESC LIMIT @limit`,
  );
  const holding = database.prepare<[object], RecordRow>(
    `SELECT * FROM memory_records WHERE ${admitted} AND content LIKE @pattern ESCAPE '\\'
     ORDER BY updated_at_ms DESC, row DESC LIMIT @limit`,
  );
  const [pinned, keyed] = [
    // what is pinned in a room is for its own prompts, not for those of its space
    'pinned = 1 AND audience IN (SELECT value FROM json_each(@audiences))',
    'record_key IN (SELECT value FROM json_each(@keys))',
  ].map((which) =>
    database.prepare<[object], RecordRow>(
      `SELECT * FROM memory_records
       WHERE ${which} AND state = 'active' AND demoted = 0 AND (${recordPredicate})
       ORDER BY updated_at_ms DESC, row DESC LIMIT @limit`,
    ),
  );
  const linked = database
    .prepare<[object], number>(
      `SELECT row FROM global_memory_chunks WHERE (${audiencePredicate}) AND ordinal = 0
         AND ((@run <> '' AND session_id = @of AND run_id = @run)
           OR id IN (SELECT id FROM memory_records WHERE (${recordPredicate}) AND state = 'active'
             AND id NOT IN (SELECT value FROM json_each(@ids))
             AND (record_key IN (SELECT this.record_key FROM memory_records AS this
                 WHERE this.id IN (SELECT value FROM json_each(@ids)))
               OR EXISTS (SELECT 1 FROM json_each(tags) AS own WHERE own.value IN (
                 SELECT tag.value FROM memory_records AS this, json_each(this.tags) AS tag
                 WHERE this.id IN (SELECT value FROM json_each(@ids)))))
             ORDER BY id DESC LIMIT @edges))
       ORDER BY at_ms DESC, row DESC LIMIT @limit`,
    )
    .pluck();
  const sensitive = database
    .prepare<[string], string>(
      "SELECT id FROM memory_records WHERE sensitivity = 'sensitive' AND id IN (SELECT value FROM json_each(?))",
    )
    .pluck();
  const all = database.prepare<[string, number], RecordRow>(
    `SELECT * FROM memory_records WHERE id > ? ORDER BY id LIMIT ?`,
  );
  return {
    insert: (record) => void insert(recordToRow(record)),
    update: (record) => void update(recordToRow(record), record.id),
    remove: (ids) => void remove.run(JSON.stringify(ids)),
    get(id) {
      const row = byID.get(id);
      return row && recordFromRow(row);
    },
    withContent: (audience, contentHash) => withContent.all(audience, contentHash).map(recordFromRow),
    withKey: (audience, key) => withKey.all(key, audience).map(recordFromRow),
    pinned: (readable, limit) => (pinned?.all({ ...readable.parameters, limit }) ?? []).map(recordFromRow),
    keyed: (keys, readable) =>
      (keyed?.all({ ...readable.parameters, keys: JSON.stringify(keys), limit: maxKeyed }) ?? []).map(
        recordFromRow,
      ),
    linked: ({ sessionID, runID, ids, edges }, readable, limit) =>
      linked.all({
        ...readable.parameters,
        of: sessionID,
        run: runID,
        ids: JSON.stringify(ids),
        edges,
        limit,
      }),
    history(ids, { parameters: { audiences, since, partition, everyPartition } }) {
      return history
        .all({ audiences, since, partition, everyPartition, ids: JSON.stringify(ids) })
        .map(recordFromRow);
    },
    lineages: (ids) => lineages.all(JSON.stringify(ids)).map(recordFromRow),
    matching: (expression, of, readable, limit) =>
      matching
        .all({ ...readable.parameters, ...of, expression, limit })
        .map(({ rank, ...row }) => ({ ...recordFromRow(row), rank })),
    holding: (text, of, readable, limit) =>
      holding
        .all({ ...readable.parameters, ...of, limit, pattern: `%${text.replace(/[\\%_]/g, '\\$&')}%` })
        .map(recordFromRow),
    sensitive: (ids) => new Set(ids.length === 0 ? [] : sensitive.all(JSON.stringify(ids))),
    all: (afterID, limit) => all.all(afterID, limit).map(recordFromRow),
  };
}
