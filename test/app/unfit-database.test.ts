// A shared database that cannot be used as it is set: what the doctor and a start say of it, and that no password is in what they say.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { postgresSchemas } from '#app/compose/open-storage.ts';
import { loadConfig } from '#app/config/load.ts';
import { checkStorage } from '#app/doctor/storage.ts';
import { main } from '#app/main.ts';
import { systemClock } from '#base/clock.ts';
import { migratePostgres } from '#base/postgres/migrations.ts';
import { noPooler, pooled } from '../support/pgbouncer.ts';
import { noPostgres, openedPostgres, password, postgresServer, startPostgres } from '../support/postgres.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { openStage } from './stage.ts';

/** What the doctor says of a database that is set in this way: `bad` and what to do, or that it answers. */
async function doctor(
  t: TestContext,
  { url, storage = {}, files = {} }: { url: string; storage?: object; files?: Record<string, string> },
): Promise<string> {
  const folder = tempFolder(t);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  writeFileSync(join(folder, 'parley.config.json'), JSON.stringify({ storage, home: 'home' }));
  const { remarks } = await checkStorage(
    loadConfig({ folder, variables: { DATABASE_URL: url } }),
    systemClock,
  );
  return remarks.map(({ level, what, hint = '' }) => `${level}: ${what} ${hint}`).join('\n');
}

test('the doctor names what is wrong with the database, with what to do, and no password', {
  skip: noPostgres,
}, async (t) => {
  const server = await postgresServer();
  const url = await server.database();
  const bare = url.replace(`:${password}`, '');
  const newer = await server.database();
  await migratePostgres(await openedPostgres(t, { url: newer }), postgresSchemas);
  await server.run('UPDATE parley_schema SET version = 99', newer);
  const readOnly = await server.database();
  await server.run(
    `ALTER DATABASE ${readOnly.split('/').at(-1)} SET default_transaction_read_only = on`,
    readOnly,
  );
  await server.run(`CREATE ROLE doctor_guest LOGIN PASSWORD '${password}'`);
  const made = await server.database();
  await migratePostgres(await openedPostgres(t, { url: made }), postgresSchemas);
  const cases: [Parameters<typeof doctor>[1], RegExp][] = [
    [{ url }, /^ok: PostgreSQL answers in \d+ ms: the database "test_\d+"/],
    [
      { url: bare, storage: { passwordFile: 'secret' }, files: { secret: `${password}\n` } },
      /^ok: PostgreSQL answers/,
    ],
    [
      { url: bare, storage: { passwordFile: 'secret' }, files: { secret: 'not-the-password\n' } },
      /^error: PostgreSQL refuses the password for the database .* Correct the password in the file of `storage\.passwordFile`/,
    ],
    [{ url: bare, storage: { passwordFile: 'secret' } }, /^error: storage\.passwordFile cannot be read/],
    [
      { url: url.replace(password, 'not-the-password%') },
      /^error: The address of the database has a "%" .* written "%25"/,
    ],
    [
      { url: `${url}?sslmode=verify-full`, storage: { caFile: 'ca' }, files: { ca: 'not-the-password' } },
      /^error: The certificates in .* cannot be read: none is in it\. Name a PEM file/,
    ],
    [{ url: `${url}?sslmode=verify-full` }, /^error: PostgreSQL offers no TLS .* sslmode=disable/],
    [
      { url: await server.database({ encoding: 'LATIN1' }) },
      /^error: The encoding UTF8 is needed; .* has LATIN1\. Make a database/,
    ],
    [{ url: newer }, /^error: The tables "leadership" .* version 99; this program knows 1\. Start the newer/],
    [{ url: readOnly }, /^error: PostgreSQL is a standby, or read-only: .* name the primary/],
    [
      { url: url.replace('parley:', 'doctor_guest:') },
      /^error: The user may not make or use tables in .* denied for schema public\. .*GRANT CREATE, USAGE ON SCHEMA public/,
    ],
    [
      { url: made.replace('parley:', 'doctor_guest:') },
      /^error: The user may not make or use tables in .* denied for table .*GRANT ALL ON ALL TABLES/,
    ],
    [{ url: url.replace(/test_\d+$/, 'nowhere') }, /^error: There is no such database: .*CREATE DATABASE/],
  ];
  for (const [database, words] of cases) {
    const said = await doctor(t, database);
    assert.match(said, words);
    assert.doesNotMatch(said, new RegExp(`${password}|not-the-password`));
  }
});

test('the doctor names tables that belong to somebody else: what this user lacks in them, or that a newer version cannot change them', {
  skip: noPostgres,
}, async (t) => {
  const server = await postgresServer();
  const url = await server.database();
  await migratePostgres(await openedPostgres(t, { url }), postgresSchemas);
  await server.run(`CREATE ROLE second_user LOGIN PASSWORD '${password}'`);
  await server.run('GRANT SELECT ON ALL TABLES IN SCHEMA public TO second_user', url);
  const asSecond = url.replace('parley:', 'second_user:');
  const said = await doctor(t, { url: asSecond });
  assert.match(
    said,
    /error: Tables belong to parley, and this user lacks INSERT, UPDATE, DELETE in parley_accepted, parley_leadership, parley_positions, parley_schema\. .*"ALTER TABLE NAME OWNER TO USER"/,
  );
  await server.run('GRANT ALL ON ALL TABLES IN SCHEMA public TO second_user', url);
  assert.match(
    await doctor(t, { url: asSecond }),
    /warning: Tables belong to parley: parley_accepted, .* They can be used, and a newer version of Parley cannot change them\./,
  );
  await server.run('GRANT parley TO second_user');
  assert.doesNotMatch(await doctor(t, { url: asSecond }), /belong to/);
  assert.doesNotMatch(await doctor(t, { url }), /belong to/);
});

test('the doctor names PgBouncer in transaction mode, and is content with session mode', {
  skip: noPooler,
}, async (t) => {
  const server = await postgresServer();
  const url = await server.database();
  const stage = await openStage(t, { platforms: ['telegram'] });
  for (const [mode, words] of [
    ['session', /storage\n +ok +PostgreSQL answers/],
    ['transaction', /storage\n +BAD +A pooler lends connections for single transactions/],
  ] as const) {
    const printed: string[] = [];
    await main(
      ['doctor', '--config', join(stage.folder, 'parley.config.json')],
      {
        ...stage.sandbox.environment,
        DATABASE_URL: await pooled(t, { server, url }, { mode }),
        PARLEY_TOKEN: 'token-of-this-test',
      },
      { out: (line) => printed.push(line), err: (line) => printed.push(line) },
    );
    assert.match(printed.join('\n'), words);
    if (mode === 'transaction') assert.match(printed.join('\n'), /pool_mode = session/);
  }
});

const old = process.env.PARLEY_TEST_OLD_POSTGRES;

test('a real server that is older than 14 is refused by the doctor and by a start', {
  skip: old === undefined && 'PARLEY_TEST_OLD_POSTGRES does not name the folder of its programs',
}, async (t) => {
  const server = await startPostgres({ bin: old });
  t.after(() => server.kill());
  const url = await server.database();
  const words = /PostgreSQL 14 or newer is needed; the database "test_1" .* runs on \d+\./;
  assert.match(await doctor(t, { url }), words);
  const stage = await openStage(t, { platforms: ['telegram'], variables: { DATABASE_URL: url } });
  const program = stage.start();
  assert.equal(await program.ended, 1);
  assert.match(program.said(), words);
});

test('a password from a file or the environment is in no output and no file of the home, whether it is right or wrong', {
  skip: noPostgres,
}, async (t) => {
  const server = await postgresServer();
  const url = (await server.database()).replace(`:${password}`, '');
  for (const [given, isRight] of [
    ['file', false],
    ['environment', false],
    ['file', true],
    ['environment', true],
  ] as const) {
    const secret = isRight ? password : 'not-the-password';
    const stage = await openStage(t, {
      platforms: ['telegram'],
      configure: (config) => ({
        ...config,
        log: { ...config.log, level: 'debug' },
        storage: { ...config.storage, url, ...(given === 'file' && { passwordFile: 'secret' }) },
      }),
      variables: given === 'file' ? {} : { PGPASSWORD: secret },
    });
    writeFileSync(join(stage.folder, 'secret'), secret);
    const program = stage.start();
    if (isRight) {
      await program.connected('telegram');
      assert.doesNotMatch(JSON.stringify(await program.get('/status')), new RegExp(secret));
      program.signal('SIGTERM');
    }
    assert.equal(await program.ended, isRight ? 0 : 1);
    assert.doesNotMatch(program.said(), new RegExp(secret));
    assert.deepEqual(filesWith(stage.folder, secret), ['secret'], 'the file of the password itself');
  }
});

/** The files in a folder in which these words are, by their names. */
function filesWith(folder: string, words: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && readFileSync(join(entry.parentPath, entry.name)).includes(words))
    .map(({ name }) => name);
}
