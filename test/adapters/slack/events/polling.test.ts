import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codeOf } from '#base/errors.ts';
import { until } from '../../../support/found.ts';
import { connected, fixture } from '../fixture.ts';
import { manualClock } from '../harness.ts';

const polling = { connection: 'polling' } as const;

test('polling with a refused token ends with a message (H7)', async (t) => {
  const { channel, sink } = await fixture(t, { ...polling, channel: { botToken: 'xoxb-wrong' } });
  await assert.rejects(channel.run(sink, new AbortController().signal), (error) => {
    return codeOf(error) === 'slack_token_refused';
  });
  assert.equal(sink.states.at(-1)?.state, 'failed');
});

test('polling hands in nothing that was written before the first start, and everything after it once (T1)', async (t) => {
  const made = await fixture(t, polling);
  await made.sandbox.say({ chat: 'dm', user: 'you', text: 'old' });
  await made.start();
  await made.sandbox.say({ chat: 'dm', user: 'you', text: 'new' });
  await made.sandbox.say({ chat: 'room', user: 'guest', text: 'hello', mention: true });
  await until('both', () => made.sink.messages.length === 2);
  const { lives } = made.sink;
  await until('more rounds', () => made.sink.lives > lives + 2);
  assert.deepEqual(
    made.sink.received.map((event) => (event.type === 'message' ? event.text : event.type)).sort(),
    ['hello', 'new'],
  );
  assert.equal(made.sandbox.connections(), 0);
});

test('polling fetches what was missed page by page, oldest first, and notices do not hold it up (A4, TM)', async (t) => {
  const made = await connected(t, polling);
  await made.stop();
  for (let n = 1; n <= 120; n += 1)
    await made.sandbox.say({ chat: 'room', user: 'guest', text: `${n}`, mention: true });
  const { id } = made.sandbox.join('guest');
  await made.start();
  await until('all', () => made.sink.messages.length === 120);
  assert.deepEqual(
    made.sink.messages.map((message) => message.text),
    Array.from({ length: 120 }, (_, index) => `${index + 1}`),
  );
  await until('the join passed', () => made.sink.cursors.get('channel:C0ROOM000') === id);
});

test('polling sees replies in threads that the bot takes part in (F4)', async (t) => {
  const { sandbox, sink } = await connected(t, polling);
  const { id } = await sandbox.say({ chat: 'private', user: 'you', text: 'first', mention: true });
  await until('the mention', () => sink.messages.length === 1);
  await sandbox.say({ chat: 'private', user: 'you', text: 'second', thread: id });
  await until('the reply', () => sink.messages.length === 2);
  assert.equal(sink.messages[1]?.address.thread, id);
  assert.deepEqual(sink.messages[1]?.room, {
    names: { space: 'Sandbox', channel: 'private' },
    restricted: true,
  });
});

test('polling reports an edit once, and of an unfurl never (A9, A10)', async (t) => {
  const { sandbox, sink } = await connected(t, polling);
  const { id } = await sandbox.say({ chat: 'dm', user: 'you', text: 'frist' });
  await until('the message', () => sink.messages.length === 1);
  await sandbox.editMessage(id, 'first');
  await until('the edit', () => sink.received.length === 2);
  sandbox.unfurl(id);
  const { lives } = sink;
  await until('more rounds', () => sink.lives > lives + 2);
  assert.equal(sink.received.length, 2);
  assert.equal(sink.received[1]?.type, 'edit');
});

test('a rate limit is waited out, and polling continues', async (t) => {
  const clock = manualClock();
  const made = await connected(t, { ...polling, channel: { clock } });
  const { sandbox, sink } = made;
  await sandbox.say({ chat: 'dm', user: 'you', text: 'hello' });
  sandbox.inject({ kind: 'rate_limit', target: 'receive', times: 1, retryAfterMs: 20_000 });
  clock.advance(100);
  await until(
    'the refusal',
    () => sandbox.calls().some((call) => call.status === 429) && clock.sleepers() === 1,
  );
  const calls = sandbox.calls().length;
  clock.advance(19_000);
  assert.equal(sandbox.calls().length, calls);
  clock.advance(1000);
  await until('the message', () => sink.messages.length === 1);
});

test('without the scope for one kind of chat the others are still read (F5)', async (t) => {
  const scopes = ['chat:write', 'im:history', 'im:read', 'users:read'];
  const made = await fixture(t, { ...polling, sandbox: { scopes } });
  const { sandbox, sink } = made;
  await made.start(3);
  await sandbox.say({ chat: 'dm', user: 'guest', text: 'hello' });
  await until('the message', () => sink.messages.length === 1);
});
