// Deletes a row's sign bits from a table of sqlite-vec when sqlite-vec cannot, in the way of its own delete, so that forgetting never waits for it.
import type { Sqlite } from '#base/sqlite/sqlite.ts';

/** The tables in which sqlite-vec stores a table with one column of vectors. */
const parts = ['chunks', 'rowids', 'vector_chunks00'] as const;

/** Which of its tables a virtual table of sqlite-vec has; it works only while it has all of them. */
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
  bits: Buffer;
}

/**
 * Drops a row's sign bits from the ordinary tables behind `table`, inside the caller's transaction: the bit that says that a place is
 * taken, the row's number, and the sign bits. When one of those tables is lost, the place of each row is unknown, so the sign bits of all
 * rows are zeroed: nothing can use them any more.
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
    `SELECT r.chunk_id AS chunk, r.chunk_offset AS offset, c.size, c.validity, c.rowids AS rows, v.vectors AS bits
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
    const { chunk, offset, size, validity, rows, bits } = place;
    const bytes = bits.length / size;
    validity[offset >> 3] = (validity[offset >> 3] ?? 0) & ~(1 << (offset & 7));
    rows.fill(0, 8 * offset, 8 * (offset + 1));
    bits.fill(0, bytes * offset, bytes * (offset + 1));
    free.run(validity, rows, chunk);
    wipe.run(bits, chunk);
    drop.run(row);
  };
}
