import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WebSocket } from 'ws';
import { until } from '../../support/found.ts';
import { type Body, client } from './client.ts';

function eventOf(frame: Body | undefined): Body {
  const payload = frame?.payload as Body;
  return payload.event as Body;
}

test('a ticket is valid for one connection', async (t) => {
  const { call, sandbox } = await client(t);
  const { url } = await call('apps.connections.open', {}, sandbox.tokens.app);
  const first = new WebSocket(String(url));
  t.after(() => first.terminate());
  await new Promise((resolve) => first.once('open', resolve));
  const second = new WebSocket(String(url));
  const error = await new Promise<Error>((resolve) => second.once('error', resolve));
  assert.match(error.message, /401/);
});

test('a connection is greeted, and an envelope that is not acknowledged comes again three times', async (t) => {
  const { connect, sandbox } = await client(t, { ackMs: 20 });
  const { frames } = await connect(() => false);
  assert.equal(frames[0]?.type, 'hello');
  await sandbox.say({ chat: 'dm', user: 'you', text: 'hello' });
  await until('four deliveries', () => frames.length === 5);
  assert.deepEqual(
    frames.slice(1).map(({ retry_attempt: attempt, retry_reason: reason }) => [attempt, reason]),
    [
      [0, ''],
      [1, 'timeout'],
      [2, 'timeout'],
      [3, 'timeout'],
    ],
  );
  assert.equal(new Set(frames.slice(1).map((frame) => frame.envelope_id)).size, 4);
  assert.equal(new Set(frames.slice(1).map((frame) => (frame.payload as Body).event_id)).size, 1);
});

test('a mention comes as two events whose order alternates, or is the requested one', async (t) => {
  const { connect, sandbox } = await client(t);
  const { frames } = await connect(() => true);
  await sandbox.say({ chat: 'room', user: 'you', text: 'one', mention: true });
  await sandbox.say({ chat: 'room', user: 'you', text: 'two', mention: true });
  await until('four events', () => frames.length === 5);
  const types = frames.slice(1).map((frame) => eventOf(frame).type);
  assert.deepEqual(types, ['app_mention', 'message', 'message', 'app_mention']);
  assert.equal(eventOf(frames[1]).ts, eventOf(frames[2]).ts);
});

test('what the bot posts, edits and deletes comes as events, too', async (t) => {
  const { call, connect } = await client(t);
  const { frames } = await connect(() => true);
  const { ts } = await call('chat.postMessage', { channel: 'D0YOU0000', text: 'mine' });
  await call('chat.update', { channel: 'D0YOU0000', ts: String(ts), text: 'edited' });
  await call('chat.delete', { channel: 'D0YOU0000', ts: String(ts) });
  await until('three events', () => frames.length === 4);
  const events = frames.slice(1).map(eventOf);
  assert.deepEqual(
    events.map((event) => event.subtype),
    [undefined, 'message_changed', 'message_deleted'],
  );
  assert.equal(events[0]?.bot_id, 'B0PARLEY0');
});

test('an edited mention is a change and a second mention, an unfurl a change alone', async (t) => {
  const { connect, sandbox } = await client(t);
  const { id } = await sandbox.say({ chat: 'room', user: 'you', text: 'one', mention: true });
  const { frames } = await connect(() => true);
  await sandbox.editMessage(id, 'two');
  sandbox.unfurl(id);
  await until('three events', () => frames.length === 4);
  const [changed, mention, unfurl] = frames.slice(1).map(eventOf);
  assert.equal(changed?.subtype, 'message_changed');
  assert.equal(mention?.type, 'app_mention');
  assert.ok(mention?.edited !== undefined);
  assert.ok(unfurl !== undefined);
  assert.equal((unfurl.message as Body).text, (unfurl.previous_message as Body).text);
});

test('events go to one of several connections, a drop gives notice, and what nobody hears is lost', async (t) => {
  const { connect, sandbox } = await client(t);
  const one = await connect(() => true);
  const two = await connect(() => true);
  for (const text of ['a', 'b', 'c', 'd']) await sandbox.say({ chat: 'dm', user: 'you', text });
  await until('four events', () => one.frames.length + two.frames.length === 6);
  assert.equal(one.frames.length, 3);
  sandbox.inject({ kind: 'drop_socket' });
  await until('the end', () => sandbox.connections() === 0);
  assert.equal(one.frames.at(-1)?.type, 'disconnect');
  assert.equal(one.frames.at(-1)?.reason, 'refresh_requested');
  await sandbox.say({ chat: 'dm', user: 'you', text: 'unheard' });
  const three = await connect(() => true);
  await sandbox.say({ chat: 'dm', user: 'you', text: 'heard' });
  await until('the next', () => three.frames.length === 2);
  assert.equal(eventOf(three.frames[1]).text, 'heard');
});

test('a client that reads nothing is cut off once eight megabytes wait for it, and another one gets its events', async (t) => {
  const { connect, sandbox } = await client(t, { ackMs: 600_000 });
  const { socket } = await connect(() => true);
  socket.pause();
  const closed = new Promise<[number, string]>((resolve) => {
    socket.once('close', (code, reason) => resolve([code, reason.toString()]));
  });
  let isClosed = false;
  void closed.then(() => {
    isClosed = true;
  });
  // what the buffers of two sockets hold, and the bound behind them
  for (let sent = 0; sent < 1_500; sent += 1)
    await sandbox.say({ chat: 'dm', user: 'you', text: `${sent} ${'x'.repeat(35_000)}` });
  const { frames } = await connect(() => true);
  assert.equal(isClosed, false, 'it has not read the end yet');
  socket.resume();
  assert.deepEqual(await closed, [1008, 'This client reads too slowly.']);
  await sandbox.say({ chat: 'dm', user: 'you', text: 'hello' });
  await until('the event', () => JSON.stringify(frames).includes('hello'));
});
