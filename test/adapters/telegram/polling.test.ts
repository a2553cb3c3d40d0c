// The long-polling loop against faults: nothing lost, nothing doubled, never deaf, and every fault in words.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestClock } from '../../sandbox/telegram/test-clock.ts';
import { until } from '../../support/found.ts';
import { createBench } from './bench.ts';
import { createMemorySink } from './memory-sink.ts';

test('six messages that waited while nobody listened are handled in order (A4)', async (t) => {
  const { sandbox, sink, start } = await createBench(t);
  const said = ['1', '2', '3', '4', '5', '6'];
  for (const text of said) await sandbox.say({ chat: 'dm', user: 'you', text });
  sandbox.setWebhook('https://example.com/hook');
  start();
  await until('six messages', () => sink.events.length === 6);
  assert.deepEqual(sink.texts(), said);
});

test('a restart in the middle loses nothing and answers nothing again (A1, TI)', async (t) => {
  const { sandbox, sink, start, again } = await createBench(t);
  for (const text of ['1', '2', '3', '4']) await sandbox.say({ chat: 'dm', user: 'you', text });
  const held = Promise.withResolvers<void>();
  sink.beforeAccept = async (event) => {
    if (event.type === 'message' && event.text === '3') await held.promise;
  };
  const first = start();
  await until('two messages', () => sink.events.length === 2);
  const stopped = first.stop();
  held.reject(new Error('killed'));
  await stopped;
  assert.deepEqual(sink.texts(), ['1', '2']);
  sink.beforeAccept = async () => {};
  const second = start(again());
  await until('four messages', () => sink.events.length === 4);
  await second.stop();
  start(again());
  await sandbox.say({ chat: 'dm', user: 'you', text: '5' });
  await until('five messages', () => sink.events.length === 5);
  assert.deepEqual(sink.texts(), ['1', '2', '3', '4', '5']);
  assert.equal(sink.duplicates, 0);
});

test('a chat whose message cannot be stored yet holds up no other; after a restart it comes again, and the others are not doubled', async (t) => {
  const { sandbox, sink, start, again } = await createBench(t);
  await sandbox.say({ chat: 'room', user: 'you', text: `@${sandbox.botName} held` });
  for (const text of ['1', '2']) await sandbox.say({ chat: 'dm', user: 'you', text });
  await sandbox.say({ chat: 'room', user: 'you', text: `@${sandbox.botName} behind it` });
  const held = Promise.withResolvers<void>();
  sink.beforeAccept = async (event) => {
    if (event.type === 'message' && event.text === 'held') await held.promise;
  };
  const first = start();
  await until('what the other chat holds', () => sink.texts().includes('2'));
  assert.deepEqual(sink.texts(), ['1', '2'], 'in the order of its chat, and nothing passes the one before');
  assert.equal(sink.cursors.get('updates'), undefined, 'nothing is confirmed beyond what waits');
  const stopped = first.stop();
  held.reject(new Error('killed'));
  await stopped;
  sink.beforeAccept = async () => {};
  const second = start(again());
  await until('all four messages', () => sink.messages().length === 4);
  await until('the confirmation of all', () => sandbox.pendingUpdates() === 0);
  await second.stop();
  assert.deepEqual(sink.texts().slice(2), ['held', 'behind it']);
  assert.equal(sink.duplicates, 2, 'the two came again and were known');
});

test('an update is offered again until it is stored, and none passes it (A5)', async (t) => {
  const channelClock = createTestClock();
  const { sandbox, sink, start } = await createBench(t, { channelClock });
  sink.failing = 2;
  await sandbox.say({ chat: 'dm', user: 'you', text: 'first' });
  await sandbox.say({ chat: 'dm', user: 'you', text: 'second' });
  start();
  for (const left of [1, 0]) {
    await until('a failed attempt', () => sink.failing === left && channelClock.sleeping() === 1);
    assert.deepEqual(sink.texts(), []);
    assert.equal(sandbox.pendingUpdates(), 2);
    channelClock.advance(30_000);
  }
  await until('both messages', () => sink.events.length === 2);
  assert.deepEqual(sink.texts(), ['first', 'second']);
  assert.match(sink.states.find(({ state }) => state === 'reconnecting')?.detail ?? '', /the disk is full/);
  assert.equal(sink.lastState(), 'ready');
});

test('updates that mean nothing move the cursor and nothing else', async (t) => {
  const { sandbox, sink, start } = await createBench(t);
  sandbox.createTopic('Plans', 'you');
  start();
  await until('the cursor', () => sink.cursors.size === 1);
  assert.deepEqual(sink.events, []);
});

test('a second poller is reported in words, backed off from, and survived (H6)', async (t) => {
  const channelClock = createTestClock();
  const { sandbox, sink, start, again } = await createBench(t, { channelClock });
  start();
  await until('the long poll', sandbox.polling);
  const other = createMemorySink();
  const over = new AbortController();
  const rival = again().run(other, over.signal);
  await until('a conflict', () => sink.lastState() === 'reconnecting');
  assert.match(sink.states.at(-1)?.detail ?? '', /Another program is fetching the updates of this bot/);
  over.abort();
  await rival;
  await until('the pause', () => channelClock.sleeping() === 1);
  channelClock.advance(30_000);
  await until('the next long poll', sandbox.polling);
  await sandbox.say({ chat: 'dm', user: 'you', text: 'still here' });
  await until(
    'the message',
    () => sink.texts().includes('still here') || other.texts().includes('still here'),
  );
  await until('ready again', () => sink.lastState() === 'ready');
});

test('a webhook that someone sets in the meantime is reported with its hint, in the status and the log, and got over (H6)', async (t) => {
  const channelClock = createTestClock();
  const { sandbox, sink, start, logged } = await createBench(t, { channelClock });
  start();
  await until('the long poll', sandbox.polling);
  sandbox.setWebhook('https://old.example/hook');
  const words = /A webhook is set for this bot.*deleteWebhook.*restart Parley/;
  await until('the words', () => words.test(sink.states.at(-1)?.detail ?? ''));
  await until('the pause', () => channelClock.sleeping() === 1);
  channelClock.advance(30_000);
  await until('the next attempt', () => sink.states.length > 3 && channelClock.sleeping() === 1);
  assert.deepEqual(
    sink.states.filter(({ detail = '' }) => /Another program/.test(detail)),
    [],
  );
  assert.equal(sink.lastState(), 'reconnecting');
  assert.ok(logged.some((line) => words.test(line)));
  sandbox.setWebhook('');
  await sandbox.say({ chat: 'dm', user: 'you', text: 'still here' });
  await until('the pause', () => channelClock.sleeping() === 1);
  channelClock.advance(30_000);
  await until('the message', () => sink.texts().includes('still here'));
  await until('ready again', () => sink.lastState() === 'ready');
});

test('a poll that hangs is cut after 40 s and built again, and only completed polls show that the connection works (H1)', async (t) => {
  const channelClock = createTestClock();
  const sandboxClock = createTestClock();
  const { sandbox, sink, start } = await createBench(t, { channelClock, clock: sandboxClock });
  start();
  await until('the long poll', sandbox.polling);
  sandbox.inject({ kind: 'slow', target: 'receive', times: 1, delayMs: 3_600_000 });
  await sandbox.say({ chat: 'dm', user: 'you', text: 'before' });
  const hung = () => sandboxClock.sleeping() > 0 && !sandbox.polling() && sink.events.length === 1;
  await until('the next poll to hang', hung);
  const alive = sink.signsOfLife;
  await sandbox.say({ chat: 'dm', user: 'you', text: 'meanwhile' });
  channelClock.advance(39_000);
  assert.equal(sink.signsOfLife, alive);
  channelClock.advance(1_000);
  await until('the report', () => sink.lastState() === 'reconnecting');
  assert.match(sink.states.at(-1)?.detail ?? '', /took longer than 40000 ms/);
  assert.equal(sink.signsOfLife, alive);
  channelClock.advance(1_000);
  await until('the message', () => sink.texts().includes('meanwhile'));
  assert.equal(sink.lastState(), 'ready');
  assert.ok(sink.signsOfLife > alive);
});

test('a dropped connection and a server error are reported and got over', async (t) => {
  const channelClock = createTestClock();
  const { sandbox, sink, start } = await createBench(t, { channelClock });
  start();
  await until('the long poll', sandbox.polling);
  sandbox.inject({ kind: 'server_error', target: 'receive', times: 1 });
  sandbox.inject({ kind: 'drop_socket' });
  for (const words of [/Network request for 'getUpdates' failed/, /Internal Server Error/]) {
    await until('the report', () => words.test(sink.states.at(-1)?.detail ?? ''));
    await until('the pause', () => channelClock.sleeping() === 1);
    channelClock.advance(30_000);
  }
  await sandbox.say({ chat: 'dm', user: 'you', text: 'back' });
  await until('the message', () => sink.texts().includes('back'));
});

test('at start, an unreachable server is tried again and a refusal to wait is heeded (TO)', async (t) => {
  const channelClock = createTestClock();
  const { sandbox, sink, start } = await createBench(t, { channelClock });
  sandbox.inject({ kind: 'rate_limit', target: 'any', times: 1, retryAfterMs: 120_000 });
  start();
  await until('the pause', () => channelClock.sleeping() === 1);
  assert.match(sink.states.at(-1)?.detail ?? '', /Too Many Requests: retry after 120/);
  channelClock.advance(119_000);
  assert.equal(sandbox.calls().length, 1);
  channelClock.advance(1_000);
  await until('ready', () => sink.lastState() === 'ready');
});

test('a refused token ends the run with a message that does not hold it (H7)', async (t) => {
  const { sandbox, sink, start, logged } = await createBench(t);
  const { ended } = start();
  await until('the long poll', sandbox.polling);
  sandbox.revokeToken();
  await sandbox.say({ chat: 'dm', user: 'you', text: 'anything that ends the poll' });
  await assert.rejects(ended, (error: Error & { code?: string }) => {
    assert.equal(error.code, 'telegram_auth');
    assert.match(error.message, /Unauthorized.*@BotFather.*TELEGRAM_BOT_TOKEN/);
    return true;
  });
  assert.equal(sink.lastState(), 'failed');
  const everything = JSON.stringify([sink.states, logged]);
  assert.ok(!everything.includes(sandbox.tokens.bot));
});

test('what is no token at all ends the run, too', async (t) => {
  const { start, again } = await createBench(t);
  await assert.rejects(start(again({ token: 'not-a-token' })).ended, /bot token is not valid/);
});

test('stopping ends a waiting poll at once and is no failure', async (t) => {
  const { sandbox, sink, start } = await createBench(t);
  const run = start();
  await until('the long poll', sandbox.polling);
  await run.stop();
  await run.ended;
  assert.equal(sink.lastState(), 'stopped');
  await until('the poll to be gone', () => !sandbox.polling());
});
