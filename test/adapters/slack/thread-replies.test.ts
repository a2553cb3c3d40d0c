// Replies in threads, by polling, when the page of a channel does not say what is new in them.
import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type TestContext, test } from 'node:test';
import { until } from '../../support/found.ts';
import { type Fixture, fixture } from './fixture.ts';

type Parent = Record<string, unknown>;

/**
 * A channel that polls a sandbox through a server that changes messages of conversations.history. Slack documents
 * `latest_reply` and `reply_count` by examples alone (https://docs.slack.dev/reference/methods/conversations.history).
 */
async function through(
  t: TestContext,
  change: (message: Parent) => Parent,
): Promise<Fixture & { asked: string[] }> {
  const asked: string[] = [];
  let target = '';
  async function relay(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces = await Array.fromAsync(request);
    const method = (request.url ?? '').replace(/^.*\//, '');
    const answer = await fetch(new URL(method, target), {
      method: 'POST',
      headers: {
        authorization: request.headers.authorization ?? '',
        'content-type': request.headers['content-type'] ?? '',
      },
      body: Buffer.concat(pieces),
    });
    const body = (await answer.json()) as { messages?: Parent[] };
    if (method === 'conversations.replies')
      asked.push(String(new URLSearchParams(String(Buffer.concat(pieces))).get('ts')));
    if (method === 'conversations.history') body.messages = body.messages?.map(change) ?? [];
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }
  // A poll that is in progress when the test ends finds the sandbox closed.
  const server = createServer((request, response) => {
    relay(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const address = server.address();
  assert.ok(typeof address === 'object' && address !== null);
  const made = await fixture(t, {
    connection: 'polling',
    channel: { apiUrl: `http://127.0.0.1:${address.port}/api/` },
  });
  target = made.sandbox.url;
  await made.start();
  return { ...made, asked };
}

async function talk({ sandbox, sink }: Fixture, threads: number): Promise<void> {
  const ids: string[] = [];
  for (let n = 0; n < threads; n += 1)
    ids.push((await sandbox.say({ chat: 'private', user: 'you', text: `first ${n}`, mention: true })).id);
  await until('the mentions', () => sink.messages.length === threads);
  for (const round of [1, 2]) {
    for (const thread of ids)
      await sandbox.say({ chat: 'private', user: 'you', text: `reply ${round}`, thread });
    await until(`replies, round ${round}`, () => sink.messages.length === threads * (1 + round));
  }
}

test('without latest_reply threads are asked for when their numbers of replies have grown', async (t) => {
  const made = await through(t, ({ latest_reply: _, ...message }) => message);
  await talk(made, 5);
});

test('without latest_reply and reply_count threads are asked for in turn, more than one round takes', async (t) => {
  const made = await through(t, ({ latest_reply: _, reply_count: _count, ...message }) => message);
  await talk(made, 5);
});

test('with both, a thread that has not grown is not asked for', async (t) => {
  const made = await through(t, (message) => message);
  await talk(made, 1);
  const { lives } = made.sink;
  await until('rounds that see the last reply', () => made.sink.lives > lives + 2);
  const before = made.asked.length;
  const since = made.sink.lives;
  await until('more rounds', () => made.sink.lives > since + 5);
  assert.equal(made.asked.length, before);
});

test('a reply that is deleted while another comes does not hide the other', async (t) => {
  const made = await through(t, ({ latest_reply: _, ...message }) => ({
    ...message,
    ...(message.reply_count === undefined ? {} : { reply_count: 1 }),
  }));
  await talk(made, 1);
});
