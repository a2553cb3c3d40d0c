// Taking a row's signs out of a table of sqlite-vec while sqlite-vec cannot, as its own delete does it: nothing that was forgotten waits for it.
import type { Sqlite } from '#base/sqlite/sqlite.ts';

/** The tables in which sqlite-vec stores a table with one column of vectors. */
const parts = ['chunks', 'rowids', 'vector_chunks00'] as const;

/** its own Which tables a table of sqlite-vec has; it can only be used while it has all of them. */
export function partsOf(database: Sqlite, table: string): { present: readonly string[]; isWhole: boolean } {
  const present = database
    .prepare<[string], string>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name IN (SELECT value FROM json_each(?))",
    )
    .pluck()
    .all(JSON.stringify(parts.map((part) => `${table}_${part}`)));
  return { present, isWhole: present.length === parts.length };
}

interface Place {
  chunk: number;
  offset: number;
  size: number;
  validity: Buffer;
  rows: Buffer;
  signs: Buffer;
}

/**
 * Drops a row's signs from the ordinary tables behind `table`, inside the caller's transaction: the bit that says that a place is taken,
 * the row's number, and the signs. Where one of those tables is lost, so is the place of each row, and the signs of all rows are zeroed:
 * nobody can use them any more.
 */
export function dropSignsOf(database: Sqlite, table: string): (row: number) => void {
  const { present, isWhole } = partsOf(database, table);
  if (!isWhole) {
    const statements = [
      ...(present.includes(`${table}_vector_chunks00`)
        ? [`UPDATE ${table}_vector_chunks00 SET vectors = zeroblob(length(vectors)) WHERE @row > 0`]
        : []),
      ...(present.includes(`${table}_rowids`) ? [`DELETE FROM ${table}_rowids WHERE rowid = @row`] : []),
    ].map((sql) => database.prepare<[object]>(sql));
    return (row) => {
      for (const statement of statements) statement.run({ row });
    };
  }
  const find = database.prepare<[number], Place>(
    `SELECT r.chunk_id AS chunk, r.chunk_offset AS offset, c.size, c.validity, c.rowids AS rows, v.vectors AS signs
     FROM ${table}_rowids r JOIN ${table}_chunks c ON c.chunk_id = r.chunk_id
       JOIN ${table}_vector_chunks00 v ON v.rowid = r.chunk_id
     WHERE r.rowid = ?`,
  );
  const free = database.prepare<[Buffer, Buffer, number]>(
    `UPDATE ${table}_chunks SET validity = ?, rowids = ? WHERE chunk_id = ?`,
  );
  const wipe = database.prepare<[Buffer, number]>(
    `UPDATE ${table}_vector_chunks00 SET vectors = ? WHERE rowid = ?`,
  );
  const drop = database.prepare<[number]>(`DELETE FROM ${table}_rowids WHERE rowid = ?`);
  return (row) => {
    const place = find.get(row);
    if (place === undefined) return;
    const { chunk, offset, size, validity, rows, signs } = place;
    const bytes = signs.length / size;
    validity[offset >> 3] = (validity[offset >> 3] ?? 0) & ~(1 << (offset & 7));
    rows.fill(0, 8 * offset, 8 * (offset + 1));
    signs.fill(0, bytes * offset, bytes * (offset + 1));
    free.run(validity, rows, chunk);
    wipe.run(signs, chunk);
    drop.run(row);
  };
}
