// A thousand clients that connect over HTTP and leave without a goodbye, with the program in another process.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { connectAndLeave, wrongOf } from '../../bench/harness/mcp-connects.ts';
import { openStage } from './stage.ts';

const collecting = join(import.meta.dirname, '..', 'support', 'collect-garbage.js');

test('a thousand connects without a goodbye leave memory, sessions and handles flat (P9)', async (t) => {
  const token = 'token-of-this-test';
  const stage = await openStage(t, {
    platforms: ['telegram'],
    variables: { NODE_OPTIONS: `--import=${collecting}`, PARLEY_TOKEN: token },
  });
  const program = stage.start();
  await program.connected('telegram');
  const url = /http:\/\/[\w.:]+\d/.exec(program.said())?.[0] ?? '';
  const figures = await connectAndLeave(1_000, { url, token, pid: program.pid });
  t.diagnostic(JSON.stringify(figures));
  assert.deepEqual(wrongOf(figures), []);
});

test('what is left of connects is named: handles, sessions, heap, and a heap that could not be read', () => {
  const flat = { connects: 10, named: 0, handles: [9, 9], sessions: [1, 1], gainedBytes: 0 } as const;
  assert.deepEqual(wrongOf(flat), []);
  for (const [change, pattern] of [
    [{ named: 2 }, /^2 connects .* session of the transport$/],
    [{ handles: [9, 12] }, /handles: 9 → 12/],
    [{ sessions: [1, 11] }, /sessions: 1 → 11/],
    [{ gainedBytes: 9_000_000 }, /left 9000000 bytes/],
    [{ gainedBytes: Number.NaN }, /NaN/],
  ] as const)
    assert.match(wrongOf({ ...flat, ...change }).join('\n'), pattern);
  assert.deepEqual(wrongOf({ ...flat, handles: [9, 12] }, 6), []);
});
