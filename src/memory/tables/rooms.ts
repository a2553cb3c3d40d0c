// Which rooms are closed now: what was written there while they were open is shown to nobody outside of them.
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import type { RoomState } from '#memory/types/scope.ts';

export interface ClosedRooms {
  /** Sets the state of these rooms in one transaction; of each room the last state counts. Cached answers are dropped when a room closes. */
  set(rooms: readonly RoomState[]): void;
}

/** The table `memory_closed_rooms`. */
export function createClosedRooms(database: Sqlite, dropResponses: () => void): ClosedRooms {
  const close = database.prepare<[string]>(
    'INSERT INTO memory_closed_rooms (room) VALUES (?) ON CONFLICT DO NOTHING',
  );
  const open = database.prepare<[string]>('DELETE FROM memory_closed_rooms WHERE room = ?');
  const set = database.transaction((rooms: readonly RoomState[]) => {
    let closed = 0;
    for (const { audience, restricted } of rooms) {
      const { changes } = (restricted ? close : open).run(audience);
      if (restricted) closed += changes;
    }
    if (closed > 0) dropResponses(); // any of them may repeat what was written there
  });
  return { set: (rooms) => set.immediate(rooms) };
}
