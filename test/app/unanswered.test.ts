// What status and doctor say of parts of Parley that run and do not answer: nothing of them is called ready, and nothing is left out.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { startChannels, startEngine, startParley } from '#app/compose/compose.ts';
import { loadConfig } from '#app/config/load.ts';
import { lockHome } from '#app/home/home-lock.ts';
import { main } from '#app/main.ts';
import { systemClock } from '#base/clock.ts';
import { createTelegramSandbox } from '#sandbox/telegram/server.ts';
import { freePort } from '../../bench/harness/free-port.ts';
import { startLink } from '../../bench/harness/link.ts';
import { found } from '../support/found.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** A config with one Telegram chat in a separate folder, and its commands. */
async function openPlace(t: TestContext, more: object = {}) {
  const folder = tempFolder(t);
  const sandbox = await createTelegramSandbox({ clock: systemClock });
  t.after(() => sandbox.close());
  const variables = {
    PARLEY_HOME: join(folder, 'home'),
    PARLEY_TOKEN: 'token-of-this-test',
    TELEGRAM_BOT_TOKEN: sandbox.tokens.bot,
  };
  const config = {
    gateway: { debounceMs: 0, shutdownSeconds: 1, port: 0 },
    log: { level: 'silent' },
    channels: { telegram: { directMessages: 'open', apiUrl: sandbox.url, rateLimits: 'reactive' } },
    ...more,
  };
  const file = join(folder, 'parley.config.json');
  writeFileSync(file, JSON.stringify(config));
  const parley = async (...words: string[]): Promise<{ code: number; out: string }> => {
    let out = '';
    const print = (line: string): void => {
      out += `${line}\n`;
    };
    const code = await main([...words, '--config', file], variables, { out: print, err: print });
    return { code, out };
  };
  return { home: variables.PARLEY_HOME, sandbox, load: () => loadConfig({ folder, variables }), parley };
}

/** Says something in the sandbox and resolves with the next answer. */
async function askIn(
  { sandbox }: Pick<Awaited<ReturnType<typeof openPlace>>, 'sandbox'>,
  text: string,
): Promise<string> {
  const answers = (): string[] =>
    sandbox.shown('dm', 'you').flatMap(({ author, text: shown }) => (author === 'bot' ? [shown] : []));
  const before = answers().length;
  await sandbox.say({ chat: 'dm', user: 'you', text });
  return found('an answer', () => answers()[before]);
}

const flat = (text: string): string => text.replace(/\s+/g, ' ');

test('channels whose link to the engine has just gone silent are reported as present, and not ready', async (t) => {
  const port = await freePort();
  const link = await startLink(() => port);
  t.after(() => link.close());
  const place = await openPlace(t, { engine: { port, allowedHosts: [`127.0.0.1:${link.port}`] } });
  const engine = await startEngine(place.load(), { clock: systemClock });
  t.after(() => engine.close());
  const baseUrl = `http://127.0.0.1:${link.port}`;
  const channels = await startChannels(place.load(), { clock: systemClock, baseUrl });
  t.after(() => channels.close());
  await found('a link', () => (channels.engine.status().state === 'up' ? true : undefined));
  assert.match((await place.parley('status')).out, /telegram/);
  const repaired = Promise.withResolvers<void>();
  t.after(() => repaired.resolve());
  link.goSilent(repaired.promise);
  const { out } = await place.parley('status');
  assert.match(out, new RegExp(`${channels.url} since .*NOT READY`));
  assert.doesNotMatch(out, /run somewhere else/);
  assert.match(
    flat((await place.parley('doctor')).out),
    new RegExp(`runs at ${channels.url}, and is not ready`),
  );
  await found('the link to be given up', () =>
    channels.engine.status().state === 'down' ? true : undefined,
  );
  const problem = (await place.parley('status')).out;
  assert.match(
    flat(problem),
    /NOT READY The engine at \S+ cannot be reached \(no answer in time\)\. Start it there with "parley engine", or name another address with --engine\./,
  );
  assert.equal(
    flat(problem).split('cannot be reached').length,
    2,
    'it is said once, not for each channel too',
  );
  for (const line of problem.split('\n')) assert.ok(line.length <= 80, line);
});

test('a Parley that runs and does not answer is reported as that, with its address', async (t) => {
  const place = await openPlace(t);
  const mute = createServer(() => undefined);
  await once(mute.listen(0, '127.0.0.1'), 'listening');
  t.after(() => mute.close());
  const url = `http://127.0.0.1:${(mute.address() as AddressInfo).port}`; // it listens on TCP
  mkdirSync(place.home, { recursive: true });
  const lock = lockHome(place.home, 'engine');
  writeFileSync(join(place.home, 'engine.url'), `${url}\n`);
  const status = await place.parley('status');
  assert.equal(status.code, 1);
  assert.match(flat(status.out), new RegExp(`The Parley at ${url} runs and does not answer`));
  const doctor = await place.parley('doctor');
  assert.equal(doctor.code, 1);
  assert.match(flat(doctor.out), new RegExp(`BAD The Parley at ${url} runs and does not answer`));
  assert.doesNotMatch(doctor.out, /No Parley runs/);
  lock.release();
  assert.match((await place.parley('status')).out, /No Parley runs/);
});

test('a model that does not answer is no model that is ready: status and doctor say so until it answers again', async (t) => {
  const port = await freePort();
  const model = { provider: 'openai-compatible', name: 'm', baseUrl: `http://127.0.0.1:${port}/v1` };
  const place = await openPlace(t, { engine: { port: 0 }, model });
  const running = await startParley(place.load(), { clock: systemClock });
  t.after(() => running.close());
  const ask = (text: string) => askIn(place, text);
  assert.match(await ask('Are you there?'), /I cannot reach my model provider/);
  const told = /NOT READY .*openai-compatible\/m does not answer: .* cannot be reached/;
  assert.match(flat((await place.parley('status')).out), told);
  assert.match(
    flat((await place.parley('doctor')).out),
    /BAD The model openai-compatible\/m does not answer/,
  );
  const server = createHttpServer((request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const choices = [{ index: 0, delta: { content: 'Here I am.' }, finish_reason: 'stop' }];
    response.end(
      `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices })}\n\ndata: [DONE]\n\n`,
    );
  });
  await once(server.listen(port, '127.0.0.1'), 'listening');
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  assert.match(await ask('And now?'), /Here I am/);
  assert.doesNotMatch((await place.parley('status')).out, /NOT READY|does not answer/);
});

test('a model that refuses the key is no model that is ready: status and doctor say so until it takes the key', async (t) => {
  let status = 401;
  const server = createHttpServer((request, response) => {
    request.resume();
    response.writeHead(status, { 'content-type': status === 200 ? 'text/event-stream' : 'application/json' });
    const choices = [{ index: 0, delta: { content: 'Here I am.' }, finish_reason: 'stop' }];
    const chunk = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices };
    response.end(
      status === 200
        ? `data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`
        : '{"error":{"message":"no such key"}}',
    );
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo; // as above
  const model = { provider: 'openai-compatible', name: 'm', baseUrl: `http://127.0.0.1:${port}/v1` };
  const place = await openPlace(t, { engine: { port: 0 }, model });
  const running = await startParley(place.load(), { clock: systemClock });
  t.after(() => running.close());
  const ask = (text: string) => askIn(place, text);
  assert.match(await ask('Are you there?'), /My model provider refused my key/);
  assert.match(
    flat((await place.parley('status')).out),
    /NOT READY .*The model openai-compatible\/m does not answer: The model provider refused the key/,
  );
  assert.match(
    flat((await place.parley('doctor')).out),
    /BAD The model openai-compatible\/m does not answer: .*BAD openai-compatible\/m: the provider refuses the key/,
  );
  status = 200;
  assert.match(await ask('And now?'), /Here I am/);
  assert.doesNotMatch((await place.parley('status')).out, /NOT READY|does not answer/);
});
