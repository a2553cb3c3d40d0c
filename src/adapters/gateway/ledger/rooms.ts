// Rooms as they are now: where each is, and whether everyone of its space may read it.
import { type Address, formatAddress, parseAddress } from '#adapters/gateway/terms/address.ts';
import type { MessageAudience } from '#adapters/gateway/terms/message-audience.ts';
import { createRareRows } from '#base/sqlite/rare-rows.ts';
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import type { RoomStates } from '#engine/wire/runs/amendment.ts';

/** A room by its place in memory, and where it is on its platform now. */
interface KnownRoom {
  audience: string;
  address: Address;
  /** Also while it is unsure. */
  restricted: boolean;
  /** It was open, and the platform did not say so when it was asked again. */
  unsure: boolean;
}

export interface Rooms {
  /**
   * Notes what a message said of its room. A message can close a room and never opens it, since what it says can be older than what is
   * known: only `set` does that. Returns how the room counts after it.
   */
  seen(place: MessageAudience, address: Address): { restricted: boolean };
  /** Notes what the platform says now. Nothing happens for a room in which nothing was ever said to the bot. */
  set(audience: string, restricted: boolean): void;
  /** The platform does not say whether the room is still open: it counts as restricted until `set`. */
  unsure(audience: string): void;
  get(audience: string): KnownRoom | undefined;
  /** The rooms of a platform that are open, or were and are unsure. */
  open(platform: string): KnownRoom[];
  /** All rooms of a platform; a private thread is one. */
  all(platform: string): KnownRoom[];
  /** The states that memory does not have yet, at most 1,000. */
  toHandOver(): RoomStates['rooms'];
  /** Memory has these states now; one that has changed since stays to be handed over. */
  handedOver(rooms: RoomStates['rooms']): void;
}

interface Row {
  audience: RoomStates['rooms'][number]['audience'];
  address: string;
  restricted: number;
  unsure: number;
}

/** The table `rooms`. */
export function createRooms(database: Sqlite): Rooms {
  const columns = 'audience, address, max(restricted, unsure) AS restricted, unsure';
  // what was never open has no words that others may read, so that memory need not be informed
  const see = database
    .prepare<[object], number>(
      `INSERT INTO rooms (audience, address, restricted, handed_over) VALUES (@audience, @address, @restricted, 1)
       ON CONFLICT DO UPDATE SET address = @address, restricted = max(restricted, @restricted),
         handed_over = CASE WHEN restricted < @restricted THEN 0 ELSE handed_over END
       RETURNING max(restricted, unsure)`,
    )
    .pluck();
  const set = database.prepare<[object]>(
    `UPDATE rooms SET restricted = @restricted, unsure = 0,
       handed_over = CASE WHEN max(restricted, unsure) = @restricted THEN handed_over ELSE 0 END
     WHERE audience = @audience AND (restricted <> @restricted OR unsure = 1)`,
  );
  const unsure = database.prepare<[string]>(
    'UPDATE rooms SET unsure = 1, handed_over = 0 WHERE audience = ? AND restricted = 0 AND unsure = 0',
  );
  const get = database.prepare<[string], Row>(`SELECT ${columns} FROM rooms WHERE audience = ?`);
  const open = database.prepare<[string], Row>(
    `SELECT ${columns} FROM rooms WHERE restricted = 0 AND address LIKE ? || ':%'`,
  );
  const all = database.prepare<[string], Row>(`SELECT ${columns} FROM rooms WHERE address LIKE ? || ':%'`);
  const left = database.prepare<[], Row>(
    `SELECT ${columns} FROM rooms WHERE handed_over = 0 ORDER BY audience LIMIT 1000`,
  );
  const done = database.prepare<[object]>(
    'UPDATE rooms SET handed_over = 1 WHERE audience = @audience AND max(restricted, unsure) = @restricted',
  );
  const toHandOver = createRareRows(database, 'rooms WHERE handed_over = 0');
  const asBit = (restricted: boolean): number => (restricted ? 1 : 0);
  const fromRow = ({ audience, address, restricted, unsure: doubted }: Row): KnownRoom => ({
    audience,
    address: parseAddress(address),
    restricted: restricted === 1,
    unsure: doubted === 1,
  });
  return {
    seen({ audience, restricted }, address) {
      toHandOver.written();
      const now = see.get({ audience, address: formatAddress(address), restricted: asBit(restricted) });
      return { restricted: now === 1 };
    },
    set(audience, restricted) {
      toHandOver.written();
      set.run({ audience, restricted: asBit(restricted) });
    },
    unsure(audience) {
      toHandOver.written();
      unsure.run(audience);
    },
    get(audience) {
      const row = get.get(audience);
      return row && fromRow(row);
    },
    open: (platform) => open.all(platform).map(fromRow),
    all: (platform) => all.all(platform).map(fromRow),
    toHandOver: () =>
      (toHandOver.exist() ? left.all() : []).map(({ audience, restricted }) => ({
        audience,
        restricted: restricted === 1,
      })),
    handedOver(rooms) {
      for (const { audience, restricted } of rooms) done.run({ audience, restricted: asBit(restricted) });
    },
  };
}
