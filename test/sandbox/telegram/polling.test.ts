// Long polling of the Telegram sandbox: what is delivered, when it is confirmed, who may poll.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '#base/clock.ts';
import { createTelegramSandbox } from '#sandbox/telegram/server.ts';
import { until } from '../../support/found.ts';
import { type Answer, callerOf } from './bot-api.ts';
import { createTestClock } from './test-clock.ts';

const texts = ({ result }: Answer): string[] =>
  result.map((update: { message?: { text: string } }) => update.message?.text ?? '-');

test('only a higher offset confirms an update', async (t) => {
  const sandbox = await createTelegramSandbox({ clock: systemClock });
  t.after(() => sandbox.close());
  const call = callerOf(sandbox);
  for (const text of ['one', 'two', 'three']) await sandbox.say({ chat: 'dm', user: 'you', text });
  const first = await call('getUpdates', { limit: 2 });
  assert.deepEqual(texts(first), ['one', 'two']);
  assert.deepEqual(texts(await call('getUpdates')), ['one', 'two', 'three']);
  const offset = first.result[0].update_id + 1;
  assert.deepEqual(texts(await call('getUpdates', { offset })), ['two', 'three']);
  assert.deepEqual(texts(await call('getUpdates')), ['two', 'three']);
  assert.deepEqual(texts(await call('getUpdates', { offset: -1 })), ['three']);
  assert.equal(sandbox.pendingUpdates(), 1);
  assert.deepEqual(texts(await call('getUpdates', { offset: offset + 1_000_000 })), ['three']);
});

test('a poll waits for what comes, and for no longer than it said', async (t) => {
  const clock = createTestClock();
  const sandbox = await createTelegramSandbox({ clock });
  t.after(() => sandbox.close());
  const call = callerOf(sandbox);
  const waiting = call('getUpdates', { timeout: 30 });
  await until('the poll waits', sandbox.polling);
  await sandbox.say({ chat: 'dm', user: 'you', text: 'now' });
  const { result } = await waiting;
  assert.equal(result[0].message.text, 'now');
  const empty = call('getUpdates', { timeout: 30, offset: result[0].update_id + 1 });
  await until('the second poll waits', sandbox.polling);
  clock.advance(30_000);
  assert.deepEqual((await empty).result, []);
});

test('a second poll ends the first with a conflict and a message (H6)', async (t) => {
  const sandbox = await createTelegramSandbox({ clock: systemClock });
  t.after(() => sandbox.close());
  const call = callerOf(sandbox);
  const first = call('getUpdates', { timeout: 30 });
  await until('the first poll waits', sandbox.polling);
  await call('getUpdates');
  const { status, description } = await first;
  assert.equal(status, 409);
  assert.equal(
    description,
    'Conflict: terminated by other getUpdates request; make sure that only one bot instance is running',
  );
  sandbox.setWebhook('https://example.com/hook');
  assert.match(
    (await call('getUpdates')).description ?? '',
    /^Conflict: can't use getUpdates method while webhook/,
  );
  await call('deleteWebhook');
  assert.equal((await call('getUpdates')).ok, true);
});

test('updates that a poll does not allow do not wait for a later one', async (t) => {
  const sandbox = await createTelegramSandbox({ clock: systemClock });
  t.after(() => sandbox.close());
  const call = callerOf(sandbox);
  await call('getUpdates', { allowed_updates: ['edited_message'] });
  const { id } = await sandbox.say({ chat: 'dm', user: 'you', text: 'unheard' });
  await sandbox.editMessage(id, 'heard');
  const { result } = await call('getUpdates');
  assert.deepEqual(
    result.map((update: { edited_message?: { text: string } }) => update.edited_message?.text),
    ['heard'],
  );
});

test('faults fit their target, are counted down, and a lost response has had its effect', async (t) => {
  const clock = createTestClock();
  const sandbox = await createTelegramSandbox({ clock });
  t.after(() => sandbox.close());
  const call = callerOf(sandbox);
  const chat_id = sandbox.userID('you');
  const say = (text: string) => call('sendMessage', { chat_id, text });
  sandbox.inject({ kind: 'server_error', target: 'send', times: 2 });
  assert.equal((await call('getMe')).ok, true);
  assert.equal((await say('a')).description, 'Internal Server Error');
  assert.equal((await say('a')).status, 500);
  assert.equal((await say('a')).ok, true);
  sandbox.inject({ kind: 'lost_response', target: 'send', times: 1 });
  await assert.rejects(say('b'));
  const shown = sandbox.shown('dm', 'you').map(({ text }) => text);
  assert.deepEqual(shown, ['a', 'b']);
  sandbox.inject({ kind: 'slow', target: 'send', times: 1, delayMs: 60_000 });
  const slow = say('c');
  await until('the slow call sleeps', () => clock.sleeping() > 0);
  assert.equal(sandbox.shown('dm', 'you').length, 2);
  clock.advance(60_000);
  assert.equal((await slow).ok, true);
  const dropped = call('getUpdates', { timeout: 30 });
  await until('the poll waits', sandbox.polling);
  sandbox.inject({ kind: 'drop_socket' });
  await assert.rejects(dropped);
  assert.deepEqual(
    sandbox.calls().map(({ name, status }) => `${name} ${status}`),
    [
      'getMe 200',
      'sendMessage 500',
      'sendMessage 500',
      'sendMessage 200',
      'sendMessage 0',
      'sendMessage 200',
      'getUpdates 0',
    ],
  );
});

test('closing the sandbox ends a waiting poll', async () => {
  const sandbox = await createTelegramSandbox({ clock: systemClock });
  const poll = callerOf(sandbox)('getUpdates', { timeout: 30 });
  await until('the poll waits', sandbox.polling);
  await Promise.all([assert.rejects(poll), sandbox.close()]);
});
