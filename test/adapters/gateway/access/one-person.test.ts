// Which accounts are one person, after accounts were joined and a person was removed: roles, memory, conversations.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { ChannelAccess } from '#adapters/gateway/terms/access-types.ts';
import { as, type CommandChat, commandChat } from '../commands/kit.ts';
import { room } from '../scripted-channel.ts';
import { pairing } from './stranger-kit.ts';

const boss = as('u9', 'Boss');
const people = { boss: { role: 'owner' as const, accounts: ['discord:u9'] } };
const bob = as('s1', 'Bob');
const phone = as('s2', 'Bob on the phone');

/** Lets an account in under the name, by the code that it is given. */
async function letIn(chat: CommandChat, who: ReturnType<typeof as>, name: string, role?: 'owner' | 'guest') {
  const [, code = ''] = /`([A-Z2-9]{8})`/.exec(await chat.say('admit me', who)) ?? [];
  await chat.gateway.accessAdmin.approve({ code, name, role });
}

/** Joins the second account to the first by a code. */
async function link(chat: CommandChat, first: ReturnType<typeof as>, second: ReturnType<typeof as>) {
  const [, code = ''] = /`\/link (\w{8})`/.exec(await chat.say('/link', first)) ?? [];
  assert.match(await chat.say(`/link ${code} yes`, second), /Done/);
}

/** What a run of this account may recall, and where it was written. */
async function originOf(chat: CommandChat, who: ReturnType<typeof as>) {
  await chat.say('what do you know?', who);
  const origin = chat.engine.runs.at(-1)?.body.origin;
  assert.ok(origin !== undefined);
  return origin;
}

const start = (t: TestContext) => {
  const access = { ...pairing, directMessages: 'pairing' as ChannelAccess['directMessages'] };
  return commandChat(t, { people, access }).then((chat) => ({ chat, access }));
};

test('joining accounts by a code takes no approved role away, on either account, nor after a restart', async (t) => {
  for (const [role, words] of [
    ['owner', /an owner/],
    [undefined, /a member/],
    ['guest', /a guest/],
  ] as const) {
    const { chat } = await start(t);
    await letIn(chat, bob, 'Bob', role);
    await link(chat, bob, phone);
    for (const who of [bob, phone]) assert.match(await chat.say('/whoami', who), words);
    const person = await chat.gateway.accessAdmin.show({ name: 'Bob' });
    assert.equal(person.accounts.length, 2);
    await chat.restart();
    assert.equal((await chat.gateway.accessAdmin.show({ name: 'Bob' })).role, person.role);
    for (const who of [bob, phone]) assert.match(await chat.say('/whoami', who), words);
  }
});

test('an account that waited to be admitted waits no more once it is joined to someone who is', async (t) => {
  const { chat } = await start(t);
  await letIn(chat, bob, 'Bob');
  await chat.say('admit me', phone);
  const waiting = async () => (await chat.gateway.accessAdmin.list()).pending.map(({ userID }) => userID);
  assert.deepEqual(await waiting(), ['s2']);
  await link(chat, bob, phone);
  assert.deepEqual(await waiting(), []);
});

test('joining accounts by a code takes no role of the config away', async (t) => {
  const { chat } = await start(t);
  await link(chat, boss, phone);
  for (const who of [boss, phone]) assert.match(await chat.say('/whoami', who), /an owner/);
});

test("a removed person's accounts reach each other no more, and neither do those of a later person of that name", async (t) => {
  const { chat, access } = await start(t);
  await letIn(chat, bob, 'Bob');
  await link(chat, bob, phone);
  const both = await originOf(chat, bob);
  assert.equal(both.reach.audiences.length, 2);
  assert.match(await chat.say('/sessions', phone), /ses_1/);
  await chat.gateway.accessAdmin.remove({ name: 'Bob' });
  assert.deepEqual(
    (await chat.gateway.accessAdmin.list()).people.map(({ name }) => name),
    ['boss'],
  );
  const other = as('s3', 'Bob');
  await letIn(chat, other, 'Bob', 'owner');
  access.directMessages = 'open';
  for (const who of [bob, phone, other]) {
    const { reach, audience } = await originOf(chat, who);
    assert.deepEqual(reach.audiences, [audience], 'only what was written on the account itself');
  }
  assert.doesNotMatch(await chat.say('/sessions', phone), /ses_1/);
  assert.match(await chat.say('/whoami', bob), /a guest/, 'the role went with the person');
  assert.match(await chat.say('/whoami', other), /an owner/);
  assert.deepEqual(
    (await chat.gateway.accessAdmin.show({ name: 'Bob' })).accounts.map(({ userID }) => userID),
    ['s3'],
  );
});

test('an account that is taken away from a person who stays reaches the others no more', async (t) => {
  const { chat, access } = await start(t);
  await letIn(chat, bob, 'Bob');
  await link(chat, bob, phone);
  await chat.gateway.accessAdmin.removeAccount({ name: 'Bob', account: 'discord:s2' });
  access.directMessages = 'open';
  for (const who of [bob, phone]) {
    const { reach, audience } = await originOf(chat, who);
    assert.deepEqual(reach.audiences, [audience]);
  }
  assert.match(await chat.say('/whoami', bob), /a member/);
});

test('that an owner admits someone from a room is shown only to the owner, or in private, and refused where neither can be', async (t) => {
  const { chat } = await start(t);
  const inRoom = { actor: boss.actor, address: room, addressed: 'mention' as const };
  const [, code = ''] = /`([A-Z2-9]{8})`/.exec(await chat.say('admit me', bob)) ?? [];
  assert.match(
    await chat.say(`/approve ${code} Bob`, inRoom),
    /^That is between you and me. Send me `\/approve CODE NAME`/,
  );
  await chat.say('hello', boss);
  const before = chat.channel.messages.length;
  await chat.say(`/approve ${code} Bob`, inRoom);
  const said = chat.channel.messages.slice(before);
  const inTheRoom = said.filter(({ address }) => !address.includes(':dm:')).map(({ text }) => text);
  assert.deepEqual(inTheRoom, ['_(I answered you in a private message.)_']);
  assert.ok(
    said.some(({ text, address }) => address.includes(':dm:') && /is now admitted as Bob/.test(text)),
  );
});
