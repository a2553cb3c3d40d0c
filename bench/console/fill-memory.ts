// A memory of any size in minutes: some turns are imported as always, then copied by SQL until there are enough. Not measuring.
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '#base/clock.ts';
import { createIds } from '#base/ids.ts';
import { openSqliteReader } from '#base/sqlite/sqlite.ts';
import { createMemory } from '#memory/memory.ts';
import { openStore } from '#memory/store/store.ts';
import { writeRooms } from '../memory/files.ts';

/** Turns that are imported; the others are copies of them. */
const imported = 2_000;
/** Rows of one transaction: the full text is written once for all of them. */
const copiedAtOnce = 50_000;
/** Every second copy is of this room, so that one audience has half of all. */
const largeRoom = 'room:bench:0';

const indexedColumns = 'said_terms, answered_terms, about_terms, scope_terms';
/** Columns that are unlike in each copy, as SQL of the original's. */
const changed: Readonly<Record<string, string>> = {
  id: "id || '_' || @copy",
  source_key: "source_key || ':' || @copy",
  source_hash: "source_hash || ':' || @copy",
  content_hash: "content_hash || ':' || @copy",
};

/**
 * Fills the memory of a home with so many turns of a hundred rooms, one of which has half of them. Resolves with how many there are. A
 * memory that is there has to have as many.
 */
export async function fillMemory(home: string, wanted: number): Promise<number> {
  const path = join(home, 'memory.sqlite');
  if (existsSync(path)) {
    const database = openSqliteReader({ path });
    const there = database.prepare<[], number>('SELECT count(*) FROM global_memory_chunks').pluck().get();
    database.close();
    if (there === wanted) return wanted;
    throw new Error(`${path} has ${there} memories, expected ${wanted}: remove it, or give their number.`);
  }
  const folder = join(home, 'rooms');
  const rooms = writeRooms(folder, Math.min(wanted, imported));
  const memory = createMemory({ path, clock: systemClock, newId: createIds(systemClock) });
  let stored = 0;
  for (const { path: file, audience } of rooms.files) {
    const where = { audience, space: 'bench:space', restricted: false };
    stored += (await memory.importPath({ path: file, format: 'transcript', where })).chunks.stored;
  }
  await memory.close();
  rmSync(folder, { recursive: true });
  return copyUntil(path, { stored, wanted });
}

/** Copies turns until there are so many. */
function copyUntil(path: string, { stored, wanted }: { stored: number; wanted: number }): number {
  const store = openStore({ path, clock: systemClock, newId: createIds(systemClock) });
  const { database } = store;
  // keys of copies fall all over their indexes: with a small cache, each page is read and written again and again
  database.pragma('cache_size = -2000000');
  database.pragma('synchronous = OFF');
  try {
    const columns = (database.pragma('table_info(global_memory_chunks)') as { name: string }[])
      .map(({ name }) => name)
      .filter((name) => name !== 'row' && name !== 'passage');
    const values = columns.map((column) => changed[column] ?? column);
    const copy = database.prepare<{ copy: number; last: number; room: string | null; limit: number }>(
      `INSERT INTO global_memory_chunks (${columns.join(', ')}) SELECT ${values.join(', ')} FROM global_memory_chunks
       WHERE row <= @last AND (@room IS NULL OR audience = @room) LIMIT @limit`,
    );
    const last = stored;
    const index = database.prepare<{ from: number }>(
      `INSERT INTO global_memory_fts (rowid, ${indexedColumns}) SELECT row, ${indexedColumns} FROM global_memory_chunks WHERE row > @from`,
    );
    const newest = database.prepare<[], number>('SELECT max(row) FROM global_memory_chunks').pluck();
    let [there, number] = [stored, 0];
    const some = database.transaction(() => {
      const until = Math.min(wanted, there + copiedAtOnce);
      const from = newest.get() ?? 0;
      while (there < until) {
        number += 1;
        // a copy of one room is a hundredth of a copy of all
        const room = number % 101 === 0 ? null : largeRoom;
        there += copy.run({ copy: number, last, room, limit: wanted - there }).changes;
      }
      index.run({ from });
    });
    while (there < wanted) some();
    database.exec(
      `INSERT OR REPLACE INTO memory_audiences (audience, entries) SELECT audience, count(*) FROM global_memory_chunks GROUP BY audience`,
    );
    return there;
  } finally {
    store.close();
  }
}
