// What of the workspace outlasts the process: what was written in the page's conversations, with its files.

import type { Clock } from '#base/clock.ts';
import { createCounter, type Shelf } from '#sandbox/store.ts';
import type { Room, Workspace } from './workspace.ts';
import type { SharedFile, SlackFiles, Stored } from './world.ts';

/** The files that the shelf has; ids continue after them. */
export function createFiles(saved: { clock: Clock; shelf: Shelf; origin: string }): SlackFiles {
  const { shelf, origin } = saved;
  const files = new Map<string, SharedFile>();
  const ids = createCounter(saved, 'file', 0);
  const urlOf = ({ id, name }: Pick<SharedFile, 'id' | 'name'>): string =>
    `${origin}/files-pri/${id}/${encodeURIComponent(name)}`;
  for (const { key: id, value, bytes } of shelf.all<Pick<SharedFile, 'name' | 'mime'>>('file'))
    files.set(id, { id, ...value, bytes, url: urlOf({ id, ...value }) });
  function changed({ id, name, mime, bytes }: SharedFile): void {
    shelf.put('file', id, { name, mime }, bytes);
  }
  return {
    get: (id) => files.get(id),
    add(given) {
      const about = { id: `F${String(ids.next()).padStart(8, '0')}`, ...given };
      const file: SharedFile = { ...about, url: urlOf(about) };
      changed(file);
      files.set(file.id, file);
      return file;
    },
    changed,
    delete(id) {
      shelf.remove('file', id);
      files.delete(id);
    },
  };
}

/** A message as it is kept: the room and the files by their ids. */
type Row = Omit<Stored, 'room' | 'files'> & { room: string; files?: string[] | undefined };

interface SavedMessages {
  /** What was kept, in the order in which it was written. */
  all(): Stored[];
  put(message: Stored): void;
  remove(message: Stored): void;
}

/** What was written in the rooms that are there from the beginning; others end with the process. */
export function createSavedMessages({
  shelf,
  workspace,
  files,
}: {
  shelf: Shelf;
  workspace: Workspace;
  files: SlackFiles;
}): SavedMessages {
  const lasting = new Set<Room>(workspace.rooms());
  return {
    all: () =>
      shelf.all<Row>('message').flatMap(({ value }) => {
        const { files: ids, room: id, ...message } = value;
        const room = workspace.room(id);
        if (room === undefined) return [];
        const own = ids?.map((each) => files.get(each) ?? gone(each));
        return { ...message, room, ...(own === undefined ? {} : { files: own }) };
      }),
    put(message) {
      if (!lasting.has(message.room)) return;
      const files = message.files?.map(({ id }) => id);
      const row: Row = { ...message, room: message.room.id, files };
      shelf.put('message', message.ts, row);
    },
    remove(message) {
      if (!lasting.has(message.room)) return;
      shelf.remove('message', message.ts);
      for (const { id } of message.files ?? []) files.delete(id);
    },
  };
}

/** A file that was deleted: only its id is left in its message. */
function gone(id: string): SharedFile {
  return { id, name: '', mime: '', bytes: new Uint8Array(0), url: '', origin: 'deleted' };
}
