// Which rooms are closed now: what was written there while they were open is shown to no viewer either.
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import type { RoomStates } from '#engine/wire/runs/amendment.ts';

/** Sets the state of these rooms; of each room the last state counts. Called inside a transaction. */
export type SetClosedRooms = (rooms: RoomStates['rooms']) => void;

/** The table `closed_rooms`, which lists of sessions and runs read. */
export function createSetClosedRooms(database: Sqlite): SetClosedRooms {
  const close = database.prepare<[string]>(
    'INSERT INTO closed_rooms (audience) VALUES (?) ON CONFLICT DO NOTHING',
  );
  const open = database.prepare<[string]>('DELETE FROM closed_rooms WHERE audience = ?');
  return (rooms) => {
    for (const { audience, restricted } of rooms) (restricted ? close : open).run(audience);
  };
}
