// The to-do lists of sessions: the one that holds, and what it was while each message was the newest, so that a revert takes it back and a
// fork has it. Called inside transactions.
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import type { TodoItem } from '#engine/wire/sessions/todo.ts';

/** A list as it was last written while the message was the newest that stood; before every message where there is none. */
export interface ListAtMessage {
  messageID?: string | undefined;
  todos: TodoItem[];
}

export interface TodoRows {
  /** The list that holds. */
  get(sessionID: string): TodoItem[];
  /** Makes it the list that holds; `remembered` is what a revert brings back in its place. */
  set(
    sessionID: string,
    now: number,
    lists: { todos: readonly TodoItem[]; remembered: readonly TodoItem[] },
  ): void;
  /** Makes it the list that holds; what was remembered stays. */
  restore(sessionID: string, now: number, todos: readonly TodoItem[]): void;
  /** The list while only these messages stood: as the last of them has it. Undefined where no list was ever written. */
  when(sessionID: string, messageIDs: readonly string[]): TodoItem[] | undefined;
  /** What is remembered, in the order of the messages. */
  remembered(sessionID: string): ListAtMessage[];
  remember(sessionID: string, list: ListAtMessage): void;
}

/** Statements over the engine's open database. */
export function createTodoRows(database: Sqlite): TodoRows {
  const get = database.prepare<[string], string>('SELECT todos FROM sessions WHERE id = ?').pluck();
  const set = database.prepare<[string, number, string]>(
    'UPDATE sessions SET todos = ?, updated_at_ms = ? WHERE id = ?',
  );
  const newest = database
    .prepare<[string], string>(
      'SELECT id FROM messages WHERE session_id = ? AND reverted_at_ms IS NULL ORDER BY position DESC LIMIT 1',
    )
    .pluck();
  const remember = database.prepare<[string, string, string]>(
    `INSERT INTO session_todos (session_id, message_id, todos) VALUES (?, ?, ?)
     ON CONFLICT (session_id, message_id) DO UPDATE SET todos = excluded.todos`,
  );
  const all = database.prepare<[string], { messageID: string; todos: string }>(
    `SELECT message_id AS messageID, todos FROM session_todos LEFT JOIN messages ON messages.id = message_id
     WHERE session_todos.session_id = ? ORDER BY coalesce(messages.position, 0)`,
  );
  const remembered: TodoRows['remembered'] = (sessionID) =>
    all.all(sessionID).map(({ messageID, todos }) => ({
      ...(messageID === '' ? {} : { messageID }),
      todos: JSON.parse(todos),
    }));
  const rows: TodoRows = {
    get: (sessionID) => JSON.parse(get.get(sessionID) ?? '[]'),
    set(sessionID, now, { todos, remembered: list }) {
      rows.restore(sessionID, now, todos);
      rows.remember(sessionID, { messageID: newest.get(sessionID), todos: [...list] });
    },
    restore: (sessionID, now, todos) => void set.run(JSON.stringify(todos), now, sessionID),
    when(sessionID, messageIDs) {
      const lists = remembered(sessionID);
      if (lists.length === 0) return undefined;
      const stands = new Set(messageIDs);
      return lists.findLast(({ messageID }) => messageID === undefined || stands.has(messageID))?.todos ?? [];
    },
    remembered,
    remember: (sessionID, { messageID = '', todos }) =>
      void remember.run(sessionID, messageID, JSON.stringify(todos)),
  };
  return rows;
}
