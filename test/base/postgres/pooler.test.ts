// PgBouncer in front of the database: what works through it, what is refused, and what it says in words of its own.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '#base/clock.ts';
import { codeOf, errorMessage, hintOf } from '#base/errors.ts';
import { explainPostgres, passes } from '#base/postgres/failures.ts';
import { leadershipSchema } from '#base/postgres/leadership.ts';
import { openLockSession } from '#base/postgres/lock-session.ts';
import { migratePostgres } from '#base/postgres/migrations.ts';
import type { Postgres } from '#base/postgres/postgres.ts';
import { noPooler, pooled } from '../../support/pgbouncer.ts';
import { openedPostgres, password, postgresServer } from '../../support/postgres.ts';

test('PgBouncer is taken in session mode, and refused for locks in transaction mode', {
  skip: noPooler,
}, async (t) => {
  const server = await postgresServer();
  const url = await server.database();
  for (const mode of ['session', 'transaction'] as const) {
    const postgres = await openedPostgres(t, { url: await pooled(t, { server, url }, { mode }) });
    // what needs no session works with both
    await migratePostgres(postgres, [leadershipSchema]);
    const session = openLockSession(postgres, { clock: systemClock });
    if (mode === 'session') {
      const held = await session;
      await held.beat('SELECT pg_advisory_lock(7)', []);
      held.end();
    } else await assert.rejects(session, isPooler);
  }
});

test('a statement that was prepared on a connection which a pooler gave to others is refused for what it is', {
  skip: noPooler,
}, async (t) => {
  const server = await postgresServer();
  const url = await pooled(t, { server, url: await server.database() }, { mode: 'transaction' });
  const [one, other] = [await openedPostgres(t, { url }), await openedPostgres(t, { url })];
  // each asks once on both connections of the pooler
  const ask = (first: Postgres, second: Postgres): Promise<unknown> =>
    first.transaction(async (database) => {
      await database.query('SELECT 1');
      await second.transaction((its) => its.query('SELECT 1'));
      await database.ask({ name: 'asked', text: 'SELECT 1', values: [] });
    });
  await assert.rejects(async () => {
    for (const [first, second] of [
      [one, other],
      [other, one],
    ] as const) {
      await ask(first, second);
      await ask(first, second);
    }
  }, isPooler);
});

test('what PgBouncer says without a code of its own is said as PostgreSQL would be, without the password', {
  skip: noPooler,
}, async (t) => {
  const server = await postgresServer();
  const url = await server.database();
  const through = await pooled(t, { server, url }, { mode: 'session' });
  const narrow = await pooled(t, { server, url }, { mode: 'session', settings: ['max_client_conn = 1'] });
  const busy = await pooled(
    t,
    { server, url },
    { mode: 'session', settings: ['default_pool_size = 1', 'query_wait_timeout = 1'] },
  );
  for (const taken of [narrow, busy]) {
    const session = await (await openedPostgres(t, { url: taken })).session();
    await session.query('SELECT 1');
    t.after(() => session.end());
  }
  for (const [where, code, hint, isPassing] of [
    [through.replace(password, 'not-the-password'), 'database_refused', /storage\.passwordFile/, false],
    [through.replace(/test_\d+$/, 'nowhere'), 'database_missing', /CREATE DATABASE/, false],
    [through.replace(/test_\d+$/, 'gone'), 'database_missing', /CREATE DATABASE/, false],
    [narrow, 'database_busy', /max_connections/, true],
    [busy, 'database_unreachable', /it is tried again/, true],
  ] as const) {
    const postgres = await openedPostgres(t, { url: where });
    const error = await refusal(postgres);
    assert.equal(codeOf(error), code, errorMessage(error));
    assert.match(hintOf(error) ?? '', hint);
    assert.equal(passes(error), isPassing);
    assert.doesNotMatch(
      `${errorMessage(error)} ${hintOf(error)}`,
      new RegExp(`${password}|not-the-password`),
    );
  }
});

/** The error of a first statement, which is not tried again. */
function refusal(postgres: Postgres): Promise<unknown> {
  return postgres
    .session()
    .then((session) => session.query('SELECT 1').finally(session.end))
    .then(
      () => assert.fail('it works'),
      (error: unknown) => explainPostgres(error, postgres.place),
    );
}

function isPooler(error: unknown): true {
  assert.equal(codeOf(error), 'database_pooler', errorMessage(error));
  assert.match(hintOf(error) ?? '', /pool_mode = session/);
  return true;
}
