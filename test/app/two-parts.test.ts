// Engine and channels as two parts that find each other over HTTP: what is wrong is said in words, and what waits is answered once.
import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import Database from 'better-sqlite3';
import { startChannels, startEngine, startParley } from '#app/compose/compose.ts';
import { loadConfig } from '#app/config/load.ts';
import { systemClock } from '#base/clock.ts';
import { codeOf } from '#base/errors.ts';
import { createTelegramSandbox } from '#sandbox/telegram/server.ts';
import { found } from '../support/found.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { openTerminal } from './terminal.ts';

const clock = systemClock;
const token = 'token-of-this-test';
const said = { chat: 'dm', user: 'you' } as const;

/** A server that answers everything alike; its address. */
async function serving(t: TestContext, status: number, body: string): Promise<string> {
  const server = createServer((_, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // it listens on TCP
}

/** One telegram chat, and the parts of one config; each may be opened and closed on its own. */
async function openParts(t: TestContext, { apart = false } = {}) {
  const folder = tempFolder(t);
  const sandbox = await createTelegramSandbox({ clock });
  t.after(() => sandbox.close());
  const configure = (enginePort: number): void => {
    const config = {
      engine: { port: enginePort },
      gateway: { debounceMs: 0, shutdownSeconds: 1, port: 0 },
      log: { level: 'silent' },
      channels: { telegram: { directMessages: 'open', apiUrl: sandbox.url, rateLimits: 'reactive' } },
    };
    writeFileSync(join(folder, 'parley.config.json'), JSON.stringify(config));
  };
  configure(0);
  const load = (home: string) =>
    loadConfig({
      folder,
      variables: { PARLEY_HOME: home, PARLEY_TOKEN: token, TELEGRAM_BOT_TOKEN: sandbox.tokens.bot },
    });
  const answers = (): string[] =>
    sandbox
      .shown('dm', 'you')
      .filter(({ author }) => author === 'bot')
      .map(({ text }) => text);
  const home = join(folder, 'home');
  return {
    home,
    configure,
    sandbox,
    answers,
    load,
    async engine() {
      const engine = await startEngine(load(apart ? join(folder, 'other') : home), { clock });
      t.after(() => engine.close());
      return engine;
    },
    async channels(baseUrl: string) {
      const channels = await startChannels(load(home), { clock, baseUrl });
      t.after(() => channels.close());
      return channels;
    },
    /** As they lie in the ledger. */
    turns(): unknown[] {
      const file = new Database(join(home, 'gateway.sqlite'), { readonly: true });
      try {
        return file.prepare('SELECT state, attempts FROM turns').all();
      } finally {
        file.close();
      }
    },
    answered: (count: number) =>
      found(`${count} answers`, () => (answers().length >= count ? true : undefined)),
  };
}

async function asked(url: string, path: string): Promise<Record<string, unknown>> {
  const response = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } });
  return (await response.json()) as Record<string, unknown>;
}

test('a wrong call of "parley channels" is reported with a message and exit code 2, and shows no password', async (t) => {
  const { call, folder } = openTerminal(t);
  const none = await call('channels', '--engine', 'http://127.0.0.1:1');
  assert.deepEqual([none.code, none.out], [2, '']);
  assert.match(none.err, /^parley: There is no channel to run.*\n.*TELEGRAM_BOT_TOKEN/);
  writeFileSync(join(folder, '.env'), 'TELEGRAM_BOT_TOKEN=1:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n');
  const wrong = ['nonsense', 'ftp://127.0.0.1', 'http://me:geheimnis@127.0.0.1', '127.0.0.1:7410'];
  for (const address of wrong) {
    const { code, out, err } = await call('channels', '--engine', address);
    assert.deepEqual([code, out], [2, ''], address);
    assert.match(err, /^parley: --engine expects an address like http:\/\/127\.0\.0\.1:7410, got /);
    assert.doesNotMatch(err, /geheimnis/);
  }
  const empty = await call('channels', '--engine', '');
  assert.deepEqual([empty.code, empty.err], [2, 'parley: --engine: expected a value, got "".\n']);
  const anyPort = await call('channels');
  assert.equal(anyPort.code, 2);
  assert.match(anyPort.err, /`engine\.port` is 0/);
  assert.equal((await call('channels', 'now')).code, 2);
  assert.equal((await call('engine', 'now')).code, 2);
});

test('an engine that is none, refuses the token, or has another version is reported in words with its hint, and nothing is touched', async (t) => {
  const { call, folder, home } = openTerminal(t);
  const env = (more: string): void =>
    writeFileSync(
      join(folder, '.env'),
      `TELEGRAM_BOT_TOKEN=1:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n${more}\n`,
    );
  const refused = async (words: RegExp, ...more: string[]): Promise<void> => {
    const { code, out, err } = await call('channels', ...more);
    assert.deepEqual([code, out], [1, ''], err);
    assert.match(err, words);
    assert.equal(existsSync(join(home, 'gateway.sqlite')), false, 'nothing was opened');
  };
  env('');
  await refused(
    /no token for the engine: .*token does not exist\.\n.*PARLEY_TOKEN.*--token-file/,
    '--engine',
    'http://127.0.0.1:1',
  );
  await refused(
    /no token.*nowhere does not exist/,
    '--engine',
    'http://127.0.0.1:1',
    '--token-file',
    'nowhere',
  );
  writeFileSync(join(folder, 'blank'), ' \n');
  await refused(/blank is empty/, '--engine', 'http://127.0.0.1:1', '--token-file', join(folder, 'blank'));
  env(`PARLEY_TOKEN=${token}`);
  const answers: [number, string, RegExp][] = [
    [200, '<html>', /Expected the engine of a Parley at .*, got an answer that is no JSON\.\n/],
    [404, '{}', /got an answer with status 404\.\n.*"parley engine" prints/],
    [200, '{"ok":true}', /got an answer that is not an engine's/],
    [
      200,
      '{"healthy":true,"version":"0.0.1"}',
      /version .*, as this is; the one at .* has version 0\.0\.1\.\n.*same version/,
    ],
    [403, '{"error":"x","code":"HOST_NOT_ALLOWED"}', /does not go by that name\.\n.*`engine\.allowedHosts`/],
    [
      401,
      '{"error":"x","code":"UNAUTHORIZED"}',
      /does not take this token\.\n.*PARLEY_TOKEN or --token-file/,
    ],
  ];
  for (const [status, body, words] of answers)
    await refused(words, '--engine', await serving(t, status, body));
  writeFileSync(join(folder, 'parley.config.json'), JSON.stringify({ home: 'home', engine: { port: 0 } }));
  const engine = await startEngine(loadConfig({ folder, variables: {} }), { clock });
  t.after(() => engine.close());
  writeFileSync(join(folder, 'wrong'), 'a-token-of-another-engine\n');
  await refused(
    /does not take this token/,
    '--engine',
    `${engine.url}/`,
    '--token-file',
    join(folder, 'wrong'),
  );
  const terminal = await call('chat');
  assert.deepEqual([terminal.code, terminal.out], [1, '']);
  assert.match(terminal.err, /an engine runs without channels\.\n.*"parley channels"/);
});

test('channels without their engine take in what is written, say what is wrong, and answer once when it is there', async (t) => {
  const parts = await openParts(t, { apart: true });
  const { url, close } = await parts.engine(); // to have a port that is ours
  await close();
  parts.configure(Number(new URL(url).port));
  let channels = await parts.channels(url);
  const { id } = await parts.sandbox.say({ ...said, text: 'My bicycle is green.' });
  assert.ok(id !== '');
  const telegram = () => channels.gateway.status().find(({ platform }) => platform === 'telegram');
  await found('the message', () => (telegram()?.inboxBacklog === 1 ? true : undefined));
  assert.match(
    telegram()?.problem ?? '',
    /cannot be reached \(ECONNREFUSED\)\. Start it there with "parley engine"/,
  );
  const health = await asked(channels.url, '/global/health');
  assert.deepEqual(
    [health.healthy, health.ready, Object(health.channels).telegram?.ready],
    [true, false, true],
  );
  const { telegram: told } = (await asked(channels.url, '/channels/status')) as {
    telegram?: { connected: boolean; inboxBacklog: number; problem: string };
  };
  assert.deepEqual([told?.connected, told?.inboxBacklog], [true, 1]);
  assert.match(told?.problem ?? '', /ECONNREFUSED/);

  await channels.close();
  assert.deepEqual(parts.turns(), [{ state: 'running', attempts: 0 }], 'put off in good order');
  channels = await parts.channels(url);
  const engine = await parts.engine();
  await parts.answered(1);
  await found('the hand-over', () => (telegram()?.outboxBacklog === 0 ? true : undefined));
  assert.equal(telegram()?.problem, undefined);
  assert.equal((await asked(channels.url, '/global/health')).ready, true);
  const somewhereElse = (await asked(engine.url, '/channels/status')) as { telegram?: { state: string } };
  assert.equal(somewhereElse.telegram?.state, 'remote');
  assert.equal((await asked(engine.url, '/global/health')).ready, true);

  await engine.close();
  await found('the loss', () => (channels.engine.status().state === 'down' ? true : undefined));
  await parts.sandbox.say({ ...said, text: 'What do you know about my bicycle?' });
  await found('the second message', () => (telegram()?.inboxBacklog === 1 ? true : undefined));
  await parts.sandbox.say({ ...said, text: '/stop' });
  await parts.answered(2);
  assert.match(parts.answers()[1] ?? '', /^Stopped\.$/, 'who says stop does not wait for the engine');
  await parts.engine();
  await parts.answered(3);
  assert.equal(parts.answers()[2], '(stopped)');
  await parts.sandbox.say({ ...said, text: 'What do you know about my bicycle?' });
  await parts.answered(4);
  assert.match(parts.answers()[3] ?? '', /green/, 'it was remembered over the wire');
  assert.equal(parts.answers().length, 4);
});

test('engine and channels share a home folder, each once, next to no whole Parley; a terminal finds the channels', async (t) => {
  const parts = await openParts(t);
  const { url } = await parts.engine();
  const channels = await parts.channels(url);
  const loaded = parts.load(parts.home);
  const inUse = (error: unknown): boolean => codeOf(error) === 'home_in_use';
  await assert.rejects(startEngine(loaded, { clock }), inUse);
  await assert.rejects(startChannels(loaded, { clock, baseUrl: url }), inUse);
  await assert.rejects(startParley(loaded, { clock }), inUse);
  await assert.rejects(
    startChannels(parts.load(join(parts.home, 'third')), { clock, baseUrl: channels.url }),
    (error) => codeOf(error) === 'engine_unknown',
    'channels are no engine',
  );
  const listening = await fetch(`${channels.url}/terminal/listen?user=alice`, {
    headers: { authorization: `Bearer ${token}` },
  });
  assert.equal(listening.status, 200);
  await listening.body?.cancel();
  await parts.sandbox.say({ ...said, text: 'hello' });
  await parts.answered(1);
  await channels.close();
  assert.deepEqual(parts.turns(), [{ state: 'answered', attempts: 1 }]);
});
