// Transactions at the real server: run again where they may be, and what they wrote is there once.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { momentIn, systemClock } from '#base/clock.ts';
import { codeOf, errorMessage, hintOf } from '#base/errors.ts';
import { explainPostgres } from '#base/postgres/failures.ts';
import type { Queryable } from '#base/postgres/postgres.ts';
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

test('after a serialization failure and a deadlock a transaction is run again on the connection that it had', {
  skip: noPostgres,
}, async (t) => {
  const server = await postgresServer();
  const url = await server.database();
  await server.run('CREATE TABLE counter (id int, n int); INSERT INTO counter VALUES (1, 0), (2, 0)', url);
  const postgres = await openedPostgres(t, { url, poolSize: 2 });
  const pids = new Set<number>();
  let attempts = 0;
  const pidOf = async (database: Queryable): Promise<void> => {
    attempts += 1;
    const [row] = await database.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    pids.add(row?.pid ?? 0);
  };
  const both = Promise.withResolvers<void>();
  let locked = 0;
  const add = (ids: readonly number[]): Promise<void> =>
    postgres.transaction(async (database) => {
      await pidOf(database);
      for (const id of ids) {
        await database.query('UPDATE counter SET n = n + 1 WHERE id = $1', [id]);
        locked += 1;
        if (locked === 2) both.resolve();
        await both.promise;
      }
    });
  await Promise.all([add([1, 2]), add([2, 1])]);
  assert.equal(attempts, 3, 'one of the two was ended by the server, and run again');
  await postgres.transaction(
    async (database) => {
      await pidOf(database);
      await database.query('SELECT n FROM counter');
      if (attempts === 4) await server.run('UPDATE counter SET n = n + 8', url);
      await database.query('UPDATE counter SET n = n + 1');
    },
    undefined,
    'one after the other',
  );
  assert.equal(attempts, 5);
  assert.equal(pids.size, 2);
  assert.deepEqual(await server.run('SELECT n FROM counter', url), [{ n: 11 }, { n: 11 }]);
});

test('a transaction whose session the administrator ends is run again on another', {
  skip: noPostgres,
}, async (t) => {
  const server = await postgresServer();
  const postgres = await openedPostgres(t, { url: await server.database() });
  const pids: number[] = [];
  await postgres.transaction(async (database) => {
    const [row] = await database.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    pids.push(row?.pid ?? 0);
    if (pids.length === 1) await server.run(`SELECT pg_terminate_backend(${row?.pid})`);
    await database.query('SELECT 1');
  });
  assert.equal(new Set(pids).size, 2);
});

test('a statement that fails with 08006 is run again on another connection, and one that always does is named', {
  skip: noPostgres,
}, async (t) => {
  const server = await postgresServer();
  const url = await server.database();
  await server.run(
    `CREATE SEQUENCE tries;
     CREATE FUNCTION lost() RETURNS int LANGUAGE plpgsql AS $$ BEGIN
       IF nextval('tries') < 3 THEN RAISE EXCEPTION 'connection failure' USING ERRCODE = '08006'; END IF;
       RETURN pg_backend_pid();
     END $$;
     CREATE FUNCTION gone() RETURNS int LANGUAGE plpgsql AS
       $$ BEGIN RAISE EXCEPTION 'connection failure' USING ERRCODE = '08006'; END $$`,
    url,
  );
  const postgres = await openedPostgres(t, { url });
  const pids: unknown[] = [];
  const answer = await postgres.transaction(async (database) => {
    const [own] = await database.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    pids.push(own?.pid);
    const [row] = await database.query<{ lost: number }>('SELECT lost()');
    return row?.lost;
  });
  assert.equal(new Set(pids).size, 3, 'no attempt is made on the connection that was lost');
  assert.equal(answer, pids.at(-1));
  const over = new AbortController();
  let attempts = 0;
  const always = postgres.transaction(async (database) => {
    attempts += 1;
    if (attempts === 3) over.abort();
    await database.query('SELECT gone()');
  }, over.signal);
  await assert.rejects(always);
  const session = await postgres.session();
  t.after(() => session.end());
  const error = await session.query('SELECT gone()').then(
    () => assert.fail('it works'),
    (refused: unknown) => explainPostgres(refused, postgres.place),
  );
  assert.equal(codeOf(error), 'database_unreachable');
  assert.match(errorMessage(error), /PostgreSQL cannot be reached: .*connection failure/);
  assert.match(hintOf(error) ?? '', /it is tried again/);
});

test('no more connections than the pool has are opened; who waits too long for one is told what to raise', {
  skip: noPostgres,
}, async (t) => {
  const server = await postgresServer();
  const url = await server.database();
  const opened = `SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = '${url.split('/').at(-1)}' AND application_name = 'parley'`;
  const again = watchedClock();
  const settings = { url: `${url}?connect_timeout=0.2`, poolSize: 2 };
  const postgres = await openedPostgres(t, settings, again.clock);
  const held = Promise.withResolvers<void>();
  const holding = Array.from({ length: 2 }, () =>
    postgres.transaction(async (database) => {
      await database.query('SELECT 1');
      await held.promise;
    }),
  );
  await found('both', async () => {
    const [row] = await server.run(opened);
    return row?.n === 2 ? row : undefined;
  });
  const waiting = postgres.transaction((database) => database.query<{ n: number }>('SELECT 1 AS n'));
  await again.next();
  assert.deepEqual(await server.run(opened), [{ n: 2 }]);
  // as if it had been tried for as long as it is
  const last = postgres.transaction((database) => database.query('SELECT 1'));
  again.passed += 60_000;
  await assert.rejects(last, (error) => {
    assert.equal(codeOf(error), 'database_busy');
    assert.match(errorMessage(error), /All connections to the database "test_\d+"/);
    assert.match(hintOf(error) ?? '', /storage\.poolSize/);
    return true;
  });
  held.resolve();
  assert.deepEqual(await waiting, [{ n: 1 }]);
  await Promise.all(holding);
});

test('a server that goes silent in a statement is given up after the time limit, and its connection with it', {
  skip: noPostgres,
}, async (t) => {
  const server = await postgresServer();
  const link = await openTcpLink(t, server.port);
  const url = (await server.database()).replace(`:${server.port}/`, `:${link.port}/`);
  const again = watchedClock();
  const postgres = await openedPostgres(t, { url, poolSize: 1, statementTimeoutMs: 500 }, again.clock);
  const pids: number[] = [];
  const written = postgres.transaction(async (database) => {
    const [row] = await database.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    pids.push(row?.pid ?? 0);
    if (pids.length === 1) link.stall();
    await database.query('SELECT 1');
  });
  await again.next();
  link.resume();
  await written;
  assert.equal(new Set(pids).size, 2);
});

/** The clock by which it is tried again: `next` resolves with the next pause, and `passed` are milliseconds that it is ahead. */
function watchedClock() {
  let paused = Promise.withResolvers<void>();
  const watched = {
    passed: 0,
    next: () => paused.promise,
    clock: {
      ...systemClock,
      monotonic: () => momentIn(systemClock, watched.passed),
      sleep(ms: number, signal?: AbortSignal) {
        paused.resolve();
        paused = Promise.withResolvers();
        return systemClock.sleep(ms, signal);
      },
    },
  };
  return watched;
}
