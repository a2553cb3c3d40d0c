// How an entry of the journal is found: its words, and the passages that memory searches, written in the transaction of the entry.
import type { Sql } from '#base/sql/sql.ts';
import { Answered, type Work } from '#base/sql/work.ts';
import {
  type JournalDocument,
  type JournalPassageWork,
  lessonDocument,
} from '#memory/chunks/journal-passages.ts';
import type { QuestionWork } from '#memory/records/questions.ts';
import { createSessionDocuments, elementTitle } from '#memory/store/session-document.ts';
import type { JournalWords } from '#memory/words/journal-words.ts';
import type { JournalRow, Table } from './rows.ts';

/** Makes the words and passages of an entry anew, from its row and what belongs to it; of an element those of its session. */
export type IndexEntry = (table: Table, row: JournalRow) => Work<void>;

/** Over one database, in the caller's transaction. */
export function createIndexEntry(parts: {
  sql: Sql;
  words: JournalWords;
  passages: JournalPassageWork;
  questions: Pick<QuestionWork, 'isOne'>;
}): IndexEntry {
  const { sql, words, passages, questions } = parts;
  const sessionOf = createSessionDocuments(sql);
  const lessonOf = sql.prepare<[string], JournalRow>('SELECT * FROM lessons WHERE id = ?');
  const said = sql.prepare<[string], JournalRow>(
    'SELECT * FROM conversation_entries WHERE conversation_id = ? ORDER BY row',
  );
  const phases = sql.prepare<[string], { title: string; body: string | null }>(
    `SELECT title, (SELECT ${sql.dialect.lines('title', 'row')} FROM work_slices WHERE phase_id = build_phases.id) AS body
     FROM build_phases WHERE build_id = ? ORDER BY row`,
  );
  function* session(id: string, also: 'words' | 'passages only'): Work<void> {
    const found = yield* sessionOf(id);
    if (found === undefined) return;
    if (also === 'words') yield* words.set('session', id, found.words);
    yield* passages.set(found.owner, found.document);
  }
  function* element(row: JournalRow): Work<void> {
    // what asks about records has their words: a search finds these
    if (yield* questions.isOne(row.id)) return;
    if (row.lineage_id === null) yield* passages.set(row, notedDocument(row));
    else yield* session(String(row.lineage_id), 'passages only');
  }
  const of: { [Name in Table]?: (row: JournalRow) => Work<void> } = {
    session_headers: ({ id }) => session(id, 'words'),
    session_decisions: element,
    open_threads: element,
    next_steps: element,
    key_context: element,
    *lessons(row) {
      const successor = row.successor_id === null ? undefined : yield* lessonOf.get(String(row.successor_id));
      yield* passages.set(row, lessonDocument(row, successor));
    },
    *touchstones(row) {
      const body = [row.fact, row.texture, row.why_it_matters].filter((text) => text !== '').join('\n');
      yield* passages.set(row, { title: String(row.title), texts: [{ title: '', body }] });
    },
    *conversations(row) {
      const [title, topic] = [String(row.title), String(row.topic)];
      const tags = JSON.parse(String(row.topic_tags)) as string[]; // the table's own CHECK, and written as a list
      const turns = yield* said.all(row.id);
      yield* words.set('conversation', row.id, [
        title,
        topic,
        ...tags,
        ...turns.map(({ body }) => String(body)),
      ]);
      yield* passages.set(row, { title, texts: [{ title: topic, body: tags.join(', ') }] });
      for (const turn of turns) yield* passages.add(row, { title, texts: [turnText(turn)] });
    },
    *build_records({ id, title: own, summary, ...row }) {
      const title = `${own}${changedBy(row)}`;
      const texts = (yield* phases.all(id)).map((phase) => ({ title: phase.title, body: phase.body ?? '' }));
      yield* passages.set({ ...row, id }, { title, texts: [{ title: '', body: String(summary) }, ...texts] });
    },
    *t4_entries(row) {
      const about = [row.project_slug, row.entry_type, row.entry_id].map(String);
      const [title, body] = [String(row.title), String(row.body)];
      yield* words.set('t4', row.id, [...about, title, body]);
      yield* passages.set(row, {
        title: `${about.join(' ')}: ${title}${changedBy(row)}`,
        texts: [{ title: '', body }],
      });
    },
  };
  return (table, row) => of[table]?.(row) ?? nothing;
}

const nothing = new Answered(undefined);

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
