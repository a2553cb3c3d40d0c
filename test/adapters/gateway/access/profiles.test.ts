// Security profiles: what one word for a channel takes away of tools, memory and commands, and how it is refined.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openAccess } from '#adapters/gateway/terms/access-types.ts';
import { isToolOf, profileOf } from '#adapters/gateway/terms/profiles.ts';
import { as, commandChat } from '../commands/kit.ts';
import { room } from '../scripted-channel.ts';

const people = {
  boss: { role: 'owner' as const, accounts: ['discord:u9'] },
  ann: ['discord:u1', 'discord:u2'],
};
const openRoom = {
  address: room,
  addressed: 'mention' as const,
  room: { names: { channel: 'general' }, restricted: false },
};

test('public_demo: two kinds of tools, a chat remembers only itself, and few commands, except for owners', async (t) => {
  const access = { ...openAccess('guest'), profile: profileOf('public_demo', {}) };
  const chat = await commandChat(t, { access, people });
  await chat.say('hello', as('u2'));
  await chat.say('hello');
  const [, { body } = { body: undefined }] = chat.engine.runs;
  assert.deepEqual(body?.toolAllowlist, ['todo_*', 'question']);
  assert.deepEqual(body?.origin?.reach, { audiences: [], spaces: [] }, 'not even of their other account');
  await chat.say('hello', openRoom);
  const origin = chat.engine.runs.at(-1)?.body.origin;
  assert.deepEqual(
    [origin?.space, origin?.restricted],
    [undefined, true],
    'no other room of the space recalls it',
  );
  assert.match(await chat.say('/memory recent'), /`\/memory` is only available to owners in this chat/);
  assert.doesNotMatch(await chat.say('/help'), /\/memory|\/sessions/);
  assert.match(await chat.say('/tools', as('u9')), /may not use any tools here/);
  assert.match(await chat.say('/memory recent', as('u9')), /nothing from this chat yet/);
});

test('operator, which is the default, narrows nothing', async (t) => {
  const chat = await commandChat(t, { access: openAccess('guest'), people });
  await chat.say('hello');
  const body = chat.engine.runs[0]?.body;
  assert.equal(body?.toolAllowlist, undefined);
  assert.equal(body?.origin?.reach.audiences.length, 2);
  await chat.say('hello', openRoom);
  assert.equal(chat.engine.runs[1]?.body.origin?.restricted, false);
});

test('trusted_team has no foreign tools and no export; each piece can be set on its own', async (t) => {
  const team = profileOf('trusted_team', {});
  assert.deepEqual(
    ['memory_search', 'web_fetch', 'mcp_shell_run', 'memory', 'xtodo_write'].map((name) =>
      isToolOf(team, name),
    ),
    [true, true, false, false, false],
  );
  assert.equal(team.commands?.includes('export'), false);
  assert.equal(team.commands?.includes('memory'), true);
  const refined = profileOf('public_demo', { tools: ['mcp_*'], commands: ['help', 'tools'] });
  assert.deepEqual(
    [isToolOf(refined, 'mcp_a.b'), isToolOf(refined, 'question'), refined.memory],
    [true, false, 'chat-only'],
  );
  const chat = await commandChat(t, { access: { ...openAccess('guest'), profile: refined }, people });
  assert.match(await chat.say('/new'), /only available to owners/);
  assert.match(await chat.say('/tools'), /may not use any tools here/);
});
