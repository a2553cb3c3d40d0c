// A PostgreSQL of the tests' own: Debian's server on a folder and a port of its own, under a user that it accepts. Not a test.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, globSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { Client } from 'pg';
import { systemClock } from '#base/clock.ts';
import type { PostgresSettings } from '#base/postgres/address.ts';
import { openPostgres, type Postgres } from '#base/postgres/postgres.ts';
import { freePort } from '../../bench/harness/free-port.ts';
import { found } from './found.ts';

const bin = globSync('/usr/lib/postgresql/*/bin').sort(
  (a, b) => Number(b.split('/')[4]) - Number(a.split('/')[4]),
)[0];

/** For tests that need it: why they are skipped, or false. */
export const noPostgres =
  bin === undefined ? 'PostgreSQL is not installed: apt-get install postgresql brings it' : false;

export interface PostgresServer {
  port: number;
  /** Its folder, where it has its socket too. */
  folder: string;
  /** The URL of a new database, with the superuser and a password. */
  database(options?: { encoding?: 'UTF8' | 'LATIN1' | 'SQL_ASCII' }): Promise<string>;
  /** Runs statements as the superuser, in that database or the usual one. */
  run(sql: string, url?: string): Promise<Record<string, unknown>[]>;
  /** Gives a file to the server's user, who alone may read it. */
  own(path: string): void;
  /** The same by another program, while this one stands still and reads nothing. */
  runStandingStill(sql: string): void;
  /** Ends it as a crash does, and resolves once it is gone. */
  kill(): Promise<void>;
  start(): Promise<void>;
}

export const superuser = 'parley';
export const password = 'a-password-of-tests';

/** The server refuses root. */
const own = userInfo().uid !== 0;
/** Words before a program that may not run as root, and that ends with the process of the tests. */
export const unprivileged: readonly string[] = [
  ...['setpriv', '--pdeathsig=KILL'],
  ...(own ? [] : ['--reuid=postgres', '--regid=postgres', '--clear-groups']),
];

/** The database at that URL as the program opens it, closed when the test ends. */
export async function openedPostgres(
  t: Pick<TestContext, 'after'>,
  { url, ...rest }: Partial<PostgresSettings> & { url: string },
  clock = systemClock,
): Promise<Postgres> {
  const postgres = await openPostgres({ url, poolSize: 2, statementTimeoutMs: 5_000, ...rest }, { clock });
  t.after(() => postgres.close());
  return postgres;
}

let shared: Promise<PostgresServer> | undefined;

/** The server of all tests of this process, each of which takes databases of its own; gone with the process. */
export function postgresServer(): Promise<PostgresServer> {
  shared ??= startPostgres();
  return shared;
}

async function startPostgres(): Promise<PostgresServer> {
  // the folder of all tests is closed to other users
  if (!own) chmodSync(tmpdir(), statSync(tmpdir()).mode | 0o011);
  const folder = mkdtempSync(join(tmpdir(), 'parley-pg-'));
  const data = join(folder, 'data');
  const secret = join(folder, 'secret');
  writeFileSync(secret, password);
  chmodSync(secret, 0o644);
  if (!own) execFileSync('chown', ['postgres:postgres', folder]);
  const port = await freePort();
  const run = (program: string, words: readonly string[]): readonly [string, string[]] => {
    const [command = '', ...rest] = [...unprivileged, join(bin ?? '', program), ...words];
    return [command, rest];
  };
  const [initdb, words] = run('initdb', [
    ...['-D', data, '-U', superuser, `--pwfile=${secret}`, '-A', 'scram-sha-256'],
    ...['-E', 'UTF8', '--locale=C', '-N'],
  ]);
  execFileSync(initdb, words, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  let child: ChildProcess | undefined;
  const kill = async (): Promise<void> => {
    if (child === undefined || child.exitCode !== null) return;
    const gone = once(child, 'close');
    child.kill('SIGQUIT');
    await gone;
  };
  const address = (database: string): string =>
    `postgres://${superuser}:${password}@127.0.0.1:${port}/${database}`;
  const query: PostgresServer['run'] = async (sql, url = address('postgres')) => {
    const client = new Client({ connectionString: url });
    client.on('error', () => undefined);
    await client.connect();
    try {
      const result = await client.query(sql);
      return result.rows ?? [];
    } finally {
      await client.end();
    }
  };
  const start = async (): Promise<void> => {
    const [command, line] = run('postgres', [
      ...[
        '-D',
        data,
        '-p',
        String(port),
        '-k',
        folder,
        '-c',
        'listen_addresses=127.0.0.1',
        '-c',
        'fsync=off',
      ],
    ]);
    child = spawn(command, line, { cwd: folder, stdio: 'ignore' });
    child.unref();
    await found('the server', () => query('SELECT 1').catch(() => undefined));
  };
  await start();
  process.once('exit', () => {
    child?.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });
  let databases = 0;
  return {
    port,
    folder,
    kill,
    start,
    run: query,
    own(path) {
      chmodSync(path, 0o600);
      if (!own) execFileSync('chown', ['postgres:postgres', path]);
    },
    runStandingStill: (sql) =>
      void execFileSync(join(bin ?? '', 'psql'), [address('postgres'), '-c', sql], { stdio: 'ignore' }),
    async database({ encoding = 'UTF8' } = {}) {
      databases += 1;
      const name = `test_${databases}`;
      await query(`CREATE DATABASE ${name} ENCODING '${encoding}' TEMPLATE template0`);
      return address(name);
    },
  };
}
