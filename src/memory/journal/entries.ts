// Lessons, touchstones, conversations, builds and project artifacts: written and read inside the caller's transaction.
import { ParleyError } from '#base/errors.ts';
import type { SqlDialect } from '#base/sql/sql.ts';
import type { Work } from '#base/sql/work.ts';
import type { JournalCaller, JournalEntry, JournalPage } from '#memory/types/journal.ts';
import type { Audience } from '#memory/types/scope.ts';
import { comparableText, entryHash } from '#memory/words/content-hash.ts';
import { holdsAll } from '#memory/words/journal-words.ts';
import { turnText } from './index-entry.ts';
import type { CheckedInput, JournalParts } from './parts.ts';
import { everyAgent } from './places.ts';
import { type Condition, type JournalRow, journalEntryOf, marksOf } from './rows.ts';
import {
  mayChange,
  ownAudience,
  ownValues,
  refuseOther,
  refuseUnchangeable,
  stored,
  whoseSql,
} from './sessions.ts';

/** The condition of lessons that are for every project: those of the agent "general", and those that a person recorded in a chat. */
export const forEveryProjectSql = `agent_id = '${everyAgent}' OR (platform <> 'mcp' AND project_id IS NULL)`;

/** Lessons that an agent has: its own, in a project those of all its agents, and those for every project. */
export function lessonsOf(caller: JournalCaller, agentID: string | undefined, also = 'TRUE'): Condition {
  const here = `${agentID === undefined ? 'TRUE' : whoseSql(caller)} AND project_id IS NOT DISTINCT FROM @ofProject`;
  return {
    sql: `(${forEveryProjectSql} OR (${here})) AND (${also})`,
    values: { agent: agentID ?? null },
    of: 'any project',
  };
}

/**
 * Stores a lesson. Under a key it takes the place of what the key said, in a project whichever agent said it; the same words again are stored
 * once. Words that were forgotten are stored on purpose only: `journal_forgotten`.
 */
export function* recordLesson(
  parts: JournalParts,
  caller: JournalCaller,
  input: CheckedInput<'recordLesson'>,
): Work<JournalEntry> {
  const { rows, index, forgottenWords } = parts;
  const { audience, partition } = caller.where;
  const words = { audience, contentHash: entryHash({ lesson: input.lesson }, partition) };
  const wasForgotten = yield* forgottenWords.has(words);
  if (wasForgotten && input.again !== true)
    throw new ParleyError('journal_forgotten', 'lesson: these words were forgotten before.', {
      hint: 'Where someone wants them back, call again with again: true. Nothing was written.',
    });
  const columns = {
    ...{ task_type: input.taskType, lesson_kind: input.lessonKind, lesson: input.lesson },
    ...marksOf(input),
  };
  const earlier = yield* underItsKey(parts, caller, { agent: input.agentID, key: columns.record_key });
  const same = earlier.find((row) =>
    Object.entries(columns).every(
      ([name, value]) => comparableText(`${row[name]}`) === comparableText(`${value}`),
    ),
  );
  if (same !== undefined) return { ...journalEntryOf(same), repeated: true };
  const state = { status: 'active', updated_at_ms: rows.now() };
  const id = yield* rows.insert('lessons', caller, input.agentID, { ...columns, ...state });
  for (const row of earlier) {
    const note = `${input.agentID} recorded another one with its key`;
    yield* deprecate(parts, caller, { id: row.id, successor: id, note });
  }
  const row = yield* rows.get('lessons', caller, id);
  yield* forgottenWords.restored(caller, row);
  yield* index('lessons', row);
  return {
    ...journalEntryOf(row),
    ...(earlier.length > 0 && { supersedes: earlier.map((each) => each.id) }),
    ...(wasForgotten && { wasForgotten: true }),
  };
}

/** Lessons that hold, with this key: of the agent, and in a project of all its agents. */
function* underItsKey(
  { rows }: JournalParts,
  caller: JournalCaller,
  { agent, key }: { agent: string; key: string | null },
): Work<JournalRow[]> {
  if (key === null) return [];
  return yield* rows.select('lessons', caller, {
    sql: `${ownAudience(rows.dialect)} AND ${whoseSql(caller)} AND status = 'active' AND record_key = @key`,
    values: { ...ownValues(caller), agent, key },
  });
}

/** Takes a lesson out of what holds, and says there which one holds now. */
function* deprecate(
  { rows, index }: JournalParts,
  caller: JournalCaller,
  { id, successor, note }: { id: string; successor: string | undefined; note: string | undefined },
): Work<JournalRow> {
  yield* rows.update('lessons', id, {
    ...{ status: 'deprecated', successor_id: successor ?? null, status_note: note ?? null },
    updated_at_ms: rows.now(),
  });
  const row = yield* rows.get('lessons', caller, id);
  yield* index('lessons', row);
  return row;
}

/** A page of the lessons that an agent has, newest first. */
export function getLessons(
  { rows }: JournalParts,
  caller: JournalCaller,
  { agentID, taskType, lessonKind, status, ...page }: CheckedInput<'getLessons'>,
): Work<JournalPage> {
  const also = `status = @status AND (@taskType IS NULL OR ${rows.dialect.sameInAnyCase('task_type', '@taskType')}) AND (@lessonKind IS NULL OR lesson_kind = @lessonKind)`;
  const of = lessonsOf(caller, agentID, also);
  const named = { status, taskType: taskType ?? null, lessonKind: lessonKind ?? null };
  return rows.page('lessons', caller, { ...of, values: { ...of.values, ...named } }, page);
}

export function* deprecateLesson(
  parts: JournalParts,
  caller: JournalCaller,
  input: CheckedInput<'deprecateLesson'>,
): Work<JournalEntry> {
  const { rows } = parts;
  const lesson = yield* rows.get('lessons', caller, input.id);
  // in a project every agent takes back what one of them learned there
  const isShared = caller.projectID !== undefined && lesson.project_id === caller.projectID;
  if (isShared) refuseUnchangeable(lesson, caller);
  else refuseOther(lesson, input.agentID, caller);
  const isOwn = lesson.agent_id === input.agentID;
  const note = isOwn ? input.reason : [input.agentID, input.reason].filter(Boolean).join(': ');
  if (input.successorID === input.id)
    throw new ParleyError('invalid_journal', 'successorID: expected another lesson, received the same one.', {
      hint: 'Name the lesson that holds now. Nothing was written.',
    });
  if (input.successorID !== undefined) yield* rows.get('lessons', caller, input.successorID); // it is there
  return journalEntryOf(
    yield* deprecate(parts, caller, { id: input.id, successor: input.successorID, note }),
  );
}

export function* recordTouchstone(
  { rows, index, forgottenWords }: JournalParts,
  caller: JournalCaller,
  input: CheckedInput<'recordTouchstone'>,
): Work<JournalEntry> {
  const id = yield* rows.insert('touchstones', caller, input.agentID, {
    type: input.type,
    title: input.title,
    felt_weight: input.feltWeight,
    fact: input.fact,
    texture: input.texture,
    why_it_matters: input.whyItMatters,
  });
  const row = yield* rows.get('touchstones', caller, id);
  yield* index('touchstones', row);
  return stored(row, yield* forgottenWords.restored(caller, row));
}

export function* linkTouchstone(
  { rows }: JournalParts,
  caller: JournalCaller,
  input: CheckedInput<'linkTouchstone'>,
): Work<JournalEntry> {
  refuseOther(yield* rows.get('touchstones', caller, input.id), input.agentID, caller);
  refuseOther(yield* rows.get('session_headers', caller, input.lineageID), input.agentID, caller);
  yield* rows.update('touchstones', input.id, { lineage_id: input.lineageID });
  return journalEntryOf(yield* rows.get('touchstones', caller, input.id));
}

export function* createConversation(
  { rows, index, forgottenWords }: JournalParts,
  caller: JournalCaller,
  input: CheckedInput<'createConversation'>,
): Work<JournalEntry> {
  const id = yield* rows.insert('conversations', caller, input.agentID, {
    title: input.title,
    topic: input.topic,
    topic_tags: JSON.stringify(input.topicTags),
  });
  const row = yield* rows.get('conversations', caller, id);
  yield* index('conversations', row);
  return stored(row, yield* forgottenWords.restored(caller, row));
}

/** Every agent that reads a conversation may add to it. */
export function* addConversationEntry(
  { rows, words, passages }: JournalParts,
  caller: JournalCaller,
  input: CheckedInput<'addConversationEntry'>,
): Work<JournalEntry> {
  const container = yield* rows.get('conversations', caller, input.id);
  const { id: conversation, audience } = container;
  if (!mayChange(caller, audience))
    throw new ParleyError(
      'invalid_journal',
      `id: expected a conversation of this audience, received ${conversation}.`,
      {
        hint: 'Begin a conversation here. Nothing was written.',
      },
    );
  const id = yield* rows.insert('conversation_entries', placedAs(container, caller), input.agentID, {
    conversation_id: conversation,
    entry_type: input.entryType,
    author: input.author,
    body: input.body,
  });
  yield* words.add('conversation', conversation, input.body);
  const row = yield* rows.get('conversation_entries', caller, id);
  yield* passages.add(container, { title: String(container.title), texts: [turnText(row)] });
  return journalEntryOf(row);
}

/** A conversation with a page of its entries, newest first. */
export function* getConversation(
  { rows }: JournalParts,
  caller: JournalCaller,
  { id, ...page }: CheckedInput<'getConversation'>,
): Work<JournalEntry> {
  const entries = yield* rows.page(
    'conversation_entries',
    caller,
    { sql: 'conversation_id = @id', values: { id } },
    page,
  );
  return {
    ...journalEntryOf(yield* rows.get('conversations', caller, id)),
    entries: entries.items,
    next: entries.next,
  };
}

export function* putBuild(
  { rows, index, forgottenWords }: JournalParts,
  caller: JournalCaller,
  input: CheckedInput<'putBuild'>,
): Work<JournalEntry> {
  const fields = {
    title: input.title,
    status: input.status,
    summary: input.summary,
    updated_at_ms: rows.now(),
  };
  const [before] = yield* rows.select('build_records', caller, {
    sql: `${ownAudience(rows.dialect)} AND ${whoseSql(caller)} AND ${rows.dialect.isNamed('build_key', '@key')}`,
    values: { ...ownValues(caller), agent: input.agentID, key: input.key },
    limit: 1,
  });
  const writer = before?.agent_id === input.agentID ? null : input.agentID;
  if (before !== undefined) yield* rows.update('build_records', before.id, { ...fields, updated_by: writer });
  const build =
    before?.id ??
    (yield* rows.insert('build_records', caller, input.agentID, { ...fields, build_key: input.key }));
  yield* rows.remove('build_phases', 'build_id', build);
  const at = placedAs(yield* rows.get('build_records', caller, build), caller);
  for (const { title, status, slices } of input.phases) {
    const phase = yield* rows.insert('build_phases', at, input.agentID, { build_id: build, title, status });
    for (const slice of slices)
      yield* rows.insert('work_slices', at, input.agentID, { ...slice, phase_id: phase });
  }
  const row = yield* rows.get('build_records', caller, build);
  yield* index('build_records', row);
  const wasForgotten = yield* forgottenWords.restored(caller, row);
  return { ...(yield* getBuild({ rows }, caller, build)), ...(wasForgotten && { wasForgotten: true }) };
}

/** What belongs to an entry has the readers of that entry. */
function placedAs({ audience, space, restricted }: JournalRow, caller: JournalCaller): JournalCaller {
  const where = { audience: audience as Audience, space: space ?? undefined, restricted: restricted === 1 }; // the table's own CHECK
  return { ...caller, where };
}

/** A phase or a slice as a build shows it: a build has up to hundreds of them. */
function part({ id, title, status }: JournalRow) {
  return { id, title, status };
}

/** A build with its phases and their slices, in their order. */
export function* getBuild(
  { rows }: Pick<JournalParts, 'rows'>,
  caller: JournalCaller,
  id: string,
): Work<JournalEntry> {
  const build = journalEntryOf(yield* rows.get('build_records', caller, id));
  const phases: object[] = [];
  const ofBuild = yield* rows.select('build_phases', caller, { sql: 'build_id = @id', values: { id } });
  for (const phase of ofBuild.reverse()) {
    const of = { sql: 'phase_id = @id', values: { id: phase.id } };
    const slices = yield* rows.select('work_slices', caller, of);
    phases.push({ ...part(phase), slices: slices.reverse().map(part) });
  }
  return { ...build, phases };
}

export function* putT4Entry(
  { rows, index, forgottenWords }: JournalParts,
  caller: JournalCaller,
  input: CheckedInput<'putT4Entry'>,
): Work<JournalEntry> {
  const [before] = yield* rows.select('t4_entries', caller, {
    sql: `${ownAudience(rows.dialect)} AND ${artifact(rows.dialect)}`,
    values: { ...artifactValues(input), ...ownValues(caller) },
    limit: 1,
  });
  const fields = {
    title: input.title,
    body: input.body,
    version: Number(before?.version ?? 0) + 1,
    updated_by: before === undefined || before.agent_id === input.agentID ? null : input.agentID,
    updated_at_ms: rows.now(),
  };
  if (before !== undefined) yield* rows.update('t4_entries', before.id, fields);
  const id =
    before?.id ??
    (yield* rows.insert('t4_entries', caller, input.agentID, {
      ...fields,
      project_slug: input.projectSlug,
      entry_type: input.entryType,
      entry_id: input.entryID,
    }));
  const row = yield* rows.get('t4_entries', caller, id);
  yield* index('t4_entries', row);
  return stored(row, yield* forgottenWords.restored(caller, row));
}

export function* getT4Entry(
  { rows }: JournalParts,
  caller: JournalCaller,
  input: CheckedInput<'getT4Entry'>,
): Work<JournalEntry> {
  const [row] = yield* rows.select('t4_entries', caller, {
    ...{ sql: artifact(rows.dialect), values: artifactValues(input), limit: 1 },
  });
  if (row !== undefined) return journalEntryOf(row);
  const { projectSlug, entryType, entryID } = input;
  throw new ParleyError(
    'journal_not_found',
    `Expected an artifact of project "${projectSlug}", received ${entryType} "${entryID}", which does not exist.`,
    { hint: 'Find it with search_t4.' },
  );
}

/** Artifacts that hold all the words, newest first. */
export function searchT4(
  { rows }: JournalParts,
  caller: JournalCaller,
  { query, mode, projectSlug, ...page }: CheckedInput<'searchT4'>,
): Work<JournalPage> {
  const { sql, values } = holdsAll(rows.dialect, 't4', { query, mode });
  const narrowed = `${sql} AND (@slug IS NULL OR project_slug = @slug)`;
  return rows.page(
    't4_entries',
    caller,
    { sql: narrowed, values: { ...values, slug: projectSlug ?? null } },
    page,
  );
}

const artifact = ({ isNamed }: SqlDialect): string =>
  `project_slug = @slug AND entry_type = @type AND ${isNamed('entry_id', '@entry')}`;

function artifactValues(input: CheckedInput<'getT4Entry'>): Record<string, string> {
  return { slug: input.projectSlug, type: input.entryType, entry: input.entryID };
}
