// Who is admitted: our names, our pages, our token; and what the app shows to those who are not.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Hono } from 'hono';
import { ParleyError } from '#base/errors.ts';
import { createConsole } from '#console/console.ts';
import { createHttpApp } from '#engine/http/app.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { quietLog } from '../../support/quiet-log.ts';
import { bearer, createKit, token } from './kit.ts';
import { createScriptedEngine } from './scripted-engine.ts';

const routes = [
  ['POST', '/session'],
  ['GET', '/session'],
  ['GET', '/session/ses_1'],
  ['GET', '/session/ses_1/message'],
  ['POST', '/session/ses_1/prompt_async'],
  ['POST', '/session/ses_1/cancel'],
  ['GET', '/event'],
  ['DELETE', '/session'],
  ['GET', '/global/nothing'],
  ['GET', '/'],
] as const;

async function refusal(response: Response): Promise<[number, unknown, unknown]> {
  const body = (await response.json()) as Record<string, unknown>;
  assert.equal(typeof body.error, 'string');
  return [response.status, body.code, body.retryable];
}

test('no route answers without the token, also none that is not there', async () => {
  const { ask, engine } = createKit();
  const wrong = [
    '',
    'Bearer',
    'Bearer ',
    `Basic ${token}`,
    `Bearer ${token}x`,
    `Bearer ${token.slice(1)}`,
    token,
  ];
  for (const [method, path] of routes) {
    for (const authorization of wrong) {
      const response = await ask(path, { method, headers: { authorization } });
      assert.equal(response.headers.get('www-authenticate'), 'Bearer');
      assert.deepEqual(
        await refusal(response),
        [401, 'UNAUTHORIZED', false],
        `${method} ${path} ${authorization}`,
      );
    }
  }
  assert.deepEqual((await engine.findSessions({ limit: 9, offset: 0 })).sessions, []);
});

test('a token in the query does not count', async () => {
  const { ask } = createKit();
  const response = await ask(`/session?token=${token}&access_token=${token}`, {
    headers: { authorization: '' },
  });
  assert.equal(response.status, 401);
});

test('an app with a blank token is not made', () => {
  const { clock, log } = createKit();
  const rest = { engine: createScriptedEngine(clock), hosts: () => [], clock, log, version: '1' };
  for (const blank of ['', ' ', 'two words'])
    assert.throws(() => createHttpApp({ ...rest, token: blank }), { code: 'token_invalid' });
});

test('a Host that is not ours is refused before anything else, also for health and with the token', async () => {
  const { ask } = createKit();
  for (const host of [
    'evil.example',
    'evil.example:7410',
    '127.0.0.1',
    '127.0.0.1:7411',
    '127.0.0.1:7410.evil.example',
  ])
    for (const path of ['/global/health', '/session', '/nothing'])
      assert.deepEqual(await refusal(await ask(path, { headers: { host } })), [
        403,
        'HOST_NOT_ALLOWED',
        false,
      ]);
  assert.equal((await ask('/session', { headers: { host: '' } })).status, 403);
});

test('the hosts are asked for at each request, in either case of letters', async () => {
  const hosts: string[] = [];
  const { ask } = createKit({ hosts: () => hosts });
  assert.equal((await ask('/session')).status, 403);
  hosts.push('LOCALHOST:7410');
  assert.equal((await ask('/session', { headers: { host: 'LocalHost:7410' } })).status, 200);
});

test('a page of another origin is refused, and gets no permission to read', async () => {
  const { ask } = createKit();
  for (const origin of [
    'https://evil.example',
    'http://127.0.0.1:7411',
    'null',
    'http://127.0.0.1:7410.evil.example',
  ]) {
    const response = await ask('/session', { headers: { origin } });
    assert.equal(response.headers.get('access-control-allow-origin'), null);
    assert.deepEqual(await refusal(response), [403, 'ORIGIN_NOT_ALLOWED', false]);
  }
  assert.equal((await ask('/session', { headers: { origin: 'http://127.0.0.1:7410' } })).status, 200);
});

test('a configured origin may call and read, its preflight is answered without the token, another is still refused', async () => {
  const { ask } = createKit({ origins: ['https://desk.example'] });
  const headers = { origin: 'https://desk.example' };
  const preflight = await ask('/session', { method: 'OPTIONS', headers: { ...headers, authorization: '' } });
  assert.equal(preflight.status, 204);
  assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /authorization/);
  const answer = await ask('/session', { headers });
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('access-control-allow-origin'), 'https://desk.example');
  assert.equal((await ask('/session', { headers: { origin: 'https://evil.example' } })).status, 403);
});

test('health needs no token, distinguishes alive from ready, and shows nothing secret', async () => {
  const { ask, engine, session } = createKit();
  await engine.prompt(await session(), { parts: [{ type: 'text', text: 'hello' }] });
  const response = await ask('/global/health', { headers: { authorization: '' } });
  assert.deepEqual(await response.json(), { healthy: true, ready: true, version: '1.2.3' });
  const inner = await ask('/global/health');
  assert.deepEqual(await inner.json(), {
    healthy: true,
    ready: true,
    version: '1.2.3',
    model: 'scripted',
    activeRuns: 1,
    channels: {},
    problems: [],
  });
});

test('health is ready only while the engine takes prompts, nothing is in the way and every channel that is on is connected', async () => {
  const channel = (state: string, enabled = true) => ({ name: state, platform: 'slack', state, enabled });
  const problem = { code: 'disk_full', words: 'The disk is full.', sinceMs: 1 };
  for (const [ready, problems, channels, isReady] of [
    [true, [], [], true],
    [true, [], [channel('ready')], true],
    [false, [], [channel('ready')], false],
    [true, [problem], [channel('ready')], false],
    [false, [problem], [], false],
    [true, [], [channel('ready'), channel('connecting')], false],
    [true, [problem], [channel('failed')], false],
    [true, [], [channel('ready'), channel('failed', false)], true],
  ] as const) {
    const engine = { health: async () => ({ ready, model: 'm', activeRuns: 0 }) } as never; // all that health asks of it
    const app = createHttpApp({
      ...{ engine, token, hosts: () => ['127.0.0.1:7410'], clock: createManualClock(), log: quietLog().log },
      ...{ version: '1', channels: () => channels as never, problems: () => problems as never }, // what health reads of them
    });
    const response = await app.request('/global/health', { headers: { host: '127.0.0.1:7410' } });
    const told = JSON.stringify([ready, problems.length, channels.map(({ state }) => state)]);
    assert.deepEqual(await response.json(), { healthy: true, ready: isReady, version: '1' }, told);
  }
});

test('a broken engine is alive and not ready', async () => {
  const { ask, engine, logged } = createKit();
  engine.breakWith(new Error('the disk is gone'));
  const response = await ask('/global/health', { headers: { authorization: '' } });
  assert.deepEqual(await response.json(), { healthy: true, ready: false, version: '1.2.3' });
  assert.match(logged.join(), /the disk is gone/);
});

test('only a refusal that another attempt can change is called retryable', async () => {
  const { ask, engine } = createKit();
  const codes = ['session_not_found', 'run_not_found', 'run_files_not_found', 'message_not_found'];
  for (const code of [
    ...codes,
    'request_not_found',
    'mission_not_found',
    'memory_not_found',
    'file_not_found',
  ]) {
    engine.breakWith(new ParleyError(code, 'No.'));
    assert.deepEqual(await refusal(await ask('/session')), [404, code.toUpperCase(), false]);
  }
  for (const [code, status] of [
    ['run_not_ended', 409],
    ['summary_failed', 502],
  ] as const) {
    engine.breakWith(new ParleyError(code, 'Not yet.'));
    assert.deepEqual(await refusal(await ask('/session')), [status, code.toUpperCase(), true]);
  }
});

test('health and the console refuse a query that they do not read, and the pages of the console take their filters', async () => {
  const { ask } = createKit({ extra: createConsole() });
  const answer = async (path: string): Promise<unknown[]> => {
    const response = await ask(path);
    const text = await response.text();
    return [response.status, response.status === 400 && JSON.parse(text).error.includes('"x"')];
  };
  for (const path of ['/global/health?x=1', '/console?x=1', '/console/?x=1', '/console/runs?x=1'])
    assert.deepEqual(await answer(path), [400, true], path);
  assert.deepEqual(await answer('/console/files/none.js?x=1'), [400, true]);
  assert.equal((await answer('/console?room=a'))[0], 400);
  assert.equal((await ask('/console')).status, 200);
  const folder = join(import.meta.dirname, '../../../src/console/page');
  const read = globSync('**/*.js', { cwd: folder }).flatMap((name) =>
    [
      ...readFileSync(join(folder, name), 'utf8').matchAll(
        /\b(?:value|put|choice|query\.get)\('(\w+)'|setQuery\(\{ (\w+)/g,
      ),
    ].map(([, one, other]) => one ?? other ?? ''),
  );
  const names = new Set([...read, 'of', 'project', 'agent', 'person', 'room', 'model']);
  assert.ok(names.size > 15, `${[...names]}`);
  for (const name of names) assert.equal((await answer(`/console/runs?${name}=1`))[0], 200, name);
});

test('an unknown route is 404 and a wrong method 405 with the allowed ones', async () => {
  const { ask } = createKit();
  assert.deepEqual(await refusal(await ask('/nothing')), [404, 'NOT_FOUND', false]);
  assert.deepEqual(await refusal(await ask('/session/', { method: 'POST' })), [404, 'NOT_FOUND', false]);
  const response = await ask('/session', { method: 'DELETE' });
  assert.equal(response.headers.get('allow'), 'POST, GET, HEAD');
  assert.deepEqual(await refusal(response), [405, 'METHOD_NOT_ALLOWED', false]);
});

test('what breaks inside is answered with a reference that the log has, and nothing else', async () => {
  const { ask, engine, logged } = createKit();
  engine.breakWith(new Error('no such table in /home/secret/engine.sqlite'));
  const response = await ask('/session');
  const body = (await response.json()) as { error: string; code: string; ref: string };
  assert.equal(response.status, 500);
  assert.equal(body.code, 'INTERNAL_ERROR');
  assert.match(body.error, new RegExp(body.ref));
  assert.doesNotMatch(JSON.stringify(body), /sqlite|secret|table/);
  const line = logged.find((each) => each.includes(body.ref)) ?? '';
  assert.match(line, /no such table/);
  assert.doesNotMatch(line, new RegExp(token));
});

test('what the engine refuses by name is reported by name, and an internal error with another name is not', async () => {
  const { ask, engine, logged } = createKit();
  const answer = async (code: string) => {
    engine.breakWith(new ParleyError(code, 'as text'));
    return refusal(await ask('/session'));
  };
  assert.deepEqual(await answer('engine_closed'), [503, 'ENGINE_CLOSED', true]);
  assert.deepEqual(await answer('unknown_agent'), [400, 'UNKNOWN_AGENT', false]);
  assert.deepEqual(await answer('run_not_ended'), [409, 'RUN_NOT_ENDED', true]);
  assert.deepEqual(await answer('invalid_origin'), [400, 'INVALID_ORIGIN', false]);
  assert.deepEqual(logged, []);
  assert.deepEqual(await answer('database_unusable'), [500, 'INTERNAL_ERROR', false]);
  assert.equal(logged.length, 1);
});

test('extra answers its own paths without the token, under the Host guard, and its own guard does not cover the paths of the engine', async () => {
  const extra = new Hono();
  extra.use(async (c, next) => {
    if (c.req.path.startsWith('/page') && c.req.header('cookie') === undefined)
      return c.text('its own guard', 418);
    return next();
  });
  extra.get('/page', (c) => c.text('the page'));
  extra.get('/page/broken', () => {
    throw new Error('in /home/secret');
  });
  extra.get('/session', (c) => c.text('never reached'));
  const { ask } = createKit({ extra });
  const cookie = { cookie: 'a=b', authorization: '' };
  assert.equal(await (await ask('/page', { headers: cookie })).text(), 'the page');
  assert.equal((await ask('/page', { headers: { authorization: '' } })).status, 418);
  assert.equal((await ask('/page', { headers: { ...cookie, host: 'evil.example' } })).status, 403);
  assert.deepEqual(await refusal(await ask('/page/broken', { headers: cookie })), [
    500,
    'INTERNAL_ERROR',
    false,
  ]);
  assert.deepEqual(await (await ask('/session')).json(), []);
  assert.equal((await ask('/elsewhere', { headers: { authorization: '' } })).status, 401);
  assert.equal((await ask('/elsewhere')).status, 404);
});

test('answers are not cached and not guessed', async () => {
  const { ask } = createKit();
  for (const path of ['/session', '/nothing', '/global/health']) {
    const { headers } = await ask(path);
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
  }
});

test('two apps live side by side, each with its own token', async () => {
  const { log } = createKit();
  const clock = createManualClock();
  const hosts = () => ['localhost:1'];
  const make = (own: string) =>
    createHttpApp({ engine: createScriptedEngine(clock), token: own, hosts, clock, log, version: '1' });
  const [one, two] = [make(token), make('another-token-of-the-test')];
  const headers = { host: 'localhost:1', ...bearer };
  assert.equal((await one.request('/session', { headers })).status, 200);
  assert.equal((await two.request('/session', { headers })).status, 401);
});
