// Statements are compiled once, and a parameter behind a plus is the same parameter.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { systemClock } from '#base/clock.ts';
import { openSqlite, type Sqlite } from '#base/sqlite/sqlite.ts';
import { steadyPlan } from '#base/sqlite/steady-plan.ts';
import { tempFolder } from '../support/temp-folder.ts';

const up = `
  CREATE TABLE parts (position INTEGER PRIMARY KEY, message TEXT NOT NULL, size INTEGER, bytes BLOB) STRICT;
  CREATE INDEX parts_by_message ON parts (message);`;

function openParts(t: TestContext): Sqlite {
  const path = join(tempFolder(t), 'parts.sqlite');
  const database = openSqlite({ path, migrations: [{ name: 'parts', up }], clock: systemClock });
  t.after(() => database.close());
  const insert = database.prepare('INSERT INTO parts (message, size, bytes) VALUES (?, :size, ?)');
  for (const message of ['one', 'two', 'two'])
    insert.run(message, Buffer.from([0, 255]), { size: message === 'one' ? null : 2 });
  return database;
}

/** better-sqlite3 makes the function that builds rows again whenever SQLite has compiled a statement. */
function compiled(t: TestContext, work: () => void): number {
  let times = 0;
  const plain = globalThis.Function;
  const counting = new Proxy(plain, {
    apply(target, self, given) {
      times += 1;
      return Reflect.apply(target, self, given);
    },
  });
  t.after(() => {
    globalThis.Function = plain;
  });
  globalThis.Function = counting;
  work();
  globalThis.Function = plain;
  return times;
}

test('a statement with ORDER BY is compiled once, whatever is bound to it', (t) => {
  const database = openParts(t);
  const select = database.prepare<[string]>(
    'SELECT * FROM parts WHERE message = ? ORDER BY position LIMIT 5',
  );
  const rows = ['one', 'two', 'one', 'two', 'none', 'two'];
  const times = compiled(t, () => {
    assert.deepEqual(
      rows.map((message) => select.all(message).length),
      [1, 2, 1, 2, 0, 2],
    );
  });
  assert.equal(times, 1);
});

test('every kind of value is stored and found as it was bound', (t) => {
  const database = openParts(t);
  const row = database.prepare(
    'SELECT message, size, bytes FROM parts WHERE size = @size AND bytes = $bytes',
  );
  assert.deepEqual(row.get({ size: 2, bytes: Buffer.from([0, 255]) }), {
    message: 'two',
    size: 2,
    bytes: Buffer.from([0, 255]),
  });
  const none = database.prepare<[null]>('SELECT message FROM parts WHERE size IS ? ORDER BY position');
  assert.deepEqual(none.all(null), [{ message: 'one' }]);
});

test('only parameters get a plus: not what is quoted, and not one that has it', () => {
  assert.equal(
    steadyPlan('a = ? AND b = \'?:x\' AND "c?" = :c_1'),
    'a = +? AND b = \'?:x\' AND "c?" = +:c_1',
  );
  assert.equal(steadyPlan("json_extract(e, '$.it''s ?') = +?"), "json_extract(e, '$.it''s ?') = +?");
  assert.equal(steadyPlan('VALUES (?1, @b, $c) LIMIT :n'), 'VALUES (+?1, +@b, +$c) LIMIT +:n');
});
