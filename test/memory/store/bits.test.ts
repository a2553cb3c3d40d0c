// Signs kept by sqlite-vec and read from its blocks: full ones, such with gaps, and what came since.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { openBits } from '#memory/store/bits.ts';
import { createRowSet } from '#memory/store/row-set.ts';
import { loadSqliteVec } from '#memory/store/vectors.ts';

test('every row that is left is found by its signs, whichever block it lies in and whatever was taken out of it', () => {
  const database = new Database(':memory:');
  loadSqliteVec(database);
  database.exec(`CREATE TABLE memory_changes (removals INTEGER NOT NULL); INSERT INTO memory_changes VALUES (0);
    CREATE TABLE global_memory_chunks (row INTEGER PRIMARY KEY)`);
  const bits = openBits(database, { table: 'signs', dimensions: 16 });
  const vector = (row: number): Int16Array =>
    Int16Array.from({ length: 16 }, (_, bit) => ((row >> bit) & 1) * 2 - 1);
  const scope = createRowSet(0);
  const add = (from: number, to: number): void =>
    database.transaction(() => {
      for (let row = from; row < to; row += 1) {
        bits.insert(row, vector(row));
        scope.add(row);
      }
    })();
  const nearest = (row: number): number[] => bits.nearest({ vector: vector(row), rows: scope, most: 1 });
  add(1, 2_600);
  for (const row of [1, 1_023, 1_024, 1_025, 2_048, 2_049, 2_599]) assert.deepEqual(nearest(row), [row]);
  add(2_600, 2_610);
  assert.deepEqual(nearest(2_605), [2_605], 'a few that came since are read by themselves');
  bits.drop(700);
  database.exec('UPDATE memory_changes SET removals = 1');
  assert.notDeepEqual(nearest(700), [700]);
  for (const row of [699, 701, 1_500, 2_609]) assert.deepEqual(nearest(row), [row]);
  database.close();
});
