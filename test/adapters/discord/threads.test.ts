// Where an answer for a Discord thread goes: into it, opened if need be, and never out of one that is gone.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createDiscordChannel } from '#adapters/discord/channel.ts';
import type { Address } from '#adapters/gateway/terms/address.ts';
import { systemClock } from '#base/clock.ts';
import { createDiscordSandbox } from '#sandbox/discord/server.ts';
import { ordinary, permissionBits } from '#sandbox/discord/world/permission-bits.ts';
import { quietLog } from '../../support/quiet-log.ts';

test('a thread is opened once at its message, and what was for one that is gone goes nowhere else (F1, TQ)', async (t) => {
  const clock = systemClock;
  const sandbox = await createDiscordSandbox({ clock });
  t.after(() => sandbox.close());
  const channel = createDiscordChannel({
    token: sandbox.tokens.bot,
    apiUrl: sandbox.url,
    clock,
    log: quietLog().log,
  });
  const chat = sandbox.channelID('room', 'you');
  const { id } = await sandbox.say({ chat: 'room', user: 'you', text: 'a <@1> question\nof two lines' });
  const address: Address = {
    platform: 'discord',
    account: sandbox.botID,
    space: sandbox.guildID,
    chat,
    thread: id,
    kind: 'channel',
  };
  const [part] = channel.render('inside');
  assert.ok(part);
  await channel.presence(address, 'typing');
  await channel.react(address, id, '👀');
  const { nativeID } = await channel.send(address, part, { key: 'k1', replyTo: id });
  await channel.edit(address, nativeID, part);
  const shown = sandbox.shown('room', 'you');
  assert.deepEqual(
    shown.map(({ text, thread, reactions }) => [text.split('\n')[0], thread, reactions]),
    [
      ['a <@1> question', undefined, ['👀']],
      ['inside', id, []],
    ],
  );
  assert.equal(sandbox.calls().filter(({ name }) => name.endsWith('/threads')).length, 1);
  const lost = { ...address, thread: sandbox.guildID };
  const error: unknown = await channel.send(lost, part, { key: 'k2' }).catch((reason) => reason);
  assert.deepEqual([channel.explain(error).kind, channel.explain(error).maybeDelivered], ['gone', false]);
  assert.equal(sandbox.shown('room', 'you').length, 2);
});

/** A channel of Discord that is not connected, for calls only, and a mention in a separate room guild. */
async function openMention(t: TestContext) {
  const sandbox = await createDiscordSandbox({ clock: systemClock });
  t.after(() => sandbox.close());
  const channel = createDiscordChannel({
    token: sandbox.tokens.bot,
    apiUrl: sandbox.url,
    clock: systemClock,
    log: quietLog().log,
    replyInThread: true,
  });
  const { places } = sandbox;
  const ann = places.addAccount('Ann');
  const space = places.addSpace('club');
  places.joinSpace(ann, space);
  const room = places.addRoom({ space, kind: 'public', name: 'hall', members: [ann] });
  const address = (chat: string, thread: string): Address => ({
    ...{ platform: 'discord', account: sandbox.botID, kind: 'channel' },
    ...{ space, chat, thread },
  });
  const [part] = channel.render('an answer');
  assert.ok(part);
  return { sandbox, channel, places, ann, space, room, address, part };
}

/** The permissions of a new guild without these. */
const without = (bits: bigint): bigint => ordinary & ~bits;

test('where the bot may not write in threads, the answer goes into the channel, and the next one opens no thread at all', async (t) => {
  const { sandbox, channel, places, ann, room, address, part } = await openMention(t);
  const deny = permissionBits.sendMessagesInThreads;
  places.admin.setOverwrite(room, { id: sandbox.botID, of: 'member', deny });
  for (const [index, text] of ['one', 'two'].entries()) {
    const id = await places.say({ account: ann, room, text });
    await channel.presence(address(room, id), 'typing');
    await channel.send(address(room, id), part, { key: `k${index}`, replyTo: id });
  }
  assert.deepEqual(
    places.messages(room).map(({ text }) => text),
    ['one', 'an answer', 'two', 'an answer'],
  );
  assert.equal(sandbox.calls().filter(({ name }) => name.endsWith('/threads')).length, 1);
});

test('the first message of a forum post, which has its id, gets the sign that it is worked on', async (t) => {
  const { channel, places, ann, space, room, address, sandbox } = await openMention(t);
  const post = places.addRoom({ space, kind: 'forum post', name: 'a post', parent: room, members: [ann] });
  const first = await places.say({ account: ann, room: post, text: 'what do you think?' });
  assert.equal(first, post);
  const forum = places.parentOf?.(post) ?? '';
  await channel.react(address(forum, post), first, '👀');
  assert.deepEqual(
    sandbox.payload(first).reactions?.map(({ emoji }) => emoji.name),
    ['👀'],
  );
});

test('the doctor names the servers where the bot may not answer in threads of its own, and the clicks', async (t) => {
  const { channel, places, space } = await openMention(t);
  const remark = async () => (await channel.check()).find(({ what }) => /threads of its own/.test(what));
  assert.equal(await remark(), undefined);
  for (const role of [space, places.admin.botRoleOf(space)])
    places.admin.changeRole(space, role, without(permissionBits.createPublicThreads));
  const found = await remark();
  assert.equal(found?.level, 'warning');
  assert.match(found?.what ?? '', /threads of its own in club: answers to mentions go into the channel/);
  assert.match(found?.hint ?? '', /Roles.*"Create Public Threads" and "Send Messages in Threads"/);
});
