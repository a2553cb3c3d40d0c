// Taking entries out of the journal permanently: rows, what belongs to them, and their words. The marks of their ids are the caller's.
import type { Sql, SqlDialect } from '#base/sql/sql.ts';
import type { Work } from '#base/sql/work.ts';
import {
  type JournalPassageWork,
  type Lesson,
  lessonDocument,
  type PassageOwner,
} from '#memory/chunks/journal-passages.ts';
import { tagsOf } from '#memory/records/record-of-note.ts';
import { readingIn, type ScopeFilter } from '#memory/tables/audience.ts';
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
  select(selection: Selection, readable: ScopeFilter): Work<JournalEntryID[]>;
  /** The same entries in short, newest first: what a preview shows of them. */
  samples(ids: readonly string[], limit: number): Work<Entry[]>;
  /** The entry with this id in short, or the part of a conversation or a build; undefined when the scope holds none. */
  shown(id: string, readable: ScopeFilter): Work<Entry | undefined>;
  /** Removes entries inside the caller's transaction, whatever their audience; those that were there. */
  remove(ids: readonly string[]): Work<RemovedEntry[]>;
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

/** The eraser of one database. */
export function createJournalEraser(sql: Sql, passages: JournalPassageWork): JournalEraser {
  const { dialect } = sql;
  const { record: readable } = readingIn(dialect);
  const words = createWords(sql);
  const statements = createStatements(sql);
  const forgetWakes = sql.prepare<[string, string], never>(
    'DELETE FROM journal_wakes WHERE audience = ? AND NOT EXISTS (SELECT 1 FROM session_headers WHERE audience = ?)',
  );
  const sessionOf = createSessionDocuments(sql);
  /** What is in a conversation or a build, and goes with it. */
  const within = sql.pluck<[object], string>(
    `SELECT author || ' ' || body FROM conversation_entries WHERE conversation_id = @id AND ${readable}
     UNION ALL SELECT title FROM build_phases WHERE build_id = @id AND ${readable}
     UNION ALL SELECT title FROM work_slices
       WHERE phase_id IN (SELECT id FROM build_phases WHERE build_id = @id) AND ${readable}`,
  );
  const elementsOf = sql.prepare<[{ id: string }], { title: string; body: string }>(
    elementTables
      .map((table) => `SELECT title, body FROM ${table} WHERE lineage_id = @id`)
      .join(' UNION ALL '),
  );
  const partOf = createPartOf(sql);
  const replacedBy = sql.prepare<[string], Lesson>(
    `SELECT * FROM lessons WHERE successor_id IN ${dialect.texts('?')}`,
  );
  return {
    *select(selection, { parameters: scope }) {
      const { ids, person, session, project, from, until, chat, run, source, kind, key, tag, agent } =
        selection;
      // no entry of the journal has one
      if (source !== undefined) return [];
      const list = (value: string | readonly string[] | undefined): string | null =>
        value === undefined ? null : JSON.stringify(typeof value === 'string' ? [value] : value);
      const parameters = {
        ...scope,
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
      function* holds(row: Row): Work<boolean> {
        const inside = yield* within.all({ ...parameters, id: row.id });
        const held = new Set(plainWords([...texts.map((name) => row[name] ?? ''), ...inside].join(' ')));
        return sought.length > 0 && sought.every((word) => held.has(word));
      }
      const meant: JournalEntryID[] = [];
      for (const statement of statements) {
        if (kind !== undefined && statement.kind !== kind) continue;
        for (const row of yield* statement.select.all(parameters))
          if (selection.words === undefined || (yield* holds(row)))
            meant.push({ id: row.id, audience: row.audience });
      }
      return meant;
    },
    *shown(id, { parameters }) {
      const named = { ...noSelection, ...parameters, ids: JSON.stringify([id]) };
      for (const { kind, select } of statements) {
        const row = yield* select.get(named);
        if (row !== undefined) return entryOfRow(kind, row);
      }
      const part = yield* partOf(id, parameters);
      return part && entryOfRow('part', part);
    },
    *samples(ids, limit) {
      const list = JSON.stringify(ids);
      const entries: Entry[] = [];
      for (const { kind, byID } of statements)
        for (const row of yield* byID.all(list)) entries.push(entryOfRow(kind, row));
      return entries.sort((a, b) => b.at - a.at).slice(0, limit);
    },
    *remove(ids) {
      const gone: RemovedEntry[] = [];
      const changed = new Set<string>();
      const list = JSON.stringify(ids);
      // all are read first: the elements of a session go with it
      const found: ((typeof statements)[number] & { row: Row })[] = [];
      for (const of of statements) for (const row of yield* of.byID.all(list)) found.push({ ...of, row });
      for (const { table, row, remove } of found) {
        const { id, audience, lineage_id } = row;
        const said = table === 'session_headers' ? [row, ...(yield* elementsOf.all({ id }))] : [row];
        yield* words.remove(id);
        yield* passages.remove(id);
        yield* remove.run(id);
        const partition = row.partition ?? undefined;
        gone.push({ id, audience, contentHashes: said.map((each) => entryHash(each, partition)) });
        if (elementTables.includes(table)) changed.add(String(lineage_id));
      }
      // a lesson says what the one says that holds in its place
      for (const lesson of yield* replacedBy.all(JSON.stringify(gone.map(({ id }) => id))))
        yield* passages.set(lesson, lessonDocument(lesson));
      // the words of a session without those of an element that was removed
      for (const id of changed) {
        const session = yield* sessionOf(id);
        if (session === undefined) continue;
        yield* words.set('session', id, session.words);
        yield* passages.set(session.owner, session.document);
      }
      for (const audience of new Set(gone.map((each) => each.audience)))
        yield* forgetWakes.run(audience, audience);
      return gone;
    },
  };
}

/** The entries of each kind. */
function createStatements(sql: Sql) {
  const { dialect } = sql;
  const { ofProject, record: readable } = readingIn(dialect);
  return Object.entries(kinds).map(([kind, table]) => ({
    ...{ kind, table },
    select: sql.prepare<[object], Row>(
      `SELECT * FROM ${table} WHERE ${readable}
         AND (@ids IS NULL OR id IN ${dialect.texts('@ids')})
         AND (${isMarkedKind(kind) ? marked(dialect) : '@key IS NULL AND @tag IS NULL'})
         AND (@agent IS NULL OR ${dialect.sameInAnyCase('agent_id', '@agent')})
         AND (@chats IS NULL OR chat IN ${dialect.texts('@chats')} OR audience IN (SELECT 'room:' || named.value FROM ${dialect.eachText('@chats', 'named')}))
         AND (@run IS NULL OR run_id = @run)
         AND (@persons IS NULL OR audience IN (SELECT 'person:' || named.value FROM ${dialect.eachText('@persons', 'named')}))
         AND (@sessions IS NULL OR session_id IN ${dialect.texts('@sessions')}${ofSession(table, dialect)})
         AND (@ofProject IS NULL OR ${ofProject('@ofProject')})
         AND (@from IS NULL OR created_at_ms >= @from) AND (@until IS NULL OR created_at_ms < @until)`,
    ),
    byID: sql.prepare<[string], Row>(`SELECT * FROM ${table} WHERE id IN ${dialect.texts('?')}`),
    remove: sql.prepare<[string], never>(`DELETE FROM ${table} WHERE id = ?`),
  }));
}

/** The condition of what goes with a session of the journal, by that one's id; nothing for other tables. */
function ofSession(table: string, { texts: among }: SqlDialect): string {
  const isElement = elementTables.includes(table);
  if (!isElement && table !== 'session_headers') return '';
  return ` OR ${isElement ? 'lineage_id' : 'id'} IN ${among('@sessions')}`;
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
function createPartOf(sql: Sql): (id: string, of: ScopeFilter['parameters']) => Work<Row | undefined> {
  const { record: readable } = readingIn(sql.dialect);
  const parts = Object.entries(partTables).map(([table, owner]) =>
    sql.prepare<[object], Row>(
      `SELECT *, ${owner} AS lineage_id FROM ${table} WHERE id = @id AND ${readable}`,
    ),
  );
  return function* (id, of) {
    for (const part of parts) {
      const row = yield* part.get({ ...of, id });
      if (row !== undefined) return row;
    }
    return undefined;
  };
}

const marked = ({ eachText }: SqlDialect): string => `(@key IS NULL OR record_key = @key)
   AND (@tag IS NULL OR EXISTS (SELECT 1 FROM ${eachText('tags', 'own')} WHERE own.value = @tag))`;

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
