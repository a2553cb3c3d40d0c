// Transactions at the real server: run again where they may be, and what they wrote is there once.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { found } from '../../support/found.ts';
import { noPostgres, openedPostgres, postgresServer } from '../../support/postgres.ts';
import { openTcpLink } from '../../support/tcp-link.ts';

test('a transaction is run again after a serialization failure, and when its connection is lost', {
  skip: noPostgres,
}, async (t) => {
  const server = await postgresServer();
  const url = await server.database();
  const link = await openTcpLink(t, server.port);
  const postgres = await openedPostgres(t, { url: url.replace(`:${server.port}`, `:${link.port}`) });
  await server.run('CREATE TABLE counter (n int); INSERT INTO counter VALUES (0)', url);
  let attempts = 0;
  await postgres.transaction(async (database) => {
    attempts += 1;
    await database.query('SET TRANSACTION ISOLATION LEVEL SERIALIZABLE');
    await database.query('SELECT n FROM counter');
    if (attempts === 1) await server.run('UPDATE counter SET n = 10', url);
    await database.query('UPDATE counter SET n = n + 1');
  });
  assert.equal(attempts, 2);
  await postgres.transaction(async (database) => {
    attempts += 1;
    if (attempts === 3) link.cut();
    await database.query('UPDATE counter SET n = n + 1');
  });
  assert.equal(attempts, 4);
  assert.deepEqual(await server.run('SELECT n FROM counter', url), [{ n: 12 }]);
  await assert.rejects(
    postgres.transaction(async () => {
      attempts += 1;
      throw new Error('not the database');
    }),
    /not the database/,
  );
  assert.equal(attempts, 5);
});

test('a commit whose answer was lost is asked about: what it wrote is there once, with the result that it had', {
  skip: noPostgres,
}, async (t) => {
  const server = await postgresServer();
  const url = await server.database();
  const link = await openTcpLink(t, server.port);
  const postgres = await openedPostgres(t, { url: url.replace(`:${server.port}`, `:${link.port}`) });
  await server.run(
    `CREATE TABLE written (n int);
     CREATE FUNCTION slowly() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(0.5); RETURN NULL; END $$;
     CREATE CONSTRAINT TRIGGER slowly AFTER INSERT ON written DEFERRABLE INITIALLY DEFERRED
       FOR EACH ROW EXECUTE FUNCTION slowly()`,
    url,
  );
  let attempts = 0;
  const write = postgres.transaction(
    async (database) => {
      attempts += 1;
      await database.query('INSERT INTO written VALUES ($1)', [attempts]);
      return `attempt ${attempts}`;
    },
    undefined,
    'one after the other',
  );
  // the server commits, and has nobody to say it to
  await found('the commit', async () => {
    const [row] = await server.run("SELECT 1 AS n FROM pg_stat_activity WHERE wait_event = 'PgSleep'", url);
    return row;
  });
  link.cut();
  assert.equal(await write, 'attempt 1');
  assert.equal(attempts, 1);
  assert.deepEqual(await server.run('SELECT n FROM written', url), [{ n: 1 }]);
});

test('a statement that takes too long is ended by the server, and not tried again', {
  skip: noPostgres,
}, async (t) => {
  const server = await postgresServer();
  const postgres = await openedPostgres(t, { url: await server.database(), statementTimeoutMs: 100 });
  let attempts = 0;
  await assert.rejects(
    postgres.transaction(async (database) => {
      attempts += 1;
      await database.query('SELECT pg_sleep(60)');
    }),
    { code: 'database_slow' },
  );
  assert.equal(attempts, 1);
});
