// Webhooks: who may send, how large and how often, and that each request becomes one firing, over the real engine.
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { createHttpApp } from '#engine/http/app.ts';
import type { HookMade } from '#engine/wire/schedules/hook.ts';
import { quietLog } from '../../support/quiet-log.ts';
import { openKit } from '../support/kit.ts';
import { bearer, json, token } from './kit.ts';

const chat = 'discord:channel:bot:G1:C1:-';
const host = '127.0.0.1:7410';

async function hooked(t: TestContext, more: object = {}) {
  const { engine, clock } = await openKit(t);
  const { log } = quietLog();
  const app = createHttpApp({ engine, token, hosts: () => [host], clock, log, version: '1' });
  const ask = async (
    method: string,
    path: string,
    headers: Record<string, string>,
    body?: string | ReadableStream,
  ) =>
    app.request(path, {
      method,
      headers: { host, ...headers },
      ...(body === undefined ? {} : { body, duplex: 'half' }),
    } as RequestInit);
  const made = await ask(
    'POST',
    '/hooks',
    { ...bearer, ...json },
    JSON.stringify({ name: 'builds', chat, ...more }),
  );
  assert.equal(made.status, 200, await made.clone().text());
  const { secret } = (await made.json()) as HookMade;
  const send = (body: string | ReadableStream, headers: Record<string, string> = {}) =>
    ask('POST', '/hook/builds', { authorization: `Bearer ${secret}`, ...headers }, body);
  const due = () => engine.takeFirings({ gateway: 'one', platforms: ['discord'] });
  return { engine, clock, ask, secret, send, due };
}

test('what has no secret, a wrong one, an old signature or another name is refused, and nothing is due', async (t) => {
  const { ask, secret, due, clock } = await hooked(t);
  const now = Math.floor(clock.now() / 1_000);
  const sign = (at: number, body: string, key = secret) => ({
    'x-parley-timestamp': String(at),
    'x-parley-signature': `sha256=${createHmac('sha256', key).update(`${at}.${body}`).digest('hex')}`,
  });
  const refused = [
    await ask('POST', '/hook/builds', {}, 'x'),
    await ask('POST', '/hook/builds', bearer, 'x'),
    await ask('POST', '/hook/other', { authorization: `Bearer ${secret}` }, 'x'),
    await ask('POST', '/hook/builds', sign(now - 301, 'x'), 'x'),
    await ask('POST', '/hook/builds', sign(now, 'y'), 'x'),
    await ask('POST', '/hook/builds', sign(now, 'x', 'guessed'), 'x'),
  ];
  for (const answer of refused) {
    assert.equal(answer.status, 401);
    assert.equal(((await answer.json()) as { code: string }).code, 'HOOK_REFUSED');
  }
  assert.equal((await ask('GET', '/hooks', {})).status, 401);
  assert.deepEqual(await due(), []);
  // a signature that is right counts once
  assert.equal((await ask('POST', '/hook/builds', sign(now, 'x'), 'x')).status, 202);
  const again = await ask('POST', '/hook/builds', sign(now, 'x'), 'x');
  assert.deepEqual(await again.json(), { ok: true, status: 'duplicate' });
  assert.deepEqual(
    (await due()).map(({ text }) => text),
    ['x'],
  );
});

test('a captured signed request is sent once, whatever key or form of the signature comes with it', async (t) => {
  const { ask, secret, due, clock } = await hooked(t);
  const at = Math.floor(clock.now() / 1_000);
  const hmac = (content: string) => createHmac('sha256', secret).update(content).digest('hex');
  const time = { 'x-parley-timestamp': String(at) };
  const signed = { ...time, 'x-parley-signature': `sha256=${hmac(`${at}.x`)}` };
  const statusOf = async (headers: Record<string, string>, body = 'x') => {
    const answer = await ask('POST', '/hook/builds', headers, body);
    return answer.status === 202 ? ((await answer.json()) as { status: string }).status : answer.status;
  };
  assert.equal(await statusOf({ ...signed, 'idempotency-key': 'mine' }), 'accepted');
  for (const replay of [
    signed,
    { ...signed, 'idempotency-key': 'another' },
    { ...signed, 'x-parley-signature': hmac(`${at}.x`) },
    { ...signed, 'x-parley-signature': hmac(`${at}.x`), 'idempotency-key': 'third' },
  ])
    assert.equal(await statusOf(replay), 'duplicate', JSON.stringify(replay));
  // a key that is signed too holds over several requests, and is no other's
  const keyed = (key: string, seconds: number, body: string) => ({
    ...{ 'x-parley-timestamp': String(seconds), 'idempotency-key': key },
    'x-parley-signature': `sha256=${hmac(`${key.length}:${key}:${seconds}.${body}`)}`,
  });
  assert.equal(await statusOf(keyed('build-7', at, 'y'), 'y'), 'accepted');
  assert.equal(await statusOf(keyed('build-7', at + 1, 'y'), 'y'), 'duplicate');
  assert.equal(await statusOf({ ...keyed('build-7', at, 'y'), 'idempotency-key': 'build-8' }, 'y'), 401);
  assert.deepEqual(
    (await due()).map(({ text }) => text),
    ['x', 'y'],
  );
});

test('a body of 50 MB is refused with the limit, and is not read', async (t) => {
  const { send, due } = await hooked(t);
  let read = 0;
  const endless = new ReadableStream({
    pull(controller) {
      read += 65_536;
      controller.enqueue(new Uint8Array(65_536));
      if (read >= 50 * 1024 * 1024) controller.close();
    },
  });
  const announced = await send('x', { 'content-length': String(50 * 1024 * 1024) });
  assert.equal(announced.status, 413);
  assert.match(((await announced.json()) as { error: string }).error, /larger than 262144 bytes/);
  assert.equal((await send(endless)).status, 413);
  assert.ok(read < 2 * 1024 * 1024, `${read} bytes were read`);
  assert.deepEqual(await due(), []);
});

test('a request is made due once for its key, filled into the template without markup', async (t) => {
  const { send, due } = await hooked(t, { template: 'Build {{id}}: {{result.text}} {{missing}}' });
  const body = JSON.stringify({ id: 7, result: { text: '**failed** @everyone' } });
  const key = { 'idempotency-key': 'build-7' };
  assert.deepEqual(await (await send(body, key)).json(), { ok: true, status: 'accepted' });
  assert.deepEqual(await (await send(body, key)).json(), { ok: true, status: 'duplicate' });
  const [firing, ...others] = await due();
  assert.deepEqual(
    [firing?.text, firing?.chat, firing?.person, others.length],
    ['Build 7: \\*\\*failed\\*\\* \\@everyone', chat, null, 0],
  );
});

test('more requests than the webhook takes within a minute, and those of a stopped one, are refused', async (t) => {
  const { engine, send, due, ask } = await hooked(t, { per_minute: 2 });
  await send('one', { 'idempotency-key': 'a' });
  await send('two');
  const third = await send('three');
  assert.equal(third.status, 429);
  assert.match(((await third.json()) as { error: string }).error, /2 requests within a minute/);
  assert.equal((await send('one', { 'idempotency-key': 'a' })).status, 202, 'a repeat is known');
  assert.equal((await ask('POST', '/hooks/other/test', bearer)).status, 404);
  assert.equal((await ask('POST', '/hooks/builds/test', bearer)).status, 429);
  const [first] = await due();
  await engine.settleFiring({ id: first?.id ?? '', status: 'failed', reason: 'The room no longer exists' });
  const stopped = await send('four');
  assert.equal(stopped.status, 409);
  assert.match(((await stopped.json()) as { error: string }).error, /stopped: The room no longer exists/);
  assert.equal((await ask('DELETE', '/hooks/builds', bearer)).status, 200);
  assert.equal((await send('five')).status, 401);
});
