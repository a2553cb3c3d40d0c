// A thousand clients that connect over HTTP and leave without a goodbye, with the program in another process.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { systemClock } from '#base/clock.ts';
import { found } from '../conformance/platforms.ts';
import { openStage } from './stage.ts';

const connects = 1_000;
/** At the same time: more wait in this process. */
const atOnce = 20;
/** Heap that may be gained, in bytes, without garbage: a server for each client that left would need more. */
const allowedBytes = 8 * 1024 * 1024;
const collecting = join(import.meta.dirname, '..', 'support', 'collect-garbage.js');

test('a thousand connects without a goodbye leave memory and handles flat (P9)', async (t) => {
  const stage = await openStage(t, {
    platforms: ['telegram'],
    variables: { NODE_OPTIONS: `--import=${collecting}` },
  });
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
  /** The least of some looks: between two collections there is garbage. */
  const least = async (): Promise<number> => {
    const looks: number[] = [];
    for (let look = 0; look < 16; look += 1) {
      looks.push(await heap());
      await systemClock.sleep(200);
    }
    return Math.min(...looks);
  };
  await connect(200);
  const handlesBefore = handles();
  const heapBefore = await least();
  await connect(connects);
  // connections that are not used any more are closed by the server after some seconds
  await found('the handles of before', () => (handles() <= handlesBefore ? true : undefined));
  const gained = (await least()) - heapBefore;
  t.diagnostic(
    JSON.stringify({ connects, handles: [handlesBefore, handles()], gainedBytes: gained, allowedBytes }),
  );
  assert.ok(gained < allowedBytes, `${gained} bytes were gained`);
});
