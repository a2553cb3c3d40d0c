// Chats that got another id: everything that names the old one follows, and memory still knows the room by its first.
// The inbox stores the chat id of each message, since a moved chat counts its message ids again.
import { type Address, formatAddress, parseAddress, roomOf } from '#adapters/gateway/address.ts';
import type { Clock } from '#base/clock.ts';
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
  const previous = database.prepare<[string], { old_room: string }>(
    'SELECT old_room FROM chat_migrations WHERE new_room = ?',
  );
  const following = database.prepare<[string], { new_room: string }>(
    'SELECT new_room FROM chat_migrations WHERE old_room = ? ORDER BY moved_at_ms DESC LIMIT 1',
  );
  // Messages have other ids in the chat that moved: an old one there would be someone else's.
  const here = 'substr(address, 1, @length) = @old';
  const forget = [
    `DELETE FROM previews WHERE turn_id IN (SELECT id FROM turns WHERE state = 'running' AND ${here})`,
    `UPDATE turns SET reply_to = NULL WHERE state = 'running' AND ${here}`,
    `UPDATE outbox_parts SET preview_key = NULL, preview_id = NULL
     WHERE state <> 'sent' AND outbox_id IN (SELECT id FROM outbox WHERE state = 'open' AND ${here})`,
    `UPDATE outbox SET reply_to = NULL WHERE state = 'open' AND ${here}`,
  ].map((sql) => database.prepare<Pick<Change, 'old' | 'length'>>(sql));
  return {
    move(from, to) {
      const [old, now] = [stem(from), stem(to)];
      if (old === now) return;
      const length = old.length;
      for (const statement of forget) statement.run({ old, length });
      insert.run(roomOf(to), roomOf(from), clock.now());
      for (const update of updates) update.run({ now, old, from: length + 1, length });
    },
    renamed(lane, from, to) {
      const old = stem(from);
      return lane.startsWith(old) ? stem(to) + lane.slice(old.length) : lane;
    },
    currentAddress(address) {
      let room = formatAddress({ ...address, thread: undefined });
      for (let steps = 0; steps < 16; steps += 1) {
        const next = following.get(room)?.new_room;
        if (next === undefined) break;
        room = next;
      }
      const { space, chat } = parseAddress(room);
      return { ...address, space, chat };
    },
    originalAddress(address) {
      let room = formatAddress({ ...address, thread: undefined });
      for (let steps = 0; steps < 16; steps += 1) {
        const old = previous.get(room)?.old_room;
        if (old === undefined) break;
        room = old;
      }
      const { space, chat } = parseAddress(room);
      return { ...address, space, chat };
    },
  };
}
