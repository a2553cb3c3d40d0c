// Sessions of an agent and their elements, read page by page. What is written is in sessions.ts.
import { ParleyError } from '#base/errors.ts';
import type { Work } from '#base/sql/work.ts';
import type { JournalCaller, JournalEntry, JournalPage } from '#memory/types/journal.ts';
import type { CheckedInput, JournalParts } from './parts.ts';
import { fitting, journalEntryOf, type Table } from './rows.ts';
import { elementTables, whoseSql } from './sessions.ts';

const sessionSections: readonly { table: Table; section: string }[] = [
  ...Object.values(elementTables),
  { table: 'touchstones', section: 'touchstones' },
];

/** A session with its elements, as many as one answer holds; `next` reads on. */
export function* getSession(
  { rows }: JournalParts,
  caller: JournalCaller,
  { id, cursor = '0' }: CheckedInput<'getSession'>,
): Work<JournalEntry> {
  const header = journalEntryOf(yield* rows.get('session_headers', caller, id));
  const elements: { section: string; entry: JournalEntry }[] = [];
  for (const { table, section } of sessionSections) {
    const own = yield* rows.select(table, caller, { sql: 'lineage_id = @id', values: { id } });
    for (const row of own.reverse()) elements.push({ section, entry: journalEntryOf(row) });
  }
  const from = Number(cursor);
  const shown = fitting(elements.slice(from), JSON.stringify(header).length);
  const until = from + shown.length;
  const sections = sessionSections.map(({ section }) => [
    section,
    shown.filter((each) => each.section === section).map(({ entry }) => entry),
  ]);
  return {
    ...header,
    ...Object.fromEntries(sections),
    ...(until < elements.length && { next: String(until) }),
  };
}

/** A page of the elements of one kind, newest first; of an agent, and in a project of all its agents, else of every one. */
export function listElements(
  { rows }: JournalParts,
  caller: JournalCaller,
  { agentID, kind, status, ...page }: CheckedInput<'listElements'>,
): Work<JournalPage> {
  const { table, open } = elementTables[kind];
  if (status !== undefined && open === undefined)
    throw new ParleyError('invalid_journal', `status: expected none of a ${kind}, received "${status}".`, {
      hint: 'Threads and steps have one.',
    });
  const whose = agentID === undefined ? 'TRUE' : whoseSql(caller);
  // a thread that is not settled is open, a step pending: either word means both
  const wanted = status === 'open' || status === 'pending' ? open : status;
  const state = wanted === undefined ? '' : ' AND status = @status';
  const values = { agent: agentID ?? null, ...(wanted !== undefined && { status: wanted }) };
  return rows.page(table, caller, { sql: `${whose}${state}`, values }, page);
}
