// The doctor on the machine, the files, the memory, the model and the program, with each fault really there: it names it, with its hint.
import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { startParley } from '#app/compose/compose.ts';
import { loadConfig } from '#app/config/load.ts';
import { unfinishedRestore } from '#app/home/home-lock.ts';
import { systemClock } from '#base/clock.ts';
import { smallDisk } from '../../support/disk.ts';
import { type Clinic, openClinic, problemsIn } from './clinic.ts';

/** A clinic whose platforms are switched off: they have tests of their own. */
async function openWard(t: TestContext, more: object = {}): Promise<Clinic> {
  const clinic = await openClinic(t);
  clinic.tokens(Object.fromEntries(Object.keys(clinic.sandbox.environment).map((name) => [name, ''])));
  clinic.configure((config) => ({ ...config, ...more }));
  return clinic;
}

test('a new folder has nothing wrong but the missing model, and the doctor makes nothing in it', async (t) => {
  const clinic = await openWard(t);
  const { code, out } = await clinic.call('doctor');
  assert.equal(code, 0);
  assert.match(out, /\n0 errors, 1 warning\.\n$/);
  assert.deepEqual(
    out.split('\n').filter((line) => line.length > 80),
    [],
  );
  assert.ok(!existsSync(clinic.home));
});

test('a config that cannot be used is a finding like others', async (t) => {
  const clinic = await openWard(t, { engine: { prot: 1 } });
  const { code, findings } = await clinic.doctor();
  assert.equal(code, 1);
  assert.match(problemsIn(findings, 'config'), /^error: .*engine\.prot.*port.* -> Correct/s);
});

test('files that others may read and a token in the config are named; --fix closes the files (T11)', async (t) => {
  const clinic = await openWard(t);
  await clinic.call('sessions', 'list'); // makes the home folder
  const token = 'sk-canary_0123456789-abcdef';
  clinic.tokens({ OPENAI_API_KEY: token, ...platformsOff(clinic) });
  clinic.configure((config) => ({
    ...config,
    mcp: { notes: { url: 'https://notes.example', headers: { authorization: `Bearer ${token}` } } },
    model: { provider: 'offline' },
  }));
  const old = join(clinic.home, 'engine.sqlite');
  chmodSync(clinic.envFile, 0o640); // to the group alone
  chmodSync(clinic.home, 0o755);
  chmodSync(old, 0o644);
  const before = await clinic.doctor();
  assert.equal(before.code, 0);
  const words = problemsIn(before.findings, 'files');
  assert.match(words, /^warning: The file \.env with the tokens can be read by other users.* -> chmod 600/m);
  assert.match(words, /^warning: The home folder can be read by other users.* -> chmod 700/m);
  assert.match(
    words,
    /^warning: What lies in the home folder can be read by other users.*engine\.sqlite.* -> chmod -R go=/m,
  );
  assert.match(
    words,
    /^warning: A token or key is in .*parley\.config\.json\. -> Move it into \/.*\/\.env;/m,
  );
  assert.ok(!JSON.stringify(before.findings).includes(token));
  const fixed = await clinic.doctor('--fix');
  assert.ok(fixed.findings.some(({ level, what }) => level === 'ok' && /^Fixed: The file \.env/.test(what)));
  assert.doesNotMatch(problemsIn(fixed.findings, 'files'), /other users/);
  assert.deepEqual(
    [clinic.envFile, clinic.home, old].map((path) => statSync(path).mode & 0o777),
    [0o600, 0o700, 0o600],
  );
});

/** Empty tokens of all platforms. */
function platformsOff({ sandbox }: Clinic): Record<string, string> {
  return Object.fromEntries(Object.keys(sandbox.environment).map((name) => [name, '']));
}

test('a damaged database, what a kill left, and a restore that was cut off are named', async (t) => {
  const clinic = await openWard(t);
  await clinic.call('sessions', 'list');
  writeFileSync(join(clinic.home, 'engine.url'), 'http://127.0.0.1:1\n');
  mkdirSync(join(clinic.home, '.restore-12'));
  const left = await clinic.doctor('--fix');
  assert.ok(
    left.findings.some(({ what }) =>
      /^Fixed: A process that was killed left \.restore-12, engine\.url/.test(what),
    ),
  );
  assert.ok(!existsSync(join(clinic.home, '.restore-12')));
  writeFileSync(join(clinic.home, 'memory.sqlite'), 'this is no database, and never was');
  writeFileSync(join(clinic.home, unfinishedRestore), '/backups/monday\n');
  const { code, findings } = await clinic.doctor();
  assert.equal(code, 1);
  const words = problemsIn(findings, 'files');
  assert.match(words, /^error: .*memory\.sqlite cannot be used.* -> The file is damaged.*restore a backup/m);
  assert.match(
    words,
    /^error: A restore into .* was cut off.* -> Run "parley restore \/backups\/monday --replace"/m,
  );
  assert.ok(findings.some(({ what }) => /^engine\.sqlite is whole/.test(what)));
});

test('a clock that is wrong is noticed by the clock of a platform', async (t) => {
  const clinic = await openClinic(t);
  for (const [ms, words] of [
    [600_000, /^warning: The clock of this machine is (59\d|60\d) s ahead of .* -> Set the clock/],
    [-600_000, /^warning: The clock of this machine is (59\d|60\d) s behind .*/],
  ] as const) {
    const clock = { ...systemClock, now: () => Date.now() + ms };
    assert.match(problemsIn(await clinic.examine({ clock }), 'machine'), words);
  }
  assert.equal(problemsIn(await clinic.examine({}), 'machine'), '');
});

test('a disk that is nearly full is an error with what can go', async (t) => {
  const disk = smallDisk(t, 8);
  if (disk === undefined) return;
  const clinic = await openWard(t, { home: disk.path });
  const { code, findings } = await clinic.doctor();
  assert.equal(code, 1);
  assert.match(problemsIn(findings, 'files'), /^error: Only .* free on the disk.* -> Free some space/m);
});

test('a port that another program has is named', async (t) => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  t.after(() => other.close());
  const { port } = other.address() as AddressInfo; // a TCP server's address is an object
  const clinic = await openWard(t, { engine: { port } });
  const { code, findings } = await clinic.doctor();
  assert.equal(code, 1);
  assert.match(
    problemsIn(findings, 'program'),
    new RegExp(`^error: Another program listens on 127\\.0\\.0\\.1:${port} already\\. -> Stop the other`),
  );
});

test('a config that was changed, and not read or not used since, is reported key by key', async (t) => {
  const clinic = await openWard(t);
  const parley = await startParley(loadConfig({ folder: clinic.folder, variables: {} }), {
    clock: systemClock,
  });
  t.after(() => parley.close());
  assert.equal(problemsIn((await clinic.doctor()).findings, 'program'), '');
  const touched = Date.now() / 1000 + 1;
  utimesSync(clinic.configFile, touched, touched);
  assert.match(
    problemsIn((await clinic.doctor()).findings, 'program'),
    /^warning: .*parley\.config\.json was changed after the Parley that runs had read it.* -> Start it again/,
  );
  clinic.configure((config) => ({ ...config, runs: { maxCount: 7 }, gateway: { debounceMs: 1, port: 1 } }));
  await parley.reload();
  const later = problemsIn((await clinic.doctor()).findings, 'program').split('\n');
  assert.deepEqual(
    later.map((line) => line.split(' -> ')[0]),
    ['gateway.port', 'runs.maxCount'].map(
      (key) => `warning: ${key} was changed: it takes effect at the next start.`,
    ),
  );
  clinic.configure((config) => ({ ...config, model: { provider: 'google' } }));
  await parley.reload();
  assert.match(
    (await clinic.call('status')).out,
    /The config cannot be used as it is now.*needs an API key/s,
  );
  assert.match(
    problemsIn((await clinic.doctor()).findings, 'program'),
    /^error: The Parley that runs cannot use .*needs an API key.* -> Correct what is named/,
  );
});

test('an MCP server that does not answer is named by the doctor, and by the status and the doctor while Parley runs', async (t) => {
  const clinic = await openWard(t, { mcp: { notes: { command: '/nowhere/at/all' } } });
  const words = /The MCP server notes cannot be used: .*ENOENT/s;
  assert.match(
    problemsIn((await clinic.doctor()).findings, 'mcp'),
    /^warning: The MCP server notes cannot be used: .*ENOENT.* -> Look whether it runs/s,
  );
  const parley = await startParley(loadConfig({ folder: clinic.folder, variables: {} }), {
    clock: systemClock,
  });
  t.after(() => parley.close());
  let told = '';
  for (let asked = 0; asked < 500 && !words.test(told); asked += 1) told = (await clinic.call('status')).out;
  assert.match(told, words);
  assert.match(told, /NOT READY/);
  assert.match(problemsIn((await clinic.doctor()).findings, 'program'), words);
});

test('a model that is out of reach, refuses the key, is not listed, or lists nothing is distinguished', async (t) => {
  let status = 200;
  const models = createServer((_, response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ data: [{ id: 'llama3.3' }, { id: 'qwen3' }] }));
  });
  await new Promise<void>((resolve) => models.listen(0, '127.0.0.1', resolve));
  const { port } = models.address() as AddressInfo; // as above
  const clinic = await openWard(t);
  clinic.tokens({
    ...platformsOff(clinic),
    OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`,
    OPENAI_API_KEY: 'k'.repeat(20),
  });
  const words = async (name: string, looks = 'qwen3'): Promise<string> => {
    const memory = { active: { enabled: true, model: looks } };
    clinic.configure((config) => ({ ...config, model: { name }, memory }));
    const { findings } = await clinic.doctor();
    return problemsIn(findings, 'model');
  };
  assert.equal(await words('llama3.3'), '');
  assert.match(
    await words('llama3.3', 'qwen4'),
    /^warning: .*does not list .*qwen4.*nearest name is "qwen3"\. -> Set `memory\.active\.model`/,
  );
  assert.match(
    await words('lama3.3'),
    /^warning: .*does not list .*lama3\.3.*nearest name is "llama3\.3"\. -> Set `model\.name`/,
  );
  clinic.configure((config) => ({
    ...config,
    model: { name: 'llama3.3', fallbacks: [{ provider: 'offline' }] },
    assistants: {
      tutor: { systemPrompt: 'You teach.', model: 'qwen' },
      clerk: { systemPrompt: 'You file.', model: 'llama3.3' },
      poet: {
        systemPrompt: 'You rhyme.',
        fallbacks: [
          { provider: 'openai-compatible', name: 'llama3', baseUrl: `http://127.0.0.1:${port}/v1` },
        ],
      },
    },
  }));
  const all = await clinic.doctor();
  assert.equal(
    all.findings.filter(({ about, what }) => about === 'model' && /llama3\.3 is there/.test(what)).length,
    1,
    'each is asked once',
  );
  assert.match(
    problemsIn(all.findings, 'model'),
    /qwen\..*nearest name is "qwen3"\. -> Set `assistants\.tutor\.model`/,
  );
  assert.match(problemsIn(all.findings, 'model'), /llama3\..*-> Set `assistants\.poet\.fallbacks\.0\.name`/);
  assert.doesNotMatch(problemsIn(all.findings, 'model'), /No model key/);
  const { out: checked } = await clinic.call('check');
  assert.match(
    checked.replace(/\s+/g, ' '),
    /WARNING The provider does not list openai-compatible\/qwen\. The nearest name is "qwen3"\. -> Set `assistants\.tutor\.model`/,
  );
  assert.doesNotMatch(checked, /does not list openai-compatible\/llama3\.3/);
  status = 401;
  assert.match(
    (await clinic.call('check')).out.replace(/\s+/g, ' '),
    /Whether there is \S+ could not be asked/,
  );
  assert.match(await words('llama3.3'), /^error: .*refuses the key.* -> Make a new key/);
  status = 404;
  assert.match(await words('llama3.3'), /^warning: .*lists no models.* -> .*\/v1/);
  models.close();
  models.closeAllConnections();
  assert.match(await words('llama3.3'), /^error: .*cannot be reached at http:\/\/127.* -> Check the network/);
});
