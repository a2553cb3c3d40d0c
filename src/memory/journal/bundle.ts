// The bundle with which an agent wakes up: every section bounded in items and characters, with the call that reads on.
import { ParleyError } from '#base/errors.ts';
import { nearestName } from '#base/nearest.ts';
import type { Work } from '#base/sql/work.ts';
import type {
  BundleDepth,
  JournalCaller,
  JournalEntry,
  LeftOut,
  MemoryBundle,
} from '#memory/types/journal.ts';
import { getBuild, lessonsOf } from './entries.ts';
import { intentWords, lessonsFor } from './intent.ts';
import type { CheckedInput, JournalParts } from './parts.ts';
import { type Condition, type JournalRow, journalEntryOf, type Table } from './rows.ts';
import { elementTables, openSql, whoseSql } from './sessions.ts';

/** Characters of one text of an item; its own call reads the whole. */
const maxText = 600;
/** No agent has this name: a project is read for none. */
const nobody = '';
/** What is left out is counted so far: an agent may have any number of decisions. */
const maxCounted = 1_000;

interface Section {
  name: string;
  table: Table;
  of: Condition;
  items: number;
  characters: number;
  call: LeftOut['call'];
  depths: readonly BundleDepth[];
  /** How a row is shown, where that is more than its columns. */
  show?: ((row: JournalRow) => Work<JournalEntry>) | undefined;
  /** Its rows, where they are ranked: the call then begins with the first. */
  ranked?: readonly JournalRow[] | undefined;
}

/** Reads a bundle inside the caller's transaction. */
export function* bundle(
  { rows, places }: JournalParts,
  caller: JournalCaller,
  { agentID: given, depth, intent }: CheckedInput<'bundle'>,
): Work<MemoryBundle> {
  if (given === undefined && caller.projectID === undefined)
    throw new ParleyError(
      'invalid_journal',
      'agentID: expected your name in the journal, received nothing.',
      {
        hint: 'Outside of a project a bundle is of one agent.',
      },
    );
  const agentID = given ?? nobody;
  const sections: MemoryBundle['sections'] = {};
  const leftOut: LeftOut[] = [];
  const wanted = [
    {
      ...sectionOf('builds', 'build_records', agentID, [5, 6_000], ['cold_start', 'work']),
      of: { sql: whoseSql(caller), values: { agent: agentID } },
      // in a project every agent's are shown
      call: {
        tool: 'list_sessions',
        arguments: { ...(caller.projectID === undefined && { agentID }), kind: 'build' },
      },
      show: (row: JournalRow) => getBuild({ rows }, caller, row.id),
    },
    ...sectionsOf(caller, agentID),
    ...(yield* gotchasFor(rows, caller, agentID, intent)),
  ];
  for (const section of wanted) {
    if (!section.depths.includes(depth)) continue;
    const found =
      section.ranked?.slice(0, section.items) ??
      (yield* rows.select(section.table, caller, { ...section.of, limit: section.items }));
    const entries: JournalEntry[] = [];
    for (const row of found)
      entries.push(section.show === undefined ? journalEntryOf(row) : yield* section.show(row));
    const shown = within(entries, section.characters);
    sections[section.name] = shown;
    const isAll = found.length < section.items;
    const limit = shown.length + maxCounted + 1;
    const all = isAll
      ? found.length
      : (section.ranked?.length ?? (yield* rows.count(section.table, caller, { ...section.of, limit })));
    const items = Math.min(all - shown.length, maxCounted);
    const more = all === limit ? { more: true as const } : {};
    // the rows that follow the last one that is shown
    const cursor = section.ranked === undefined ? found[shown.length - 1]?.row : undefined;
    if (items > 0)
      leftOut.push({ section: section.name, items, ...more, call: callIn(caller, section.call, cursor) });
  }
  leftOut.push(...(yield* parkedIn(rows, caller, agentID)));
  // what every agent is taught says nothing about this one
  const isOwn = (name: string, entry: JournalEntry): boolean =>
    (name !== 'lessons' && name !== 'gotchas') || entry.agentID === agentID;
  const isEmpty =
    leftOut.length === 0 &&
    Object.entries(sections).every(([name, entries]) => !entries.some((entry) => isOwn(name, entry)));
  return {
    agentID: given,
    depth,
    sections,
    leftOut,
    ...(intent && intentWords(intent).length === 0 && { intentSaysNothing: true as const }),
    ...(isEmpty && { hint: yield* hintFor(places, caller, { agentID, depth }) }),
  };
}

/** The call as it is made: in the caller's project, after the last row that was shown. */
function callIn(
  { projectID }: JournalCaller,
  { tool, arguments: given }: LeftOut['call'],
  cursor: number | undefined,
): LeftOut['call'] {
  return {
    tool,
    arguments: {
      ...given,
      agentID: given.agentID === nobody ? undefined : given.agentID,
      ...(projectID !== undefined && { projectID }),
      ...(cursor !== undefined && { cursor: String(cursor) }),
    },
  };
}

/** What is parked is counted, and shown by a call. */
function* parkedIn(rows: JournalParts['rows'], caller: JournalCaller, agentID: string): Work<LeftOut[]> {
  const whose = whoseSql(caller);
  const parked: LeftOut[] = [];
  for (const kind of ['thread', 'step'] as const) {
    const of = { sql: `${whose} AND status = 'parked'`, values: { agent: agentID }, limit: maxCounted + 1 };
    const all = yield* rows.count(elementTables[kind].table, caller, of);
    if (all === 0) continue;
    const items = Math.min(all, maxCounted);
    const call = { tool: 'list_session_elements', arguments: { agentID, kind, status: 'parked' } };
    const section = kind === 'thread' ? 'parkedThreads' : 'parkedSteps';
    const more = all > items ? { more: true as const } : {};
    parked.push({ section, items, ...more, call: callIn(caller, call, undefined) });
  }
  return parked;
}

/** Agents that a hint names. */
const maxNamed = 10;

/** What an agent with nothing here may have meant; undefined where nobody has anything. */
function* hintFor(
  places: JournalParts['places'],
  caller: JournalCaller,
  { agentID, depth }: { agentID: string; depth: BundleDepth },
): Work<string | undefined> {
  const all = yield* places.all(caller);
  if (all.length === 0) return undefined;
  if (agentID === nobody) {
    const projects = [...new Set(all.flatMap(({ projectID }) => projectID ?? []))];
    return `Nothing is in ${caller.projectID}. Projects: ${projects.slice(0, maxNamed).join(', ')}.`;
  }
  const own = all.filter((place) => place.agentID === agentID);
  const isHere = own.some(({ projectID }) => projectID === (caller.projectID ?? null));
  const here = caller.projectID === undefined ? 'outside of projects' : `in ${caller.projectID}`;
  if (isHere) return `What ${agentID} has ${here} is settled, or not shown at depth ${depth}.`;
  if (own.length > 0) {
    const where = own.slice(0, maxNamed).map(({ projectID }) => projectID ?? 'no project');
    return `${agentID} has nothing ${here}. It has entries in: ${where.join(', ')}.`;
  }
  const agents = [...new Set(all.map((place) => place.agentID))];
  const near = nearestName(agentID, agents);
  const meant = near === undefined ? '' : ` Did you mean ${near}?`;
  return `${agentID} is not known here.${meant} Agents: ${agents.slice(0, maxNamed).join(', ')}.`;
}

const every = ['cold_start', 'work', 'brief'] as const;

function sectionOf(
  name: string,
  table: Table,
  agentID: string,
  [items, characters]: readonly [number, number],
  depths: readonly BundleDepth[],
): Section {
  const of = { sql: 'agent_id = @agent', values: { agent: agentID } };
  return {
    name,
    table,
    of,
    items,
    characters,
    depths,
    call: { tool: 'list_sessions', arguments: { agentID, kind: 'build' } },
  };
}

/** In a project, what is open and decided there is every agent's; outside of one it is the agent's. */
function sectionsOf(caller: JournalCaller, agentID: string): Section[] {
  const whose = whoseSql(caller);
  const values = { agent: agentID };
  const own = caller.projectID === undefined ? { agentID } : {};
  const elements = (kind: string, status?: string) => ({
    tool: 'list_session_elements',
    arguments: { agentID, kind, ...(status !== undefined && { status }) },
  });
  const open = (name: string, table: Table, kind: string, status: string): Section => ({
    ...sectionOf(name, table, agentID, [200, 20_000], every),
    of: { sql: openSql(table, status, caller), values },
    call: elements(kind, status),
  });
  return [
    {
      ...sectionOf('latestSession', 'session_headers', agentID, [1, 2_000], every),
      of: { sql: whose, values },
      call: { tool: 'list_sessions', arguments: own },
    },
    open('openThreads', 'open_threads', 'thread', 'open'),
    open('nextSteps', 'next_steps', 'step', 'pending'),
    {
      ...sectionOf('decisions', 'session_decisions', agentID, [20, 6_000], ['cold_start', 'work']),
      of: { sql: whose, values },
      call: elements('decision'),
    },
    {
      ...sectionOf('context', 'key_context', agentID, [20, 6_000], ['cold_start', 'work']),
      of: { sql: whose, values },
      call: elements('context'),
    },
    {
      ...sectionOf('conversations', 'conversations', agentID, [10, 4_000], ['cold_start']),
      of: { sql: whose, values },
      call: {
        tool: 'list_sessions',
        arguments: { ...own, kind: 'conversation' },
      },
    },
    {
      ...sectionOf('lessons', 'lessons', agentID, [30, 9_000], ['cold_start', 'work']),
      of: lessonsOf(caller, agentID, `status = 'active'`),
      call: { tool: 'get_lessons', arguments: { agentID } },
    },
    {
      ...sectionOf('touchstones', 'touchstones', agentID, [10, 4_000], ['cold_start']),
      ...(agentID === nobody && { of: { sql: whose } }),
      call: { tool: 'get_touchstones', arguments: { agentID } },
    },
  ];
}

/** Active lessons of kind gotcha that the intent is about, the best first; no section without an intent. */
function* gotchasFor(
  rows: JournalParts['rows'],
  caller: JournalCaller,
  agentID: string,
  intent: string | undefined,
): Work<Section[]> {
  if (intent === undefined || intent === '') return [];
  const isGotcha = rows.dialect.sameInAnyCase('lesson_kind', `'gotcha'`);
  const of = lessonsOf(caller, agentID, `status = 'active' AND ${isGotcha}`);
  return [
    {
      ...sectionOf('gotchas', 'lessons', agentID, [15, 6_000], every),
      of,
      ranked: lessonsFor(intent, yield* rows.select('lessons', caller, of)),
      call: { tool: 'get_lessons', arguments: { agentID, lessonKind: 'gotcha' } },
    },
  ];
}

/** The first items that fit, their long texts cut. */
function within(entries: readonly JournalEntry[], characters: number): JournalEntry[] {
  const shown: JournalEntry[] = [];
  let used = 0;
  for (const entry of entries) {
    const short = cutTexts(entry);
    used += JSON.stringify(short).length;
    if (used > characters && shown.length > 0) break;
    shown.push(used > characters ? { ...pick(short), cut: true } : short);
  }
  return shown;
}

function cutTexts(entry: JournalEntry): JournalEntry {
  const long = Object.entries(entry).filter(
    ([, value]) => typeof value === 'string' && value.length > maxText,
  );
  if (long.length === 0) return entry;
  const cut = long.map(
    ([field, value]) => [field, `${String(value).slice(0, maxText).toWellFormed()}…`] as const,
  );
  return { ...entry, ...Object.fromEntries(cut), cut: true };
}

/** What is always short: for a single item that is larger than its section. */
function pick({ id, agentID, createdAt, title, status }: JournalEntry): JournalEntry {
  return { id, agentID, createdAt, title, status };
}
