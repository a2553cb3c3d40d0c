// What the database's own machine does: a real standby that takes over, and a real disk that is full.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { systemClock } from '#base/clock.ts';
import { codeOf, errorMessage, hintOf } from '#base/errors.ts';
import { createLeadership, leadershipSchema } from '#base/postgres/leadership.ts';
import { openLockSession } from '#base/postgres/lock-session.ts';
import { migratePostgres } from '#base/postgres/migrations.ts';
import { found, until } from '../../support/found.ts';
import {
  noPostgres,
  openedPostgres,
  type PostgresServer,
  postgresServer,
  startPostgres,
} from '../../support/postgres.ts';
import { quietLog } from '../../support/quiet-log.ts';
import { openTcpLink } from '../../support/tcp-link.ts';

const schemas = [leadershipSchema];

test('a standby is refused in words, and once it has taken over the same transaction is written there, and the same bot led', {
  skip: noPostgres,
}, async (t) => {
  const primary = await startPostgres();
  t.after(() => primary.kill());
  const url = await primary.database();
  await primary.run('CREATE TABLE written (n int); INSERT INTO written VALUES (1)', url);
  const standby = await primary.standby();
  t.after(() => standby.kill());
  const link = await openTcpLink(t, primary.port);
  const at = (port: number): string => url.replace(`:${primary.port}/`, `:${port}/`);
  const postgres = await openedPostgres(t, { url: at(link.port) });
  const prepare = (signal?: AbortSignal): Promise<void> => migratePostgres(postgres, schemas, signal);
  await prepare();
  let problem: unknown;
  const leadership = createLeadership({
    ...{ postgres, prepare, instance: 'a', clock: systemClock, log: quietLog().log },
    problem: (error) => {
      problem = error;
    },
  });
  t.after(() => leadership.close());
  const leading = new AbortController();
  const terms: number[] = [];
  const lead = (): Promise<number> =>
    leadership.lead('bot', { signal: leading.signal, waiting() {} }, async ({ fence, signal }) => {
      terms.push(fence);
      if (terms.length === 1) await new Promise((resolve) => signal.addEventListener('abort', resolve));
      return fence;
    });
  const first = lead();
  await until('the lead', () => terms.length === 1);
  await found('what was written at the standby', () =>
    standby.run('SELECT fence FROM parley_leadership', at(standby.port)).then(
      ([row]) => row,
      () => undefined,
    ),
  );

  const following = await openedPostgres(t, { url: at(standby.port) });
  await assert.rejects(openLockSession(following, { clock: systemClock }), (error) => {
    assert.equal(codeOf(error), 'database_standby');
    assert.match(errorMessage(error), /is a standby, or read-only: the database "test_1"/);
    assert.match(hintOf(error) ?? '', /primary/);
    return true;
  });

  // the address now leads to the standby
  await primary.kill();
  link.lead(standby.port);
  link.cut();
  await first;
  const second = lead();
  const refused = new Set<string>();
  const writes = (['as it comes', 'one after the other'] as const).map((isolation) =>
    postgres.transaction(
      async (database) => {
        await database.query('INSERT INTO written VALUES (2)').catch((error: unknown) => {
          refused.add(isolation);
          throw error;
        });
      },
      undefined,
      isolation,
    ),
  );
  await until('a refusal', () => refused.has('as it comes'));
  await standby.run('SELECT pg_promote()');
  await Promise.all(writes);
  assert.equal(await second, 2);
  assert.equal(problem, undefined);
  assert.deepEqual(await standby.run('SELECT n FROM written ORDER BY n', at(standby.port)), [
    { n: 1 },
    { n: 2 },
    { n: 2 },
  ]);
});

test('a full disk is named at once, loses nothing that was there, and takes everything again once there is room', async (t) => {
  if (noPostgres) return t.skip(noPostgres);
  const server = await postgresServer();
  const disk = await smallDisk(t, server);
  if (disk === undefined) return t.skip('no file system may be mounted here');
  const { url, folder } = disk;
  const postgres = await openedPostgres(t, { url });
  await migratePostgres(postgres, schemas);
  await server.run('CREATE TABLE kept (n int, words text)', url);
  const fill = `INSERT INTO kept SELECT n, md5(n::text) || repeat(md5((n + 1)::text), 20) FROM generate_series(1, 100000) AS n`;
  let attempts = 0;
  const write = (sql: string): Promise<unknown> =>
    postgres.transaction((database) => {
      attempts += 1;
      return database.query(sql);
    });
  await write('INSERT INTO kept SELECT 1 FROM generate_series(1, 20000)');
  await assert.rejects(write(fill), (error) => {
    assert.equal(codeOf(error), 'database_full');
    assert.match(errorMessage(error), /disk of PostgreSQL is full: the database "test_\d+"/);
    assert.match(hintOf(error) ?? '', /Make room/);
    return true;
  });
  assert.equal(attempts, 2, 'a full disk is not waited for');
  assert.deepEqual(await server.run('SELECT count(*)::int AS n FROM kept', url), [{ n: 20_000 }]);
  execFileSync('mount', ['-o', 'remount,size=200m', folder]);
  await write(fill);
  assert.deepEqual(await server.run('SELECT count(*)::int AS n FROM kept', url), [{ n: 120_000 }]);
});

/** A database on a disk of 24 MB, which is gone with the test; undefined where none may be mounted. */
async function smallDisk(
  t: Pick<TestContext, 'after'>,
  server: PostgresServer,
): Promise<{ url: string; folder: string } | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    rmSync(folder, { recursive: true });
    return undefined;
  }
  server.own(folder);
  const url = await server.database();
  const name = url.split('/').at(-1);
  await server.run(`CREATE TABLESPACE small LOCATION '${folder}'`);
  await server.run(`ALTER DATABASE ${name} SET TABLESPACE small`);
  t.after(async () => {
    await server.run(`DROP DATABASE ${name} WITH (FORCE)`);
    await server.run('DROP TABLESPACE small');
    execFileSync('umount', [folder]);
    rmSync(folder, { recursive: true });
  });
  return { url, folder };
}
