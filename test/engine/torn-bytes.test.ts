// A provider's stream that comes byte by byte, as networks may cut it.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { createActiveProblems } from '#base/active-problems.ts';
import { systemClock as clock } from '#base/clock.ts';
import { createSecrets } from '#base/secrets.ts';
import { openEngineDatabase } from '#engine/database.ts';
import { callModel } from '#engine/providers/call-model.ts';
import { createModelsHere } from '#engine/providers/models-here.ts';
import { createProviders } from '#engine/providers/provider.ts';
import { createLearned } from '#engine/providers/repair/learned.ts';
import { quietLog } from '../support/quiet-log.ts';

const words = 'żółw 日本 👩‍👩‍👧‍👦 é';

test('characters that are torn between two pieces of the network arrive whole, blanks and newlines too (TG, TC)', async (t) => {
  const server = createServer(async (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const events = [words, '\n\n', ' ', words].map((content) => ({ delta: { content }, index: 0 }));
    const frames = [...events, { delta: {}, index: 0, finish_reason: 'stop' }].map(
      (choice) =>
        `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [choice] })}\n\n`,
    );
    for (const byte of Buffer.from(`${frames.join('')}data: [DONE]\n\n`)) {
      response.write(Buffer.from([byte]));
      if (byte > 127) await new Promise((resolve) => setImmediate(resolve));
    }
    response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo; // it listens on TCP
  const settings = {
    provider: 'openai-compatible',
    model: 'm',
    baseUrl: `http://127.0.0.1:${port}/v1`,
    apiKey: 'k',
  } as const;
  const provider = createProviders({
    settings,
    models: createModelsHere(clock),
    clock,
    connectMs: 10_000,
  }).resolve();
  const call = {
    provider,
    system: 'x',
    messages: [{ role: 'user' as const, content: 'hi' }],
    tools: [],
    toolChoice: 'none' as const,
    remembers: false,
    signal: new AbortController().signal,
  };
  const limits = { firstTokenMs: 20_000, idleMs: 20_000 };
  let said = '';
  for await (const piece of callModel(call, {
    clock,
    log: quietLog().log,
    limits,
    secrets: createSecrets([]),
    problems: createActiveProblems(clock),
    learned: async () => createLearned(openEngineDatabase(':memory:', clock), clock),
  }))
    if (piece.type === 'text') said += piece.delta;
  assert.equal(said, `${words}\n\n ${words}`);
});
