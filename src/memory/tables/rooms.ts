// Which rooms are closed now: what was written there while they were open is shown to nobody outside of them.
import type { Sql } from '#base/sql/sql.ts';
import type { Work } from '#base/sql/work.ts';
import type { RoomState } from '#memory/types/scope.ts';

export interface ClosedRoomsWork {
  /** Sets the state of these rooms in the caller's transaction; of each room the last state counts. Cached answers are dropped when a room closes. */
  set(rooms: readonly RoomState[]): Work<void>;
}

/** The table `memory_closed_rooms`. */
export function createClosedRooms(sql: Sql, dropResponses: () => Work<number>): ClosedRoomsWork {
  const close = sql.prepare<[string], never>(
    'INSERT INTO memory_closed_rooms (room) VALUES (?) ON CONFLICT DO NOTHING',
  );
  const open = sql.prepare<[string], never>('DELETE FROM memory_closed_rooms WHERE room = ?');
  return {
    *set(rooms) {
      let closed = 0;
      for (const { audience, restricted } of rooms) {
        const changes = yield* (restricted ? close : open).run(audience);
        if (restricted) closed += changes;
      }
      if (closed > 0) yield* dropResponses(); // any of them may repeat what was written there
    },
  };
}
