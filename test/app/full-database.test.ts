// The disk of the shared database is full while the program runs: status says so, and what people wrote meanwhile is answered once.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { statusLines } from '#app/commands/status.ts';
import { main } from '#app/main.ts';
import { overview } from '#engine/wire/operator/overview.ts';
import { until } from '../support/found.ts';
import { noPostgres, postgresServer } from '../support/postgres.ts';
import type { Talk } from './house.ts';
import { openStage } from './stage.ts';

const platforms = ['discord', 'telegram', 'slack'] as const;

test('while the disk of the database is full status names it, and each message is answered once and on record when there is room', {
  skip: noPostgres,
}, async (t) => {
  const server = await postgresServer();
  const url = await server.database();
  const stage = await openStage(t, { platforms, variables: { DATABASE_URL: url } });
  const program = stage.start();
  await program.connected(...platforms);
  await server.run(
    `CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$;
     CREATE TRIGGER full_disk BEFORE INSERT ON parley_accepted EXECUTE FUNCTION full_disk()`,
    url,
  );
  const talks = platforms.map((platform): Talk => ({ platform, chat: 'dm', user: 'you' }));
  for (const talk of talks) await stage.say(talk, 'The boathouse is green.');
  const statusNow = async () => overview.parse(await program.get('/status'));
  const named = async () => (await statusNow()).problems.find(({ component }) => component === 'PostgreSQL');
  await until('it is named', async () => (await named()) !== undefined);
  const problem = await named();
  assert.match(
    problem?.message ?? '',
    /^The disk of PostgreSQL is full: the database "test_\d+" at 127\.0\.0\.1/,
  );
  assert.match(problem?.hint ?? '', /Make room on the disk of the database/);
  const status = await statusNow();
  assert.equal(status.ready, false);
  const lines = statusLines([{ url: 'http://127.0.0.1', overview: status, runs: [] }], Date.now());
  assert.match(lines.join('\n'), /store +PostgreSQL answers in \d+ ms/);

  const printed: string[] = [];
  await main(
    ['doctor', '--config', join(stage.folder, 'parley.config.json')],
    { ...stage.sandbox.environment, DATABASE_URL: url, PARLEY_TOKEN: 'token-of-this-test' },
    { out: (line) => printed.push(line), err: (line) => printed.push(line) },
  );
  assert.match(printed.join(' ').replace(/\s+/g, ' '), /The disk of PostgreSQL is full/);

  await server.run('DROP TRIGGER full_disk ON parley_accepted', url);
  for (const talk of talks) await stage.answered(talk, /./);
  await until(
    'nothing is in the way',
    async () => (await statusNow()).ready && (await named()) === undefined,
  );
  assert.deepEqual(
    talks.map((talk) => stage.answers(talk).length),
    [1, 1, 1],
  );
  // each comes to be on record for whoever leads next
  const onRecord = 'SELECT account FROM parley_accepted GROUP BY account HAVING count(*) = 1';
  await until('the record', async () => (await server.run(onRecord, url)).length === platforms.length);
});
