// Which memory each `/memory save` made, so that it goes with its message.
import { createRareRows } from '#base/sqlite/rare-rows.ts';
import type { Sqlite } from '#base/sqlite/sqlite.ts';

interface SavedNote {
  inboxID: string;
  memoryID: string;
  audience: `person:${string}` | `room:${string}`;
}

export interface SavedNotes {
  add(note: SavedNote): void;
  /** The message was deleted or changed: its note is to be forgotten. False where it made none, or where that is known. */
  gone(inboxID: string): boolean;
  /** Notes whose messages were deleted or changed. */
  toForget(): SavedNote[];
  forgotten(inboxID: string): void;
}

/** The table `saved_notes`. */
export function createSavedNotes(database: Sqlite): SavedNotes {
  const insert = database.prepare(
    'INSERT INTO saved_notes (inbox_id, memory_id, audience) VALUES (@inboxID, @memoryID, @audience) ON CONFLICT DO NOTHING',
  );
  const mark = database.prepare<[string]>(
    'UPDATE saved_notes SET is_deleted = 1 WHERE inbox_id = ? AND is_deleted = 0',
  );
  const marked = database.prepare<[], SavedNote>(
    'SELECT inbox_id AS inboxID, memory_id AS memoryID, audience FROM saved_notes WHERE is_deleted = 1',
  );
  const remove = database.prepare<[string]>('DELETE FROM saved_notes WHERE inbox_id = ?');
  const deleted = createRareRows(database, 'saved_notes WHERE is_deleted = 1');
  return {
    add: (note) => void insert.run(note),
    gone(inboxID) {
      deleted.written();
      return mark.run(inboxID).changes > 0;
    },
    toForget: () => (deleted.exist() ? marked.all() : []),
    forgotten: (inboxID) => void remove.run(inboxID),
  };
}
