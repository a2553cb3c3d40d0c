// What happens to sessions, runs, requests and codes when accounts cease to be one person.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type NamedPerson, openAccess } from '#adapters/gateway/terms/access-types.ts';
import { as, type CommandChat, commandChat } from './commands/kit.ts';
import type { HarnessOptions } from './harness.ts';
import { createScriptedChannel, message } from './scripted-channel.ts';
import { createScriptedEngine } from './scripted-engine.ts';

const ann = as('u8', 'Ann');
const ben = as('u9', 'Ben');
const member = (...accounts: string[]): NamedPerson => ({ role: 'member', accounts });
const together = { both: ['discord:u8', 'discord:u9'] };
const apart = { ann: member('discord:u8'), ben: member('discord:u9') };

/** Ann has begun `ses_1`, and Ben has resumed it. */
async function resumed(t: TestContext, options: HarnessOptions = {}): Promise<CommandChat> {
  const chat = await commandChat(t, { people: { ...together }, ...options });
  await chat.say('the key is under the mat', ann);
  assert.match(await chat.say('/resume ses_1', ben), /We are back in/);
  return chat;
}

const sessionsOf = (chat: CommandChat): string[] => chat.engine.runs.map(({ run }) => run.sessionID);

/** Ann was answered, Ben continued with her conversation, and what one of them asks there is being answered. */
async function midTurn(chat: CommandChat, asking: typeof ann): Promise<void> {
  await chat.channel.sink.accept(message('1', 'the key is under the mat', ann));
  await chat.seen('a run', () => chat.engine.runs[0]);
  chat.engine.complete('run_1', 'Noted.');
  await chat.seen('its answer', () => chat.channel.messages.find(({ text }) => text === 'Noted.'));
  await chat.say('/resume ses_1', ben);
  await chat.channel.sink.accept(message('2', 'where is it?', asking));
  await chat.seen('a run', () => chat.engine.runs[1]);
}

test('an account keeps a session that it began and in which nobody else has spoken; someone who had resumed it loses it', async (t) => {
  const chat = await resumed(t);
  await chat.gateway.namePeople(apart);
  await chat.say('and the lamp is green', ann);
  const answer = await chat.say('hello', ben);
  assert.deepEqual(sessionsOf(chat), ['ses_1', 'ses_1', 'ses_2']);
  assert.match(answer, /no longer have our earlier conversation here/, 'nothing is lost in silence');
  assert.doesNotMatch(await chat.say('/sessions', ben), /ses_1/);
  assert.match(await chat.say('/resume ses_1', ben), /nothing with the ID `ses_1` here/);
});

test("a session in which both have spoken, or that the other has given a title, is nobody's any more", async (t) => {
  for (const words of ['what about the lamp?', '/rename Keys of Ben']) {
    const chat = await resumed(t);
    await chat.say(words, ben);
    await chat.gateway.namePeople(apart);
    for (const one of [ann, ben]) {
      await chat.say('hello', one);
      assert.doesNotMatch(await chat.say('/sessions', one), /ses_1|Keys of Ben/);
    }
    assert.deepEqual(sessionsOf(chat).slice(-2), ['ses_2', 'ses_3'], words);
  }
});

test('accounts that stay one person keep what they share when a third one leaves', async (t) => {
  const chat = await commandChat(t, { people: { all: ['discord:u7', 'discord:u8', 'discord:u9'] } });
  await chat.say('the key is under the mat', ann);
  await chat.say('/resume ses_1', ben);
  await chat.say('which mat?', ben);
  await chat.say('/resume ses_1', as('u7'));
  await chat.gateway.namePeople({ both: member('discord:u8', 'discord:u9'), third: member('discord:u7') });
  await chat.say('the red one', ann);
  await chat.say('thanks', ben);
  await chat.say('hello', as('u7'));
  assert.deepEqual(sessionsOf(chat), ['ses_1', 'ses_1', 'ses_1', 'ses_1', 'ses_2']);
});

test('an answer that is being made in the session of the other is stopped when the accounts cease to be one person', async (t) => {
  const chat = await commandChat(t, { people: { ...together }, engine: createScriptedEngine() });
  await midTurn(chat, ben);
  await chat.gateway.namePeople(apart);
  await chat.seen('its end', () => (chat.engine.runs[1]?.run.status === 'cancelled' ? true : undefined));
});

test('a turn that a killed process left in the session of the other is answered in a session and by a run of its own', async (t) => {
  const people: NonNullable<HarnessOptions['people']> = { ...together };
  const chat = await commandChat(t, { people, engine: createScriptedEngine() });
  await midTurn(chat, ben);
  delete people.both;
  Object.assign(people, apart);
  await chat.kill();
  await chat.seen('another run', () => chat.engine.runs[2]);
  assert.deepEqual(sessionsOf(chat), ['ses_1', 'ses_1', 'ses_2']);
  assert.equal(new Set(chat.engine.runs.map(({ key }) => key)).size, 3);
  chat.engine.complete('run_3', 'I do not know.');
  await chat.seen('its answer', () => chat.channel.messages.find(({ text }) => /I do not know/.test(text)));
});

test('a turn that a killed process left continues in its session, if its account still has that, under the same key', async (t) => {
  const people: NonNullable<HarnessOptions['people']> = { ...together };
  const chat = await commandChat(t, { people, engine: createScriptedEngine() });
  await midTurn(chat, ann);
  delete people.both;
  Object.assign(people, apart);
  await chat.kill();
  await chat.seen('the run again', () => chat.engine.runs[2]);
  assert.deepEqual(sessionsOf(chat), ['ses_1', 'ses_1', 'ses_1']);
  assert.equal(chat.engine.runs[2]?.key, chat.engine.runs[1]?.key);
});

test('a code to link that was made before accounts ceased to be one person is refused', async (t) => {
  const chat = await commandChat(t, { people: { ...together } });
  const code = /`\/link (\w{8})`/.exec(await chat.say('/link', ben))?.[1] ?? '';
  await chat.gateway.namePeople({ both: member('discord:u8') });
  assert.match(await chat.say(`/link ${code} yes`, as('u7')), /wrong or has expired/);
});

test('an account that was an approver by its person approves nothing any more, also where it was asked in private', async (t) => {
  const boss = { role: 'owner' as const, accounts: ['discord:u8', 'discord:u9'] };
  const people: NonNullable<HarnessOptions['people']> = { boss, guest: member('discord:u1') };
  const access = openAccess('guest');
  const chat = await commandChat(t, { people, access, engine: createScriptedEngine() });
  await chat.say('/help', ben); // so that a direct message to Ben is the place where approval is asked for
  await chat.channel.sink.accept(message('1', 'look it up'));
  await chat.seen('a run', () => chat.engine.runs[0]);
  chat.engine.askLeave('run_1', 'req_1');
  await chat.seen('the request', () =>
    chat.channel.messages.find(({ address, text }) => /D-u9/.test(address) && /web_fetch/.test(text)),
  );
  await chat.gateway.namePeople({
    boss: { ...boss, accounts: ['discord:u8'] },
    guest: member('discord:u1', 'discord:u9'),
  });
  await chat.channel.sink.accept(message('2', '1', ben));
  await chat.pass(1_000);
  assert.deepEqual(chat.engine.replies, []);
});

test('a chat whose session was taken away is still looked at for messages that were missed', async (t) => {
  const chat = await resumed(t, { channel: createScriptedChannel({ partLimit: 8_000 }) });
  await chat.say('what about the lamp?', ben);
  await chat.gateway.namePeople(apart);
  const chats = (await chat.channel.sink.chats()).map(({ chat: id }) => id);
  assert.deepEqual(chats.sort(), ['D-u8', 'D-u9']);
});
