// `parley service`: what is written for each manager of services, what is called, and that no secret is in it.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { parleyService } from '#app/commands/service.ts';
import { tempFolder } from '../support/temp-folder.ts';

const bin = join(import.meta.dirname, '../../bin/parley.js');
const secret = '1234567890:AAE-x7xxxxxxxxxxxxxxxxxxxx';

/** A person's folder with a config in a folder of its own, and managers of services that write down how they are called. */
function openPerson(t: TestContext, { refusal = '' } = {}) {
  const home = tempFolder(t);
  const folder = join(home, 'my "own" 100% bot');
  const programs = join(home, 'programs');
  for (const each of [folder, programs]) mkdirSync(each);
  writeFileSync(join(folder, 'parley.config.json'), JSON.stringify({ gateway: { shutdownSeconds: 30 } }));
  const calls = join(home, 'calls');
  for (const name of ['systemctl', 'launchctl', 'schtasks']) {
    const told = refusal === '' ? 'exit 0' : `echo '${refusal}' >&2; exit 1`;
    writeFileSync(join(programs, name), `#!/bin/sh\necho "${name} $*" >> '${calls}'\n${told}\n`);
    chmodSync(join(programs, name), 0o755);
  }
  const variables = {
    PATH: [programs, dirname(process.execPath), process.env.PATH].join(delimiter),
    HOME: home,
    TELEGRAM_BOT_TOKEN: secret,
  };
  return {
    ...{ home, folder, variables },
    called: () => (existsSync(calls) ? readFileSync(calls, 'utf8').trim().split('\n') : []),
    type(...words: string[]) {
      const how = { cwd: folder, env: variables, encoding: 'utf8' } as const;
      const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...words, '--source'], how);
      return { code: status, out: stdout, err: stderr };
    },
    /** Called in this process, as if on another system. */
    async on(platform: NodeJS.Platform, action: string, values: object = {}) {
      const printed: string[] = [];
      const dryRun = Object.hasOwn(values, 'dry-run');
      const code = await parleyService(
        {
          ...{ folder, configFile: undefined, variables, rest: [action], dryRun, json: false },
          ...{ print: (line) => void printed.push(line), values: { ...values } },
        },
        { platform, program: bin },
      );
      return { code, out: printed.join('\n') };
    },
  };
}

test('a user unit of systemd is written, started, shown and removed, and has no secret', (t) => {
  const { home, folder, called, type } = openPerson(t);
  const file = join(home, '.config/systemd/user/parley.service');
  const dry = type('service', 'install', '--dry-run');
  assert.match(dry.out, /would hold:\n[\s\S]*ExecStart=[\s\S]*systemctl --user enable --now parley\.service/);
  assert.deepEqual([existsSync(file), called()], [false, []]);
  const done = type('service', 'install');
  assert.equal(done.code, 0, done.err);
  const unit = readFileSync(file, 'utf8');
  assert.ok(dry.out.includes(unit), 'what --dry-run shows is what is written');
  assert.ok(!unit.includes(secret) && !done.out.includes(secret));
  assert.match(
    done.out.replaceAll('\n', ' '),
    /not in \S.*\/\.env, so the service will not have them: TELEGRAM_BOT_TOKEN\./,
  );
  assert.match(unit, /^TimeoutStopSec=45$/m, 'longer than gateway.shutdownSeconds');
  assert.ok(unit.includes(`WorkingDirectory=${folder.replace('%', '%%')}\n`), unit);
  assert.equal(statSync(file).mode & 0o077, 0);
  assert.equal(type('service', 'status').out.split('\n')[0], `The service runs: ${file}`);
  const json = (...words: string[]) => JSON.parse(type('service', ...words, '--json').out);
  assert.deepEqual(json('status'), { installed: true, running: true, path: file, said: '' });
  assert.equal(json('install', '--dry-run').text, unit);
  assert.equal(json('remove', '--dry-run').removed, false);
  assert.equal(type('service', 'remove').code, 0);
  assert.equal(existsSync(file), false);
  assert.deepEqual(called(), [
    'systemctl --user daemon-reload',
    'systemctl --user enable --now parley.service',
    'systemctl --user is-active parley.service',
    'systemctl --user is-active parley.service',
    'systemctl --user disable --now parley.service',
  ]);
  assert.match(type('service', 'status').out, /^There is no service of this name\./);
  assert.match(
    type('service', 'remove').err,
    /^parley: There is no service of this name: .*parley\.service is missing/,
  );
});

test('systemd itself takes the unit', {
  skip:
    spawnSync('systemd-analyze', ['--version']).error === undefined
      ? false
      : 'SKIPPED: systemd-analyze is missing',
}, (t) => {
  const { home, type } = openPerson(t);
  assert.equal(type('service', 'install', '--name', 'second').code, 0);
  const file = join(home, '.config/systemd/user/second.service');
  const verified = spawnSync('systemd-analyze', ['verify', '--user', '--man=no', file], {
    encoding: 'utf8',
    env: { ...process.env, XDG_RUNTIME_DIR: home, HOME: home },
  });
  assert.deepEqual([verified.status, verified.stderr], [0, '']);
});

test('a manager that refuses is quoted, and a service next to a config of another name names it', (t) => {
  const { folder, type, home } = openPerson(t, { refusal: 'Failed to connect to bus' });
  writeFileSync(join(folder, 'other.json'), '{}');
  const refused = type('service', 'install', '--config', 'other.json');
  assert.equal(refused.code, 1);
  assert.match(refused.err, /^parley: "systemctl --user daemon-reload" failed: Failed to connect to bus\.\n/);
  assert.match(
    readFileSync(join(home, '.config/systemd/user/parley.service'), 'utf8'),
    /"--config" ".*\/other\.json"$/m,
  );
  const path = join(home, '.config/systemd/user/parley.service');
  assert.ok(
    refused.err.includes(`${path} is written; call this again when what it says is mended.`),
    refused.err,
  );
  const kept = type('service', 'remove');
  assert.equal(kept.code, 1);
  assert.ok(kept.err.includes(`${path} is still there`), kept.err);
  assert.doesNotMatch(kept.err, /is written/);
  assert.ok(existsSync(path));
});

const python =
  spawnSync('python3', ['--version']).error === undefined
    ? false
    : 'SKIPPED: python3, which reads these files, is missing';
const parsed = (script: string, file: string): unknown =>
  JSON.parse(spawnSync('python3', ['-c', script, file], { encoding: 'utf8' }).stdout);

test('an agent of launchd is a property list that runs the program in the folder', {
  skip: python,
}, async (t) => {
  const { home, folder, called, on } = openPerson(t);
  assert.equal((await on('darwin', 'install')).code, 0);
  const file = join(home, 'Library/LaunchAgents/dev.parley.parley.plist');
  assert.ok(!readFileSync(file, 'utf8').includes(secret));
  const agent = parsed(
    'import json,plistlib,sys; print(json.dumps(plistlib.load(open(sys.argv[1],"rb"))))',
    file,
  );
  const { Label, ProgramArguments, WorkingDirectory, KeepAlive, RunAtLoad } = agent as Record<
    string,
    unknown
  >;
  assert.deepEqual(
    [Label, ProgramArguments, WorkingDirectory, KeepAlive, RunAtLoad],
    [
      'dev.parley.parley',
      [process.execPath, '--max-semi-space-size=16', bin, 'start'],
      folder,
      { SuccessfulExit: false },
      true,
    ],
  );
  assert.equal((await on('darwin', 'status')).code, 0);
  assert.equal((await on('darwin', 'remove')).code, 0);
  const domain = `gui/${process.getuid?.()}`;
  assert.deepEqual(called(), [
    `launchctl bootstrap ${domain} ${file}`,
    `launchctl print ${domain}/dev.parley.parley`,
    `launchctl bootout ${domain}/dev.parley.parley`,
  ]);
});

test('a task of Windows is XML in UTF-16 that runs the program in the folder', {
  skip: python,
}, async (t) => {
  const { folder, called, on } = openPerson(t);
  assert.equal((await on('win32', 'install')).code, 0);
  const file = join(folder, '.parley/parley-task.xml');
  const bytes = readFileSync(file);
  assert.deepEqual([...bytes.subarray(0, 2)], [0xff, 0xfe]);
  assert.ok(!bytes.toString('utf16le').includes(secret));
  const script =
    'import json,sys,xml.etree.ElementTree as E; n="{http://schemas.microsoft.com/windows/2004/02/mit/task}"; print(json.dumps([E.parse(sys.argv[1]).getroot().find(f".//{n}{w}").text for w in ["Command","Arguments","WorkingDirectory"]]))';
  assert.deepEqual(parsed(script, file), [process.execPath, `--max-semi-space-size=16 ${bin} start`, folder]);
  assert.equal((await on('win32', 'remove')).code, 0);
  assert.deepEqual(called(), [
    `schtasks /Create /TN parley /XML ${file} /F`,
    'schtasks /Run /TN parley',
    'schtasks /End /TN parley',
    'schtasks /Delete /TN parley /F',
  ]);
  await assert.rejects(on('aix', 'status'), { code: 'service' });
});
