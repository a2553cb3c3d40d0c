// Sessions of an agent: closed in one transaction with all their elements, and what stays open from one to the next.
import { hash } from 'node:crypto';
import { ParleyError } from '#base/errors.ts';
import type { SqlDialect } from '#base/sql/sql.ts';
import type { Work } from '#base/sql/work.ts';
import { signed } from '#memory/store/session-document.ts';
import type {
  ClosedSession,
  ElementKind,
  JournalCaller,
  JournalEntry,
  SettledEntry,
  Settlement,
} from '#memory/types/journal.ts';
import type { CheckedInput, JournalParts } from './parts.ts';
import { type AskedQuestion, askedBy, chooseSide, sideOf } from './questions.ts';
import { elsewhere, type JournalRow, journalEntryOf, marksOf, type Table } from './rows.ts';

/** The table of each kind of element, and the state of what is not settled. */
export const elementTables = {
  decision: { table: 'session_decisions', section: 'decisions', open: undefined },
  thread: { table: 'open_threads', section: 'threads', open: 'open' },
  step: { table: 'next_steps', section: 'steps', open: 'pending' },
  context: { table: 'key_context', section: 'context', open: undefined },
} as const satisfies Record<ElementKind, { table: Table; section: string; open: string | undefined }>;

const inheritable = [elementTables.thread, elementTables.step];
/** Entries that a refusal names; it says how many there are. */
const maxNamed = 50;

/**
 * The condition of what an agent has open. In a query inside, since SQLite takes the index of all that the agent
 * ever had for as good as that of what is open.
 */
export function openSql(table: Table, status: string, caller: JournalCaller): string {
  return `row IN (SELECT row FROM ${table} WHERE ${whoseSql(caller)} AND status = '${status}')`;
}

/** The condition of what an agent continues: in a project that of all its agents, elsewhere its own, whose parameter is `@agent`. */
export function whoseSql({ projectID }: JournalCaller): string {
  return projectID === undefined ? 'agent_id = @agent' : 'project_id = @ofProject';
}

/** The condition of rows that the caller may change; its parameters are `ownValues`. */
export function ownAudience({ texts }: SqlDialect): string {
  return `audience IN ${texts('@own')}`;
}

export function ownValues({ where, own = [] }: JournalCaller): { own: string } {
  return { own: JSON.stringify([where.audience, ...own]) };
}

/** Whether the caller may change what belongs to this audience. */
export function mayChange({ where, own = [] }: JournalCaller, audience: string): boolean {
  return audience === where.audience || own.some((each) => each === audience);
}

/** Closes a session inside the caller's transaction. */
export function* closeSession(
  parts: JournalParts,
  caller: JournalCaller,
  input: CheckedInput<'closeSession'>,
): Work<ClosedSession> {
  const { rows, index, forgottenWords } = parts;
  const contentHash = hash('sha256', JSON.stringify(input));
  const [before] = yield* rows.select('session_headers', caller, {
    // in a query inside, since SQLite takes the index of the agent's sessions for as good as that of the key
    sql: `row IN (SELECT row FROM session_headers WHERE ${ownAudience(rows.dialect)} AND agent_id = @agent AND ${rows.dialect.isNamed('close_key', '@key')})`,
    values: { ...ownValues(caller), agent: input.agentID, key: input.key },
    limit: 1,
  });
  if (before !== undefined) {
    if (before.content_hash === contentHash) return { lineageID: before.id, repeated: true, swept: 0 };
    throw new ParleyError('close_key_used', `key: "${input.key}" closed another session, ${before.id}.`, {
      hint: 'Use a new key for each session, and repeat a call only as it was.',
    });
  }
  const inherited = yield* inheritedBy(parts, caller, input.agentID);
  const given = new Map(input.inherited.map((each) => [each.id, each]));
  refuseMissing(inherited.filter(({ row }) => row.carried === 0 && !given.has(row.id)));
  const lineageID = yield* rows.insert('session_headers', caller, input.agentID, {
    close_key: input.key,
    content_hash: contentHash,
    title: input.title,
    summary: input.summary,
  });
  const read = new Map(inherited.map((each) => [each.row.id, each]));
  // a session whose elements are settled is indexed once, however many of them there are
  const changed = new Map<string, Inherited>();
  for (const { id, ...how } of input.inherited) {
    const element = read.get(id) ?? (yield* elementOf(rows, caller, id));
    read.delete(id); // one that is named again is read again
    yield* settleElement(parts, caller, element, { ...how, agentID: input.agentID, lineageID });
    changed.set(String(element.row.lineage_id ?? id), element);
  }
  for (const { table, row } of changed.values()) yield* index(table, yield* rows.get(table, caller, row.id));
  // what another agent carries on is that one's to name
  for (const { row, table } of inherited)
    if (row.carried === 1 && [row.settled_by, row.agent_id].includes(input.agentID))
      yield* rows.update(table, row.id, { carried: 0 });
  const { title, summary } = input;
  const again = (yield* forgottenWords.restored(caller, { title, summary })) ? [title] : [];
  for (const { table, section, open } of Object.values(elementTables)) {
    const state = open === undefined ? {} : { status: open, updated_at_ms: rows.now() };
    for (const { title, body, ...marks } of input[section]) {
      if (yield* forgottenWords.restored(caller, { title, body })) again.push(title);
      yield* rows.insert(table, caller, input.agentID, {
        ...{ ...state, lineage_id: lineageID, title, body },
        ...('tags' in marks && marksOf(marks)),
      });
    }
  }
  yield* index('session_headers', yield* rows.get('session_headers', caller, lineageID));
  return {
    ...{ lineageID, repeated: false, swept: inherited.length },
    ...(again.length > 0 && { wasForgotten: again }),
  };
}

/** Notes one element without a session, at the moment that it happens. */
export function* noteElement(
  { rows, index, forgottenWords }: JournalParts,
  caller: JournalCaller,
  { agentID, kind, title, body, ...marks }: CheckedInput<'noteElement'>,
): Work<JournalEntry> {
  const { table, open } = elementTables[kind];
  const id = yield* rows.insert(table, caller, agentID, {
    ...{ lineage_id: null, title, body },
    ...(open !== undefined && { status: open, updated_at_ms: rows.now() }),
    ...(kind === 'decision' && marksOf(marks)),
  });
  const row = yield* rows.get(table, caller, id);
  yield* index(table, row);
  return stored(row, yield* forgottenWords.restored(caller, row));
}

/** The entry as its writer reads it, with the word that it was forgotten before. */
export function stored(row: JournalRow, wasForgotten: boolean): JournalEntry {
  return { ...journalEntryOf(row), ...(wasForgotten && { wasForgotten: true }) };
}

interface Inherited {
  row: JournalRow;
  table: Table;
  /** Its status while it is not settled. */
  open: string;
}

/** What this agent left open here, and in a project what it was shown there of the others: of what they open since then it knows nothing. */
function* inheritedBy(
  { rows, places }: JournalParts,
  caller: JournalCaller,
  agentID: string,
): Work<Inherited[]> {
  const shown = caller.projectID === undefined ? 0 : yield* places.wokenAt(caller, agentID);
  const inherited: Inherited[] = [];
  for (const { table, open } of inheritable) {
    const found = yield* rows.select(table, caller, {
      sql: `${ownAudience(rows.dialect)} AND ${openSql(table, open, caller)} AND (agent_id = @agent OR created_at_ms <= @shown)`,
      values: { ...ownValues(caller), agent: agentID, shown },
    });
    for (const row of found) inherited.push({ row, table, open });
  }
  return inherited;
}

function refuseMissing(missing: readonly Inherited[]): void {
  if (missing.length === 0) return;
  const named = missing.slice(0, maxNamed).map(({ row }) => `${row.id} (${String(row.title).slice(0, 80)})`);
  const more = missing.length > maxNamed ? `, and ${missing.length - maxNamed} more` : '';
  throw new ParleyError(
    'sweep_incomplete',
    `inherited: expected every open thread and pending step, ${missing.length} missing: ${named.join(', ')}${more}.`,
    { hint: 'Resolve, park, drop or carry on each of them in the same call. Nothing was written.' },
  );
}

/** Settles a thread or a step, or marks it as carried on; what it is then. */
export function* settle(
  parts: JournalParts,
  caller: JournalCaller,
  { id, holds, ...how }: CheckedInput<'updateElement'>,
): Work<SettledEntry> {
  const element = yield* elementOf(parts.rows, caller, id);
  const question = yield* askedBy(parts, caller, element.row, { holds });
  const chosen = question?.holds;
  if (question !== undefined && chosen !== undefined) {
    refuseOthers(element.row, how.agentID, caller);
    return yield* settleQuestion(parts, caller, element, {
      ...{ by: how.agentID, note: how.note, sides: question.sides, holds: chosen },
    });
  }
  yield* settleElement(parts, caller, element, how);
  return { ...(yield* shownIndexed(parts, caller, element)), ...choicesOf(question, how.action) };
}

/** The same for a person, who also answers: whichever of their agents has it open, in whichever project. */
export function* settleEntry(
  parts: JournalParts,
  caller: JournalCaller,
  { id, action, note, holds }: CheckedInput<'settleEntry'>,
): Work<SettledEntry> {
  const { rows } = parts;
  const element = yield* elementOf(rows, caller, id, 'any project');
  const { row, table, open } = element;
  const own = { ...caller, projectID: row.project_id ?? undefined };
  const by = caller.shownAs ?? caller.by.name;
  const said = action === 'answered' ? note : undefined;
  const question = yield* askedBy(parts, own, row, { holds, note: said });
  const chosen = question?.holds;
  if (question !== undefined && chosen !== undefined)
    return yield* settleQuestion(parts, own, element, { by, note, sides: question.sides, holds: chosen });
  if (action !== 'answered')
    yield* settleElement(parts, own, element, { agentID: row.agent_id, action, note, by });
  else {
    refuseUnchangeable(row, caller);
    refuseSettled(element, open);
    yield* rows.update(table, id, {
      ...{ status: open, settled_by: by, updated_at_ms: rows.now() },
      ...noted(row, signed(note ?? '', by)),
    });
  }
  return { ...(yield* shownIndexed(parts, own, element)), ...choicesOf(question, action) };
}

/** The question is resolved by what it chose; its own words are those of the memories, and leave it. */
function* settleQuestion(
  parts: JournalParts,
  caller: JournalCaller,
  element: Inherited,
  { by, note, ...choice }: Parameters<typeof chooseSide>[3] & { by: string; note?: string | undefined },
): Work<SettledEntry> {
  const { row, table, open } = element;
  refuseUnchangeable(row, caller);
  refuseSettled(element, open);
  const chosen = yield* chooseSide(parts, caller, row, choice);
  const words = [...(note === undefined || note === '' ? [] : [note]), `${chosen.holds.id} holds.`].join(' ');
  yield* parts.rows.update(table, row.id, {
    ...{ status: 'resolved', settled_in: null, carried: 0, settled_by: by, updated_at_ms: parts.rows.now() },
    ...noted(row, signed(words, by)),
  });
  return { ...(yield* shownIndexed(parts, caller, element)), ...chosen };
}

/** The memories of a question that stays, or is resolved, without a choice between them. */
function choicesOf(
  question: AskedQuestion | undefined,
  action: string,
): Pick<SettledEntry, 'choices'> | undefined {
  return question !== undefined && (action === 'answered' || action === 'resolved')
    ? { choices: question.sides.map(sideOf) }
    : undefined;
}

/** The element as it is now; where it is found, it says its state. */
function* shownIndexed(
  { rows, index }: JournalParts,
  caller: JournalCaller,
  { table, row: { id } }: Inherited,
): Work<JournalEntry> {
  const row = yield* rows.get(table, caller, id);
  yield* index(table, row);
  return journalEntryOf(row);
}

function refuseSettled({ row, open }: Inherited, action: string): void {
  if (row.status === open || row.status === 'parked' || row.status === action) return;
  throw new ParleyError(
    'invalid_journal',
    `${row.id}: expected status "${open}" or "parked", received one that is ${row.status}.`,
    {
      hint: 'It is settled already: leave it out. Nothing was written.',
    },
  );
}

interface Settling {
  agentID: string;
  /** Who settles it, where that is no agent. */
  by?: string | undefined;
  action: Settlement;
  note?: string | undefined;
}

/** The same for an element that was read; with the session that settles it, in a close. */
function* settleElement(
  parts: JournalParts,
  caller: JournalCaller,
  element: Inherited,
  { agentID, by = agentID, action, note, lineageID }: Settling & { lineageID?: string | undefined },
): Work<void> {
  const { row, table, open } = element;
  const { rows } = parts;
  refuseOthers(row, agentID, caller);
  refuseSettled(element, action);
  // a second note stands beside the first one
  if (row.status === action && (note === undefined || note === row.status_note)) return;
  const state =
    action === 'carried_on'
      ? { status: open, settled_in: null, carried: lineageID === undefined ? 1 : 0 }
      : { status: action, settled_in: lineageID ?? null, carried: 0 };
  yield* rows.update(table, row.id, {
    ...state,
    ...{ settled_by: by, updated_at_ms: rows.now() },
    ...(note !== undefined && noted(row, note)),
  });
}

/** A note in the place of the one before, which stays readable with its day and who wrote it. */
function noted(row: JournalRow, note: string): Record<string, string> {
  if (row.status_note === null || row.status_note === note) return { status_note: note };
  const day = new Date(Number(row.updated_at_ms)).toISOString().slice(0, 10);
  const earlier = JSON.parse(String(row.earlier_notes)) as string[]; // the table's own CHECK
  const before = `${day} ${signed(String(row.status_note), String(row.settled_by ?? row.agent_id))}`;
  return { status_note: note, earlier_notes: JSON.stringify([...earlier, before]) };
}

function* elementOf(
  rows: JournalParts['rows'],
  caller: JournalCaller,
  id: string,
  of?: 'any project',
): Work<Inherited> {
  for (const { table, open } of inheritable) {
    const [row] = yield* rows.select(table, caller, { sql: 'id = @id', values: { id }, limit: 1, of });
    if (row !== undefined) return { row, table, open };
  }
  for (const { table } of inheritable) {
    const [row] = yield* rows.select(table, caller, {
      sql: 'id = @id',
      values: { id },
      limit: 1,
      of: 'any project',
    });
    if (row !== undefined) throw elsewhere(row);
  }
  throw new ParleyError('journal_not_found', `Expected the id of a thread or a step, received "${id}".`, {
    hint: 'Use an id of the bundle. Nothing was written.',
  });
}

/** The same where agents share: in a project every one settles what is open there. */
function refuseOthers(row: JournalRow, agentID: string, caller: JournalCaller): void {
  if (caller.projectID === undefined) refuseOther(row, agentID, caller);
  else refuseUnchangeable(row, caller);
}

/** Throws for an entry of another agent, or of an audience that is only read here. */
export function refuseOther(row: JournalRow, agentID: string, caller: JournalCaller): void {
  if (row.agent_id !== agentID)
    throw new ParleyError(
      'invalid_journal',
      `agentID: expected "${row.agent_id}", which wrote ${row.id}, received "${agentID}".`,
      { hint: ownOnly },
    );
  refuseUnchangeable(row, caller);
}

const ownOnly = 'Change only entries of your agent and audience. Nothing was written.';

/** Throws for an entry of an audience that is only read here. */
export function refuseUnchangeable(row: JournalRow, caller: JournalCaller): void {
  if (!mayChange(caller, row.audience))
    throw new ParleyError(
      'invalid_journal',
      `id: expected an entry of this audience, received ${row.id}, which is read here only.`,
      { hint: ownOnly },
    );
}
