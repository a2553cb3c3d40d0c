// Chats that got another id: everything that names the old one follows, and memory still knows the room by its first.
// The inbox stores the chat id of each message, since a moved chat counts its message ids again.
import { type Address, formatAddress, parseAddress, roomOf } from '#adapters/gateway/terms/address.ts';
import type { Clock } from '#base/clock.ts';
import { createRareRows } from '#base/sqlite/rare-rows.ts';
import type { Sqlite } from '#base/sqlite/sqlite.ts';

export interface ChatMigrations {
  /** Sends everything that is addressed to `from` to `to`, threads included. */
  move(from: Address, to: Address): void;
  /** The lane's name after the move. */
  renamed(lane: string, from: Address, to: Address): string;
  /** The address that this room has now, after it was moved. */
  currentAddress(address: Address): Address;
  /** The address that this room had first, which is its name in memory. */
  originalAddress(address: Address): Address;
}

interface Change {
  now: string;
  from: number;
  old: string;
  length: number;
}

interface Move {
  /** Later moves have higher ones. */
  row: number;
  room: string;
}

/** The canonical string of a room up to its thread field. */
const stem = (address: Address): string => roomOf(address).replace(/[^:]*$/, '');

/** The table `chat_migrations`, and the columns of other tables that hold addresses. */
export function createChatMigrations(database: Sqlite, clock: Clock): ChatMigrations {
  const columns = [
    ['bindings', 'lane'],
    ['bindings', 'address'],
    ['lane_sessions', 'lane'],
    ['lane_settings', 'lane'],
    ['turn_usage', 'room'],
    ['posted_requests', 'lane'],
    ['posted_requests', 'address'],
    ['inbox', 'lane'],
    ['inbox', 'address'],
    ['corrections', 'lane'],
    ['turns', 'lane'],
    ['turns', 'address'],
    ['outbox', 'address'],
    ['rooms', 'address'],
    ['company', 'address'],
    ['taken_firings', 'address'],
  ] as const;
  const updates = columns.map(([table, column]) =>
    database.prepare<Change>(
      // Two rows for one lane: the conversation that the room had first is its own.
      `UPDATE OR REPLACE ${table} SET ${column} = @now || substr(${column}, @from) WHERE substr(${column}, 1, @length) = @old`,
    ),
  );
  const insert = database.prepare(
    'INSERT INTO chat_migrations (new_room, old_room, moved_at_ms) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
  );
  const previous = database.prepare<[string, number], Move>(
    'SELECT rowid AS row, old_room AS room FROM chat_migrations WHERE new_room = ? AND rowid < ?',
  );
  const following = database.prepare<[string, number], Move>(
    'SELECT rowid AS row, new_room AS room FROM chat_migrations WHERE old_room = ? AND rowid > ? ORDER BY rowid DESC LIMIT 1',
  );
  const some = createRareRows(database, "chat_migrations WHERE new_room > ''");
  /** Where the moves lead from here, each followed by later or by earlier ones only: a chat may have moved there and back. */
  const followed = (address: Address, moves: typeof following, row: number): Address => {
    if (!some.exist()) return address;
    let last: Move = { row, room: formatAddress({ ...address, thread: undefined }) };
    for (let next: Move | undefined = last; next !== undefined; next = moves.get(last.room, last.row))
      last = next;
    const { space, chat } = parseAddress(last.room);
    return { ...address, space, chat };
  };
  // Messages have other ids in the chat that moved: an old one there would be someone else's.
  const here = 'substr(address, 1, @length) = @old';
  const forget = [
    `DELETE FROM previews WHERE turn_id IN (SELECT id FROM turns WHERE state = 'running' AND ${here})`,
    `UPDATE turns SET reply_to = NULL WHERE state = 'running' AND ${here}`,
    `UPDATE outbox_parts SET preview_key = NULL, preview_id = NULL
     WHERE state <> 'sent' AND outbox_id IN (SELECT id FROM outbox WHERE state = 'open' AND ${here})`,
    `UPDATE outbox SET reply_to = NULL WHERE state = 'open' AND ${here}`,
    `UPDATE outbox_parts SET native_id = NULL
     WHERE state = 'sent' AND outbox_id IN (SELECT id FROM outbox WHERE state IN ('done', 'failed') AND ${here})`,
  ].map((sql) => database.prepare<Pick<Change, 'old' | 'length'>>(sql));
  return {
    move(from, to) {
      const [old, now] = [stem(from), stem(to)];
      if (old === now) return;
      const length = old.length;
      for (const statement of forget) statement.run({ old, length });
      some.written();
      insert.run(roomOf(to), roomOf(from), clock.now());
      for (const update of updates) update.run({ now, old, from: length + 1, length });
    },
    renamed(lane, from, to) {
      const old = stem(from);
      return lane.startsWith(old) ? stem(to) + lane.slice(old.length) : lane;
    },
    currentAddress: (address) => followed(address, following, 0),
    originalAddress: (address) => followed(address, previous, Number.MAX_SAFE_INTEGER),
  };
}
