// What can be wrong with a database: each a sentence with what to do, at the real server; and tables that are made once.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { systemClock } from '#base/clock.ts';
import { codeOf, errorMessage, hintOf } from '#base/errors.ts';
import type { PostgresSettings } from '#base/postgres/address.ts';
import { explainPostgres, passes } from '#base/postgres/failures.ts';
import { createLeadership, leadershipSchema } from '#base/postgres/leadership.ts';
import { migratePostgres } from '#base/postgres/migrations.ts';
import { type Queryable, refuseUnfitServer } from '#base/postgres/postgres.ts';
import { freePort } from '../../../bench/harness/free-port.ts';
import { found, until } from '../../support/found.ts';
import {
  noPostgres,
  openedPostgres,
  password,
  postgresServer,
  startPostgres,
  superuser,
} from '../../support/postgres.ts';
import { quietLog } from '../../support/quiet-log.ts';

const schemas = [leadershipSchema];

/** The error of making the tables. */
async function refusal(t: Pick<TestContext, 'after'>, settings: Partial<PostgresSettings> & { url: string }) {
  const postgres = await openedPostgres(t, settings);
  return postgres
    .session()
    .then((session) => session.end())
    .then(() => migratePostgres(postgres, schemas))
    .then(
      () => assert.fail('it works'),
      (error: unknown) => error,
    );
}

test('what cannot work as it is set is refused in a sentence with what to do, which has no password in it', {
  skip: noPostgres,
}, async (t) => {
  const server = await postgresServer();
  const url = await server.database();
  await server.run(`CREATE ROLE guest LOGIN PASSWORD '${password}'`);
  const newer = await server.database();
  const made = await openedPostgres(t, { url: newer });
  await migratePostgres(made, schemas);
  await server.run(`UPDATE parley_schema SET version = 9`, newer);
  const ofAnother = await server.database();
  await migratePostgres(await openedPostgres(t, { url: ofAnother }), schemas);
  const closed = await server.database();
  await server.run(`REVOKE CONNECT ON DATABASE ${closed.split('/').at(-1)} FROM public`);
  const cases: [string, string, RegExp, RegExp][] = [
    [
      url.replace(password, 'not-the-password'),
      'database_refused',
      /refuses the password for the database "test_\d+" at 127\.0\.0\.1:\d+ as the user "parley"/,
      /storage\.passwordFile/,
    ],
    [url.replace(`:${password}`, ''), 'database_refused', /asks for a password/, /PGPASSWORD/],
    [
      url.replace(/test_\d+$/, 'nowhere'),
      'database_missing',
      /no such database: the database "nowhere"/,
      /CREATE DATABASE/,
    ],
    [
      await server.database({ encoding: 'LATIN1' }),
      'database_encoding',
      /UTF8 is needed; .* has LATIN1/,
      /ENCODING 'UTF8'/,
    ],
    [
      await server.database({ encoding: 'SQL_ASCII' }),
      'database_encoding',
      /has SQL_ASCII/,
      /ENCODING 'UTF8'/,
    ],
    [newer, 'database_newer', /"leadership" .* version 9; this program knows 1/, /newer program/],
    [url.replace(superuser, 'guest'), 'database_rights', /may not make or use tables/, /GRANT CREATE/],
    [closed.replace(superuser, 'guest'), 'database_rights', /denied for database/, /GRANT CONNECT/],
    [
      ofAnother.replace(superuser, 'guest'),
      'database_rights',
      /denied for table parley_schema/,
      /GRANT ALL ON ALL TABLES/,
    ],
    [`${url}?sslmode=require`, 'database_tls', /offers no TLS/, /sslmode=disable/],
    [
      url.replace(/:\d+\//, `:${await freePort()}/`),
      'database_unreachable',
      /cannot be reached.*ECONNREFUSED/,
      /Start the server/,
    ],
  ];
  for (const [where, code, words, hint] of cases) {
    const error = await refusal(t, { url: where });
    assert.equal(codeOf(error), code, errorMessage(error));
    assert.match(errorMessage(error), words);
    assert.match(hintOf(error) ?? '', hint);
    assert.doesNotMatch(
      `${errorMessage(error)} ${hintOf(error)}`,
      new RegExp(`${password}|not-the-password`),
    );
  }
});

test('a standby and a full disk are named, and pass on their own: nothing has to be started again', {
  skip: noPostgres,
}, async (t) => {
  const server = await postgresServer();
  const standby = await server.database();
  await server.run(
    `ALTER DATABASE ${standby.split('/').at(-1)} SET default_transaction_read_only = on`,
    standby,
  );
  const readOnly = await openedPostgres(t, { url: standby });
  const full = await server.database();
  const disk = await openedPostgres(t, { url: full });
  await migratePostgres(disk, schemas);
  await server.run(
    `CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$;
     CREATE TRIGGER full_disk BEFORE INSERT ON parley_leadership EXECUTE FUNCTION full_disk()`,
    full,
  );
  for (const [postgres, mend, code, words] of [
    [
      readOnly,
      () => server.run(`ALTER DATABASE ${standby.split('/').at(-1)} RESET default_transaction_read_only`),
      'database_standby',
      /is a standby, or read-only/,
    ],
    [
      disk,
      () => server.run('DROP TRIGGER full_disk ON parley_leadership', full),
      'database_full',
      /disk of PostgreSQL is full/,
    ],
  ] as const) {
    let problem: unknown;
    const leadership = createLeadership({
      ...{ postgres, instance: 'a', clock: systemClock, log: quietLog().log },
      prepare: (signal) => migratePostgres(postgres, schemas, signal),
      problem: (error) => {
        problem = error;
      },
    });
    t.after(() => leadership.close());
    const ending = new AbortController();
    const led = leadership.lead('x', { signal: ending.signal, waiting() {} }, async ({ fence }) => fence);
    await until('it is named', () => codeOf(problem) === code);
    assert.match(errorMessage(problem), words);
    assert.equal(passes(problem), true);
    await mend();
    assert.equal(await led, 1);
    assert.equal(problem, undefined);
  }
});

test('certificates that are none are refused before anything is asked', { skip: noPostgres }, async (t) => {
  const server = await postgresServer();
  const url = `${await server.database()}?sslmode=verify-full`;
  const caFile = join(server.folder, 'wrong.pem');
  for (const [text, words] of [
    ['', /none is in it/],
    ['-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----\n', /none is in it/],
    ['-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n', /cannot be read/],
  ] as const) {
    writeFileSync(caFile, text);
    await assert.rejects(openedPostgres(t, { url, caFile }), (error) => {
      assert.equal(codeOf(error), 'config_invalid');
      assert.match(errorMessage(error), words);
      assert.match(hintOf(error) ?? '', /storage\.caFile/);
      return true;
    });
  }
});

test('a server that takes only TLS says so, and what to write', { skip: noPostgres }, async (t) => {
  const server = await startPostgres();
  t.after(() => server.kill());
  const url = await server.database();
  const rules = join(server.folder, 'data', 'pg_hba.conf');
  // as the first rule that fits
  writeFileSync(rules, `hostnossl test_1 all all reject\n${readFileSync(rules, 'utf8')}`);
  await server.run('SELECT pg_reload_conf()');
  await until('the new rule', () =>
    server.run('SELECT 1', url).then(
      () => false,
      () => true,
    ),
  );
  const error = await refusal(t, { url });
  assert.equal(codeOf(error), 'database_refused');
  assert.match(errorMessage(error), /no encryption/);
  assert.match(hintOf(error) ?? '', /sslmode=verify-full/);
});

test('a server that is older than 14 is refused', async () => {
  const old = {
    query: async () => [{ version: 130_014, encoding: 'UTF8', isReadOnly: false }],
  } as unknown as Queryable;
  await assert.rejects(refuseUnfitServer(old, 'the database'), {
    code: 'database_old',
    message: 'PostgreSQL 14 or newer is needed; the database runs on 13.',
  });
});

test('instances that start at once make the tables once, and one without the right to make tables uses them', {
  skip: noPostgres,
}, async (t) => {
  const server = await postgresServer();
  const url = await server.database();
  const one = `CREATE TABLE made_once (id int); INSERT INTO made_once VALUES (1)`;
  const two = 'INSERT INTO made_once VALUES (2)';
  const instances = await Promise.all(Array.from({ length: 6 }, () => openedPostgres(t, { url })));
  await Promise.all(
    instances.map((each) => migratePostgres(each, [{ part: 'once', migrations: [one, two] }])),
  );
  assert.deepEqual(await server.run('SELECT id FROM made_once ORDER BY id', url), [{ id: 1 }, { id: 2 }]);
  await server.run(
    `CREATE ROLE reader LOGIN PASSWORD '${password}'; GRANT SELECT ON parley_schema TO reader`,
    url,
  );
  const reader = await openedPostgres(t, { url: url.replace(superuser, 'reader') });
  await migratePostgres(reader, [{ part: 'once', migrations: [one, two] }]);
});

test('a migration that fails leaves nothing of itself', { skip: noPostgres }, async (t) => {
  const server = await postgresServer();
  const url = await server.database();
  const postgres = await openedPostgres(t, { url });
  const broken = {
    part: 'broken',
    migrations: ['CREATE TABLE half (id int)', 'CREATE TABLE half (id int)'],
  };
  await assert.rejects(migratePostgres(postgres, [broken]), { code: 'database_failed' });
  assert.deepEqual(
    await server.run("SELECT to_regclass('half') AS half, to_regclass('parley_schema') AS schema", url),
    [{ half: null, schema: null }],
  );
});

/** Runs openssl for a key and a certificate of that name, in the folder of the server. */
function certify(folder: string, name: string, options: readonly string[]) {
  const [key, certificate] = [join(folder, `${name}.key`), join(folder, `${name}.crt`)];
  execFileSync(
    'openssl',
    [
      ...[
        'req',
        '-x509',
        '-newkey',
        'ec',
        '-pkeyopt',
        'ec_paramgen_curve:prime256v1',
        '-nodes',
        '-days',
        '2',
      ],
      ...['-keyout', key, '-out', certificate, ...options],
    ],
    { stdio: 'ignore' },
  );
  return { key, certificate };
}

const forLocalhost = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];

/** Lets the server offer TLS with them until the test ends; how each connection comes about. */
async function offerTls(
  t: Pick<TestContext, 'after'>,
  { key, certificate }: { key: string; certificate: string },
) {
  const server = await postgresServer();
  server.own(key);
  await server.run(`ALTER SYSTEM SET ssl_key_file = '${key}'`);
  await server.run(`ALTER SYSTEM SET ssl_cert_file = '${certificate}'`);
  await server.run('ALTER SYSTEM SET ssl = on');
  const reload = 'SELECT pg_reload_conf()';
  await server.run(reload);
  t.after(async () => {
    await server.run('ALTER SYSTEM SET ssl = off');
    await server.run(reload);
  });
  const outcome = async (settings: Partial<PostgresSettings> & { url: string }): Promise<string> => {
    const postgres = await openedPostgres(t, settings);
    return postgres
      .transaction((database) =>
        database.query<{ ssl: boolean }>('SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()'),
      )
      .then(
        ([row]) => (row?.ssl === true ? 'encrypted' : 'plain'),
        (error: unknown) => codeOf(error) ?? errorMessage(error),
      );
  };
  const url = await server.database();
  await found('TLS', async () =>
    (await outcome({ url: `${url}?sslmode=require` })) === 'encrypted' ? true : undefined,
  );
  return { url, named: url.replace('127.0.0.1', 'localhost'), outcome };
}

test('TLS is as libpq has it: encrypted alone, by the authority, or by the name too', {
  skip: noPostgres,
}, async (t) => {
  const { folder } = await postgresServer();
  const own = certify(folder, 'server', forLocalhost);
  const { certificate } = own;
  const { url, named, outcome } = await offerTls(t, own);
  assert.deepEqual(
    await Promise.all(
      [
        { url },
        { url: `${url}?sslmode=verify-full` },
        { url: `${named}?sslmode=verify-full`, caFile: certificate },
        { url: `${named}?sslrootcert=${encodeURIComponent(certificate)}` },
        { url: `${url}?sslmode=verify-full`, caFile: certificate },
        { url: `${url}?sslmode=verify-ca`, caFile: certificate },
        { url: `${url}?sslmode=require`, caFile: certificate },
      ].map(outcome),
    ),
    ['plain', 'database_tls', 'encrypted', 'encrypted', 'database_tls', 'encrypted', 'encrypted'],
  );
});

test("a certificate that an authority of one's own has signed is taken with the file of that authority, alone or among others, and with no other", {
  skip: noPostgres,
}, async (t) => {
  const { folder } = await postgresServer();
  const authority = certify(folder, 'authority', ['-subj', '/CN=An authority of our own']);
  const other = certify(folder, 'other', ['-subj', '/CN=Another authority']);
  const signed = ['-CA', authority.certificate, '-CAkey', authority.key];
  const { named, url, outcome } = await offerTls(t, certify(folder, 'signed', [...forLocalhost, ...signed]));
  const both = join(folder, 'both.pem');
  writeFileSync(both, [other, authority].map((each) => readFileSync(each.certificate, 'utf8')).join(''));
  const full = `${named}?sslmode=verify-full`;
  assert.deepEqual(
    await Promise.all(
      [
        { url: full, caFile: authority.certificate },
        { url: full, caFile: both },
        { url: `${full}&sslrootcert=${encodeURIComponent(authority.certificate)}` },
        { url: full, caFile: other.certificate },
        { url: full },
        { url: `${url}?sslmode=verify-full`, caFile: authority.certificate },
        { url: `${url}?sslmode=verify-ca`, caFile: authority.certificate },
        { url: `${url}?sslmode=verify-ca`, caFile: other.certificate },
      ].map(outcome),
    ),
    [
      ...['encrypted', 'encrypted', 'encrypted', 'database_tls', 'database_tls'],
      ...['database_tls', 'encrypted', 'database_tls'],
    ],
  );
});

test('a failure that is none of the database is left as it is', () => {
  const error = new TypeError('a bug');
  assert.equal(explainPostgres(error, 'the database'), error);
  assert.equal(passes(error), false);
});
