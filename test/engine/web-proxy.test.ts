// The proxy as single connections see it: what goes past it, what it refuses, and the guard of web pages that it does not lift.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { WebSocket } from 'ws';
import { systemClock } from '#base/clock.ts';
import { proxyFor, useProxy } from '#base/network/proxy.ts';
import { guardedGet } from '#engine/tools/web/guarded-get.ts';
import { startForwardProxy } from '../support/forward-proxy.ts';

const rules = { privateHosts: [], limits: { totalMs: 10_000, bytes: 1_000, redirects: 2 } };
const signal = new AbortController().signal;

async function openPage(t: TestContext) {
  const hosts: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    hosts.push(request.headers.host);
    if (request.url === '/inwards') response.writeHead(302, { location: 'http://10.0.0.7/' }).end();
    else response.writeHead(200, { 'content-type': 'text/plain' }).end('a page');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, hosts }; // it listens on TCP
}

async function behindProxy(t: TestContext, more: { direct?: string[]; namesBy?: 'machine' | 'proxy' } = {}) {
  const proxy = await startForwardProxy(t);
  const settings = { http: proxy.url, https: proxy.url, direct: [], namesBy: 'machine' as const, ...more };
  t.after(useProxy(settings));
  return proxy;
}

test('a host of NO_PROXY is reached past the proxy by fetch and by a WebSocket, with all names below it', async (t) => {
  const proxy = await behindProxy(t, {
    direct: ['Direct.test', '.dotted.test', '192.0.2.1', 'one.test:8443'],
  });
  for (const host of ['direct.test', 'a.direct.test', 'dotted.test', 'b.dotted.test'])
    await assert.rejects(fetch(`http://${host}:1/`, { signal: AbortSignal.timeout(5_000) }), host);
  await new Promise((resolve) => new WebSocket('ws://a.direct.test:1/').on('error', resolve));
  assert.deepEqual(proxy.log, [], 'these names are nobody’s, and the proxy was not asked');
  const { port } = await openPage(t);
  assert.equal(await (await fetch(`http://indirect.test:${port}/`)).text(), 'a page');
  assert.deepEqual(proxy.hosts(), ['indirect.test']);
  const via = (address: string): boolean => proxyFor(address) !== undefined;
  assert.deepEqual(
    [
      'https://192.0.2.1/',
      'https://192.0.2.2/',
      'https://one.test:8443/',
      'https://one.test/',
      'http://[::1]:7/',
    ].map(via),
    [false, true, false, true, false],
  );
});

test('a page is asked of the very address that was checked, also through a proxy, and no other address is', async (t) => {
  const proxy = await behindProxy(t);
  const { port, hosts } = await openPage(t);
  const found: Record<string, string> = { 'public.test': '93.184.216.34', 'private.test': '10.0.0.7' };
  const guarded = {
    ...rules,
    resolve: (
      host: string,
      _options: unknown,
      done: (error: null, found: { address: string; family: number }[]) => void,
    ) => done(null, [{ address: found[host] ?? '', family: 4 }]),
  };
  const ask = (address: string) => guardedGet(address, { clock: systemClock, signal, rules: guarded });
  const page = await ask(`http://public.test:${port}/`);
  assert.equal(Buffer.from(page.body).toString(), 'a page');
  assert.deepEqual(
    proxy.log.map(({ line }) => line),
    [`CONNECT 93.184.216.34:${port}`],
  );
  assert.deepEqual(hosts, [`public.test:${port}`]);
  for (const address of [
    `http://private.test:${port}/`,
    `http://10.0.0.7:${port}/`,
    `http://public.test:${port}/inwards`,
  ])
    await assert.rejects(ask(address), { code: 'address_refused' }, address);
  assert.deepEqual(proxy.hosts(), ['93.184.216.34'], 'the proxy was asked for nothing else');
  proxy.refuse(403);
  await assert.rejects(
    ask(`http://public.test:${port}/`),
    /The proxy .* does not connect to 93\.184\.216\.34:\d+: it answered 403/,
  );
});

test('where the proxy resolves names it is given the name, and names of this network are still refused', async (t) => {
  const proxy = await behindProxy(t, { namesBy: 'proxy' });
  const { port } = await openPage(t);
  const ask = (address: string) => guardedGet(address, { clock: systemClock, signal, rules });
  assert.equal((await ask(`http://page.test:${port}/`)).status, 200);
  for (const address of [
    'http://intranet/',
    'http://printer.local/',
    'http://10.0.0.7/',
    'http://metadata.internal/',
  ])
    await assert.rejects(ask(address), { code: 'address_refused' }, address);
  assert.deepEqual(proxy.hosts(), ['page.test']);
});
