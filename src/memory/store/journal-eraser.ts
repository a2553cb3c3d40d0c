// Taking entries out of the journal permanently: rows, what belongs to them, and their words. The marks of their ids are the caller's.
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import {
  type JournalPassages,
  type Lesson,
  lessonDocument,
  type PassageOwner,
} from '#memory/chunks/journal-passages.ts';
import { tagsOf } from '#memory/records/record-of-note.ts';
import { ofProject, recordPredicate, type ScopeFilter } from '#memory/tables/audience.ts';
import { type JournalKind, journalPlatform } from '#memory/types/journal.ts';
import type { Entry, Selection } from '#memory/types/maintenance.ts';
import { isMarkedKind } from '#memory/types/record.ts';
import type { Audience } from '#memory/types/scope.ts';
import { comparableText, entryHash } from '#memory/words/content-hash.ts';
import { createWords } from '#memory/words/journal-words.ts';
import { plainWords } from '#memory/words/tokens.ts';
import { createSessionDocuments } from './session-document.ts';

/** An entry of the journal, by what its removal needs. */
interface JournalEntryID {
  id: string;
  audience: Audience;
}

/** One that was removed, with the hashes of what it and its elements said: where that comes again, it is said, and a lesson is stored on purpose only. */
interface RemovedEntry extends JournalEntryID {
  contentHashes: readonly string[];
}

export interface JournalEraser {
  /** The entries of the scope that a selection means: none for one by its source, which no entry of the journal has. */
  select(selection: Selection, readable: ScopeFilter): JournalEntryID[];
  /** The same entries in short, newest first: what a preview shows of them. */
  samples(ids: readonly string[], limit: number): Entry[];
  /** The entry with this id in short, or the part of a conversation or a build; undefined when the scope holds none. */
  shown(id: string, readable: ScopeFilter): Entry | undefined;
  /** Removes entries inside the caller's transaction, whatever their audience; those that were there. */
  remove(ids: readonly string[]): RemovedEntry[];
}

/** The tables whose rows are forgotten one by one, each of a kind; what belongs to a session, a conversation or a build goes with it. */
const kinds: Readonly<Record<JournalKind, string>> = {
  session: 'session_headers',
  decision: 'session_decisions',
  thread: 'open_threads',
  step: 'next_steps',
  context: 'key_context',
  lesson: 'lessons',
  touchstone: 'touchstones',
  conversation: 'conversations',
  build: 'build_records',
  project_entry: 't4_entries',
};
const elementTables = ['session_decisions', 'open_threads', 'next_steps', 'key_context'];

/** Columns that say something; the others say whose an entry is, and where it comes from. */
const texts = [
  ...[
    'agent_id',
    'title',
    'summary',
    'body',
    'status_note',
    'earlier_notes',
    'task_type',
    'lesson_kind',
    'lesson',
    'tags',
  ],
  ...['type', 'fact', 'texture', 'why_it_matters', 'topic', 'topic_tags'],
  ...['project_slug', 'entry_type', 'entry_id'],
];

type Row = Record<string, unknown> & PassageOwner & JournalEntryID;

/** The eraser of one open database. */
export function createJournalEraser(database: Sqlite, passages: JournalPassages): JournalEraser {
  const words = createWords(database);
  const statements = Object.entries(kinds).map(([kind, table]) => ({
    ...{ kind, table },
    select: database.prepare<[object], Row>(
      `SELECT * FROM ${table} WHERE ${recordPredicate}
         AND (@ids IS NULL OR id IN (SELECT value FROM json_each(@ids)))
         AND (${isMarkedKind(kind) ? marked : '@key IS NULL AND @tag IS NULL'})
         AND (@agent IS NULL OR agent_id = @agent COLLATE NOCASE)
         AND (@chats IS NULL OR chat IN (SELECT value FROM json_each(@chats)) OR audience IN (SELECT 'room:' || value FROM json_each(@chats)))
         AND (@run IS NULL OR run_id = @run)
         AND (@persons IS NULL OR audience IN (SELECT 'person:' || value FROM json_each(@persons)))
         AND (@sessions IS NULL OR session_id IN (SELECT value FROM json_each(@sessions))${ofSession(table)})
         AND (@ofProject IS NULL OR ${ofProject('@ofProject')})
         AND (@from IS NULL OR created_at_ms >= @from) AND (@until IS NULL OR created_at_ms < @until)`,
    ),
    byID: database.prepare<[string], Row>(
      `SELECT * FROM ${table} WHERE id IN (SELECT value FROM json_each(?))`,
    ),
    remove: database.prepare<[string]>(`DELETE FROM ${table} WHERE id = ?`),
  }));
  const forgetWakes = database.prepare<[string, string]>(
    'DELETE FROM journal_wakes WHERE audience = ? AND NOT EXISTS (SELECT 1 FROM session_headers WHERE audience = ?)',
  );
  const sessionOf = createSessionDocuments(database);
  /** What is in a conversation or a build, and goes with it. */
  const within = database
    .prepare<[object], string>(
      `SELECT author || ' ' || body FROM conversation_entries WHERE conversation_id = @id AND ${recordPredicate}
       UNION ALL SELECT title FROM build_phases WHERE build_id = @id AND ${recordPredicate}
       UNION ALL SELECT title FROM work_slices
         WHERE phase_id IN (SELECT id FROM build_phases WHERE build_id = @id) AND ${recordPredicate}`,
    )
    .pluck();
  const elementsOf = database.prepare<[{ id: string }], { title: string; body: string }>(
    elementTables
      .map((table) => `SELECT title, body FROM ${table} WHERE lineage_id = @id`)
      .join(' UNION ALL '),
  );
  const partOf = createPartOf(database);
  const replacedBy = database.prepare<[string], Lesson>(
    'SELECT * FROM lessons WHERE successor_id IN (SELECT value FROM json_each(?))',
  );
  return {
    select(selection, readable) {
      const { ids, person, session, project, from, until, chat, run, source, kind, key, tag, agent } =
        selection;
      // no entry of the journal has one
      if (source !== undefined) return [];
      const list = (value: string | readonly string[] | undefined): string | null =>
        value === undefined ? null : JSON.stringify(typeof value === 'string' ? [value] : value);
      const parameters = {
        ...readable.parameters,
        ids: list(ids),
        persons: list(person),
        chats: list(chat),
        agent: agent ?? null,
        key: key === undefined ? null : comparableText(key),
        tag: tag === undefined ? null : (tagsOf([tag])[0] ?? ''),
        run: run ?? null,
        sessions: list(session),
        ofProject: project ?? null,
        from: from ?? null,
        until: until ?? null,
      };
      const sought = plainWords(selection.words ?? '');
      const holds = (row: Row): boolean => {
        const own = [...texts.map((name) => row[name] ?? ''), ...within.all({ ...parameters, id: row.id })];
        const held = new Set(plainWords(own.join(' ')));
        return sought.length > 0 && sought.every((word) => held.has(word));
      };
      return statements
        .filter((statement) => kind === undefined || statement.kind === kind)
        .flatMap((statement) => statement.select.all(parameters))
        .filter((row) => selection.words === undefined || holds(row))
        .map(({ id, audience }) => ({ id, audience }));
    },
    shown(id, { parameters }) {
      const named = { ...noSelection, ...parameters, ids: JSON.stringify([id]) };
      for (const { kind, select } of statements)
        for (const row of select.all(named)) return entryOfRow(kind, row);
      const part = partOf(id, parameters);
      return part && entryOfRow('part', part);
    },
    samples(ids, limit) {
      const list = JSON.stringify(ids);
      return statements
        .flatMap(({ kind, byID }) => byID.all(list).map((row) => entryOfRow(kind, row)))
        .sort((a, b) => b.at - a.at)
        .slice(0, limit);
    },
    remove(ids) {
      const gone: RemovedEntry[] = [];
      const changed = new Set<string>();
      const list = JSON.stringify(ids);
      // all are read first: the elements of a session go with it
      const found = statements.flatMap((of) => of.byID.all(list).map((row) => ({ ...of, row })));
      for (const { table, row, remove } of found) {
        const { id, audience, lineage_id } = row;
        const said = table === 'session_headers' ? [row, ...elementsOf.all({ id })] : [row];
        words.remove(id);
        passages.remove(id);
        remove.run(id);
        const partition = row.partition ?? undefined;
        gone.push({ id, audience, contentHashes: said.map((each) => entryHash(each, partition)) });
        if (elementTables.includes(table)) changed.add(String(lineage_id));
      }
      // a lesson says what the one says that holds in its place
      for (const lesson of replacedBy.all(JSON.stringify(gone.map(({ id }) => id))))
        passages.set(lesson, lessonDocument(lesson));
      // the words of a session without those of an element that was removed
      for (const id of changed) {
        const session = sessionOf(id);
        if (session === undefined) continue;
        words.set('session', id, session.words);
        passages.set(session.owner, session.document);
      }
      for (const audience of new Set(gone.map((each) => each.audience))) forgetWakes.run(audience, audience);
      return gone;
    },
  };
}

/** The condition of what goes with a session of the journal, by that one's id; nothing for other tables. */
function ofSession(table: string): string {
  const isElement = elementTables.includes(table);
  if (!isElement && table !== 'session_headers') return '';
  return ` OR ${isElement ? 'lineage_id' : 'id'} IN (SELECT value FROM json_each(@sessions))`;
}

/** Every parameter of a selection that names nothing. */
const noSelection = {
  ...{ ids: null, persons: null, chats: null, agent: null, key: null, tag: null, run: null, sessions: null },
  ...{ ofProject: null, from: null, until: null },
};

/** Parts of conversations and builds, each table with SQL for the entry in which its rows are found. */
const partTables = {
  conversation_entries: 'conversation_id',
  build_phases: 'build_id',
  work_slices: '(SELECT build_id FROM build_phases WHERE id = phase_id)',
};

/** The part with this id that the scope holds. */
function createPartOf(database: Sqlite): (id: string, of: ScopeFilter['parameters']) => Row | undefined {
  const parts = Object.entries(partTables).map(([table, owner]) =>
    database.prepare<[object], Row>(
      `SELECT *, ${owner} AS lineage_id FROM ${table} WHERE id = @id AND ${recordPredicate}`,
    ),
  );
  return (id, of) => parts.flatMap((part) => part.all({ ...of, id }))[0];
}

const marked = `(@key IS NULL OR record_key = @key)
   AND (@tag IS NULL OR EXISTS (SELECT 1 FROM json_each(tags) WHERE value = @tag))`;

/** An entry with what it says: its title, and the first of its texts. */
function entryOfRow(kind: string, row: Row): Entry {
  const { id, audience, agent_id: speaker, created_at_ms: at } = row;
  const changed = typeof row.updated_by === 'string' ? ` (changed by ${row.updated_by})` : '';
  const title = typeof row.title === 'string' ? `${row.title}${changed}` : row.title;
  const said = [title, row.summary ?? row.body ?? row.lesson ?? row.fact ?? row.topic];
  return {
    ...{ id, audience, speaker, at, tier: 'global' },
    source: isMarkedKind(kind) ? kind : 'document',
    text: said.filter((text) => typeof text === 'string' && text !== '').join(': '),
    ...{
      platform: journalPlatform,
      chat: `${journalPlatform}:${speaker}`,
      sessionID: String(row.lineage_id ?? id),
    },
    ...{ runID: '', messageIDs: [], recordID: undefined },
  };
}
