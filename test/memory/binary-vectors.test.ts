// Signs stored by sqlite-vec: found again whichever of its blocks they lie in, and whatever was taken out of it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { openBinaryVectorIndex } from '#memory/vectors/binary-vectors.ts';
import { loadSqliteVec } from '#memory/vectors/vector-extension.ts';

test('every row that is left is found by its sign bits, among all rows and among those of a scope', () => {
  const database = new Database(':memory:');
  loadSqliteVec(database);
  database.exec('CREATE VIRTUAL TABLE global_memory_fts USING fts5(scope_terms)');
  const bits = openBinaryVectorIndex(database, { table: 'bits', dimensions: 16 });
  const vector = (row: number): Float32Array =>
    Float32Array.from({ length: 16 }, (_, bit) => ((row >> bit) & 1) * 2 - 1);
  const scope = database.prepare('INSERT INTO global_memory_fts (rowid, scope_terms) VALUES (?, ?)');
  database.transaction(() => {
    for (let row = 1; row < 2_600; row += 1) {
      bits.put(row, vector(row));
      scope.run(row, row % 2 === 0 ? 'even' : 'odd');
    }
  })();
  for (const row of [1, 1_023, 1_024, 1_025, 2_048, 2_049, 2_599])
    assert.deepEqual(bits.nearest(vector(row), 1), [row]);
  assert.deepEqual(bits.nearest(vector(1_024), 1, 'even'), [1_024]);
  assert.notDeepEqual(bits.nearest(vector(1_024), 1, 'odd'), [1_024]);
  bits.put(700, vector(40_000));
  assert.notDeepEqual(bits.nearest(vector(700), 1), [700]);
  assert.deepEqual(bits.nearest(vector(40_000), 1), [700]);
  assert.equal(bits.count(), 2_599);
  database.close();
});
