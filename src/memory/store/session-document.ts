// What a closed session says where it is found: its summary and elements, and of threads and steps in which state they are, and since when.
import type { Sql } from '#base/sql/sql.ts';
import type { Work } from '#base/sql/work.ts';
import type { JournalDocument, PassageOwner } from '#memory/chunks/journal-passages.ts';

interface Element {
  agent: string;
  title: string;
  body: string;
  status: string | null;
  note: string | null;
  settledBy: string | null;
  createdAt: number;
  updatedAt: number;
}

export interface SessionDocument {
  owner: PassageOwner;
  /** Its words, for the index in which all words must occur. */
  words: string[];
  document: JournalDocument;
}

/** Reads the document of a session, whatever its audience; undefined where there is no such session. */
export function createSessionDocuments(sql: Sql): (id: string) => Work<SessionDocument | undefined> {
  const header = sql.prepare<[string], PassageOwner & { title: string; summary: string }>(
    'SELECT * FROM session_headers WHERE id = ?',
  );
  const settled = 'status, status_note AS note, settled_by AS settledBy, updated_at_ms AS updatedAt';
  const plain = 'NULL AS status, NULL AS note, NULL AS settledBy, created_at_ms AS updatedAt';
  const elements = sql.prepare<[{ id: string }], Element>(
    Object.entries({
      session_decisions: plain,
      open_threads: settled,
      next_steps: settled,
      key_context: plain,
    })
      .map(
        ([table, columns]) =>
          `SELECT agent_id AS agent, title, body, created_at_ms AS createdAt, ${columns} FROM ${table} WHERE lineage_id = @id`,
      )
      .join(' UNION ALL '),
  );
  return function* (id) {
    const owner = yield* header.get(id);
    if (owner === undefined) return undefined;
    const { title, summary } = owner;
    const all = yield* elements.all({ id });
    return {
      owner,
      words: [title, summary, ...all.flatMap((each) => [each.title, each.body])],
      document: {
        title,
        texts: [
          { title, body: summary },
          ...all.map((each) => ({ title: elementTitle(each), body: each.body })),
        ],
      },
    };
  };
}

/** The title of an element with its state: `The lexer is slow (resolved 2026-11-29 by Robin: it is fast now)`. */
export function elementTitle({
  agent,
  title,
  status,
  note,
  settledBy,
  createdAt,
  updatedAt,
}: Omit<Element, 'body'>): string {
  if (status === null) return title;
  const isOpen = status === 'open' || status === 'pending';
  const since = new Date(isOpen ? createdAt : updatedAt).toISOString().slice(0, 10);
  const by = settledBy === null || settledBy === agent ? '' : ` by ${settledBy}`;
  // an answer has the name of its person
  const said = by === '' || note === null ? note : unsigned(note, settledBy);
  const why = said === null ? '' : `: ${said}`;
  return isOpen ? `${title} (${status} since ${since}${why})` : `${title} (${status} ${since}${by}${why})`;
}

/** A note with the name of its writer before it, once. */
export function signed(note: string, by: string): string {
  return `${by}: ${unsigned(note, by)}`;
}

function unsigned(note: string, by: string | null): string {
  return by !== null && note.startsWith(`${by}: `) ? note.slice(by.length + 2) : note;
}
