// A thousand clients that connect over HTTP and leave without a goodbye, with the program in another process.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { found } from '../conformance/platforms.ts';
import { openStage } from './stage.ts';

const connects = 1_000;
/** At the same time: more wait in this process. */
const atOnce = 20;
/** Heap that may be gained, in bytes, garbage included: a server for each client that left would be more. */
const allowedBytes = 40 * 1024 * 1024;

test('a thousand connects without a goodbye leave memory and handles flat (P9)', async (t) => {
  const stage = await openStage(t, { platforms: ['telegram'] });
  const program = stage.start();
  await program.connected('telegram');
  const made = await program.send('POST', '/tokens', { agent: 'coder' });
  const { secret } = (await made.json()) as { secret: string };
  const url = new URL('/mcp', /http:\/\/[\w.:]+\d/.exec(program.said())?.[0] ?? '');
  const headers = {
    authorization: `Bearer ${secret}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  const params = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'leaves', version: '1' },
  };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
  const connect = async (count: number): Promise<void> => {
    for (let index = 0; index < count; index += atOnce)
      await Promise.all(
        Array.from({ length: atOnce }, async () => {
          const response = await fetch(url, { method: 'POST', headers, body });
          assert.equal(response.status, 200);
          assert.equal(response.headers.get('mcp-session-id'), null);
          await response.text();
        }),
      );
  };
  const handles = (): number => readdirSync(`/proc/${program.pid}/fd`).length;
  const heap = async (): Promise<number> => {
    const response = await program.send('GET' as 'POST', '/metrics');
    return Number(/^nodejs_heap_size_used_bytes (\S+)/m.exec(await response.text())?.[1]);
  };
  await connect(100);
  const [handlesBefore, heapBefore] = [handles(), await heap()];
  await connect(connects);
  // connections that are not used any more are closed by the server after some seconds
  await found('the handles of before', () => (handles() <= handlesBefore ? true : undefined));
  assert.ok((await heap()) - heapBefore < allowedBytes);
});
