// The service files hold for this program, as far as that can be seen without systemd and without Docker running; and systemd is told what it waits for.
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { z } from 'zod';
import { notifySystemd } from '#app/commands/serve/service-manager.ts';
import { configSchema } from '#app/config/schema.ts';
import { systemClock } from '#base/clock.ts';
import { found } from '../support/found.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { openTerminal } from './terminal.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const manifest = z
  .object({ devDependencies: z.record(z.string(), z.string()) })
  .parse(JSON.parse(read('package.json')));

/** The settings of a unit by name, in order. */
function settingsOf(unit: string): Map<string, string[]> {
  const settings = new Map<string, string[]>();
  for (const [, name = '', value = ''] of unit.matchAll(/^([A-Z]\w+)=(.*)$/gm))
    settings.set(name, [...(settings.get(name) ?? []), value]);
  return settings;
}

test('the systemd unit starts what is there, watches it, and gives it nothing that it does not need', () => {
  const settings = settingsOf(read('deploy/parley.service'));
  const only = (name: string): string => {
    const [value, ...more] = settings.get(name) ?? [];
    assert.ok(value !== undefined && more.length === 0, name);
    return value;
  };
  const [node = '', limit, program = '', command, option, config = ''] = only('ExecStart').split(' ');
  const inRoot = (path: string): string => path.replace('/opt/parley', root);
  assert.ok(existsSync(inRoot(node)) && existsSync(inRoot(program)), `${node} ${program}`);
  assert.deepEqual([limit, command, option], ['--max-semi-space-size=16', 'start', '--config']);
  assert.equal(config, '/etc/parley/parley.config.json');
  assert.deepEqual([only('Type'), only('NotifyAccess')], ['notify', 'all']);
  assert.match(only('ExecReload'), /kill -HUP \$MAINPID$/, 'the config is read again');
  assert.ok(Number(only('WatchdogSec')) >= 30);
  const longest = configSchema.parse({}).gateway.shutdownSeconds;
  assert.ok(Number(only('TimeoutStopSec')) > longest + 5, 'what runs may end first');
  assert.equal(only('RestartPreventExitStatus'), '2', 'the exit code of a config that cannot be used');
  for (const name of ['NoNewPrivileges', 'PrivateTmp', 'PrivateDevices', 'ProtectHome'])
    assert.equal(only(name), 'yes', name);
  assert.equal(only('User'), 'parley');
  assert.deepEqual([only('ProtectSystem'), only('CapabilityBoundingSet')], ['strict', '']);
  assert.equal(settings.has('MemoryDenyWriteExecute'), false, 'V8 could not compile');
});

test('systemd itself takes the unit, and finds it well closed', (t) => {
  if (spawnSync('systemd-analyze', ['--version']).error !== undefined) {
    t.skip('systemd-analyze is not here');
    return;
  }
  const copy = join(tempFolder(t), 'parley.service');
  writeFileSync(copy, read('deploy/parley.service').replaceAll('/opt/parley/', `${root}/`));
  const verified = spawnSync('systemd-analyze', ['verify', '--man=no', copy], { encoding: 'utf8' });
  assert.deepEqual([verified.status, verified.stderr], [0, '']);
  const exposure = spawnSync('systemd-analyze', ['security', '--offline=true', '--threshold=20', copy], {
    encoding: 'utf8',
  });
  assert.equal(exposure.status, 0, exposure.stdout.split('\n').at(-2)); // 20 of 100: what systemd calls OK
});

test('the image is made in two steps of the pinned Node, runs as nobody special, and has a health check', () => {
  const text = read('deploy/Dockerfile');
  const lines = text.replaceAll('\\\n', ' ').split('\n');
  const of = (word: string): string[] =>
    lines.flatMap((line) => (line.startsWith(`${word} `) ? [line.slice(word.length + 1)] : []));
  const image = `node:${manifest.devDependencies.node}-bookworm-slim`;
  assert.deepEqual(of('FROM'), [`${image} AS packages`, image]);
  assert.deepEqual(of('USER'), ['node']);
  assert.match(of('RUN')[0] ?? '', /^npm ci --ignore-scripts /);
  assert.match(of('RUN')[1] ?? '', /^node build\/build\.ts && npm prune --omit=dev --ignore-scripts /);
  assert.match(of('HEALTHCHECK')[0] ?? '', /CMD \["node", "\/parley\/deploy\/healthcheck\.js"\]$/);
  assert.deepEqual(JSON.parse(of('ENTRYPOINT')[0] ?? ''), [
    'node',
    '--max-semi-space-size=16',
    '/parley/bin/parley.js',
  ]);
  const ignored = read('deploy/Dockerfile.dockerignore').split('\n');
  const copied = of('COPY')
    .filter((line) => !line.startsWith('--from'))
    .flatMap((line) => line.split(' ').slice(0, -1));
  for (const path of copied) {
    assert.ok(existsSync(join(root, path)), path);
    assert.ok(ignored.includes(`!${path}`), `${path} is let into the build`);
  }
  assert.ok(ignored.includes('*'), 'nothing else is: no .env, no home folder');
});

test('what the image has is enough: nothing of src needs a package of development', () => {
  const { dependencies } = z
    .object({ dependencies: z.record(z.string(), z.string()) })
    .parse(JSON.parse(read('package.json')));
  const shipped = new Set(Object.keys(dependencies));
  const src = join(root, 'src');
  const needed = new Set<string>();
  for (const file of readdirSync(src, { recursive: true, encoding: 'utf8' })) {
    // the console's bundle is made before the image is
    if (!file.endsWith('.ts') || file === join('console', 'bundle.ts')) continue;
    const text = readFileSync(join(src, file), 'utf8');
    for (const [, from = ''] of text.matchAll(/^import (?!type)[^;]*? from '([^'#.][^']*)';$/gm))
      if (!from.startsWith('node:'))
        needed.add(
          from
            .split('/')
            .slice(0, from.startsWith('@') ? 2 : 1)
            .join('/'),
        );
    for (const [, from = ''] of text.matchAll(/await import\('([^'#.][^']*)'\)/g)) needed.add(from);
  }
  assert.ok(needed.has('zod') && needed.has('prom-client'), [...needed].join(' '));
  assert.deepEqual(
    [...needed].filter((name) => !shipped.has(name)),
    [],
  );
});

test('the health check asks the Parley of the home folder, and fails where none answers', async (t) => {
  const { start, home } = openTerminal(t);
  const check = async (): Promise<{ code: number; out: string }> => {
    const env = { ...process.env, PARLEY_HOME: home };
    const call = promisify(execFile)(process.execPath, [join(root, 'deploy/healthcheck.js')], { env });
    return call.then(
      ({ stdout }) => ({ code: 0, out: stdout }),
      (error: { code: number; stdout: string }) => ({ code: error.code, out: error.stdout }),
    );
  };
  assert.match((await check()).out, /^no Parley has said in .*home where it listens/);
  const parley = await start();
  assert.match((await check()).out, /^Parley \S+: alive, ready/);
  await parley.close();
  assert.equal((await check()).code, 1);
});

test('the health check of a program that is alive and not ready passes, and fails only where readiness is asked for', async (t) => {
  const home = tempFolder(t);
  const server = createServer((_, response) => {
    response.end(JSON.stringify({ healthy: true, ready: false, version: '0.1.0' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo; // a listening TCP server has one
  writeFileSync(join(home, 'engine.url'), `http://127.0.0.1:${port}`);
  const check = (...words: string[]): Promise<number | null> =>
    new Promise((resolve) => {
      const env = { ...process.env, PARLEY_HOME: home };
      const file = join(root, 'deploy/healthcheck.js');
      execFile(process.execPath, [file, ...words], { env }).on('close', resolve);
    });
  assert.deepEqual([await check(), await check('--ready')], [0, 1]);
});

test('systemd learns when it is ready, that it answers, and that it stops; while it does not answer nothing is reported', async (t) => {
  const folder = tempFolder(t);
  const told = join(folder, 'told');
  const fake = join(folder, 'systemd-notify');
  writeFileSync(fake, `#!/bin/sh\necho "$@" >> ${told}\n`);
  chmodSync(fake, 0o755);
  let status = 200;
  let asked = 0;
  const server = createServer((_, response) => {
    asked += 1;
    response.writeHead(status).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // a TCP server's address is an object
  const lines = (): string[] => (existsSync(told) ? readFileSync(told, 'utf8').trim().split('\n') : []);
  const options = { url, clock: systemClock, complain: (line: string) => assert.fail(line) };
  await (await notifySystemd({ ...options, variables: {} })).stopping();
  assert.deepEqual(lines(), [], 'nothing without systemd');

  const PATH = `${folder}:${process.env.PATH}`;
  const variables = { PATH, NOTIFY_SOCKET: '/run/none', WATCHDOG_USEC: '60000' };
  const manager = await notifySystemd({ ...options, variables });
  await found('two notifications', () => (lines().length >= 3 ? true : undefined));
  status = 500;
  await found('no answer', () => (asked > 4 ? true : undefined));
  const before = asked;
  const quiet = lines().length;
  await found('more of that', () => (asked > before + 3 ? true : undefined));
  assert.equal(lines().length, quiet);
  await manager.stopping();
  assert.equal(lines()[0], 'READY=1 STATUS=Running');
  assert.ok(
    lines()
      .slice(1, -1)
      .every((line) => line === 'WATCHDOG=1'),
  );
  assert.equal(lines().at(-1), 'STOPPING=1 STATUS=Stopping');
});
