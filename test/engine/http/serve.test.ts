// The server under the app: refusing to listen in words, closing promptly, and bad requests on a raw socket.
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { Hono } from 'hono';
import { systemClock } from '#base/clock.ts';
import { ownHosts, serveHttp } from '#engine/http/serve.ts';
import { until } from '../../support/found.ts';
import { bearer, createKit, hello, json, listen, serveKit } from './kit.ts';

/** As they are before any server of this file. */
const untouched = { Request: globalThis.Request, Response: globalThis.Response };

/** Closing has no separate time limit here, so that a test which hangs must fail on its own. */
const bounded = { timeout: 20_000 };

/** Sends the bytes on a socket of their own, and gives back everything that came until the server ended it. */
async function raw(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(bytes);
  return text(socket);
}

test('a port that is taken is refused with a message', async (t) => {
  const { server, app, log } = await serveKit(t);
  await assert.rejects(
    serveHttp({ app, host: '127.0.0.1', port: server.port, clock: systemClock, log }),
    (error: { code: string; message: string; hint: string }) => {
      assert.equal(error.code, 'port_taken');
      assert.match(error.message, new RegExp(`127.0.0.1:${server.port}`));
      assert.match(error.hint, /another port: --port \d+/);
      return true;
    },
  );
});

test('an address that is not this machine’s is refused with a message', async () => {
  const { app, log } = createKit();
  await assert.rejects(serveHttp({ app, host: '192.0.2.1', port: 0, clock: systemClock, log }), {
    code: 'cannot_listen',
  });
});

test('request targets and hosts that make no URL are refused in the envelope', async (t) => {
  const { server } = await serveKit(t);
  const targets = [
    '*',
    '/\\..\\x',
    'http://[/',
    '//',
    '/%',
    '/session/%E0%A4%A',
    '/session/../../etc/passwd',
  ];
  const host = `127.0.0.1:${server.port}`;
  for (const target of targets) {
    const answer = await raw(
      server.port,
      `GET ${target} HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`,
    );
    assert.match(answer, /^HTTP\/1\.1 4\d\d /, target);
    assert.match(answer, /"code":"/, target);
  }
  for (const wrong of ['a b', '[::1', '127.0.0.1:99999', 'user@host', ''])
    assert.match(
      await raw(server.port, `GET /session HTTP/1.1\r\nhost: ${wrong}\r\nconnection: close\r\n\r\n`),
      /^HTTP\/1\.1 40[03] /,
      wrong,
    );
  assert.match(await raw(server.port, 'GET /session HTTP/1.0\r\n\r\n'), /^HTTP\/1\.1 400 /);
});

test('a body of which too much or too little comes does not hold the server', async (t) => {
  const { server, session, logged } = await serveKit(t);
  const id = await session();
  for (const [path, mib] of [
    ['/session', 1],
    [`/session/${id}/prompt_async`, 16],
  ] as const) {
    const large = await fetch(`${server.url}${path}`, {
      method: 'POST',
      headers: { ...bearer, ...json },
      body: `${hello}${' '.repeat(mib * 1024 * 1024)}`,
    });
    assert.equal(large.status, 413);
    assert.equal(((await large.json()) as { code: string }).code, 'BODY_TOO_LARGE');
  }
  const chunk = `${(65536).toString(16)}\r\n${' '.repeat(65536)}\r\n`;
  const head = `POST /session HTTP/1.1\r\nhost: 127.0.0.1:${server.port}\r\nauthorization: ${bearer.authorization}\r\n`;
  const endless = await raw(server.port, `${head}transfer-encoding: chunked\r\n\r\n${chunk.repeat(17)}`);
  assert.match(endless, /^HTTP\/1\.1 413 /);
  const cut = connect(server.port, '127.0.0.1');
  cut.write(`${head}content-length: 100\r\ncontent-type: application/json\r\n\r\n{"title"`);
  await new Promise((resolve) => cut.once('ready', resolve));
  cut.destroy();
  assert.equal((await fetch(`${server.url}/session`, { headers: bearer })).status, 200);
  assert.deepEqual(logged, []);
});

test('closing ends open streams cleanly, drops idle connections, and does so at once', bounded, async (t) => {
  const kit = await serveKit(t, { graceMs: 3_600_000 });
  const { server, engine } = kit;
  const listeners = await Promise.all([1, 2, 3].map(() => listen(`${server.url}/event`)));
  assert.equal((await fetch(`${server.url}/session`, { headers: bearer })).status, 200);
  await Promise.all([server.close(), server.close()]);
  for (const listener of listeners)
    assert.deepEqual(await listener.rest(), ['server.connected', 'engine.lifecycle.ready']);
  assert.equal(engine.readers(), 0);
  assert.equal(kit.clock.sleeping(), 0);
  await assert.rejects(fetch(`${server.url}/session`, { headers: bearer }));
});

test('closing lets a request in progress finish, and its connection go', bounded, async (t) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  let begun = false;
  const extra = new Hono().get('/slow', async (c) => {
    begun = true;
    await promise;
    return c.text('done');
  });
  const { server } = await serveKit(t, { extra, graceMs: 3_600_000 });
  const answer = fetch(`${server.url}/slow`);
  await until('the request', () => begun);
  const closed = server.close();
  resolve();
  assert.equal(await (await answer).text(), 'done');
  await closed;
});

test('closing drops what is not done after the grace', bounded, async (t) => {
  const extra = new Hono().get('/never', () => new Promise<Response>(() => {}));
  const { server } = await serveKit(t, { extra, graceMs: 20 });
  const answer = assert.rejects(fetch(`${server.url}/never`));
  await fetch(`${server.url}/session`, { headers: bearer });
  await server.close();
  await answer;
});

test('a server on a socket leaves the process’s Request and Response as they were', async (t) => {
  await serveKit(t);
  assert.ok(globalThis.Request === untouched.Request && globalThis.Response === untouched.Response);
});

test('the own hosts are the loopback names and the address, with the port unless it is the one that goes unsaid', () => {
  assert.deepEqual(ownHosts({ host: '127.0.0.1', port: 7410 }), [
    '127.0.0.1:7410',
    'localhost:7410',
    '[::1]:7410',
  ]);
  assert.ok(ownHosts({ host: 'fe80::1', port: 7410 }).includes('[fe80::1]:7410'));
  assert.ok(ownHosts({ host: '127.0.0.1', port: 80 }).includes('localhost'));
  const called = ownHosts({ host: '0.0.0.0', port: 7410, names: ['parley.lan', 'proxy.lan:80'] });
  assert.ok(called.includes('parley.lan:7410') && called.includes('proxy.lan:80'));
  assert.equal(called.includes('parley.lan'), false);
});
