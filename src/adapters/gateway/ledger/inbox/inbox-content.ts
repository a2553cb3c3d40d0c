// What happens to stored messages after they came: edits, deletions, files and previews that come later.
import type { Address } from '#adapters/gateway/terms/address.ts';
import type { MessageEvent, MessagePlace, PreviewEvent } from '#adapters/gateway/terms/inbound.ts';
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import { type InboxRow, inboxColumns, inboxRowOf, type RawInboxRow } from './inbox-row.ts';

export interface InboxContent {
  setText(id: string, text: string): void;
  /** Takes the words and files out of a message that was deleted. */
  erase(id: string, at: number): void;
  /** The message, and the rows in which it was answered once more. */
  findAll(address: Address, nativeID: string): InboxRow[];
  /** As `Sink.accepted`. */
  accepted(place: MessagePlace & Pick<Address, 'platform'>, range: { from: string; until: string }): string[];
  /** What other messages quote of this one is no longer stored. */
  unquote(address: Address, nativeID: string): void;
  /** A second telling of a waiting message that knows of files where the first knew of none. */
  addFiles(event: MessageEvent): void;
  /** What the platform hung on a message later, unless it is taken into a run already; false where nothing of it is new. */
  addShared(event: PreviewEvent): boolean;
}

/** Reads and changes the words and files of messages in the table `inbox`. */
export function createInboxContent(database: Sqlite): InboxContent {
  // a retry has the id of its message with a mark behind it
  const withRetries = database.prepare<[object], RawInboxRow>(
    `SELECT ${inboxColumns} FROM inbox WHERE platform = @platform AND account = @account AND chat = @chat
       AND (native_id = @nativeID OR (native_id > @nativeID || '~' AND native_id < @nativeID || char(127))) ORDER BY id`,
  );

  // the last field of an address is its thread; the message that opens a thread has that thread in its address, and is in the chat
  const accepted = database
    .prepare<[object], string>(
      `SELECT native_id FROM inbox WHERE platform = @platform AND account = @account AND chat = @chat
         AND native_id > @from AND native_id <= @until AND kind = 'message' AND deleted_at_ms IS NULL
         AND CASE WHEN @thread IS NULL THEN address LIKE '%:-' OR address LIKE '%:' || native_id
           ELSE address LIKE '%:' || @thread AND native_id <> @thread END
         AND json_extract(event, '$.placeholder') IS NULL ORDER BY native_id`,
    )
    .pluck();

  const erase = database.prepare(
    `UPDATE inbox SET deleted_at_ms = ?,
       event = json_remove(json_set(event, '$.text', '', '$.files', json('[]')), '$.quoted', '$.shared') WHERE id = ?`,
  );

  const setEvent = database.prepare("UPDATE inbox SET event = json_set(event, '$.text', ?) WHERE id = ?");

  const unquote = database.prepare(
    // else SQLite reads all messages of the chat
    `UPDATE inbox INDEXED BY inbox_quoting SET event = json_remove(event, '$.quoted.text', '$.quoted.files')
     WHERE json_extract(event, '$.quoted.nativeID') = @nativeID AND platform = @platform AND account = @account AND chat = @chat`,
  );

  const setFiles = database.prepare(
    `UPDATE inbox SET event = json_set(event, '$.files', json(?))
     WHERE platform = ? AND account = ? AND chat = ? AND native_id = ? AND state = 'waiting' AND json_array_length(event, '$.files') = 0`,
  );

  const setShared = database.prepare(
    "UPDATE inbox SET event = json_set(event, '$.shared', json(?)) WHERE id = ?",
  );

  return {
    erase(id, at) {
      erase.run(at, id);
    },
    findAll: ({ platform, account, chat }, nativeID) =>
      withRetries.all({ platform, account, chat, nativeID }).map(inboxRowOf),
    accepted: ({ platform, account, chat, thread = null }, { from, until }) =>
      accepted.all({ platform, account, chat, thread, from, until }),
    unquote({ platform, account, chat }, nativeID) {
      unquote.run({ platform, account, chat, nativeID });
    },
    setText(id, text) {
      setEvent.run(text, id);
    },
    addFiles({ address: { platform, account, chat }, nativeID, files }) {
      if (files.length > 0) setFiles.run(JSON.stringify(files), platform, account, chat, nativeID);
    },
    addShared({ address: { platform, account, chat }, nativeID, shared }) {
      const rows = withRetries.all({ platform, account, chat, nativeID }).map(inboxRowOf);
      const open = rows.filter(({ state, kind }) => state === 'waiting' && kind === 'message');
      return open
        .map(({ id, event }) => {
          const before = event.shared ?? [];
          const after = [...new Set([...before, ...shared])];
          return after.length > before.length && setShared.run(JSON.stringify(after), id).changes > 0;
        })
        .includes(true);
    },
  };
}
