// The proxy of the bench does to a connection what it is told, and to no other; over real sockets.

import assert from 'node:assert/strict';
import { Agent, createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { type Link, startLink } from '../../bench/harness/link.ts';
import { createPostReader } from '../../bench/harness/post-reader.ts';
import { until } from '../support/found.ts';

interface Stand {
  link: Link;
  /** Bodies of POSTs that the server took. */
  posted: string[];
  post(body: string, signal?: AbortSignal): Promise<string>;
}

async function stand(t: TestContext): Promise<Stand> {
  const posted: string[] = [];
  const server = createServer(async (request: IncomingMessage, response) => {
    let body = '';
    for await (const piece of request) body += String(piece);
    posted.push(body);
    response.end(`took ${body}`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // a listening TCP server has one
  const link = await startLink(() => port);
  /** One connection, as long as it is well. */
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  t.after(async () => {
    agent.destroy();
    await link.close();
    server.close();
    server.closeAllConnections();
  });
  return {
    link,
    posted,
    post: (body, signal) =>
      new Promise((resolve, reject) => {
        const to = { port: link.port, method: 'POST', agent, ...(signal && { signal }) };
        const asked = request({ ...to, headers: { 'content-length': body.length } }, (response) => {
          text(response).then(resolve, reject);
        });
        asked.on('error', reject);
        asked.end(body);
      }),
  };
}

const first = (): number => 0;

test('what is asked and answered passes, and without a connection nothing can be harmed', async (t) => {
  const { link, post } = await stand(t);
  assert.equal(link.harm({ kind: 'cut' }, first), false);
  assert.equal(await post('a'), 'took a');
  assert.deepEqual(link.broken, []);
});

test('an answer that is cut was asked for all the same, and the connection counts as broken', async (t) => {
  const { link, posted, post } = await stand(t);
  await post('a');
  assert.equal(link.harm({ kind: 'answer cut' }, first), true);
  await assert.rejects(post('b'), { code: 'ECONNRESET' });
  assert.deepEqual(posted, ['a', 'b']);
  assert.equal(link.broken.length, 1);
  assert.equal(await post('c'), 'took c', 'the next connection is well');
});

test('a silent connection swallows what is asked and tells nobody of an end', async (t) => {
  const { link, posted, post } = await stand(t);
  await post('a');
  link.harm({ kind: 'silent' }, first);
  await assert.rejects(post('b', AbortSignal.timeout(200)), { name: 'AbortError' });
  assert.deepEqual(posted, ['a']);
});

test('while the link is silent new connections are too, and after it others are well', async (t) => {
  const { link, posted, post } = await stand(t);
  const over = Promise.withResolvers<void>();
  link.goSilent(over.promise);
  await assert.rejects(post('a', AbortSignal.timeout(200)), { name: 'AbortError' });
  over.resolve();
  await over.promise;
  assert.equal(await post('b'), 'took b');
  assert.deepEqual(posted, ['b']);
});

test('a POST that is delivered twice is the same each time, and is answered once', async (t) => {
  const { link, posted, post } = await stand(t);
  await post('a');
  link.harm({ kind: 'twice', ms: 0 }, first);
  assert.equal(await post('bb'), 'took bb');
  await until('it comes again', () => posted.length === 3);
  assert.deepEqual(posted, ['a', 'bb', 'bb']);
  assert.equal(await post('c'), 'took c');
  assert.equal(posted.length, 4, 'the one after it comes once');
});

test('a POST is read from its pieces; other requests are passed over, and so is what has no stated length', () => {
  const reader = createPostReader();
  assert.equal(reader.take(Buffer.from('GET / HTTP/1.1\r\n\r\n')), undefined);
  assert.equal(reader.take(Buffer.from('POST /y HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n')), undefined);
  assert.equal(reader.take(Buffer.from('POST /x HTTP/1.1\r\nContent-Length: 4\r\n\r\nab')), undefined);
  assert.equal(reader.take(Buffer.from('cd')), 'whole');
  assert.equal(reader.bytes().toString(), 'POST /x HTTP/1.1\r\nContent-Length: 4\r\n\r\nabcd');
});

test('a slow link passes each piece on later until it is well again, and one that is cut altogether lets new connections through', async (t) => {
  const { link, post } = await stand(t);
  await post('a');
  const over = Promise.withResolvers<void>();
  link.goSlow(150, over.promise);
  const begun = performance.now();
  assert.equal(await post('b'), 'took b');
  assert.ok(performance.now() - begun >= 280, 'both ways are slow');
  over.resolve();
  link.cutAll();
  await until('the connection is cut', () => link.broken.length === 1);
  await post('c').catch(() => undefined); // the one that was cut may be tried first
  assert.equal(await post('d'), 'took d');
});
