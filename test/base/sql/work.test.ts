// Storage code that runs at once or awaits its statements, and statements that are translated for PostgreSQL.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { systemClock } from '#base/clock.ts';
import { openPostgres } from '#base/postgres/postgres.ts';
import { postgresSql, postgresStorage, postgresText } from '#base/sql/postgres-sql.ts';
import type { Sql } from '#base/sql/sql.ts';
import { sqliteSql } from '#base/sql/sqlite-sql.ts';
import { finish, runWork, synchronous, type Work, working } from '#base/sql/work.ts';
import { noPostgres, postgresServer } from '../../support/postgres.ts';

/** A counter by name: what a store looks like that is written once. */
function createCounters(sql: Sql) {
  const { dialect } = sql;
  const raise = sql.prepare<[object], { count: number }>(
    `INSERT INTO counters (name, count) VALUES (@name, @by)
     ON CONFLICT (name) DO UPDATE SET count = counters.count + excluded.count RETURNING count`,
  );
  const counts = sql.pluck<[object], number>(
    `SELECT count AS theCount FROM counters WHERE (@names IS NULL OR name IN ${dialect.texts('@names')}) ORDER BY name`,
  );
  const drop = sql.prepare<[string], never>('DELETE FROM counters WHERE name = ?');
  return {
    *raise(name: string, by: number): Work<number> {
      if (by < 0) throw new Error('expected a number above 0');
      return (yield* raise.get({ name, by }))?.count ?? 0;
    },
    counts: (names?: readonly string[]) => counts.all({ names: names ? JSON.stringify(names) : null }),
    drop: (name: string) => drop.run(name),
  };
}

const table = 'CREATE TABLE counters (name TEXT PRIMARY KEY, count INTEGER NOT NULL)';

test('a store that is written once gives the same in SQLite and in PostgreSQL', async (t) => {
  const database = new Database(':memory:');
  t.after(() => database.close());
  database.exec(table);
  const inSqlite = synchronous(createCounters(sqliteSql(database)));
  assert.deepEqual([inSqlite.raise('a', 2), inSqlite.raise('a', 3), inSqlite.raise("b'?@x", 1)], [2, 5, 1]);
  assert.deepEqual([inSqlite.counts(), inSqlite.counts(["b'?@x", 'c'])], [[5, 1], [1]]);
  assert.deepEqual([inSqlite.drop('a'), inSqlite.drop('a')], [1, 0]);
  await t.test('in PostgreSQL', { skip: noPostgres }, async (inside) => {
    const url = await (await postgresServer()).database();
    const postgres = await openPostgres(
      { url, poolSize: 2, statementTimeoutMs: 5_000 },
      { clock: systemClock },
    );
    inside.after(() => postgres.close());
    const { read, write } = postgresStorage(postgres);
    await postgres.transaction((transaction) => transaction.query(table));
    const counters = createCounters(postgresSql(systemClock));
    const results = await write(function* () {
      return [
        yield* counters.raise('a', 2),
        yield* counters.raise('a', 3),
        yield* counters.raise("b'?@x", 1),
      ];
    });
    assert.deepEqual(results, [2, 5, 1]);
    assert.deepEqual(await read(() => counters.counts()), [5, 1]);
    assert.deepEqual(await read(() => counters.counts(["b'?@x", 'c'])), [1]);
    // what throws takes back what was done before it
    const failing = write(function* () {
      yield* counters.drop('a');
      yield* counters.raise('a', -1);
    });
    await assert.rejects(failing, /expected a number above 0/);
    assert.deepEqual(await read(() => counters.counts()), [5, 1]);
    await assert.rejects(
      read(() => counters.drop('a')),
      /read-only/,
    );
    // two that read before they write: none is lost
    const both = await Promise.all([
      write(() => counters.raise('a', 1)),
      write(() => counters.raise('a', 1)),
    ]);
    assert.deepEqual(both.sort(), [6, 7]);
  });
});

test('every parameter of PostgreSQL has a number of its own, and what is in quotes is none', () => {
  const { text, names } = postgresText(
    `SELECT '@no ?', "a?" AS camelCase FROM t WHERE (@x IS NULL OR y = @x) AND w @@ @q::tsquery`,
  );
  assert.equal(
    text,
    `SELECT '@no ?', "a?" AS "camelCase" FROM t WHERE ($1::text IS NULL OR y = $2) AND w @@ $3::tsquery`,
  );
  assert.deepEqual(names, ['x', 'x', 'q']);
  assert.equal(postgresText('SELECT ? + ?').text, 'SELECT $1 + $2');
  assert.equal(postgresText('SELECT ?').names, undefined);
  assert.notEqual(postgresText('SELECT ?').name, postgresText('SELECT ? ').name);
  assert.throws(() => postgresText('SELECT ?, @x'), /by name or by place/);
});

test('work that has to wait cannot be finished in one step, and meets the failure of its statement', async () => {
  const statements = postgresSql(systemClock).prepare<[number], { one: number }>('SELECT ? AS one');
  assert.throws(() => finish(statements.get(1)), /has to be waited for: SELECT \$1 AS one/);
  function* careful(): Work<string> {
    try {
      yield* statements.get(1);
      return 'no failure';
    } catch (error) {
      return String(error);
    }
  }
  assert.equal(await runWork(careful(), () => Promise.reject(new Error('lost'))), 'Error: lost');
  const { double } = working({ double: (one: number) => 2 * one });
  assert.equal(finish(double(4)), 8);
  assert.equal(await runWork(double(4), () => Promise.reject(new Error('nothing is asked'))), 8);
});
