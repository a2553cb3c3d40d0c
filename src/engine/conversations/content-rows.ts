// What persons said in conversations, or was written in chats: found and taken out of the tables. Called inside transactions; ids and times stay.
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import type { ContentOf } from '#engine/wire/sessions/content.ts';

interface ContentMessages {
  /** Sessions in which nobody else spoke. */
  whole: string[];
  /** Messages in other sessions, with the answers that follow them. */
  single: string[];
  /** All messages, those of whole sessions included. */
  messages: number;
  runs: string[];
  /** Sessions whose first words are among them: their title was made of these. */
  titled: string[];
}

interface SessionContentRows {
  find(by: ContentOf): ContentMessages;
  /** Leaves of these messages that they were there, and of their runs that they ran. */
  blank(what: Pick<ContentMessages, 'single' | 'runs' | 'titled'>): void;
  /** What runs were shown of memory, which is kept to recognise an answer that only repeats it. */
  dropRecalled(): void;
  /** Of these messages, oldest first. */
  texts(
    ids: readonly string[],
  ): { sessionID: string; at: number; role: 'user' | 'assistant'; text: string; audience: string | null }[];
  /** Ids of what persons said and were answered, also in sessions of no one else. */
  idsOf(by: ContentOf): string[];
}

/** What takes the place of something forgotten: a conversation with others continues around it. */
const left = '[forgotten]';

/** A chat, or a thread of it: an address without a thread ends with the sign for none. */
const inChats = (column: string): string =>
  `(${column} IN (SELECT value FROM json_each(:keys)) OR EXISTS (SELECT 1 FROM json_each(:keys)
     WHERE value LIKE '%:-' AND substr(${column}, 1, length(value) - 1) = substr(value, 1, length(value) - 1)))`;

/** Statements over the engine's database. */
export function createSessionContentRows(database: Sqlite): SessionContentRows {
  type Keys = { keys: string };
  const users = {
    persons: "json_extract(speaker, '$.id') IN (SELECT value FROM json_each(:keys))",
    chats: `EXISTS (SELECT 1 FROM runs WHERE runs.id = messages.run_id AND json_extract(runs.origin, '$.speaker.person') <> '-'
      AND ${inChats("json_extract(runs.origin, '$.chat')")})`,
    sessions: 'session_id IN (SELECT value FROM json_each(:keys))',
  };
  const statements = (where: string) => ({
    // an answer belongs to the last thing that was written before it
    all: database.prepare<Keys, { id: string; sessionID: string; isFirst: number }>(
      `SELECT m.id, m.session_id AS sessionID,
         m.position = (SELECT min(position) FROM messages WHERE session_id = m.session_id) AS isFirst
       FROM messages m WHERE coalesce(
         (SELECT max(position) FROM messages u WHERE u.session_id = m.session_id AND u.role = 'user' AND u.position <= m.position),
         m.position) IN (SELECT position FROM messages WHERE role = 'user' AND ${where})
       ORDER BY m.position`,
    ),
  });
  const finders = {
    persons: statements(users.persons),
    chats: statements(users.chats),
    sessions: statements(users.sessions),
  };
  const others = database
    .prepare<{ session: string; ids: string }, number>(
      'SELECT count(*) FROM messages WHERE session_id = :session AND id NOT IN (SELECT value FROM json_each(:ids))',
    )
    .pluck();
  const runsOf = database
    .prepare<[string, string], string>(
      `SELECT id FROM runs WHERE user_message_id IN (SELECT value FROM json_each(?))
       UNION SELECT id FROM runs WHERE assistant_message_id IN (SELECT value FROM json_each(?))`,
    )
    .pluck();
  const list = (column: string): string => `${column} IN (SELECT value FROM json_each(?))`;
  const ofMessages = [
    `DELETE FROM parts WHERE ${list('message_id')}`,
    `UPDATE messages SET speaker = NULL, error = NULL WHERE ${list('id')}`,
    `DELETE FROM requests WHERE ${list('user_message_id')}`,
    `DELETE FROM session_todos WHERE ${list('message_id')}`,
    `DELETE FROM session_summaries WHERE session_id IN (SELECT session_id FROM messages WHERE ${list('id')})`,
  ].map((sql) => database.prepare<[string]>(sql));
  const ofRuns = [
    `UPDATE runs SET text = '${left}', failure = NULL, recalled = '[]', seen_runs = '[]', given = NULL, native_ids = NULL,
       origin = json_set(origin, '$.speaker', json('{"person":"-","name":""}'), '$.reach', json('{"audiences":[],"spaces":[]}'))
     WHERE ${list('id')}`,
    `DELETE FROM events WHERE ${list('run_id')}`,
    `DELETE FROM artifacts WHERE ${list('run_id')}`,
  ].map((sql) => database.prepare<[string]>(sql));
  const ofSessions = [
    `UPDATE sessions SET title = NULL WHERE ${list('id')}`,
    `DELETE FROM events WHERE run_id IS NULL AND type = 'session.updated' AND ${list('session_id')}`,
  ].map((sql) => database.prepare<[string]>(sql));
  // a list that was written for them may be in the same words later
  const listed = `SELECT m.session_id FROM messages m JOIN parts p ON p.message_id = m.id
     WHERE p.tool = 'todo_write' AND ${list('m.id')}`;
  const ofLists = [
    `DELETE FROM events WHERE run_id IS NULL AND type = 'todo.updated' AND session_id IN (${listed})`,
    `UPDATE sessions SET todos = '[]' WHERE id IN (${listed})`,
    `DELETE FROM session_todos WHERE session_id IN (${listed})`,
  ].map((sql) => database.prepare<[string]>(sql));
  const putLeft = database.prepare<[string, string]>(
    `INSERT INTO parts (id, message_id, type, text) SELECT 'prt_left_' || id, id, 'text', ? FROM messages WHERE ${list('id')}`,
  );
  const dropRecalled = database.prepare(
    "UPDATE runs SET recalled = '[]', given = NULL WHERE archived IS NOT NULL AND recalled <> '[]'",
  );
  const texts = database.prepare<[string], ReturnType<SessionContentRows['texts']>[number]>(
    `SELECT m.session_id AS sessionID, m.created_at_ms AS at, m.role,
       coalesce((SELECT group_concat(coalesce(p.text, '[' || coalesce(p.filename, p.tool, p.type) || ']'), char(10)) FROM parts p
        WHERE p.message_id = m.id AND p.type <> 'reasoning'), '') AS text,
       (SELECT json_extract(r.origin, '$.audience') FROM runs r WHERE r.id = m.run_id) AS audience
     FROM messages m WHERE ${list('m.id')} ORDER BY m.position`,
  );
  const found = (by: ContentOf) => {
    const kind = (['persons', 'chats', 'sessions'] as const).find((each) => (by[each]?.length ?? 0) > 0);
    return kind === undefined ? [] : finders[kind].all.all({ keys: JSON.stringify(by[kind]) });
  };
  return {
    idsOf: (by) => found(by).map(({ id }) => id),
    find(by) {
      const all = found(by);
      const whole: string[] = [];
      const single: string[] = [];
      for (const [session, messages] of Map.groupBy(all, ({ sessionID }) => sessionID)) {
        const ids = messages.map(({ id }) => id);
        if ((others.get({ session, ids: JSON.stringify(ids) }) ?? 0) === 0) whole.push(session);
        else single.push(...ids);
      }
      const isWhole = new Set(whole);
      const ids = JSON.stringify(all.map(({ id }) => id));
      return {
        whole,
        single,
        messages: all.length,
        runs: runsOf.all(ids, ids),
        titled: all.flatMap(({ isFirst, sessionID }) =>
          isFirst === 1 && !isWhole.has(sessionID) ? [sessionID] : [],
        ),
      };
    },
    blank({ single, runs, titled }) {
      for (const statement of [...ofLists, ...ofMessages]) statement.run(JSON.stringify(single));
      putLeft.run(left, JSON.stringify(single));
      for (const statement of ofRuns) statement.run(JSON.stringify(runs));
      for (const statement of ofSessions) statement.run(JSON.stringify(titled));
    },
    dropRecalled: () => void dropRecalled.run(),
    texts: (ids) => texts.all(JSON.stringify(ids)),
  };
}
