import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../../support/found.ts';
import { connected } from '../fixture.ts';
import { countingLog, manualClock } from '../harness.ts';

test('a direct message is one event with everything in it', async (t) => {
  const { sandbox, sink } = await connected(t);
  const { id } = await sandbox.say({ chat: 'dm', user: 'you', text: 'a < b & @Guest' });
  await until('the message', () => sink.messages.length === 1);
  assert.deepEqual(sink.messages[0], {
    type: 'message',
    address: { platform: 'slack', account: 'T0SANDBOX/U0PARLEY0', chat: 'D0YOU0000', kind: 'dm' },
    nativeID: id,
    at: Math.floor(Number(id) * 1000),
    actor: { id: sandbox.userID('you'), name: 'Robin', isBot: false, locale: 'en-US', zone: 'Etc/UTC' },
    addressed: 'dm',
    text: 'a < b & @Guest',
    files: [],
  });
});

for (const mentionOrder of ['mention first', 'message first'] as const) {
  test(`with ${mentionOrder}, a mention is exactly one accepted event, in its own thread (A6, A7)`, async (t) => {
    const { sandbox, sink } = await connected(t, { sandbox: { mentionOrder } });
    const { id } = await sandbox.say({ chat: 'room', user: 'guest', text: 'hello', mention: true });
    await until('both events', () => sink.received.length === 2 && sink.answers.length === 2);
    assert.deepEqual(sink.received[0], sink.received[1]);
    assert.deepEqual(sink.answers, ['accepted', 'duplicate']);
    assert.equal(sink.messages[0]?.addressed, 'mention');
    assert.equal(sink.messages[0]?.text, 'hello');
    assert.deepEqual(sink.messages[0]?.address, {
      platform: 'slack',
      account: 'T0SANDBOX/U0PARLEY0',
      space: 'T0SANDBOX',
      chat: 'C0ROOM000',
      thread: id,
      kind: 'channel',
    });
    assert.deepEqual(sink.messages[0]?.room, {
      names: { space: 'Sandbox', channel: 'room' },
      restricted: false,
    });
  });
}

test('a message in a room that does not name the bot is handed in as not addressed', async (t) => {
  const { sandbox, sink } = await connected(t);
  const { id } = await sandbox.say({ chat: 'room', user: 'you', text: 'among us' });
  await until('the message', () => sink.answers.length === 1);
  const [event] = sink.received;
  assert.ok(event?.type === 'message');
  assert.equal(event.addressed, 'none');
  assert.equal(event.address.thread, undefined);
  assert.equal(sink.cursors.get('channel:C0ROOM000'), id);
});

test('a follow-up in a thread has the address of the mention that opened it (F4)', async (t) => {
  const { sandbox, sink, channel } = await connected(t);
  const { id } = await sandbox.say({ chat: 'room', user: 'you', text: 'first', mention: true });
  await until('the mention', () => sink.messages.length === 1);
  const [first] = sink.messages;
  assert.ok(first);
  const part = { text: 'answer', body: { text: 'answer' } };
  await channel.send(first.address, part, { key: 'k1' });
  await sandbox.say({ chat: 'room', user: 'you', text: 'second', thread: id });
  await sandbox.say({ chat: 'room', user: 'guest', text: 'elsewhere' });
  await until('the follow-up', () => sink.messages.length === 2);
  assert.deepEqual(sink.messages[1]?.address, first.address);
  assert.equal(sink.messages[1]?.addressed, 'none');
  assert.equal(sandbox.shown('room', 'you')[1]?.thread, id);
});

test('a reply in a thread that the bot began is addressed to it', async (t) => {
  const { sandbox, sink, channel } = await connected(t);
  const address = {
    platform: 'slack',
    account: 'T0SANDBOX/U0PARLEY0',
    space: 'T0SANDBOX',
    chat: 'C0ROOM000',
    kind: 'channel',
  } as const;
  const { nativeID } = await channel.send(address, { text: 'news', body: { text: 'news' } }, { key: 'k1' });
  await sandbox.say({ chat: 'room', user: 'you', text: 'thanks', thread: nativeID });
  await until('the reply', () => sink.messages.length === 1);
  assert.equal(sink.messages[0]?.addressed, 'reply');
  assert.equal(sink.messages[0]?.address.thread, nativeID);
});

test('a private channel is a restricted room', async (t) => {
  const { sandbox, sink } = await connected(t);
  await sandbox.say({ chat: 'private', user: 'you', text: 'between us', mention: true });
  await until('the mention', () => sink.messages.length === 1);
  assert.deepEqual(sink.messages[0]?.room, {
    names: { space: 'Sandbox', channel: 'private' },
    restricted: true,
  });
});

test('nothing is acknowledged before it is committed, and what failed is delivered again (A5)', async (t) => {
  const { sandbox, sink } = await connected(t, { sandbox: { ackMs: 60 } });
  let failures = 0;
  sink.before = async () => {
    failures += 1;
    if (failures === 1) throw new Error('the disk is full');
  };
  await sandbox.say({ chat: 'dm', user: 'you', text: 'do not lose me' });
  await until('the redelivery', () => sink.messages.length === 1);
  assert.deepEqual(sink.received[0], sink.received[1]);
  assert.equal(sink.messages[0]?.text, 'do not lose me');
});

test('a message that could not be accepted at first is not passed by a later one of its chat, nor is the cursor moved beyond it (A4, B4)', async (t) => {
  const clock = manualClock();
  const { log, count } = countingLog();
  const { sandbox, sink } = await connected(t, { channel: { clock, log } });
  let failures = 2;
  sink.before = async () => {
    failures -= 1;
    if (failures >= 0) throw new Error('the disk is full');
  };
  await sandbox.say({ chat: 'dm', user: 'you', text: 'first' });
  await sandbox.say({ chat: 'dm', user: 'you', text: 'second' });
  const waits = 'its chat waits';
  await until('the first attempt', () => count(waits) === 1);
  await sandbox.say({ chat: 'room', user: 'guest', text: 'another chat', mention: true });
  // it takes the second failure, and holds up nobody else
  await until('the other chat', () => count(waits) === 2);
  assert.deepEqual(sink.messages, []);
  assert.equal(sink.cursors.get('channel:D0YOU0000'), '0');
  clock.advance(2000);
  await until('all', () => sink.messages.length === 3);
  assert.deepEqual(
    sink.messages.filter(({ addressed }) => addressed === 'dm').map(({ text }) => text),
    ['first', 'second'],
  );
});

test('redeliveries of a slow hand-over are duplicates, and the acknowledgement ends them (A8)', async (t) => {
  const { sandbox, sink } = await connected(t);
  const gate = Promise.withResolvers<void>();
  sink.before = () => gate.promise;
  const { id } = await sandbox.say({ chat: 'dm', user: 'you', text: 'once' });
  await until('the first delivery', () => sink.received.length === 1);
  for (let retry = 1; retry <= 3; retry += 1) await sandbox.redeliver(id);
  gate.resolve();
  await sandbox.say({ chat: 'dm', user: 'you', text: 'twice' });
  await until('the next message', () => sink.messages.length === 2);
  assert.deepEqual(sink.answers, ['accepted', 'duplicate', 'duplicate', 'duplicate', 'accepted']);
});

test('the edit of a mention is an edit, and its second app_mention starts nothing (A9)', async (t) => {
  const { sandbox, sink } = await connected(t);
  const { id } = await sandbox.say({ chat: 'room', user: 'you', text: 'frist', mention: true });
  await until('the mention', () => sink.answers.length === 2);
  await sandbox.editMessage(id, 'first');
  await sandbox.say({ chat: 'room', user: 'you', text: 'after' });
  await until('what came after', () => sink.answers.length === 4);
  assert.deepEqual(
    sink.received.slice(2).map((event) => event.type),
    ['edit', 'message'],
  );
  const [edit, after] = sink.received.slice(2);
  assert.ok(after?.type === 'message' && after.text === 'after');
  assert.ok(edit?.type === 'edit');
  assert.equal(edit.text, 'first');
  assert.equal(edit.nativeID, id);
  assert.equal(edit.address.thread, id);
  assert.equal(sink.messages.length, 1);
});

test('an unfurled link, whose text is the same, is a preview and no edit (A10)', async (t) => {
  const { sandbox, sink } = await connected(t);
  const { id } = await sandbox.say({ chat: 'room', user: 'you', text: 'https://a.example', mention: true });
  await until('the mention', () => sink.answers.length === 2);
  sandbox.unfurl(id);
  await sandbox.say({ chat: 'room', user: 'you', text: 'after' });
  await until('what came after', () => sink.received.at(-1)?.type === 'message' && sink.answers.length === 4);
  assert.deepEqual(
    sink.received.map((event) => event.type),
    ['message', 'message', 'preview', 'message'],
  );
});

test('a deleted message is a delete', async (t) => {
  const { sandbox, sink } = await connected(t);
  const { id } = await sandbox.say({ chat: 'dm', user: 'you', text: 'oops' });
  await until('the message', () => sink.messages.length === 1);
  await sandbox.deleteMessage(id);
  await until('the delete', () => sink.received.length === 2);
  const deleted = sink.received[1];
  assert.ok(deleted?.type === 'delete');
  assert.equal(deleted.nativeID, id);
  assert.equal(deleted.address.chat, 'D0YOU0000');
});

test('own messages and joins are no messages and still move the cursor (J6, TM)', async (t) => {
  const { sandbox, sink, channel } = await connected(t);
  const room = { platform: 'slack', account: 'a', space: 's', chat: 'C0ROOM000', kind: 'channel' } as const;
  const { nativeID } = await channel.send(room, { text: 'mine', body: { text: 'mine' } }, { key: 'k' });
  await until('the own message', () => sink.cursors.get('channel:C0ROOM000') === nativeID);
  await channel.edit(room, nativeID, { text: 'mine, fixed', body: { text: 'mine, fixed' } });
  const { id } = sandbox.join('guest');
  await until('the join', () => sink.cursors.get('channel:C0ROOM000') === id);
  assert.deepEqual(
    sink.received.map(({ type }) => type),
    ['member'],
  );
});

test('a file comes with its message', async (t) => {
  const { sandbox, sink } = await connected(t);
  const bytes = new TextEncoder().encode('notes');
  sandbox.share({ chat: 'dm', user: 'you', text: 'look', name: 'a.txt', mime: 'text/plain', bytes });
  await until('the message', () => sink.messages.length === 1);
  const [file] = sink.messages[0]?.files ?? [];
  assert.equal(file?.name, 'a.txt');
  assert.equal(file?.mime, 'text/plain');
  assert.equal(file?.size, 5);
});
