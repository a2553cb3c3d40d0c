// What only one person is shown: that nobody else sees anything of it, and what becomes of it when it does not get through.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { openAccess } from '#adapters/gateway/terms/access-types.ts';
import { createScriptedChannel, message, room, ScriptedFailure } from '../scripted-channel.ts';
import { as, commandChat } from './kit.ts';

const people = { boss: { role: 'owner' as const, accounts: ['discord:u9'] } };
const assistants = {
  all: [
    { name: 'Parley', choosableBy: 'owner' },
    { name: 'Poet', choosableBy: 'owner' },
  ],
  bindings: [],
} as const;
const boss = { ...as('u9'), address: room, addressed: 'mention' as const };
const guest = { address: room, addressed: 'mention' as const };

async function chatOf(t: TestContext, { partLimit = 8_000, who = 'anyone' as 'anyone' | 'owners' } = {}) {
  const open = openAccess('guest');
  const access = { ...open, rooms: { ...open.rooms, allow: who } };
  return commandChat(t, {
    access,
    people,
    assistants,
    channel: createScriptedChannel({ partLimit, ephemerals: true }),
  });
}

test('the answer to a command is for the person who gave it; a change is for the room', async (t) => {
  const chat = await chatOf(t);
  for (const text of [
    '/help',
    '/status',
    '/sessions',
    '/tools',
    '/model',
    '/model 1',
    '/assistant',
    '/whoami',
    '/usage',
    '/pairings',
    '/memory recent',
    '/hepl',
    '/approve ABCDEFGH ann',
    '/export me',
    '/link',
  ])
    await chat.say(text, boss);
  assert.deepEqual(
    chat.channel.messages.filter(({ ephemeral }) => ephemeral !== true),
    [],
  );
  const told = chat.channel.messages.length;
  for (const text of [
    '/new',
    '/rename Trip',
    '/stop',
    '/model gpt-small',
    '/assistant Poet',
    '/memory save the code is 12',
  ])
    await chat.say(text, boss);
  assert.deepEqual(
    chat.channel.messages.slice(told).filter(({ ephemeral }) => ephemeral === true),
    [],
  );
});

test('only the person who was refused sees the refusal, whether or not they are admitted', async (t) => {
  const chat = await chatOf(t, { who: 'owners' });
  await chat.say('/rename', boss);
  await chat.channel.sink.accept(message('r1', '/whoami', guest));
  await chat.seen('the refusal', () => chat.channel.messages[1]);
  assert.ok(chat.channel.messages.every(({ ephemeral }) => ephemeral === true));
  assert.match(chat.channel.messages[1]?.text ?? '', /I only answer my owners/);
});

test('what does not get through is shown to nobody: everyone reads once that the command should be sent again', async (t) => {
  const chat = await chatOf(t, { partLimit: 60 });
  chat.channel.failing.send.push(undefined, new ScriptedFailure({ kind: 'gone' }));
  await chat.say('/tools', boss);
  const shown = chat.channel.messages
    .filter(({ ephemeral }) => ephemeral !== true)
    .map(({ text }) => text)
    .join('');
  assert.match(shown, /^_\(I could not show my answer to a command/);
  assert.doesNotMatch(shown, /tool_/);
  assert.equal(chat.channel.messages.filter(({ ephemeral }) => ephemeral === true).length, 1);
  const before = chat.channel.messages.length;
  await chat.restart();
  await chat.pass();
  assert.equal(chat.channel.messages.length, before);
  assert.equal(chat.gateway.status()[0]?.outboxBacklog, 0);
});

test('one whose outcome is not known is repeated only to the same person, and says so', async (t) => {
  const chat = await chatOf(t);
  chat.channel.failing.send.push(new ScriptedFailure({ kind: 'transient' }, 'effective'));
  await chat.say('/whoami', boss);
  await chat.seen('the repeat', () => chat.channel.messages[1]);
  assert.match(chat.channel.messages[1]?.text ?? '', /^\(repeat\?\) I know you as boss/);
  assert.ok(chat.channel.messages.every(({ ephemeral }) => ephemeral === true));
});
