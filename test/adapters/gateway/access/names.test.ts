// A name makes nobody an owner, or another person: what an operator says of a name reaches those alone whose accounts were shown.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { looksLike } from '#adapters/gateway/admission/look-alike.ts';
import type { ChannelAccess, NamedPerson } from '#adapters/gateway/terms/access-types.ts';
import { as, type CommandChat, commandChat } from '../commands/kit.ts';
import { pairing } from './stranger-kit.ts';

const owner = (...accounts: string[]): NamedPerson => ({ role: 'owner', accounts });
const people = { boss: owner('discord:u9') };
const boss = as('u9', 'Boss');
const codeIn = (text: string): string => /`([A-Z2-9]{8})`/.exec(text)?.[1] ?? '';

const start = (t: TestContext, open: 'open' | 'pairing' = 'pairing'): Promise<CommandChat> =>
  commandChat(t, { people, access: { ...pairing, directMessages: open } });

/** Two accounts, both shown as Anna, whose person joins them by a code. */
async function joinAnnas(chat: CommandChat): Promise<void> {
  const code = /`\/link (\w{8})`/.exec(await chat.say('/link', as('s1', 'Anna')))?.[1] ?? '';
  assert.match(await chat.say(`/link ${code} yes`, as('s2', 'Anna')), /Done/);
}

const roleOf = async (chat: CommandChat, who: ReturnType<typeof as>): Promise<string> =>
  /I know you as .*, (a guest|a member|an owner)\./.exec(await chat.say('/whoami', who))?.[1] ?? 'nobody';

test('who joins accounts by a code gets nothing of a role that the config gives to that display name', async (t) => {
  const chat = await start(t, 'open');
  await joinAnnas(chat);
  await chat.gateway.namePeople({ ...people, Anna: owner('discord:u7') });
  assert.equal(await roleOf(chat, as('u7', 'Anna')), 'an owner');
  assert.equal(await roleOf(chat, as('s1', 'Anna')), 'a guest');
  assert.equal(await roleOf(chat, as('s2', 'Anna')), 'a guest');
  const { accounts } = await chat.gateway.accessAdmin.show({ name: 'Anna' });
  assert.deepEqual(
    accounts.map(({ userID }) => userID),
    ['u7'],
  );
  await chat.say('the safe opens with 4711', as('u7', 'Anna'));
  await chat.say('what do you know?', as('s1', 'Anna'));
  const [safe, asked] = chat.engine.runs.map(({ body }) => body.origin);
  assert.equal(asked?.reach.audiences.includes(safe?.audience ?? ''), false);
  assert.equal(asked?.reach.audiences.length, 2, 'what a code joined stays joined');
});

test('a person who joins accounts by a code gets nothing when the operator lets in someone of that display name', async (t) => {
  const access = { ...pairing, directMessages: 'open' as ChannelAccess['directMessages'] };
  const chat = await commandChat(t, { people, access });
  await joinAnnas(chat);
  access.directMessages = 'pairing';
  const code = codeIn(await chat.say('admit me', as('s3', 'Anna')));
  await chat.gateway.accessAdmin.approve({ code, name: 'Anna', role: 'owner' });
  assert.equal(await roleOf(chat, as('s3', 'Anna')), 'an owner');
  const own = codeIn(await chat.say('hello', as('s1', 'Anna')));
  await chat.gateway.accessAdmin.approve({ code: own, name: 'Ann' });
  assert.equal(
    await roleOf(chat, as('s1', 'Anna')),
    'a member',
    'only the one account is admitted by its code',
  );
  assert.match(await chat.say('hello', as('s2', 'Anna')), /only talk to people who have been admitted/);
});

test('nobody becomes one of the accounts of a person by a name: the accounts are shown, and an explicit word is needed', async (t) => {
  const chat = await start(t);
  const code = codeIn(await chat.say('admit me', as('s1', 'Boss')));
  const asked = await chat.say(`/approve ${code} boss`, boss);
  assert.match(asked, /The name `boss` already belongs to an owner with `discord:u9`, shown as Boss/);
  assert.match(asked, new RegExp(`/approve ${code} NAME same-person`));
  for (const alike of ['BOSS', 'bоss', 'b0ss', 'ｂｏｓｓ'])
    assert.match(
      await chat.say(`/approve ${code} ${alike}`, boss),
      /The name `boss` already belongs to|cannot be used as a name/,
    );
  assert.match(await chat.say(`/approve ${code} nobody same-person`, boss), /I know no one called `nobody`/);
  assert.equal((await chat.gateway.accessAdmin.list()).people.length, 1);
  const done = await chat.say(`/approve ${code} boss same-person`, boss);
  assert.match(done, /admitted as boss, an owner with `discord:u9`/);
});

test('a stranger whose display name looks like that of someone who is known is shown as another account', async (t) => {
  const chat = await start(t);
  await chat.say('hello', boss);
  const code = codeIn(await chat.say('admit me', as('s1', 'Bоss'))); // with a Cyrillic letter
  assert.match(await chat.say('/pairings', boss), /shown as Bоss, \*\*not an account of boss/);
  assert.match(
    await chat.say(`/approve ${code} Bill`, boss),
    /not an account of boss, .*is now admitted as Bill, a member/,
  );
  const other = codeIn(await chat.say('admit me', as('s2', 'Zed')));
  assert.doesNotMatch(await chat.say('/pairings', boss), /no account of/);
  assert.doesNotMatch(await chat.say(`/approve ${other} Zed`, boss), /no account of/);
});

test('a person who is admitted without a name has none that the config could give a role to', async (t) => {
  const chat = await start(t);
  const code = codeIn(await chat.say('admit me', as('s1', 'Anna')));
  assert.match(await chat.say(`/approve ${code}`, boss), /is now admitted without a name, a member/);
  await chat.gateway.namePeople({ ...people, Anna: owner('discord:u7') });
  assert.equal(await roleOf(chat, as('s1', 'Anna')), 'a member');
});

test('a person of the config is someone else than one of that name whom a code admitted, unless they share an account', async (t) => {
  const chat = await start(t);
  for (const user of ['s1', 's2']) {
    const code = codeIn(await chat.say('admit me', as(user, user)));
    await chat.gateway.accessAdmin.approve({ code, name: `ann ${user === 's1' ? 'one' : 'two'}` });
  }
  await chat.gateway.namePeople({
    ...people,
    'ann one': owner('discord:u7'),
    'ann two': owner('discord:u8', 'discord:s2'),
  });
  assert.equal(await roleOf(chat, as('s1')), 'a member');
  assert.equal(await roleOf(chat, as('s2')), 'an owner');
  await chat.gateway.namePeople(people);
  assert.equal(await roleOf(chat, as('s1')), 'a member');
});

test('a name whose accounts were all taken away leaves its role to no later person of that name in the config', async (t) => {
  const chat = await start(t);
  const code = codeIn(await chat.say('admit me', as('s1', 'Ann')));
  const { accessAdmin } = chat.gateway;
  await accessAdmin.approve({ code, name: 'ann', role: 'owner' });
  await accessAdmin.removeAccount({ name: 'ann', account: 'discord:s1' });
  await chat.gateway.namePeople({ ...people, ann: { role: 'member', accounts: ['discord:u7'] } });
  const link = /`\/link (\w{8})`/.exec(await chat.say('/link', as('u7', 'Ann')))?.[1] ?? '';
  await chat.say(`/link ${link} yes`, as('s2', 'Ann on the phone'));
  assert.equal(await roleOf(chat, as('s2')), 'a member');
  await chat.gateway.namePeople(people);
  assert.match(await chat.say('hello', as('s2')), /only talk to people who have been admitted/);
});

test('an account that a code brought to a person of the config is removed on its own; one that the config lists is not', async (t) => {
  const chat = await start(t);
  const code = /`\/link (\w{8})`/.exec(await chat.say('/link', boss))?.[1] ?? '';
  await chat.say(`/link ${code} yes`, as('s1', 'Phone'));
  const { accessAdmin } = chat.gateway;
  await assert.rejects(
    accessAdmin.removeAccount({ name: 'boss', account: 'discord:u9' }),
    /The config lists discord:u9/,
  );
  await assert.rejects(
    accessAdmin.removeAccount({ name: 'boss', account: 'discord:s7' }),
    /boss has no account "discord:s7"/,
  );
  await assert.rejects(
    accessAdmin.removeAccount({ name: 'nobody', account: 'discord:s1' }),
    /nobody of the name/,
  );
  await accessAdmin.removeAccount({ name: 'boss', account: 'discord:s1' });
  assert.deepEqual(
    (await accessAdmin.show({ name: 'boss' })).accounts.map(({ userID }) => userID),
    ['u9'],
  );
  assert.match(await chat.say('hello', as('s1', 'Phone')), /only talk to people who have been admitted/);
});

test('of two accounts without a name nothing is left when one of them is removed', async (t) => {
  const chat = await start(t, 'open');
  await joinAnnas(chat);
  const bond = (await chat.gateway.accessAdmin.list()).people.find(({ name }) => name !== 'boss');
  await chat.gateway.accessAdmin.removeAccount({ name: bond?.name ?? '', account: 'discord:s2' });
  assert.deepEqual(
    (await chat.gateway.accessAdmin.list()).people.map(({ name }) => name),
    ['boss'],
  );
  await joinAnnas(chat); // they may do it again
});

test('names look alike by case, width, marks and letters of other scripts, and not by being short or similar', () => {
  for (const alike of ['ANNA', 'Аnna', 'Ânna', 'Αnna', 'ａｎｎａ', 'An na', 'An\u200bna', '𝐀𝐧𝐧𝐚'])
    assert.ok(looksLike('Anna', alike), alike);
  assert.ok(looksLike('Ilya', 'llya'));
  assert.ok(looksLike('🙂', '🙂'));
  for (const other of ['Anne', 'Ann', 'Hannah', '', '🙂', 'Анатолий'])
    assert.equal(looksLike('Anna', other), false, other);
  assert.equal(looksLike('🙂', '🎈'), false);
});
