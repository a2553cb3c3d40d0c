// The whole way, once: a message in, an answer out, remembered, on all three platforms through their real client libraries.
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { LLMock } from '@copilotkit/aimock';
import Database from 'better-sqlite3';
import { found } from '../support/found.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { openHouse } from './house.ts';
import { openTerminal } from './terminal.ts';

const all = ['discord', 'telegram', 'slack'] as const;
const dm = { chat: 'dm', user: 'you' } as const;
const room = { chat: 'room', user: 'you' } as const;

test('a person talks on each platform, and what was written in private on one is recalled on the others, to that person alone', async (t) => {
  const house = await openHouse(t);
  await house.ready(...all);
  await house.ask({ platform: 'discord', ...dm }, 'My locker at the station is number 4512.');
  await house.ask({ platform: 'telegram', ...dm }, 'The spare key is under the blue flowerpot.');
  for (const platform of all) {
    assert.match(await house.ask({ platform, ...dm }, 'Where is the spare key?'), /blue flowerpot/, platform);
  }
  for (const platform of all) {
    assert.doesNotMatch(
      await house.ask({ platform, ...room }, 'Where is the spare key?'),
      /flowerpot/,
      `${platform} room`,
    );
    assert.doesNotMatch(
      await house.ask({ platform, chat: 'dm', user: 'guest' }, 'Where is the spare key?'),
      /flowerpot/,
      `${platform} guest`,
    );
  }
});

test('what was written in a public room is recalled there and in its space, a private room keeps its own (L2)', async (t) => {
  const house = await openHouse(t);
  await house.ready(...all);
  const slack = { platform: 'slack', user: 'you' } as const;
  await house.ask({ ...slack, chat: 'private' }, 'The surprise party is at the harbour.');
  await house.ask({ ...slack, chat: 'room' }, 'The release is called Heron.');
  assert.match(
    await house.ask({ ...slack, chat: 'room', user: 'guest' }, 'What is the release called?'),
    /Heron/,
  );
  assert.doesNotMatch(await house.ask({ ...slack, chat: 'room' }, 'Where is the surprise party?'), /harbour/);
  assert.match(await house.ask({ ...slack, chat: 'private' }, 'Where is the surprise party?'), /harbour/);
  assert.match(await house.ask({ ...slack, chat: 'private' }, 'What is the release called?'), /Heron/);
  assert.doesNotMatch(
    await house.ask({ platform: 'discord', ...room }, 'What is the release called?'),
    /Heron/,
  );
});

test('what is archived of each platform names its session, its messages, the project of the config and the folder in which Parley works', async (t) => {
  const house = await openHouse(t, { config: { sessions: { project: 'garden' } } });
  await house.ready(...all);
  for (const platform of all) await house.ask({ platform, ...dm }, `The ${platform} key is under the mat.`);
  const database = new Database(join(house.home, 'memory.sqlite'), { readonly: true });
  t.after(() => database.close());
  const rows = await found('an exchange of each', () => {
    const archived = database
      .prepare<[], { platform: string; session: string; messages: string; project: string; root: string }>(
        `SELECT platform, session_id AS session, message_ids AS messages, project_id AS project, workspace_root AS root
         FROM global_memory_chunks ORDER BY platform`,
      )
      .all();
    return archived.length === all.length ? archived : undefined;
  });
  assert.deepEqual(
    rows.map(({ platform, project, root }) => [platform, project, root]),
    all.toSorted().map((platform) => [platform, 'garden', house.folder]),
  );
  for (const { session, messages } of rows) {
    assert.match(session, /^ses_/);
    assert.equal(JSON.parse(messages).length, 2);
  }
});

test('after a restart the same chat has the same session, memory is there, and nothing is written again (G1)', async (t) => {
  const house = await openHouse(t);
  await house.ready(...all);
  await house.ask({ platform: 'telegram', ...dm }, 'My bicycle is green.');
  const before = house.answers({ platform: 'telegram', ...dm }).length;
  await house.restart();
  await house.ready(...all);
  assert.equal(house.answers({ platform: 'telegram', ...dm }).length, before);
  assert.match(await house.ask({ platform: 'telegram', ...dm }, 'What colour is my bicycle?'), /green/);
  const sessions = await (
    await fetch(`${house.parley.url}/session`, { headers: authorization(house.folder) })
  ).json();
  assert.equal(Array.isArray(sessions) && sessions.length, 1);
});

test('a refused token of one channel is reported, and the others continue (H7)', async (t) => {
  const house = await openHouse(t, { variables: { DISCORD_BOT_TOKEN: 'MTIz.not-a-real.token' } });
  await house.ready('telegram', 'slack');
  assert.match(await house.ask({ platform: 'slack', ...dm }, 'The spare key is under the mat.'), /remember/);
  const discord = house.parley.gateway.status().find(({ platform }) => platform === 'discord');
  assert.equal(discord?.state, 'failed');
  assert.match(discord?.problem ?? '', /token/);
  assert.doesNotMatch(discord?.problem ?? '', /MTIz/);
});

test('a model that fails reaches the chat as one sentence with a reference, and the history as an error (J7)', async (t) => {
  const model = new LLMock({ port: 0 });
  await model.start();
  t.after(() => model.stop());
  const key = 'sk-canary-1234567890';
  model.addFixture({
    match: { userMessage: /.*/ },
    response: {
      error: { message: `invalid key ${key} at /srv/secret`, type: 'authentication_error' },
      status: 401,
    },
  });
  const house = await openHouse(t, {
    config: { model: { name: 'any' } },
    variables: { OPENAI_BASE_URL: `${model.url}/v1`, OPENAI_API_KEY: key },
  });
  await house.ready(...all);
  const answer = await house.ask({ platform: 'discord', ...dm }, 'hello');
  assert.match(answer, /\(reference ref_\w+\)/);
  assert.doesNotMatch(answer, /canary|secret/);
  const sessions: { id: string }[] = JSON.parse(await get(house, '/session'));
  const history = await get(house, `/session/${sessions[0]?.id}/message`);
  assert.match(history, /"error":\{"code":"AUTHENTICATION_ERROR"/);
  assert.doesNotMatch(history, /canary/);
});

test('a real model streams its answer into the chat through the OpenAI protocol', async (t) => {
  const model = new LLMock({ port: 0 });
  await model.start();
  t.after(() => model.stop());
  model.addFixture({
    match: { userMessage: /weather/ },
    response: { content: 'It is **sunny** in the model.' },
  });
  const house = await openHouse(t, {
    config: { model: { name: 'any' } },
    variables: { OPENAI_BASE_URL: `${model.url}/v1`, OPENAI_API_KEY: 'k'.repeat(20) },
  });
  await house.ready(...all);
  for (const platform of all) {
    assert.equal(
      (await house.ask({ platform, ...dm }, 'How is the weather?')).trim(),
      'It is sunny in the model.',
    );
  }
});

test('the engine answers health without a token and nothing else, and its token is for the owner alone', async (t) => {
  const house = await openHouse(t);
  const { url } = house.parley;
  assert.equal((await fetch(`${url}/global/health`)).status, 200);
  assert.equal((await fetch(`${url}/session`)).status, 401);
  assert.equal((await fetch(`${url}/session`, { headers: authorization(house.folder) })).status, 200);
  assert.match(await (await fetch(url)).text(), /<title>.*Parley/s);
  assert.equal(statSync(join(house.folder, '.parley', 'token')).mode & 0o077, 0);
});

const program = join(import.meta.dirname, '..', '..', 'bin', 'parley.js');

test('a wrong call and a wrong config are refused with a message and exit code 2', async (t) => {
  const { call } = openTerminal(t);
  const misspelt = await call('strat');
  assert.equal(misspelt.code, 2);
  assert.match(misspelt.err, /"strat" is not a command\. The nearest is "start"/);
  const misspeltOption = await call('check', '--confg', 'x.json');
  assert.equal(misspeltOption.code, 2);
  assert.match(misspeltOption.err, /does not take --confg; .*\n.*The nearest is "--config"/);
  assert.equal((await call('version')).code, 0);
  // once as a process: its exit code and its streams
  const run = spawnSync(process.execPath, [program, 'check', '--config', 'none.json'], { encoding: 'utf8' });
  assert.deepEqual([run.status, run.stdout], [2, '']);
  assert.match(run.stderr, /There is no config file/);
});

/** A Node of this machine that is too old, where there is one. */
function oldNode(): string | undefined {
  return ['/usr/bin/node', '/usr/local/bin/node'].find((path) => {
    try {
      const major = execFileSync(path, ['-p', 'process.versions.node.split(".")[0]'], { encoding: 'utf8' });
      return Number(major) < 24;
    } catch {
      return false; // not there
    }
  });
}

test('under a Node that is too old, without the one of the project, the start says so before a native module could crash it (M18)', (t) => {
  const old = oldNode();
  if (old === undefined) return t.skip('no Node older than 24 is installed here');
  const bare = tempFolder(t);
  writeFileSync(join(bare, 'package.json'), '{ "type": "module" }');
  mkdirSync(join(bare, 'bin'));
  copyFileSync(program, join(bare, 'bin', 'parley.js'));
  const start = () => spawnSync(old, [join(bare, 'bin', 'parley.js'), 'start'], { encoding: 'utf8' });
  const installed = start();
  assert.equal(installed.status, 1);
  assert.match(installed.stderr, /Parley needs Node 24 or newer.*\nGet it from https:\/\/nodejs\.org/);
  mkdirSync(join(bare, 'src')); // a clone
  const cloned = start();
  assert.equal(cloned.status, 1);
  assert.match(cloned.stderr, /Parley needs Node 24 or newer.*\nRun `npm ci`/);
});

test('under a Node that is too old every command continues with the one that the project brings, and ends as it does', async (t) => {
  const old = oldNode();
  if (old === undefined) return t.skip('no Node older than 24 is installed here');
  const folder = tempFolder(t);
  const wrong = spawnSync(old, [program, 'check', '--config', 'none.json'], {
    encoding: 'utf8',
    cwd: folder,
  });
  assert.equal(wrong.status, 2);
  assert.match(wrong.stderr, /There is no config file/);
  writeFileSync(join(folder, 'parley.config.json'), JSON.stringify({ engine: { port: 0 } }));
  const env = { PATH: process.env.PATH ?? '', HOME: folder };
  const engine = spawn(old, [program, 'engine'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(() => engine.kill('SIGKILL'));
  const ended = once(engine, 'exit');
  for await (const line of createInterface({ input: engine.stdout }))
    if (/listens on http:/.test(line)) engine.kill('SIGTERM'); // once: a second signal ends it at once, with another code
  assert.deepEqual(await ended, [0, null]);
});

const authorization = (folder: string) => ({
  authorization: `Bearer ${readFileSync(join(folder, '.parley', 'token'), 'utf8').trim()}`,
});

async function get(house: { folder: string; parley: { url: string } }, path: string): Promise<string> {
  return (await fetch(`${house.parley.url}${path}`, { headers: authorization(house.folder) })).text();
}
