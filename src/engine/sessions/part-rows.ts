// The parts table: the ordered pieces of a message. A part is written once it has its whole value; tools also as they go.
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import { goneNote } from '#engine/wire/channels/notes.ts';

interface TextPart {
  id: string;
  type: 'text' | 'reasoning';
  text: string;
  nativeID?: string | undefined;
}

/** Text that is still being written. */
export type UnfinishedPart = Pick<TextPart, 'id' | 'type' | 'text'>;

interface ToolBase {
  id: string;
  type: 'tool';
  tool: string;
  args: unknown;
}

/** A tool call with exactly the fields that its state has. */
export type ToolPart =
  | (ToolBase & { state: 'pending' | 'running' })
  | (ToolBase & { state: 'completed'; result: unknown })
  | (ToolBase & { state: 'failed' | 'denied'; error: string });

interface FilePart {
  id: string;
  type: 'file';
  mime: string;
  filename?: string | undefined;
  url: string;
  nativeID?: string | undefined;
}

export type Part = TextPart | ToolPart | FilePart;

interface Row {
  id: string;
  message_id: string;
  type: Part['type'];
  text: string | null;
  tool: string | null;
  args: string | null;
  state: ToolPart['state'] | null;
  result: string | null;
  error: string | null;
  mime: string | null;
  filename: string | null;
  url: string | null;
  native_id: string | null;
}

export interface PartRows {
  insert(messageID: string, part: Part): void;
  /** Stores what was written so far of a part that goes on; it is none of the message's parts until it is finished. */
  save(messageID: string, part: UnfinishedPart): void;
  /** The part that was saved has its whole value. */
  finish(part: UnfinishedPart): void;
  /** What a process that died had saved of the message, and not finished. */
  unfinished(messageID: string): UnfinishedPart[];
  /** Moves a tool part on. */
  update(messageID: string, part: ToolPart): void;
  /** Gives a text part other words. */
  setText(partID: string, text: string): void;
  remove(partID: string): void;
  ofMessage(messageID: string): Part[];
  /** The texts and files that are still there of these messages of the platform, in prompts of this audience that are made of other messages. */
  quoting(
    audience: string,
    nativeIDs: readonly string[],
  ): { id: string; type: 'text' | 'file'; messageID: string; sessionID: string }[];
  /** What was asked in this run, there and in forks, as far as it has a part of this message of the platform. */
  messagesOf(nativeID: string, runID: string): { id: string; sessionID: string }[];
  /** The sessions in which a file of this URL stands. */
  sessionsOf(url: string): string[];
  /** The parts of several messages, by message; one without parts is absent. */
  ofMessages(messageIDs: readonly string[]): ReadonlyMap<string, Part[]>;
}

/** Statements over the engine's open database. */
export function createPartRows(database: Sqlite): PartRows {
  const insert = database.prepare<Row>(
    `INSERT INTO parts (id, message_id, type, text, tool, args, state, result, error, mime, filename, url, native_id)
     VALUES (:id, :message_id, :type, :text, :tool, :args, :state, :result, :error, :mime, :filename, :url, :native_id)`,
  );
  const update = database.prepare<[string | null, string | null, string | null, string]>(
    'UPDATE parts SET state = ?, result = ?, error = ? WHERE id = ?',
  );
  const setText = database.prepare<[string, string]>(
    "UPDATE parts SET text = ? WHERE id = ? AND type = 'text'",
  );
  const remove = database.prepare<[string]>('DELETE FROM parts WHERE id = ?');
  const save = database.prepare<[string, string, string, string]>(
    `INSERT INTO parts (id, message_id, type, text, state) VALUES (?, ?, ?, ?, 'running')
     ON CONFLICT (id) DO UPDATE SET text = excluded.text`,
  );
  const finish = database.prepare<[string, string]>('UPDATE parts SET text = ?, state = NULL WHERE id = ?');
  const unfinished = database.prepare<[string], Row>(
    "SELECT * FROM parts WHERE message_id = ? AND type IN ('text', 'reasoning') AND state = 'running' ORDER BY position",
  );
  const isFinished = "(type = 'tool' OR state IS NULL)";
  const all = database.prepare<[string], Row>(
    `SELECT * FROM parts WHERE message_id = ? AND ${isFinished} ORDER BY position`,
  );
  const many = database.prepare<[string], Row>(
    `SELECT * FROM parts WHERE message_id IN (SELECT value FROM json_each(?)) AND ${isFinished} ORDER BY position`,
  );
  const quoting = database.prepare<[object], ReturnType<PartRows['quoting']>[number]>(
    `SELECT p.id, p.type, p.message_id AS messageID, m.session_id AS sessionID
     FROM parts p JOIN messages m ON m.id = p.message_id JOIN runs r ON r.id = m.run_id
     WHERE p.native_id IN (SELECT value FROM json_each(@nativeIDs)) AND (p.type = 'file' OR (p.type = 'text' AND p.text <> @gone))
       AND json_extract(r.origin, '$.audience') = @audience
       AND p.native_id NOT IN (SELECT value FROM json_each(r.origin, '$.nativeIDs'))`,
  );
  const messagesOf = database.prepare<[string, string], { id: string; sessionID: string }>(
    `SELECT DISTINCT m.id, m.session_id AS sessionID FROM parts p JOIN messages m ON m.id = p.message_id
     WHERE p.native_id = ? AND m.run_id = ? AND m.role = 'user'`,
  );
  const sessionsOf = database
    .prepare<[string], string>(
      `SELECT DISTINCT m.session_id FROM parts p JOIN messages m ON m.id = p.message_id
       WHERE p.type = 'file' AND p.url = ? ORDER BY m.session_id`,
    )
    .pluck();
  return {
    insert(messageID, part) {
      insert.run(toRow(messageID, part));
    },
    save: (messageID, { id, type, text }) => void save.run(id, messageID, type, text),
    finish: ({ id, text }) => void finish.run(text, id),
    unfinished: (messageID) =>
      unfinished.all(messageID).flatMap((row) => {
        const part = fromRow(row);
        return part.type === 'text' || part.type === 'reasoning' ? [part] : [];
      }),
    update(messageID, part) {
      const { state, result, error } = toRow(messageID, part);
      update.run(state, result, error, part.id);
    },
    setText: (partID, text) => void setText.run(text, partID),
    remove: (partID) => void remove.run(partID),
    quoting: (audience, nativeIDs) =>
      quoting.all({ audience, nativeIDs: JSON.stringify(nativeIDs), gone: goneNote }),
    messagesOf: (nativeID, runID) => messagesOf.all(nativeID, runID),
    sessionsOf: (url) => sessionsOf.all(url),
    ofMessage: (messageID) => all.all(messageID).map(fromRow),
    ofMessages(messageIDs) {
      const parts = new Map<string, Part[]>();
      for (const row of many.all(JSON.stringify(messageIDs))) {
        const before = parts.get(row.message_id);
        if (before === undefined) parts.set(row.message_id, [fromRow(row)]);
        else before.push(fromRow(row));
      }
      return parts;
    },
  };
}

const empty = {
  text: null,
  tool: null,
  args: null,
  state: null,
  result: null,
  error: null,
  mime: null,
  filename: null,
  url: null,
  native_id: null,
};

function toRow(messageID: string, part: Part): Row {
  const base = { ...empty, id: part.id, message_id: messageID, type: part.type };
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return { ...base, text: part.text, native_id: part.nativeID ?? null };
    case 'file': {
      const { mime, filename = null, url, nativeID = null } = part;
      return { ...base, mime, filename, url, native_id: nativeID };
    }
    case 'tool':
      return {
        ...base,
        tool: part.tool,
        args: JSON.stringify(part.args ?? null),
        state: part.state,
        result: part.state === 'completed' ? JSON.stringify(part.result ?? null) : null,
        error: part.state === 'failed' || part.state === 'denied' ? part.error : null,
      };
  }
}

function fromRow(row: Row): Part {
  switch (row.type) {
    case 'text':
    case 'reasoning':
      return { id: row.id, type: row.type, text: row.text ?? '', ...originOf(row) };
    case 'file':
      return {
        id: row.id,
        type: 'file',
        mime: row.mime ?? '',
        ...(row.filename === null ? {} : { filename: row.filename }),
        url: row.url ?? '',
        ...originOf(row),
      };
    case 'tool': {
      const base = { id: row.id, type: row.type, tool: row.tool ?? '', args: JSON.parse(row.args ?? 'null') };
      const state = row.state ?? 'pending';
      if (state === 'completed') return { ...base, state, result: JSON.parse(row.result ?? 'null') };
      if (state === 'failed' || state === 'denied') return { ...base, state, error: row.error ?? '' };
      return { ...base, state };
    }
  }
}

function originOf({ native_id }: Row): { nativeID?: string } {
  return native_id === null ? {} : { nativeID: native_id };
}
