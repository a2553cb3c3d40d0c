// The link of a Telegram file holds the token: whatever goes wrong with it, nobody reads it.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { createTelegramChannel } from '#adapters/telegram/channel.ts';
import { systemClock } from '#base/clock.ts';
import { createLog } from '#base/log/log.ts';

test('a link with the token reaches neither an error, nor its words, nor the log (TL)', async (t) => {
  const token = '7000000001:AAE-canary-token-that-nobody-may-see';
  let mode: 'cut' | 'refuse' | 'redirect' | 'break' = 'cut';
  const server = createServer((request, response) => {
    if (!request.url?.startsWith('/file/')) {
      const file = { file_id: 'f', file_unique_id: 'u', file_path: 'documents/file_1.pdf', file_size: 5 };
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ ok: true, result: file }));
      return;
    }
    if (mode === 'cut') response.destroy();
    else if (mode === 'refuse') response.writeHead(404).end();
    else if (mode === 'redirect') response.writeHead(302, { location: 'http://127.0.0.1:1/elsewhere' }).end();
    else {
      response.writeHead(200, { 'content-length': '100' }).write('half');
      setImmediate(() => response.destroy());
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const lines: string[] = [];
  const log = createLog({ level: 'trace', mask: (text) => text, write: (line) => lines.push(line) });
  const apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const channel = createTelegramChannel({ token, apiUrl, clock: systemClock, log });
  const kinds: string[] = [];
  for (mode of ['cut', 'refuse', 'redirect', 'break'] as const) {
    const read = async () =>
      new Response(await channel.open?.({ id: 'f' }, 1_000, new AbortController().signal)).arrayBuffer();
    const error: unknown = await read().catch((reason) => reason);
    assert.ok(error instanceof Error, mode);
    const { words, kind } = channel.explain(error);
    kinds.push(kind);
    assert.ok(!`${words} ${error.message} ${error.stack}`.includes('canary'), `${mode}: ${words}`);
  }
  assert.deepEqual(kinds, ['transient', 'gone', 'transient', 'transient']);
  assert.ok(!lines.join('').includes('canary'));
});
