// What the ledger stores of persons and chats: counted, given out, and taken out. What delivery and uniqueness need stays: ids, states, times.
import { z } from 'zod';
import { parseJson } from '#base/json.ts';
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import { firstOfOthers } from './received-files.ts';

/** Accounts (`per_...`) or canonical addresses of chats; that of a room means its threads too. */
export interface ContentSelection {
  persons: readonly string[];
  chats: readonly string[];
}

export interface ContentCounts {
  /** Messages and commands, with what was changed in them. */
  messages: number;
  /** Answers and notices. */
  answers: number;
  /** Files that came with the messages. */
  files: number;
  /** Messages whose answer is being written, or not delivered yet: they are left. */
  busy: number;
}

interface StoredText {
  platform: string;
  chat: string;
  at: number;
  text: string;
}

export interface ContentRows {
  /** `except`: a row that is left out, such as the command that asks. */
  count(of: ContentSelection, except?: string): ContentCounts;
  messages(of: ContentSelection): StoredText[];
  /** Names and paths of the files that came, in the uploads folder. */
  files(of: ContentSelection): { path: string; name: string; bytes: number }[];
  /** Takes the words out; gives the paths of files that came with nothing else. Called inside a transaction. */
  forget(of: ContentSelection, except?: string): string[];
  /** These sessions no longer exist: their chats begin new ones. */
  unbind(sessionIDs: readonly string[]): void;
}

interface Parameters {
  persons: string;
  chats: string;
  except: string | null;
}

const stored = z.looseObject({ path: z.string(), name: z.string(), bytes: z.number() });

/** Finds, counts and deletes what persons wrote, over an open ledger. */
export function createContentRows(database: Sqlite): ContentRows {
  const inChats = (column: string): string =>
    `(${column} IN (SELECT value FROM json_each(:chats)) OR EXISTS (SELECT 1 FROM json_each(:chats)
       WHERE value LIKE '%:-' AND substr(${column}, 1, length(value) - 1) = substr(value, 1, length(value) - 1)))`;
  const meant = `(inbox.person IN (SELECT value FROM json_each(:persons)) OR ${inChats('inbox.address')}) AND inbox.id IS NOT :except`;
  const busy = `(inbox.state = 'taken' OR EXISTS (SELECT 1 FROM outbox
     WHERE outbox.turn_id = inbox.turn_id AND outbox.state IN ('open', 'handing over')))`;
  const over = `SELECT id FROM inbox WHERE ${meant} AND NOT ${busy}`;
  const answers = `outbox.state IN ('done', 'failed') AND (
     outbox.turn_id IN (SELECT turn_id FROM inbox WHERE ${meant} AND turn_id IS NOT NULL) OR ${inChats('outbox.address')}
     OR outbox.address IN (SELECT address FROM inbox WHERE ${meant} AND address LIKE '%:dm:%'))`;
  const one = (sql: string) => database.prepare<Parameters, number>(sql).pluck();
  const counts = {
    messages: one(
      `SELECT count(*) FROM inbox WHERE id IN (${over}) AND (json_extract(event, '$.text') <> '' OR json_array_length(event, '$.files') > 0)`,
    ),
    answers: one(
      `SELECT count(*) FROM outbox WHERE ${answers} AND EXISTS (SELECT 1 FROM outbox_parts WHERE outbox_id = outbox.id AND text <> '')`,
    ),
    files: one(
      `SELECT count(*) FROM received_files WHERE inbox_id IN (${over}) AND ordinal < ${firstOfOthers} AND json_extract(outcome, '$.status') = 'stored'`,
    ),
    busy: one(`SELECT count(*) FROM inbox WHERE ${meant} AND ${busy}`),
  };
  const messages = database.prepare<Parameters, StoredText>(
    `SELECT platform, address AS chat, said_at_ms AS at, json_extract(event, '$.text') AS text FROM inbox
     WHERE ${meant} AND json_extract(event, '$.text') <> '' ORDER BY said_at_ms, id`,
  );
  const files = database
    .prepare<Parameters, string>(
      `SELECT outcome FROM received_files WHERE inbox_id IN (SELECT id FROM inbox WHERE ${meant})
         AND ordinal < ${firstOfOthers} AND json_extract(outcome, '$.status') = 'stored' ORDER BY inbox_id, ordinal`,
    )
    .pluck();
  const single = database
    .prepare<Parameters, string>(
      `SELECT DISTINCT json_extract(outcome, '$.path') AS path FROM received_files
       WHERE inbox_id IN (${over}) AND json_extract(outcome, '$.status') = 'stored'
         AND NOT EXISTS (SELECT 1 FROM received_files AS other
           WHERE json_extract(other.outcome, '$.path') = json_extract(received_files.outcome, '$.path') AND other.inbox_id NOT IN (${over}))`,
    )
    .pluck();
  const removals = [
    `DELETE FROM corrections WHERE inbox_id IN (${over}) OR json_extract(reaction, '$.person') IN (SELECT value FROM json_each(:persons))`,
    'DELETE FROM given_feedback WHERE person IN (SELECT value FROM json_each(:persons))',
    `DELETE FROM amendments WHERE inbox_id IN (${over})`,
    `DELETE FROM received_files WHERE inbox_id IN (${over})`,
    `DELETE FROM posted_requests WHERE state = 'over' AND turn_id IN (SELECT turn_id FROM inbox WHERE ${meant})`,
    `UPDATE outbox_parts SET text = '', body = 'null' WHERE outbox_id IN (SELECT id FROM outbox WHERE ${answers})`,
    `UPDATE inbox SET state = CASE state WHEN 'waiting' THEN 'cancelled' ELSE state END, masked = 1,
       event = json_remove(json_set(event, '$.text', '', '$.files', json('[]'), '$.actor.name', ''), '$.quoted', '$.shared', '$.placeholder', '$.answeredHash')
     WHERE id IN (${over})`,
  ].map((sql) => database.prepare<Parameters>(sql));
  const unbind = ['lane_sessions', 'bindings'].map((table) =>
    database.prepare<[string]>(`DELETE FROM ${table} WHERE session_id IN (SELECT value FROM json_each(?))`),
  );
  const parametersOf = ({ persons, chats }: ContentSelection, except?: string): Parameters => ({
    persons: JSON.stringify(persons),
    chats: JSON.stringify(chats),
    except: except ?? null,
  });
  return {
    count(of, except) {
      const parameters = parametersOf(of, except);
      const n = (kind: keyof ContentCounts): number => counts[kind].get(parameters) ?? 0;
      return { messages: n('messages'), answers: n('answers'), files: n('files'), busy: n('busy') };
    },
    messages: (of) => messages.all(parametersOf(of)),
    files: (of) =>
      files.all(parametersOf(of)).map((outcome) => {
        const { path, name, bytes } = parseJson(outcome, stored, 'a file that came');
        return { path, name, bytes };
      }),
    forget(of, except) {
      const parameters = parametersOf(of, except);
      const paths = single.all(parameters);
      for (const removal of removals) removal.run(parameters);
      return paths;
    },
    unbind(sessionIDs) {
      for (const statement of unbind) statement.run(JSON.stringify(sessionIDs));
    },
  };
}
