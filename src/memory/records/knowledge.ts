// The statements over knowledge. Every read joins the record that stands for it now and goes through the scope; a withdrawn record counts as none.
import type { Sql } from '#base/sql/sql.ts';
import type { Synchronous, Work } from '#base/sql/work.ts';
import { readingIn, type ScopeFilter } from '#memory/tables/audience.ts';
import type { KnowledgeItem, TrustLevel } from '#memory/types/knowledge.ts';
import { type RecordRow, recordFromRow, shownRecord } from './record-row.ts';

/** An item before it has the record that stands for it. */
type KnowledgeRow = Omit<KnowledgeItem, 'record'> & { lineageID: string };

export interface KnowledgeWork {
  /** Stores it inside the caller's transaction, in the place of what the lineage had for the same coverage. Returns its id. */
  put(row: KnowledgeRow): Work<string>;
  /** Takes items away, by their ids. */
  remove(ids: readonly string[]): Work<number>;
  /** Gives what one lineage is known for to another, in the caller's transaction. */
  move(from: string, to: string): Work<void>;
  /** What covers one of these keys. */
  covering(keys: readonly string[], readable: ScopeFilter): Work<KnowledgeItem[]>;
  /** All of the scope, what is for one project, or that and what is for every project (`besideProject`), promoted last first. */
  list(
    of: { projectID?: string | undefined; besideProject?: boolean; limit: number; offset: number },
    readable: ScopeFilter,
  ): Work<KnowledgeItem[]>;
  /** Of an item's id, or of a record's: inside the scope, whatever happened to the record. */
  meant(id: string, readable: ScopeFilter): Work<{ id: string; audience: string }[]>;
  /** What items of these lineages are called: their own words, next to those of the record. */
  wordsOf(lineageIDs: readonly string[]): Work<string[]>;
  /** Records, in any state, with what their knowledge is called: for what is forgotten by its words. */
  called(readable: ScopeFilter): Work<{ recordID: string; words: string }[]>;
  /** How many have no record. */
  orphans(): Work<number>;
}

/** The same where nothing is waited for. */
export type Knowledge = Synchronous<KnowledgeWork>;

interface ItemRow {
  item_id: string;
  coverage_key: string;
  promoted_record: string;
  subject: string;
  task_family: string;
  namespace: string | null;
  for_project: string | null;
  trust: string;
  promoted_at_ms: number;
  promoted_by: string;
  fresh_until_ms: number | null;
  why: string | null;
}

const itemColumns =
  'item_id, coverage_key, promoted_record, subject, task_family, namespace, for_project, trust, promoted_at_ms, promoted_by, fresh_until_ms, why';

/** The knowledge of one database. */
export function createKnowledge(sql: Sql): KnowledgeWork {
  const { dialect } = sql;
  const { inPartition, ofProject, ownAudience, record: readable } = readingIn(dialect);
  const put = sql.pluck<[object], string>(
    `INSERT INTO memory_knowledge (item_id, coverage_key, of_lineage, promoted_record, subject, task_family, namespace,
         for_project, trust, promoted_at_ms, promoted_by, fresh_until_ms, why)
       VALUES (@id, @coverageKey, @lineageID, @promotedRecordID, @subject, @taskFamily, @namespace, @projectID, @trust,
         @promotedAt, @promotedBy, @freshUntil, @reason)
       ON CONFLICT (of_lineage, coverage_key) DO UPDATE SET promoted_record = excluded.promoted_record,
         subject = excluded.subject, task_family = excluded.task_family, trust = excluded.trust,
         promoted_at_ms = excluded.promoted_at_ms, promoted_by = excluded.promoted_by,
         fresh_until_ms = excluded.fresh_until_ms, why = excluded.why
       RETURNING item_id`,
  );
  const remove = sql.prepare<[string], never>(
    `DELETE FROM memory_knowledge WHERE item_id IN ${dialect.texts('?')}`,
  );
  const replaced = sql.prepare<[string, string], never>(
    `DELETE FROM memory_knowledge WHERE of_lineage = ?
       AND coverage_key IN (SELECT moved.coverage_key FROM memory_knowledge AS moved WHERE moved.of_lineage = ?)`,
  );
  const move = sql.prepare<[string, string], never>(
    'UPDATE memory_knowledge SET of_lineage = ? WHERE of_lineage = ?',
  );
  const from = `SELECT ${itemColumns}, memory_records.*
    FROM memory_knowledge JOIN memory_records ON lineage_id = of_lineage
    WHERE state = 'active' AND demoted = 0 AND ${readable}`;
  const covering = sql.prepare<[object], ItemRow & RecordRow>(
    `${from} AND coverage_key IN ${dialect.texts('@keys')} ORDER BY promoted_at_ms DESC, item_id`,
  );
  const list = sql.prepare<[object], ItemRow & RecordRow>(
    `${from} AND (@of IS NULL OR ${ofProject('@of', 'for_project')} OR (@besideProject = 1 AND for_project IS NULL)) ORDER BY promoted_at_ms DESC, item_id LIMIT @limit OFFSET @offset`,
  );
  const meant = sql.prepare<[object], { id: string; audience: string }>(
    `SELECT DISTINCT item_id AS id, audience FROM memory_knowledge JOIN memory_records ON lineage_id = of_lineage
     WHERE ${ownAudience} AND ${inPartition}
       AND (item_id = @id OR of_lineage IN (SELECT lineage_id FROM memory_records WHERE id = @id))`,
  );
  const ownWords =
    "subject || ' ' || task_family || ' ' || coalesce(namespace, '') || ' ' || coalesce(why, '')";
  const called = sql.prepare<[object], { recordID: string; words: string }>(
    `SELECT id AS recordID, ${ownWords} AS words FROM memory_knowledge JOIN memory_records ON lineage_id = of_lineage
     WHERE ${readable}`,
  );
  const words = sql.pluck<[string], string>(
    `SELECT ${ownWords} FROM memory_knowledge WHERE of_lineage IN ${dialect.texts('?')}`,
  );
  const orphans = sql.pluck<[], number>(
    'SELECT count(*) FROM memory_knowledge WHERE of_lineage NOT IN (SELECT lineage_id FROM memory_records)',
  );
  return {
    *put({ namespace = null, projectID = null, freshUntil = null, reason = null, ...row }) {
      return (yield* put.get({ ...row, namespace, projectID, freshUntil, reason })) ?? row.id;
    },
    remove: (ids) => remove.run(JSON.stringify(ids)),
    *move(from, to) {
      yield* replaced.run(to, from);
      yield* move.run(to, from);
    },
    *covering(keys, { parameters }) {
      return (yield* covering.all({ ...parameters, keys: JSON.stringify(keys) })).map(itemOf);
    },
    *list({ projectID = null, besideProject = false, limit, offset }, { parameters }) {
      const of = { of: projectID, besideProject: besideProject ? 1 : 0, limit, offset };
      return (yield* list.all({ ...parameters, ...of })).map(itemOf);
    },
    meant: (id, { parameters: { audiences, partition, everyPartition } }) =>
      meant.all({ audiences, partition, everyPartition, id }),
    called: ({ parameters }) => called.all(parameters),
    wordsOf: (lineageIDs) => words.all(JSON.stringify(lineageIDs)),
    *orphans() {
      return (yield* orphans.get()) ?? 0;
    },
  };
}

function itemOf(row: ItemRow & RecordRow): KnowledgeItem {
  return {
    id: row.item_id,
    coverageKey: row.coverage_key,
    subject: row.subject,
    taskFamily: row.task_family,
    namespace: row.namespace ?? undefined,
    projectID: row.for_project ?? undefined,
    trust: row.trust as TrustLevel, // the table's own CHECK
    promotedAt: row.promoted_at_ms,
    promotedBy: row.promoted_by,
    freshUntil: row.fresh_until_ms ?? undefined,
    reason: row.why ?? undefined,
    promotedRecordID: row.promoted_record,
    record: shownRecord(recordFromRow(row)),
  };
}
