// Whose the rooms of imported histories are: the audiences that the gateway knows, and open only where the history says so.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { messageAudienceOf } from '#adapters/gateway/ledger/lane.ts';
import type { Address } from '#adapters/gateway/terms/address.ts';
import type { MessageEvent } from '#adapters/gateway/terms/inbound.ts';
import type { Audience, Scope } from '#memory/types/scope.ts';
import { discordFile, discordMessage, second, stage, telegramMessage, users } from './history-kit.ts';
import { mine } from './open-memory.ts';

test("a private thread of Discord is a room of its own, the same that the gateway knows it as; other threads are their channel's", async (t) => {
  const thread = (id: string, type: string, more: object = {}) =>
    discordFile({ id, type, categoryId: '901', ...more }, [discordMessage(`9${id}`, `Said in ${id}.`)]);
  const { run, list, all } = stage(t, 'discord', {
    'general.json': discordFile({}, [discordMessage('1', 'The kayak is packed.')]),
    'private.json': thread('902', 'GuildPrivateThread'),
    'public.json': thread('903', 'GuildPublicThread'),
    'news.json': thread('904', 'GuildNewsThread'),
    'unknown.json': thread('905', 'GuildSecretThread'),
    'orphan.json': thread('906', 'GuildPrivateThread', { categoryId: null }),
  });
  await run({ account: 'B2' });
  const address: Address = { platform: 'discord', kind: 'channel', account: 'B2', space: '900', chat: '901' };
  /** The audience that the gateway gives what is written there. */
  const audienceOf = (at: Address, privateThread: boolean): Audience => {
    const room = { names: { channel: 'general' }, restricted: true, privateThread };
    const event: MessageEvent = {
      type: 'message',
      address: at,
      nativeID: '1',
      at: 0,
      actor: { id: '31', name: 'Ann', isBot: false },
      addressed: 'mention',
      text: 'x',
      files: [],
      room,
    };
    return messageAudienceOf(event, 'per_1', at).audience as Audience; // a room's, since the address is no direct message
  };
  const texts = async (scope: Scope): Promise<string[]> => (await list(scope)).map(({ text }) => text).sort();
  assert.deepEqual(await texts(all(audienceOf(address, false))), [
    'Ann said: Said in 903.',
    'Ann said: Said in 904.',
    'Ann said: The kayak is packed.',
  ]);
  for (const id of ['902', '905'])
    assert.deepEqual(await texts(all(audienceOf({ ...address, thread: id }, true))), [
      `Ann said: Said in ${id}.`,
    ]);
  assert.deepEqual(await texts(all(audienceOf({ ...address, chat: '906' }, false))), [
    'Ann said: Said in 906.',
  ]);
  const everyone: Scope = { audiences: [], spaces: ['discord:B2:900'], everyone: true };
  assert.deepEqual(await texts(everyone), [], 'an export says nothing about who may read');
});

test('each kind of chat of a history belongs where the bot would have it, and is open only where the history says so', async (t) => {
  const kinds = [
    ['private_group', 'telegram:group:7:-11:-11:-', undefined],
    ['private_supergroup', 'telegram:group:7:-10012:-10012:-', undefined],
    ['public_supergroup', 'telegram:group:7:-10013:-10013:-', 'telegram:7:-10013'],
    ['private_channel', 'telegram:channel:7:-10014:-10014:-', undefined],
    ['public_channel', 'telegram:channel:7:-10015:-10015:-', 'telegram:7:-10015'],
    ['personal_chat', undefined, undefined],
    ['bot_chat', undefined, undefined],
    ['saved_messages', undefined, undefined],
    ['replies', undefined, undefined],
    ['verification_codes', undefined, undefined],
    ['some_new_kind', undefined, undefined],
  ] as const;
  const chats = kinds.map(([type], index) => ({
    id: 11 + index,
    type,
    name: type,
    messages: [telegramMessage(1, `Said in ${type}.`)],
  }));
  const { run, list, all } = stage(t, 'telegram', { 'result.json': { chats: { list: chats } } });
  await run({ account: '7' });
  for (const [type, room, space] of kinds) {
    const said = `Ann said: Said in ${type}.`;
    const found = await list(room === undefined ? mine : all(`room:${room}`));
    assert.ok(
      found.some(({ text }) => text === said),
      type,
    );
    const open: Scope = { audiences: [], spaces: space === undefined ? [] : [space], everyone: false };
    assert.equal(
      (await list(open)).some(({ text }) => text === said),
      space !== undefined,
      type,
    );
  }
  const everyone: Scope = { audiences: [], spaces: [], everyone: true };
  assert.equal((await list(everyone)).length, 2);
});

test('a Slack channel that a later export lists as private is read again, and open no more; group messages never are', async (t) => {
  const day = (text: string) => [{ user: 'U1', ts: `${second}.000100`, text }];
  const { run, put, list, all } = stage(t, 'slack', {
    'users.json': [{ id: 'U9', team_id: 'TOTHER' }, ...users],
    'channels.json': [
      { id: 'C1', name: 'general' },
      { id: 'C2', name: 'board', is_private: true },
    ],
    'mpims.json': [{ id: 'G2', name: 'mpdm-ann--ben-1' }],
    'general/2026-03-04.json': day('The lock has code 12.'),
    'board/2026-03-04.json': day('The budget is cut.'),
    'mpdm-ann--ben-1/2026-03-04.json': day('The present is a bike.'),
    'nowhere/2026-03-04.json': day('Nobody knows this room.'),
  });
  await run({ account: 'B1' });
  const texts = async (scope?: Scope): Promise<string[]> => (await list(scope)).map(({ text }) => text);
  const space: Scope = { audiences: [], spaces: ['slack:B1:T9'], everyone: true };
  assert.deepEqual(await texts(space), ['Ann said: The lock has code 12.']);
  assert.deepEqual(await texts(), ['Ann said: Nobody knows this room.'], "it is nobody else's");
  assert.deepEqual(await texts(all('room:slack:group:B1:T9:G2:-')), ['Ann said: The present is a bike.']);
  put('channels.json', []);
  put('groups.json', [{ id: 'C1', name: 'general' }]);
  await run({ account: 'B1' });
  assert.deepEqual(await texts(space), []);
  assert.deepEqual(await texts(all('room:slack:channel:B1:T9:C1:-')), ['Ann said: The lock has code 12.']);
});
