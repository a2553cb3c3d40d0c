// Entries of the journal forgotten on request: with everything that belongs to them, their words, and a mark of their ids.
import type { ForgottenRows } from '#memory/store/forgotten.ts';
import type { JournalCaller } from '#memory/types/journal.ts';
import type { CheckedInput, JournalParts } from './parts.ts';
import type { Row, Table } from './rows.ts';

/** Tables whose rows are forgotten one by one; what belongs to a session, a conversation or a build goes with it. */
const forgettable: readonly Table[] = [
  'session_headers',
  'session_decisions',
  'open_threads',
  'next_steps',
  'key_context',
  'lessons',
  'touchstones',
  'conversations',
  'build_records',
  't4_entries',
];

/** Forgets entries of the caller's own audience inside the caller's transaction; how many of the ids were there. */
export function forgetEntries(
  parts: JournalParts & { forgotten: ForgottenRows },
  caller: JournalCaller,
  { ids, reason }: CheckedInput<'forget'>,
): { forgotten: number } {
  const { rows, words, audit, forgotten } = parts;
  const gone: string[] = [];
  const sessions = new Set<string>();
  for (const table of forgettable) {
    const found = rows.select(table, caller, {
      sql: 'audience = @audience AND id IN (SELECT value FROM json_each(@ids))',
      values: { audience: caller.where.audience, ids: JSON.stringify(ids) },
    });
    for (const row of found) {
      if (table !== 'touchstones' && typeof row.lineage_id === 'string') sessions.add(row.lineage_id);
      remove(rows, words, table, row);
      forgotten.note({
        id: row.id,
        audience: caller.where.audience,
        at: rows.now(),
        by: caller.by.name,
        reason,
      });
      gone.push(row.id);
    }
  }
  for (const id of sessions) indexAgain(parts, caller, id);
  const detail = reason === undefined ? {} : { reason };
  if (gone.length > 0)
    audit.add({ action: 'forget', by: caller.by, audience: caller.where.audience, ids: gone, detail });
  return { forgotten: gone.length };
}

function remove(rows: JournalParts['rows'], words: JournalParts['words'], table: Table, { id }: Row): void {
  words.remove(id);
  rows.remove(table, 'id', id);
}

/** The words of a session without those of an element that is forgotten. */
function indexAgain({ rows, words }: JournalParts, caller: JournalCaller, id: string): void {
  const of = (table: Table, column: string) =>
    rows
      .select(table, caller, { sql: `${column} = @id`, values: { id } })
      .flatMap((row) => [String(row.title), String(row.body ?? row.summary)]);
  const header = of('session_headers', 'id');
  if (header.length === 0) return; // it is forgotten too
  const elements = (['session_decisions', 'open_threads', 'next_steps', 'key_context'] as const).flatMap(
    (table) => of(table, 'lineage_id'),
  );
  words.set('session', id, [...header, ...elements]);
}
