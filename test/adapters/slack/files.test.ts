// Slack's files where its headers are not the truth, and where a message names only an id.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { createSlackChannel } from '#adapters/slack/channel.ts';
import { systemClock } from '#base/clock.ts';
import { codeOf } from '#base/errors.ts';
import { quietLog } from '../../support/quiet-log.ts';
import { loginPage, png } from '../uploads/samples.ts';

/** A channel on a server of the test's own, which answers as `answer` does, and where that is. */
async function openOn(t: TestContext, answer: RequestListener) {
  const server = createServer(answer);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const channel = createSlackChannel({
    botToken: 'xoxb-1',
    apiUrl: `${origin}/api/`,
    clock: systemClock,
    log: quietLog().log,
  });
  return { origin, channel };
}

test('a page that Slack has as a file is that file, whatever it is called; only another page is the one to sign in', async (t) => {
  const page = '<!DOCTYPE html><html><body><h1>Budget</h1></body></html>';
  const { origin, channel } = await openOn(t, (request, response) => {
    const type = request.url?.startsWith('/as-html') ? 'text/html; charset=utf-8' : 'application/msword';
    response.writeHead(200, { 'content-type': type }).end(request.url?.endsWith('login') ? loginPage : page);
  });
  const read = async (path: string, size?: number) => {
    const about = { id: `${origin}${path}`, name: 'budget.docx', mime: 'application/msword' };
    const file = size === undefined ? about : { ...about, size };
    return new Response(await channel.open?.(file, 1_000, new AbortController().signal)).text();
  };
  assert.equal(await read('/as-html', page.length), page);
  assert.equal(await read('/as-word', page.length), page);
  for (const path of ['/as-html/login', '/as-word/login']) {
    const error: unknown = await read(path, page.length).catch((reason) => reason);
    assert.equal(codeOf(error), 'slack_file_scope', path);
  }
  for (const path of ['/as-html', '/as-word'])
    assert.equal(codeOf(await read(path).catch((reason) => reason)), 'slack_file_scope', 'of unknown size');
});

test('a sign-in page that calls itself an image is reported by its bytes, with the scope that is missing (K1)', async (t) => {
  const methods: string[] = [];
  const { origin, channel } = await openOn(t, (request, response) => {
    methods.push(request.url ?? '');
    if (request.url === '/api/files.info') {
      const file = { id: 'F1', name: 'a.png', mimetype: 'image/png', url_private: `${origin}/good` };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ ok: true, file }));
      return;
    }
    assert.equal(request.headers.authorization, 'Bearer xoxb-1');
    response.writeHead(200, { 'content-type': 'image/png' });
    response.end(request.url === '/good' ? png() : loginPage);
  });
  const read = async (id: string) => {
    const file = { id, name: 'a.png', mime: 'image/png' };
    const stream = await channel.open?.(file, 1_000, new AbortController().signal);
    return Buffer.from(await new Response(stream).arrayBuffer());
  };
  const error: unknown = await read(`${origin}/page`).catch((reason) => reason);
  assert.equal(codeOf(error), 'slack_file_scope');
  assert.match(channel.explain(error).words, /sign-in page .* Add the scope files:read/);
  assert.deepEqual(await read(`${origin}/good`), png());
  assert.deepEqual(await read('slack-file:F1'), png(), 'a file of another workspace is asked for first');
  assert.equal(methods.filter((url) => url === '/api/files.info').length, 1);
});
