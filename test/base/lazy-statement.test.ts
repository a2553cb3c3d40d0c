// A statement is compiled by its first use, and is then what SQLite made of it.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { systemClock } from '#base/clock.ts';
import { lazyStatement } from '#base/sqlite/lazy-statement.ts';
import { openSqlite, type Sqlite } from '#base/sqlite/sqlite.ts';
import { tempFolder } from '../support/temp-folder.ts';

function openNotes(t: TestContext): Sqlite {
  const path = join(tempFolder(t), 'notes.sqlite');
  const up = 'CREATE TABLE notes (id INTEGER PRIMARY KEY, said TEXT NOT NULL) STRICT';
  const database = openSqlite({ path, migrations: [{ name: 'notes', up }], clock: systemClock });
  t.after(() => database.close());
  return database;
}

test('a statement is compiled once, by its first use, and says what is wrong with it there', (t) => {
  const database = openNotes(t);
  const later = database.prepare<[], { said: string }>('SELECT said FROM later');
  assert.throws(() => later.all(), /no such table: later/);
  database.exec("CREATE TABLE later (said TEXT); INSERT INTO later VALUES ('now')");
  assert.deepEqual(later.all(), [{ said: 'now' }]);

  let compiled = 0;
  const counted = lazyStatement('SELECT 1 AS one', () => {
    compiled += 1;
    return database.prepare('SELECT 1 AS one');
  });
  assert.equal(counted.source, 'SELECT 1 AS one');
  assert.equal(counted.busy, false);
  assert.equal(compiled, 0);
  assert.deepEqual([counted.get(), counted.get(), compiled], [{ one: 1 }, { one: 1 }, 1]);
});

test('how its rows are given may be said before or after it is compiled', (t) => {
  const database = openNotes(t);
  const insert = database.prepare('INSERT INTO notes (said) VALUES (?)');
  assert.deepEqual(insert.run('one'), { changes: 1, lastInsertRowid: 1 });
  insert.run('two');
  const said = database.prepare('SELECT said, id FROM notes ORDER BY id');
  assert.deepEqual(said.pluck().all(), ['one', 'two']);
  assert.deepEqual(said.pluck(false).raw().all(), [
    ['one', 1],
    ['two', 2],
  ]);
  const one = database.prepare('SELECT id FROM notes WHERE said = ?').safeIntegers().bind('two');
  assert.deepEqual([...one.iterate()], [{ id: 2n }]);
  const expanded = database.prepare('SELECT said FROM notes WHERE id = 1').expand();
  assert.deepEqual(expanded.get(), { notes: { said: 'one' } });
  assert.deepEqual(
    [one.reader, one.readonly, insert.reader, insert.readonly, insert.database],
    [true, true, false, false, database],
  );
  assert.deepEqual(
    said.columns().map(({ name }) => name),
    ['said', 'id'],
  );
});
