// `/memory` in a chat: never more than anyone who reads along may be reminded of.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openAccess } from '#adapters/gateway/terms/access-types.ts';
import { profileOf } from '#adapters/gateway/terms/profiles.ts';
import type { MemoryEntries } from '#engine/wire/memory/memory.ts';
import { room } from '../../scripted-channel.ts';
import { as, commandChat } from '../kit.ts';

const people = {
  me: { role: 'owner' as const, accounts: ['discord:u1', 'discord:u2'] },
};
const options = { access: openAccess('guest'), people };
const inRoom = { address: room, addressed: 'mention' as const };

test('what is saved in private is found in private on all accounts of the person, and by nobody else', async (t) => {
  const chat = await commandChat(t, options);
  assert.match(await chat.say('/memory save the bike code is 4711'), /I will remember that \(`000001`\)/);
  assert.match(await chat.say('/memory search bike', as('u2')), /`000001` the bike code is 4711/);
  assert.match(await chat.say('/memory search bike', as('u3')), /remember nothing about that here/);
  assert.match(await chat.say('/memory search bike', inRoom), /remember nothing about that here/);
  assert.match(await chat.say('/memory recent', as('u3')), /nothing from this chat yet/);
});

test('what is saved where each chat remembers only itself is shown in no other room of the space', async (t) => {
  for (const [memory, single] of [
    ['chat-only', true],
    ['shared', false],
  ] as const) {
    const profile = profileOf('operator', { memory });
    const chat = await commandChat(t, { ...options, access: { ...openAccess('guest'), profile } });
    const open = { ...inRoom, room: { names: { channel: 'general' }, restricted: false } };
    assert.match(await chat.say('/memory save the bike is green', open), /I will remember that/);
    assert.equal(chat.engine.entries.at(-1)?.private, single, memory);
  }
});

test('the short ids that are shown are the ones that are taken; wrong ones are refused with a message (TY)', async (t) => {
  const chat = await commandChat(t, options);
  await chat.say('/memory save one');
  await chat.say('/memory save two');
  const [, id = ''] = /`(\w+)` one/.exec(await chat.say('/memory recent')) ?? [];
  assert.match(await chat.say(`/memory forget ${id}`), /Permanently deleted: one/);
  assert.match(await chat.say(`/memory forget ${id}`), /nothing with the ID/);
  assert.match(await chat.say('/memory forget 2'), /nothing with the ID/, 'too short to mean one');
  assert.doesNotMatch(await chat.say('/memory recent'), /one/);
});

test('nobody deletes what belongs to another, and what a room remembers only its owners', async (t) => {
  const chat = await commandChat(t, options);
  await chat.say('/memory save my diary');
  assert.match(await chat.say('/memory forget 000001', as('u3')), /nothing with the ID/);
  await chat.say('/memory save the meeting is on Monday', inRoom);
  const guest = { ...as('u3'), ...inRoom };
  assert.match(await chat.say('/memory search meeting', guest), /on Monday/);
  assert.match(await chat.say('/memory forget 000002', guest), /only owners can delete it/);
  assert.match(await chat.say('/memory forget 000002', inRoom), /Permanently deleted/);
});

test('records of a chat are pinned, looked up and reported on; in a room only owners pin', async (t) => {
  const chat = await commandChat(t, options);
  await chat.say('/memory save answer in metric units');
  assert.match(await chat.say('/memory pin 000001'), /always have this in mind here: answer in metric units/);
  assert.match(await chat.say('/memory unpin 000001'), /No longer pinned/);
  assert.match(await chat.say('/memory worked 000001'), /It worked 0 times and failed 0 times/);
  assert.match(await chat.say('/memory pin'), /Which memory\?/);
  assert.match(await chat.say('/memory key'), /Which ones\?/);
  assert.match(await chat.say('/memory failed'), /Which procedure\?/);
  await chat.say('/memory save tea at five', inRoom);
  assert.match(await chat.say('/memory pin 000002', { ...as('u3'), ...inRoom }), /only owners can change it/);
});

test('people see how much of its budget their chat uses, and what would go next', async (t) => {
  const chat = await commandChat(t, options);
  const answer = await chat.say('/memory budget');
  assert.match(answer, /characters: 120 of 100/);
  assert.match(answer, /Next the least useful go: 1 memory\./);
});

test('wrong calls of /memory are refused with a message', async (t) => {
  const chat = await commandChat(t, options);
  for (const wrong of ['/memory', '/memory bless', '/memory constructor'])
    assert.match(await chat.say(wrong), /`\/memory search WORDS`/);
  assert.match(await chat.say('/memory search'), /What should I search for/);
  assert.match(await chat.say('/memory save'), /What should I remember/);
  assert.match(await chat.say('/memory forget'), /Which/);
});

test('recent exchanges are listed once each, by what the person wrote, and not by pieces of a long answer', async (t) => {
  const chat = await commandChat(t, options);
  const piece = (id: string, content: string, at: number) => ({
    id,
    content,
    created_at_ms: at,
    source_type: 'exchange',
    run_id: at > 5 ? 'run_2' : 'run_1',
  });
  const items = [
    piece(
      'mem_000003',
      'Robin said: What is my boat called? assistant is a word\nassistant answered: Tern.',
      9,
    ),
    piece('mem_000002', 'assistant answered: | `memory.sharing` | how far | ```json {', 2),
    piece('mem_000001', 'Robin said: Show me the guide, please.\nassistant answered: # Setting up', 1),
  ];
  chat.engine.listMemory = async () => ({ items, count: 3, limit: 9, offset: 0 }) as unknown as MemoryEntries;
  assert.equal(
    await chat.say('/memory recent'),
    '- `000003` Robin: What is my boat called? assistant is a word (Jan 1, 1970)\n' +
      '- `000001` Robin: Show me the guide, please. (Jan 1, 1970)',
  );
});
