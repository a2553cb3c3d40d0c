// How an entry of the journal is found: its words, and the passages that memory searches, written in the transaction of the entry.
import { sqliteSql } from '#base/sql/sqlite-sql.ts';
import { synchronous } from '#base/sql/work.ts';
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import {
  type JournalDocument,
  type JournalPassages,
  lessonDocument,
} from '#memory/chunks/journal-passages.ts';
import { createQuestions } from '#memory/records/questions.ts';
import { elementTitle, type SessionDocument } from '#memory/store/session-document.ts';
import type { JournalWords } from '#memory/words/journal-words.ts';
import type { JournalRow, Table } from './rows.ts';

/** Makes the words and passages of an entry anew, from its row and what belongs to it; of an element those of its session. */
export type IndexEntry = (table: Table, row: JournalRow) => void;

/** Over one open database. */
export function createIndexEntry(parts: {
  database: Sqlite;
  words: JournalWords;
  passages: JournalPassages;
  sessionOf: (id: string) => SessionDocument | undefined;
}): IndexEntry {
  const { database, words, passages, sessionOf } = parts;
  const questions = synchronous(createQuestions(sqliteSql(database)));
  const lessonOf = database.prepare<[string], JournalRow>('SELECT * FROM lessons WHERE id = ?');
  const said = database.prepare<[string], JournalRow>(
    'SELECT * FROM conversation_entries WHERE conversation_id = ? ORDER BY row',
  );
  const phases = database.prepare<[string], { title: string; body: string | null }>(
    `SELECT title, (SELECT group_concat(title, char(10) ORDER BY row) FROM work_slices WHERE phase_id = build_phases.id) AS body
     FROM build_phases WHERE build_id = ? ORDER BY row`,
  );
  const session = (id: string, also: 'words' | 'passages only'): void => {
    const found = sessionOf(id);
    if (found === undefined) return;
    if (also === 'words') words.set('session', id, found.words);
    passages.set(found.owner, found.document);
  };
  const element = (row: JournalRow): void => {
    // what asks about records has their words: a search finds these
    if (questions.isOne(row.id)) return;
    if (row.lineage_id === null) passages.set(row, notedDocument(row));
    else session(String(row.lineage_id), 'passages only');
  };
  const of: { [Name in Table]?: (row: JournalRow) => void } = {
    session_headers: ({ id }) => session(id, 'words'),
    session_decisions: element,
    open_threads: element,
    next_steps: element,
    key_context: element,
    lessons(row) {
      const successor = row.successor_id === null ? undefined : lessonOf.get(String(row.successor_id));
      passages.set(row, lessonDocument(row, successor));
    },
    touchstones(row) {
      const body = [row.fact, row.texture, row.why_it_matters].filter((text) => text !== '').join('\n');
      passages.set(row, { title: String(row.title), texts: [{ title: '', body }] });
    },
    conversations(row) {
      const [title, topic] = [String(row.title), String(row.topic)];
      const tags = JSON.parse(String(row.topic_tags)) as string[]; // the table's own CHECK, and written as a list
      const turns = said.all(row.id);
      words.set('conversation', row.id, [title, topic, ...tags, ...turns.map(({ body }) => String(body))]);
      passages.set(row, { title, texts: [{ title: topic, body: tags.join(', ') }] });
      for (const turn of turns) passages.add(row, { title, texts: [turnText(turn)] });
    },
    build_records({ id, title: own, summary, ...row }) {
      const title = `${own}${changedBy(row)}`;
      const texts = phases.all(id).map((phase) => ({ title: phase.title, body: phase.body ?? '' }));
      passages.set({ ...row, id }, { title, texts: [{ title: '', body: String(summary) }, ...texts] });
    },
    t4_entries(row) {
      const about = [row.project_slug, row.entry_type, row.entry_id].map(String);
      const [title, body] = [String(row.title), String(row.body)];
      words.set('t4', row.id, [...about, title, body]);
      passages.set(row, {
        title: `${about.join(' ')}: ${title}${changedBy(row)}`,
        texts: [{ title: '', body }],
      });
    },
  };
  return (table, row) => of[table]?.(row);
}

/** The other agent of the project that changed it last. */
function changedBy({ updated_by: name }: { readonly [column: string]: unknown }): string {
  return name == null ? '' : ` (changed by ${name})`;
}

/** What a turn of a conversation says. */
export function turnText({ author, entry_type, body }: JournalRow): { title: string; body: string } {
  return { title: `${author} (${entry_type})`, body: String(body) };
}

/** An element that was noted by itself. */
function notedDocument(row: JournalRow): JournalDocument {
  const title = elementTitle({
    ...{ agent: row.agent_id, title: String(row.title), createdAt: row.created_at_ms },
    ...{ status: textOf(row.status), note: textOf(row.status_note), settledBy: textOf(row.settled_by) },
    updatedAt: Number(row.updated_at_ms ?? row.created_at_ms),
  });
  return { title, texts: [{ title: '', body: String(row.body) }] };
}

function textOf(value: string | number | null | undefined): string | null {
  return typeof value === 'string' ? value : null;
}
