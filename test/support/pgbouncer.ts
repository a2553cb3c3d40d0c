// PgBouncer in front of a server of the tests. Not a test.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { freePort } from '../../bench/harness/free-port.ts';
import { until } from './found.ts';
import { noPostgres, type PostgresServer, password, superuser, unprivileged } from './postgres.ts';
import { answers } from './tcp-link.ts';

const program = '/usr/sbin/pgbouncer';

/** For tests that need it: why they are skipped, or false. */
export const noPooler =
  noPostgres ||
  (existsSync(program) ? false : 'PgBouncer is not installed: apt-get install pgbouncer brings it');

/** The same database behind a pooler in this mode, which ends with the test; `settings` are lines of its configuration. */
export async function pooled(
  t: Pick<TestContext, 'after'>,
  { server, url }: { server: PostgresServer; url: string },
  { mode, settings = [] }: { mode: 'session' | 'transaction'; settings?: readonly string[] },
): Promise<string> {
  const port = await freePort();
  const users = join(server.folder, `${port}.users`);
  const config = join(server.folder, `${port}.ini`);
  writeFileSync(users, `"${superuser}" "${password}"\n`);
  const name = url.split('/').at(-1);
  const at = `host=127.0.0.1 port=${server.port}`;
  const lines = [
    ...['[databases]', `${name} = ${at} dbname=${name}`, `gone = ${at} dbname=gone`],
    ...['[pgbouncer]', 'listen_addr = 127.0.0.1', `listen_port = ${port}`, 'unix_socket_dir ='],
    ...['auth_type = plain', `auth_file = ${users}`, `pool_mode = ${mode}`, ...settings, ''],
  ];
  writeFileSync(config, lines.join('\n'));
  for (const file of [users, config]) chmodSync(file, 0o644);
  const [command = '', ...words] = [...unprivileged, program, config];
  const child = spawn(command, words, { stdio: 'ignore' });
  t.after(async () => {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'close');
  });
  await until('the pooler', () => answers(port));
  return url.replace(`:${server.port}/`, `:${port}/`);
}
