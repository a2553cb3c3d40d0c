// What people do on Discord and what the gateway is told of it, through the real discord.js and the sandbox's server.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { DiscordSandbox } from '#sandbox/discord/server.ts';
import { until } from '../../../support/found.ts';
import { type Connected, connect, type MemorySink, openSandbox } from '../harness.ts';

let sandbox: DiscordSandbox;
let connected: Connected;
let sink: MemorySink;
let close: () => Promise<void>;

before(async () => {
  const opened = await openSandbox();
  ({ sandbox } = opened);
  connected = await connect({ sandbox });
  ({ sink } = connected);
  close = async () => {
    await connected.stop();
    await opened[Symbol.asyncDispose]();
  };
});
after(() => close());

/** The event of a message, once it came. */
async function eventOf(id: string) {
  await until(`the message ${id} came`, () => sink.messages().some(({ nativeID }) => nativeID === id));
  const event = sink.messages().find(({ nativeID }) => nativeID === id);
  assert.ok(event);
  return event;
}

test("the bot's own messages and Discord's notes are not handed in, but the cursor passes them", async () => {
  const address = (await eventOf((await sandbox.say({ chat: 'dm', user: 'you', text: 'hi' })).id)).address;
  const sent = await connected.channel.send(
    address,
    { text: 'own', body: { content: 'own' } },
    { key: 'k1' },
  );
  const name = `channel:${address.chat}`;
  await until('the cursor passed it', () => sink.cursors.get(name) === sent.nativeID);
  assert.equal(
    sink.messages().some(({ nativeID }) => nativeID === sent.nativeID),
    false,
  );
});

test('a direct message is addressed as such and names its sender by id', async () => {
  const { id } = await sandbox.say({ chat: 'dm', user: 'guest', text: 'hello **there**' });
  const event = await eventOf(id);
  assert.deepEqual(event.address, {
    platform: 'discord',
    account: sandbox.botID,
    chat: sandbox.channelID('dm', 'guest'),
    kind: 'dm',
  });
  assert.deepEqual(event.actor, { id: sandbox.userID('guest'), name: 'Guest', isBot: false });
  assert.equal(event.addressed, 'dm');
  assert.equal(event.text, 'hello **there**');
  assert.equal(event.room, undefined);
  assert.ok(Math.abs(event.at - Date.now()) < 60_000);
  assert.equal(sink.cursors.get(`channel:${event.address.chat}`), id);
});

test('a mention of the bot, by account or by its role, addresses it and is taken out of the text (T4)', async () => {
  const first = await eventOf(
    (await sandbox.say({ chat: 'room', user: 'you', text: 'what is new?', mention: true })).id,
  );
  assert.equal(first.addressed, 'mention');
  assert.equal(first.text, 'what is new?');
  assert.deepEqual(first.room, { names: { space: 'Sandbox', channel: 'general' }, restricted: false });
  assert.deepEqual(first.address, {
    platform: 'discord',
    account: sandbox.botID,
    space: sandbox.guildID,
    chat: sandbox.channelID('room', 'you'),
    kind: 'channel',
  });
  const nick = `hey <@!${sandbox.botID}>, and <@${sandbox.userID('guest')}> in <#${first.address.chat}>`;
  const second = await eventOf((await sandbox.say({ chat: 'room', user: 'you', text: nick })).id);
  assert.equal(second.addressed, 'mention');
  assert.equal(second.text, 'hey and @Guest in #general');
  const role = `<@&${sandbox.botRoleID}> all of you`;
  const third = await eventOf((await sandbox.say({ chat: 'room', user: 'you', text: role })).id);
  assert.equal(third.addressed, 'mention');
  assert.equal(third.text, 'all of you');
});

test('a room message that is not meant for the bot is handed in as such (T3)', async () => {
  const event = await eventOf((await sandbox.say({ chat: 'room', user: 'guest', text: 'lunch?' })).id);
  assert.equal(event.addressed, 'none');
  const everyone = await eventOf((await sandbox.say({ chat: 'room', user: 'guest', text: '@everyone' })).id);
  assert.equal(everyone.addressed, 'none');
});

test("a reply to the bot's message addresses it and brings the quoted text (T4)", async () => {
  const asked = await eventOf(
    (await sandbox.say({ chat: 'room', user: 'you', text: 'q', mention: true })).id,
  );
  const part = { text: 'the answer', body: { content: 'the **answer**' } };
  const { nativeID } = await connected.channel.send(asked.address, part, { key: 'k2' });
  const event = await eventOf(
    (await sandbox.say({ chat: 'room', user: 'guest', text: 'why?', replyTo: nativeID })).id,
  );
  assert.equal(event.addressed, 'reply');
  assert.deepEqual(event.quoted, { nativeID, author: 'parley', text: 'the **answer**', fromBot: true });
  const other = await eventOf(
    (await sandbox.say({ chat: 'room', user: 'you', text: 'hm', replyTo: event.nativeID })).id,
  );
  assert.equal(other.addressed, 'none');
  assert.deepEqual(other.quoted, {
    nativeID: event.nativeID,
    author: 'Guest',
    text: 'why?',
    fromBot: false,
  });
});

test('the chat of a thread is its room, and an answer goes into the thread (TQ)', async () => {
  const start = await sandbox.say({ chat: 'room', user: 'you', text: 'a topic' });
  const { id } = await sandbox.say({ chat: 'room', user: 'you', text: 'in it', thread: start.id });
  const event = await eventOf(id);
  assert.equal(event.address.chat, sandbox.channelID('room', 'you'));
  assert.equal(event.address.thread, start.id);
  assert.deepEqual(event.room, {
    names: { space: 'Sandbox', channel: 'general', thread: 'a topic' },
    restricted: false,
  });
  assert.equal(sink.cursors.get(`channel:${start.id}`), id);
  await connected.channel.send(event.address, { text: 'x', body: { content: 'there' } }, { key: 'k3' });
  const last = sandbox.shown('room', 'you').at(-1);
  assert.equal(last?.text, 'there');
  assert.equal(last?.thread, start.id);
});

test('a room that not everyone may read is restricted, and so is a private thread', async () => {
  const hidden = await eventOf((await sandbox.say({ chat: 'private', user: 'you', text: 'psst' })).id);
  assert.deepEqual(hidden.room, { names: { space: 'Sandbox', channel: 'private' }, restricted: true });
  const thread = sandbox.openThread({ chat: 'room', name: 'secret', privacy: 'private' });
  const inside = await eventOf(
    (await sandbox.say({ chat: 'room', user: 'you', text: 'psst', thread: thread.id })).id,
  );
  assert.deepEqual(inside.room, {
    names: { space: 'Sandbox', channel: 'general', thread: 'secret' },
    restricted: true,
    privateThread: true,
  });
  assert.deepEqual(
    [inside.address.chat, inside.address.thread],
    [sandbox.channelID('room', 'you'), thread.id],
  );
});

test('an edit is an edit of the message, never a second message (A9, A11)', async () => {
  const { id } = await sandbox.say({ chat: 'room', user: 'you', text: 'helo', mention: true });
  const event = await eventOf(id);
  await sandbox.editMessage(id, `<@${sandbox.botID}> hello`);
  await until('the edit came', () => sink.edits().some(({ nativeID }) => nativeID === id));
  const edit = sink.edits().find(({ nativeID }) => nativeID === id);
  assert.equal(edit?.text, 'hello');
  assert.deepEqual(edit?.address, event.address);
  assert.equal(sink.messages().filter(({ nativeID }) => nativeID === id).length, 1);
});

test('the preview of a link is no edit, before and after a real one (A10)', async () => {
  const { id } = await sandbox.say({ chat: 'room', user: 'you', text: 'see https://example.com' });
  await eventOf(id);
  sandbox.unfurl(id);
  await sandbox.editMessage(id, 'look at https://example.com');
  sandbox.unfurl(id);
  const next = await sandbox.say({ chat: 'room', user: 'you', text: 'after it' });
  await eventOf(next.id);
  assert.deepEqual(
    sink
      .edits()
      .filter(({ nativeID }) => nativeID === id)
      .map(({ text }) => text),
    ['look at https://example.com'],
  );
});

test('a deleted message is reported, with its place', async () => {
  const { id } = await sandbox.say({ chat: 'dm', user: 'you', text: 'oops' });
  const { address } = await eventOf(id);
  await sandbox.deleteMessage(id);
  await until('the deletion came', () => sink.events.some(({ type }) => type === 'delete'));
  const event = sink.events.find(({ type }) => type === 'delete');
  assert.ok(event?.type === 'delete');
  assert.equal(event.nativeID, id);
  assert.deepEqual(event.address, address);
});

test('the same message delivered twice is one message (A2)', async () => {
  const { id } = await sandbox.say({ chat: 'dm', user: 'you', text: 'once' });
  await eventOf(id);
  const before = sink.duplicates();
  await sandbox.redeliver(id);
  await until('it came again', () => sink.duplicates() > before);
  assert.equal(sink.messages().filter(({ nativeID }) => nativeID === id).length, 1);
});
