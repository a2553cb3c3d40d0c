// Reading the web: only public addresses, also behind names and redirects, and only so much for so long.
import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { systemClock } from '#base/clock.ts';
import { createIsPublic } from '#engine/tools/web/address-rules.ts';
import { createWebFetchTool } from '#engine/tools/web/fetch.ts';
import { guardedGet, type WebRules } from '#engine/tools/web/guarded-get.ts';
import { createPageReader } from '#engine/tools/web/page-reader.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { openService } from './http/service-kit.ts';
import { toolContext } from './support/tool-context.ts';

const limits = { totalMs: 5_000, bytes: 1_000, redirects: 2 };

async function serve(t: TestContext, answer: RequestListener): Promise<number> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return (server.address() as AddressInfo).port; // it listens on TCP
}

function getting(privateHosts: string[] = ['127.0.0.1'], more: { bytes?: number } = {}) {
  const clock = createManualClock();
  const rules: WebRules = { privateHosts, limits: { ...limits, ...more } };
  const signal = new AbortController().signal;
  const tool = createWebFetchTool({ clock, rules });
  const context = toolContext('web_fetch', signal);
  return {
    clock,
    get: (url: string) => guardedGet(url, { clock, signal, rules }),
    read: (url: string) => tool.call({ url }, context),
  };
}

test('addresses of machines, networks, tunnels and tests are not public; others are', () => {
  const isPublic = createIsPublic();
  for (const address of [
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.1',
    '169.254.169.254',
    '172.31.255.255',
    '192.168.1.1',
    '198.19.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '64:ff9b::7f00:1',
    'fe80::1%eth0',
    'fd00::1',
    'ff02::1',
    '2001:0:1::1',
    '2001:db8::1',
    '2002:7f00:1::1',
    'not an address',
  ])
    assert.equal(isPublic(address), false, address);
  for (const address of ['1.1.1.1', '172.32.0.1', '192.169.0.1', '2606:4700::1111', '2a00:1450::1'])
    assert.equal(isPublic(address), true, address);
});

test('a private address is refused however it is written, and so is what is no page', async () => {
  const { get } = getting([]);
  for (const url of [
    'http://127.0.0.1:1/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://localhost:1/',
    'https://user:secret@example.com/',
    'file:///etc/passwd',
    'gopher://example.com/',
    'nothing',
  ])
    await assert.rejects(get(url), { code: 'address_refused' }, url);
});

test('a redirect to a private name or address is refused, and a loop ends', async (t) => {
  const port = await serve(t, (request, response) => {
    const to = {
      '/name': `http://localhost:${port}/`,
      '/address': 'http://169.254.169.254/',
      '/loop': '/loop',
      '/file': 'file:///etc/passwd',
    };
    const location = to[request.url as keyof typeof to];
    if (location === undefined) response.end('reached');
    else response.writeHead(302, { location }).end();
  });
  const { get } = getting();
  const at = (path: string) => `http://127.0.0.1:${port}${path}`;
  for (const path of ['/name', '/address', '/file'])
    await assert.rejects(get(at(path)), { code: 'address_refused' }, path);
  await assert.rejects(get(at('/loop')), /redirects more than 2 times/);
  assert.equal(Buffer.from((await get(at('/'))).body).toString(), 'reached');
});

test('a name of which just one address is private is refused, and one whose host is allowed is asked', async (t) => {
  let asked = 0;
  const port = await serve(t, (_, answer) => {
    asked += 1;
    answer.end('here');
  });
  const clock = createManualClock();
  const open = [
    { address: '8.8.8.8', family: 4 },
    { address: '2606:4700::1111', family: 6 },
  ];
  const hidden = { address: '127.0.0.1', family: 4 };
  const get = (found: typeof open, privateHosts: string[]) => {
    const rules: WebRules = { privateHosts, limits, resolve: (_host, _options, done) => done(null, found) };
    return guardedGet(`http://rebinds.example:${port}/`, { clock, signal: t.signal, rules });
  };
  for (const found of [
    [hidden],
    [hidden, ...open],
    [...open, hidden],
    [{ address: '::1', family: 6 }, ...open],
    [],
  ])
    await assert.rejects(get(found, ['another.example']), { code: 'address_refused' }, JSON.stringify(found));
  assert.equal(asked, 0);
  assert.equal((await get([hidden], ['rebinds.example'])).status, 200);
  assert.equal(asked, 1);
});

test('a page is read as text, cut at its limit, and only when it is text', async (t) => {
  const port = await serve(t, ({ url }, response) => {
    const types = {
      '/html': 'text/html; charset=utf-8',
      '/latin': 'text/plain; charset=iso-8859-1',
      '/image': 'image/png',
    };
    response.setHeader('content-type', types[url as keyof typeof types] ?? 'text/plain');
    if (url === '/html')
      response.end('<title>T</title><script>evil()</script><h1>Größe</h1><p>one<br>two</p><img src=x>');
    else if (url === '/latin') response.end(Buffer.from('Gr\u00fc\u00dfe', 'latin1'));
    else response.end('x'.repeat(5_000));
  });
  const { read } = getting();
  const text = async (path: string) => {
    const outcome = await read(`http://127.0.0.1:${port}${path}`);
    return outcome.status === 'completed' ? (outcome.result as { text: string; cut: boolean }) : outcome;
  };
  assert.deepEqual(await text('/latin'), {
    url: `http://127.0.0.1:${port}/latin`,
    status: 200,
    text: 'Grüße',
    cut: false,
  });
  const html = await text('/html');
  assert.ok('text' in html);
  assert.match(html.text, /Größe\n+one\ntwo/);
  assert.doesNotMatch(html.text, /evil|</);
  const long = await text('/long');
  assert.ok('text' in long && long.cut && long.text.length === 1_000);
  await assert.rejects(read(`http://127.0.0.1:${port}/image`), /leads to image\/png, not to text/);
});

test('a host that says nothing is left after the time limit', async (t) => {
  let asked: () => void = () => {};
  const reached = new Promise<void>((resolve) => {
    asked = resolve;
  });
  const port = await serve(t, () => asked());
  const { get, clock } = getting();
  const waiting = assert.rejects(get(`http://127.0.0.1:${port}/`), { code: 'timeout' });
  await reached;
  await clock.advance(5_000);
  await waiting;
});

test('reading the web is off unless it is switched on', async (t) => {
  const offered = async (changes: object) => {
    const service = await openService(t, changes);
    return JSON.stringify((await service.prompt(await service.session(), 'x')).call.body.tools);
  };
  assert.doesNotMatch(await offered({}), /web_fetch/);
  assert.match(await offered({ web: {} }), /web_fetch/);
});

const megabyte = 1024 * 1024;

/** Pages that strangers make to be slow or large. */
const nastyPages: Record<string, (size: number) => string> = {
  'nested elements': (size) => '<div>'.repeat(size / 5),
  'elements that end': (size) => '<div>'.repeat(size / 11) + '</div>'.repeat(size / 11),
  'nested inline elements': (size) => '<b><i>'.repeat(size / 6),
  'nested lists': (size) => '<ul><li>'.repeat(size / 8),
  'nested tables': (size) => '<table><tr><td>'.repeat(size / 15),
  'one element of many attributes': (size) => `<p ${'a=b '.repeat(size / 4)}>text</p>`,
  'one long attribute': (size) => `<p a="${'b'.repeat(size)}">text</p>`,
  'ends without beginnings': (size) => '</div>'.repeat(size / 6),
  'opening brackets': (size) => '<'.repeat(size),
  'comments that do not end': (size) => '<!--'.repeat(size / 4),
  entities: (size) => '&amp;'.repeat(size / 5),
  paragraphs: (size) => '<p>a'.repeat(size / 4),
};

test('a page of two megabytes of nested elements is refused with a message, and the program goes on in the meantime', async () => {
  const reader = createPageReader();
  const how = { maxChars: 20_000, clock: systemClock, signal: new AbortController().signal };
  assert.equal((await reader.read('<h1>Before</h1>', how)).text, 'Before'); // the thread is up
  let turns = 0;
  let isReading = true;
  const turn = (): void => {
    turns += 1;
    if (isReading) setImmediate(turn);
  };
  turn();
  const failed = reader.read('<div>'.repeat((2 * megabyte) / 5), how).finally(() => {
    isReading = false;
  });
  await assert.rejects(failed, {
    code: 'page_unreadable',
    message:
      'The page cannot be read as text: it has more than 250000 elements, or more than 20000 in one another.',
  });
  // read on the same thread, the event loop would not turn at all
  assert.ok(turns > 100, `${turns} turns of the event loop`);
  assert.equal((await reader.read('<p>After</p>', how)).text, 'After');
});

test('a page that takes more processor time than it may is ended, and another one is read in the meantime', async () => {
  const reader = createPageReader({ cpuMs: 200, ms: 60_000 });
  const how = { maxChars: 20_000, clock: systemClock, signal: new AbortController().signal };
  const ended: string[] = [];
  const slow = reader.read('<p>x</p>'.repeat(249_000), how).catch((error: Error) => {
    ended.push('slow');
    throw error;
  });
  const quick = reader.read('<p>After</p>', how).then((page) => ended.push('quick') && page.text);
  assert.equal(await quick, 'After');
  await assert.rejects(slow, {
    code: 'page_unreadable',
    message: 'The page cannot be read as text: it takes longer than 0.2 s to read it.',
  });
  assert.deepEqual(ended, ['quick', 'slow']);
});

test('the lists and tables of a long page, whose ends people leave out, count as no depth', async () => {
  const how = { maxChars: 100, clock: systemClock, signal: new AbortController().signal };
  assert.match((await createPageReader().read(`<ul>${'<li>x'.repeat(30_000)}</ul>`, how)).text, /x/);
});

test('every nasty page is read or refused with a message', async (t) => {
  const pages = Object.entries(nastyPages);
  const port = await serve(t, ({ url = '' }, response) => {
    const [, make] = pages[Number(url.slice(1))] ?? [];
    response.setHeader('content-type', 'text/html');
    response.end(make?.(megabyte / 4));
  });
  const { read } = getting(undefined, { bytes: megabyte });
  for (const [index, [name]] of pages.entries()) {
    const outcome = await read(`http://127.0.0.1:${port}/${index}`).then(
      () => 'read',
      (error: { code: string }) => error.code,
    );
    assert.ok(['read', 'page_unreadable'].includes(outcome), `${name}: ${outcome}`);
  }
});

test('nobody waits for a page whose run was cancelled', async () => {
  const reader = createPageReader();
  const stop = new AbortController();
  const reading = reader.read('<div>'.repeat((2 * megabyte) / 5), {
    maxChars: 100,
    signal: stop.signal,
  });
  setImmediate(() => stop.abort());
  await assert.rejects(reading, { name: 'AbortError' });
});
