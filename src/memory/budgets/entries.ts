// Lessons and decisions of the journal as budgets take them: counted, found again where two say the same, and the oldest and least used first. Nothing that is open is one.
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import { type Lesson, lessonDocument, type PassageOwner } from '#memory/chunks/journal-passages.ts';
import type { Store } from '#memory/store/store.ts';
import { sameProject } from '#memory/tables/audience.ts';
import type { BudgetOwner } from '#memory/types/budget.ts';
import { type MarkedKind, markedKinds } from '#memory/types/record.ts';
import type { Audience } from '#memory/types/scope.ts';
import type { StoredExchange } from './exchanges.ts';
import { ofOwners, ownerParameters } from './usage.ts';
import { usesSql } from './utility.ts';

/** Where the entries of a kind are, what one says in SQL, and which hold no longer. */
export const entriesOf = {
  lesson: { table: 'lessons', text: 'lesson', isPast: `status = 'deprecated'` },
  decision: {
    table: 'session_decisions',
    text: `title || CASE body WHEN '' THEN '' ELSE ': ' || body END`,
    isPast: 'FALSE',
  },
} as const satisfies Record<MarkedKind, { table: string; text: string; isPast: string }>;

/** A lesson or a decision that a summary may take the place of. */
export interface StoredEntry extends StoredExchange {
  tags: readonly string[];
}

interface Row extends PassageOwner {
  row: number;
  text: string;
  tags: string;
  platform: string;
  chat: string | null;
  session_id: string | null;
  run_id: string | null;
}

/**
 * Entries that share everything a summary of them may be read by, at most `limit`, in the order in which they were written: what was
 * deprecated is chosen first, then what is least used, then what is oldest; what is pinned last.
 */
export type NextEntries = (owner: BudgetOwner, kind: MarkedKind, limit: number) => StoredEntry[];

/** Over one open database. */
export function createNextEntries(database: Sqlite): NextEntries {
  const columns =
    'id, row, tags, agent_id, audience, space, restricted, partition, project_id, platform, chat, session_id, run_id, created_at_ms';
  const order = (kind: MarkedKind): string =>
    `ORDER BY pinned, ${entriesOf[kind].isPast} DESC, coalesce(uses, 0), row`;
  const statementsOf = (kind: MarkedKind) => {
    const { table, text } = entriesOf[kind];
    const select = `SELECT ${columns}, ${text} AS text FROM ${table}
      LEFT JOIN (SELECT id AS used, sum(uses) AS uses FROM (${usesSql}) GROUP BY id) ON used = id`;
    return {
      first: ofOwners((ofOwner) =>
        database.prepare<[object], Row>(`${select} WHERE ${ofOwner} ${order(kind)} LIMIT 1`),
      ),
      alike: database.prepare<[object], Row>(
        `${select} WHERE audience = @audience AND partition IS @partition AND space IS @space AND restricted = @restricted
           AND ${sameProject('@project_id')} AND agent_id = @agent_id ${order(kind)} LIMIT @limit`,
      ),
    };
  };
  const [lesson, decision] = markedKinds.map(statementsOf);
  const statements = { lesson, decision };
  return (owner, kind, limit) => {
    const first = statements[kind]?.first(owner).get(ownerParameters(owner));
    if (first === undefined) return [];
    const alike = statements[kind]?.alike.all({ ...first, limit }) ?? [];
    return alike.toSorted((a, b) => a.row - b.row).map(entryOf);
  };
}

function entryOf(row: Row): StoredEntry {
  return {
    ...{ sourceKey: row.id, rows: [row.row], ids: [row.id], text: row.text, at: row.created_at_ms },
    ...{
      speaker: row.agent_id,
      person: row.agent_id,
      platform: row.platform,
      chat: row.chat ?? row.platform,
    },
    ...{ sessionID: row.session_id ?? '', runID: row.run_id ?? '', messageIDs: [] },
    projectID: row.project_id ?? undefined,
    tags: JSON.parse(row.tags) as string[], // the table's own CHECK, and written as a list
    where: {
      audience: row.audience as Audience, // the CHECK of the table holds its form
      space: row.space ?? undefined,
      restricted: row.restricted === 1,
      partition: row.partition ?? undefined,
    },
  };
}

/** Gives the entry that stays the tags and the pin of the one that goes, and its place where that one holds now; the caller takes that one away. */
export function createJoinEntries({
  database,
  journalPassages,
}: Pick<Store, 'database' | 'journalPassages'>): (kind: MarkedKind, goes: string, stays: string) => void {
  const [lesson, decision] = markedKinds.map((kind) => {
    const { table } = entriesOf[kind];
    return database.prepare<[object]>(
      `UPDATE ${table} SET pinned = max(pinned, (SELECT pinned FROM ${table} WHERE id = @goes)),
         tags = (SELECT json_group_array(DISTINCT each.value) FROM ${table} AS either, json_each(either.tags) AS each WHERE either.id IN (@goes, @stays))
       WHERE id = @stays`,
    );
  });
  const marks = { lesson, decision };
  const nameSuccessor = database.prepare<[string, string], Lesson>(
    'UPDATE lessons SET successor_id = ? WHERE successor_id = ? RETURNING *',
  );
  const lessonOf = database.prepare<[string], Lesson>('SELECT * FROM lessons WHERE id = ?');
  return (kind, goes, stays) => {
    marks[kind]?.run({ goes, stays });
    // what was deprecated says, where it is found, what holds now
    for (const deprecated of kind === 'lesson' ? nameSuccessor.all(stays, goes) : [])
      journalPassages.set(deprecated, lessonDocument(deprecated, lessonOf.get(stays)));
  };
}
