// The database that instances share: how it is set, that its password is shown nowhere, and what status and doctor say of it.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { statusLines } from '#app/commands/status.ts';
import { postgresSchemas } from '#app/compose/open-storage.ts';
import { loadConfig } from '#app/config/load.ts';
import { checkStorage } from '#app/doctor/storage.ts';
import { main } from '#app/main.ts';
import { accountOf } from '#app/settings/channels.ts';
import { configuredSecrets } from '#app/settings/engine-settings.ts';
import { storageOf } from '#app/settings/storage.ts';
import { systemClock } from '#base/clock.ts';
import { postgresAddress } from '#base/postgres/address.ts';
import { createLeadership } from '#base/postgres/leadership.ts';
import { migratePostgres } from '#base/postgres/migrations.ts';
import { openPostgres } from '#base/postgres/postgres.ts';
import { createMask } from '#base/secrets.ts';
import { overview } from '#engine/wire/operator/overview.ts';
import { freePort } from '../../bench/harness/free-port.ts';
import { found } from '../support/found.ts';
import { noPostgres, password, postgresServer } from '../support/postgres.ts';
import { quietLog } from '../support/quiet-log.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { openStage } from './stage.ts';

function loaded(t: TestContext, storage: object, variables: NodeJS.ProcessEnv = {}) {
  const folder = tempFolder(t);
  writeFileSync(join(folder, 'parley.config.json'), JSON.stringify({ storage, home: 'home' }));
  writeFileSync(join(folder, 'password'), 'from-the-file\n');
  return loadConfig({ folder, variables });
}

const url = 'postgres://parley@db.example.com/parley';

test('the address comes from the config, else from DATABASE_URL; the password from its file, the URL or PGPASSWORD, in this order', (t) => {
  const settingsOf = (storage: object, variables: NodeJS.ProcessEnv = {}) =>
    storageOf(loaded(t, storage, variables));
  assert.equal(settingsOf({}), undefined);
  assert.equal(settingsOf({ url: false }, { DATABASE_URL: url }), undefined);
  assert.equal(settingsOf({}, { DATABASE_URL: url })?.url, url);
  const other = 'postgres://a:in-the-url@other.example.com/b';
  assert.equal(settingsOf({ url: other }, { DATABASE_URL: url })?.url, other);
  const passwordOf = (storage: object) =>
    settingsOf(storage, { PGPASSWORD: 'from-the-environment' })?.password;
  assert.equal(passwordOf({ url: other, passwordFile: 'password' }), 'from-the-file');
  assert.equal(passwordOf({ url: other }), 'in-the-url');
  assert.equal(passwordOf({ url }), 'from-the-environment');
  assert.throws(() => settingsOf({ url, passwordFile: 'missing' }), /storage\.passwordFile cannot be read/);
});

test('every password of the database is masked, and no error of an address repeats it', (t) => {
  const secrets = configuredSecrets(
    loaded(
      t,
      { url: 'postgres://a:in%20the%20url@x/b', passwordFile: 'password' },
      { PGPASSWORD: 'from-the-environment', DATABASE_URL: 'postgresql://a:of-database-url@x/b' },
    ),
  );
  const mask = createMask(secrets);
  for (const secret of [
    'in the url',
    'in%20the%20url',
    'from-the-file',
    'from-the-environment',
    'of-database-url',
  ])
    assert.equal(mask(`<${secret}>`), '<[redacted]>');
  for (const wrong of [
    'mysql://a:in-the-url@x/b',
    'postgres://a:in-the-url@x/b?sslmode=prefer',
    'postgres://a:in-the-url@x/b?ssl=1',
    'postgres://a:in-the-url@',
  ])
    assert.throws(
      () => loaded(t, { url: wrong }),
      (error: Error) => /storage\.url/.test(error.message) && !error.message.includes('in-the-url'),
    );
});

test('without sslmode a server elsewhere is reached with TLS only, and one on this machine without', () => {
  const tlsOf = (address: string) => postgresAddress({ url: address }).tls;
  assert.deepEqual(
    [
      'postgres://a@127.0.0.1/b',
      'postgres:///b?host=/run/postgresql&user=a',
      url,
      `${url}?sslrootcert=/ca.pem`,
    ].map(tlsOf),
    ['disable', 'disable', 'require', 'verify-full'],
  );
});

test('an account is known by the id in its token, whatever else is in it', () => {
  const of = (platform: 'discord' | 'telegram' | 'slack', ...tokens: string[]) =>
    tokens.map((token) => accountOf({ platform, token }));
  const discord = Buffer.from('80351110224678912').toString('base64');
  assert.deepEqual(of('discord', `${discord}.one.two`, `${discord}.three.four`), [
    'discord:80351110224678912',
    'discord:80351110224678912',
  ]);
  assert.deepEqual(of('telegram', '123:AAA', '123:BBB'), ['telegram:123', 'telegram:123']);
  assert.deepEqual(of('slack', 'xoxb-11-22-secret', 'xoxb-11-22-other'), ['slack:11-22', 'slack:11-22']);
  const [one = '', other = ''] = of('slack', 'xoxb-of-another-form', 'xoxb-of-yet-another');
  assert.match(one, /^slack:[0-9a-f]{16}$/);
  assert.notEqual(one, other);
});

test('a start with a wrong password ends with what to do, and shows the password nowhere', {
  skip: noPostgres,
}, async (t) => {
  const server = await postgresServer();
  const address = await server.database();
  const stage = await openStage(t, {
    platforms: ['telegram'],
    variables: { DATABASE_URL: address.replace(password, 'not-the-password') },
  });
  const program = stage.start();
  assert.equal(await program.ended, 1);
  assert.match(program.said(), /PostgreSQL refuses the password for the database "test_\d+"/);
  assert.match(program.said(), /storage\.passwordFile/);
  assert.doesNotMatch(program.said(), /not-the-password/);
});

test('status and doctor say who leads, and the doctor what is wrong; a database that is away is waited for', {
  skip: noPostgres,
}, async (t) => {
  const server = await postgresServer();
  const address = await server.database();
  const stage = await openStage(t, { platforms: ['telegram'], variables: { DATABASE_URL: address } });
  // another instance leads
  const postgres = await openPostgres(
    { url: address, poolSize: 1, statementTimeoutMs: 5_000 },
    { clock: systemClock },
  );
  const prepare = (): Promise<void> => migratePostgres(postgres, postgresSchemas);
  const other = createLeadership({
    ...{ postgres, prepare, instance: 'elsewhere', clock: systemClock, log: quietLog().log, problem() {} },
  });
  const stop = new AbortController();
  t.after(async () => {
    stop.abort();
    await other.close();
    await postgres.close();
  });
  const token = stage.sandbox.environment.TELEGRAM_BOT_TOKEN ?? '';
  const led = Promise.withResolvers<void>();
  const over = other
    .lead(accountOf({ platform: 'telegram', token }), { signal: stop.signal, waiting() {} }, async () => {
      led.resolve();
      await new Promise<void>((resolve) => stop.signal.addEventListener('abort', () => resolve()));
    })
    .catch(() => undefined);
  await led.promise;
  const program = stage.start();
  await found('the standby', () =>
    /telegram +waits: another instance/.test(program.said()) ? true : undefined,
  );
  const statusNow = async () => overview.parse(await program.get('/status'));
  const standby = await statusNow();
  assert.equal(standby.ready, true, 'nothing is amiss with an instance that waits');
  assert.equal(standby.channels.telegram?.state, 'standby');
  assert.deepEqual(
    standby.storage?.accounts.map(({ channel, leads, leader, isHeld, fence }) => ({
      channel,
      leads,
      leader,
      isHeld,
      fence,
    })),
    [{ channel: 'telegram', leads: false, leader: 'elsewhere', isHeld: true, fence: 1 }],
  );
  const linesOf = async () =>
    statusLines([{ url: 'http://127.0.0.1', overview: await statusNow(), runs: [] }], Date.now()).join('\n');
  assert.match(await linesOf(), /store +PostgreSQL answers in \d+ ms/);
  assert.match(await linesOf(), /telegram: led by elsewhere since 20/);

  const config = { folder: stage.folder, variables: { ...stage.sandbox.environment, DATABASE_URL: address } };
  const healthy = await checkStorage(loadConfig(config), systemClock);
  assert.deepEqual(
    healthy.remarks.map(({ level }) => level),
    ['ok', 'ok'],
  );
  assert.match(healthy.remarks[1]?.what ?? '', /^telegram: led by elsewhere since/);
  assert.equal(healthy.led.size, 1);
  const away = `postgres://a@127.0.0.1:${await freePort()}/b`;
  const printed: string[] = [];
  const code = await main(
    ['doctor', '--config', join(stage.folder, 'parley.config.json')],
    { ...config.variables, DATABASE_URL: away, PARLEY_TOKEN: 'token-of-this-test' },
    { out: (line) => printed.push(line), err: (line) => printed.push(line) },
  );
  assert.equal(code, 1);
  assert.match(printed.join('\n'), /storage\n +BAD +PostgreSQL cannot be reached/);
  assert.match(printed.join('\n'), /connected to nothing here: another instance leads/);

  stop.abort();
  await over;
  await program.connected('telegram');
  assert.match(await linesOf(), /telegram: led by this instance since 20/);
  assert.equal((await statusNow()).storage?.accounts[0]?.fence, 2);
  await server.kill();
  await found('the status of a database that is away', async () => {
    const { ready, storage, problems } = await statusNow();
    return !ready &&
      storage?.latencyMs === null &&
      problems.some(({ component }) => component === 'PostgreSQL')
      ? true
      : undefined;
  });
  assert.match(await linesOf(), /PostgreSQL does not answer/);
  await server.start();
  await found('the end of the problem', async () => ((await statusNow()).ready ? true : undefined));
  assert.equal((await statusNow()).storage?.accounts[0]?.fence, 3);
});
