// What the control interface does not take: foreign pages, foreign names, wrong bodies. Each is answered with a message.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Control, openControl } from './control-client.ts';

const hello = { chat: 'dm', user: 'you', text: 'hello' };

async function nothingWasSaid(control: Control): Promise<void> {
  assert.deepEqual(await control.messages('discord', 'dm'), []);
}

test('a name that was pointed at this machine gets nothing: DNS rebinding', async (t) => {
  const control = await openControl(t);
  const port = control.host.split(':')[1];
  for (const host of [
    'evil.example',
    `evil.example:${port}`,
    '127.0.0.1',
    '127.0.0.1:1',
    `127.0.0.1.evil:${port}`,
  ]) {
    for (const path of ['/', '/sandbox/state', '/sandbox/events', '/sandbox/page.js']) {
      const { status, body } = await control.ask(path, { headers: { host } });
      assert.equal(status, 403, `${host} ${path}`);
      assert.equal(body.code, 'foreign_host');
      assert.ok(body.error?.includes(control.host) && body.error.includes(host), body.error);
    }
    const said = await control.ask('/sandbox/discord/say', {
      method: 'POST',
      body: hello,
      headers: { host },
    });
    assert.equal(said.status, 403);
  }
  await nothingWasSaid(control);
  assert.equal((await control.ask('/sandbox/state', { headers: { host: `LOCALHOST:${port}` } })).status, 200);
});

test('a page of another origin may neither read nor post', async (t) => {
  const control = await openControl(t);
  const port = control.host.split(':')[1];
  const foreign = [
    'https://evil.example',
    `http://127.0.0.1:${Number(port) + 1}`,
    `https://${control.host}`,
    'null',
  ];
  for (const origin of foreign) {
    const said = await control.ask('/sandbox/discord/say', {
      method: 'POST',
      body: hello,
      headers: { origin },
    });
    assert.equal(said.status, 403, origin);
    assert.equal(said.body.code, 'foreign_origin');
    assert.ok(said.body.error?.includes(origin));
    const read = await control.ask('/sandbox/state', { headers: { origin } });
    assert.equal(read.status, 403, origin);
    assert.equal(read.headers['access-control-allow-origin'], undefined);
  }
  await nothingWasSaid(control);
  const origin = `http://${control.host}`;
  const own = await control.ask('/sandbox/discord/say', { method: 'POST', body: hello, headers: { origin } });
  assert.equal(own.status, 201);
});

test('what a page may post elsewhere without asking is not taken: forms and plain text', async (t) => {
  const control = await openControl(t);
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    '',
  ]) {
    const { status, body } = await control.ask('/sandbox/discord/say', {
      method: 'POST',
      body: JSON.stringify(hello),
      headers: { 'content-type': type },
    });
    assert.equal(status, 415, type);
    assert.match(body.error ?? '', /^Expected the content type application\/json, got /);
  }
  await nothingWasSaid(control);
});

test('a body that does not fit is refused with a message that names the key and what was expected', async (t) => {
  const control = await openControl(t);
  const cases: [string, unknown, number, RegExp][] = [
    ['say', '{', 400, /not valid JSON/],
    ['say', '', 400, /not valid JSON/],
    ['say', [], 400, /expected object, received array/],
    ['say', null, 400, /expected object, received null/],
    ['say', { ...hello, chat: 'lobby' }, 400, /chat: .*"dm"\|"room"\|"private"/],
    ['say', { ...hello, user: 'admin' }, 400, /user: .*"you"\|"guest"/],
    ['say', { ...hello, text: '' }, 400, /text: expected at least one character/],
    ['say', { ...hello, text: 7 }, 400, /text: .*expected string, received number/],
    ['say', { ...hello, text: 'x'.repeat(100_001) }, 400, /text: .*100000 characters/],
    ['say', { ...hello, text: 'x'.repeat(262_144) }, 413, /may have 262144 bytes/],
    ['say', { ...hello, mentoin: true }, 400, /"mentoin"/],
    ['say', { ...hello, mention: 'yes' }, 400, /mention: .*expected boolean/],
    ['say', { ...hello, replyTo: '' }, 400, /replyTo: /],
    ['edit', { id: '1' }, 400, /text: /],
    ['delete', {}, 400, /id: /],
    ['redeliver', { id: 'x'.repeat(201) }, 400, /id: /],
    ['fault', { kind: 'earthquake' }, 400, /kind: .*'rate_limit' \| 'server_error'/],
    ['fault', { kind: 'slow', target: 'send', times: 1 }, 400, /delayMs: .*expected number/],
    ['fault', { kind: 'rate_limit', target: 'send', times: 1 }, 400, /retryAfterMs: /],
    ['fault', { kind: 'server_error', target: 'mail', times: 1 }, 400, /target: .*"send"\|"edit"/],
    ['fault', { kind: 'server_error', target: 'send', times: 0 }, 400, /times: .*>=1/],
    ['fault', { kind: 'slow', target: 'send', times: 1, delayMs: -1 }, 400, /delayMs: .*>=0/],
  ];
  for (const [route, body, status, words] of cases) {
    const answer = await control.post(`/sandbox/discord/${route}`, body);
    assert.equal(answer.status, status, `${route} ${JSON.stringify(body)?.slice(0, 60)}`);
    assert.match(answer.body.error ?? '', words);
    assert.equal(typeof answer.body.code, 'string');
  }
  await nothingWasSaid(control);
});

test('a body that comes in pieces, without a length, is taken and limited like any other', async (t) => {
  const control = await openControl(t);
  const headers = { 'transfer-encoding': 'chunked' };
  const say = (text: string) =>
    control.ask('/sandbox/discord/say', { method: 'POST', body: { ...hello, text }, headers });
  assert.equal((await say('in pieces')).status, 201);
  assert.equal((await say('x'.repeat(262_144))).status, 413);
  assert.deepEqual(
    (await control.messages('discord', 'dm')).map(({ text }) => text),
    ['in pieces'],
  );
});

test('a platform and a route that are not there are refused with a message', async (t) => {
  const control = await openControl(t);
  const signal = await control.post('/sandbox/signal/say', hello);
  assert.equal(signal.status, 404);
  assert.match(signal.body.error ?? '', /\(discord, telegram, slack\), got "signal"/);
  for (const [method, path] of [
    ['GET', '/sandbox/discord/say'],
    ['DELETE', '/sandbox/discord/calls'],
    ['OPTIONS', '/sandbox/state'],
    ['GET', '/sandbox/'],
    ['GET', '/sandbox/../package.json'],
    ['GET', '/sandbox/page.js/'],
  ] as const) {
    const { status, body } = await control.ask(path, { method });
    assert.equal(status, 404, path);
    if (path.startsWith('/sandbox/') && !path.includes('..'))
      assert.match(body.error ?? '', /^The sandbox has nothing at /);
  }
});

test('the page comes with a policy that lets nothing foreign in and no frame of another host around it', async (t) => {
  const control = await openControl(t);
  for (const path of ['/', '/sandbox/page.js', '/sandbox/page.css', '/sandbox/icon.svg']) {
    const { status, headers } = await control.ask(path);
    assert.equal(status, 200, path);
    assert.match(String(headers['content-security-policy']), /default-src 'self'.*frame-ancestors 'self'/);
    assert.equal(headers['x-content-type-options'], 'nosniff');
    assert.equal(headers['cross-origin-resource-policy'], 'same-origin');
  }
});
