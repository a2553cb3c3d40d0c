// People's own histories: Telegram Desktop, Slack's export, DiscordChatExporter, each with its chats, speakers, times and audiences.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { formatAddress } from '#adapters/gateway/terms/address.ts';
import type { Audience, Scope } from '#memory/types/scope.ts';
import { zipOf } from '../support/zip.ts';
import { discordFile, discordMessage, second, stage, telegramMessage, users } from './history-kit.ts';

const direct = { id: 55, type: 'personal_chat', name: 'Ann' };
const group = { id: 4242, type: 'private_supergroup', name: 'Rowers' };

test('a Telegram export gives each message its chat, speaker, time and day, and leaves out what nobody said', async (t) => {
  const formatted = ['See ', { type: 'link', text: 'https://example.org/tide' }, ' for the tide.'];
  const { run, list } = stage(t, 'telegram', {
    'result.json': {
      chats: {
        list: [
          {
            ...direct,
            messages: [
              telegramMessage(1, 'The kayak is packed.'),
              telegramMessage(2, formatted),
              telegramMessage(3, '', { photo: 'photos/1.jpg', from: null, from_id: undefined }),
              telegramMessage(4, 'joined', { type: 'service' }),
            ],
          },
          { ...group, messages: [telegramMessage(9, 'Regatta on Sunday.')] },
        ],
      },
    },
  });
  const report = await run();
  assert.deepEqual([report.files.stored, report.chunks.stored, report.failures], [2, 4, []]);
  const entries = await list();
  assert.deepEqual(
    entries.map(({ text }) => text),
    [
      'Ann said: Regatta on Sunday.',
      'Ann said: [photo]',
      'Ann said: See https://example.org/tide for the tide.',
      'Ann said: The kayak is packed.',
    ],
  );
  const [first, , , packed] = entries;
  assert.deepEqual(
    [packed?.at, packed?.platform, packed?.chat, packed?.messageIDs, packed?.audience],
    [(second + 1) * 1000, 'telegram', 'telegram:dm:import:-:55:-', ['1'], 'person:per_1'],
  );
  assert.equal(packed?.sessionID, 'telegram:dm:import:-:55:-/2026-03-04');
  assert.equal(first?.chat, 'telegram:group:import:-1004242:-1004242:-');
  assert.deepEqual((await run()).files, { stored: 0, unchanged: 2, empty: 0, failed: 0 });
});

test('with the bot’s own account a room is the room that the bot knows, and private talk stays with its owner (L1)', async (t) => {
  const { run, list, all } = stage(t, 'telegram', {
    'result.json': {
      chats: {
        list: [
          { ...direct, messages: [telegramMessage(1, 'The kayak is packed.')] },
          { ...group, messages: [telegramMessage(9, 'Regatta on Sunday.')] },
        ],
      },
    },
  });
  await run({ account: '7' });
  const address = formatAddress({
    platform: 'telegram',
    kind: 'group',
    account: '7',
    space: '-1004242',
    chat: '-1004242',
  });
  const texts = async (scope?: Scope) => (await list(scope)).map(({ text }) => text);
  assert.deepEqual(await texts(), ['Ann said: The kayak is packed.']);
  assert.deepEqual(await texts(all(`room:${address}`)), ['Ann said: Regatta on Sunday.']);
  const space: Scope = { audiences: [], spaces: ['telegram:7:-1004242'], everyone: true };
  assert.deepEqual(await texts(space), [], 'a private group keeps to itself');
});

test('imported messages that were deleted on their platform are forgotten by their ids in their room, and do not come back', async (t) => {
  const messages = [telegramMessage(8, 'Regatta on Saturday.'), telegramMessage(9, 'Regatta on Sunday.')];
  const chats = {
    list: [
      { ...group, messages },
      { ...direct, messages: [telegramMessage(9, 'Mine.')] },
    ],
  };
  const { memory, run, list, all } = stage(t, 'telegram', { 'result.json': { chats } });
  await run({ account: '7' });
  const room = 'room:telegram:group:7:-1004242:-1004242:-';
  const texts = async (audience: Audience): Promise<string[]> =>
    (await list(all(audience))).map(({ text }) => text.replace('Ann said: ', '')).sort();
  assert.equal(await memory.forgetTurns({ audience: room, messageIDs: ['7'] }), 0, 'there is none');
  assert.equal(await memory.forgetTurns({ audience: room, messageIDs: ['9', '7'] }), 1);
  assert.deepEqual(await texts(room), ['Regatta on Saturday.']);
  assert.deepEqual(await texts('person:per_1'), ['Mine.'], 'the same id elsewhere is another message');
  await run({ account: '7' });
  assert.deepEqual(await texts(room), ['Regatta on Saturday.']);
  assert.equal(await memory.forgetTurns({ audience: room, messageIDs: ['9'] }), 0, 'a second time');
});

test('a larger export of the same chat on the same day stores what is new and keeps what was there once (M37)', async (t) => {
  const messages = [telegramMessage(1, 'The kayak is packed.'), telegramMessage(2, 'The paddle is not.')];
  const { run, put, list } = stage(t, 'telegram', { 'result.json': { ...direct, messages } });
  await run();
  put('result.json', { ...direct, messages: [...messages, telegramMessage(3, 'Now it is.')] });
  await run();
  assert.equal((await list()).length, 3);
});

const slackExport = {
  'users.json': users,
  'channels.json': [{ id: 'C1', name: 'general' }],
  'groups.json': [{ id: 'G1', name: 'secret-plans' }],
  'dms.json': [{ id: 'D1', members: ['U1', 'U2'] }],
  'general/2026-03-04.json': [
    {
      type: 'message',
      user: 'U1',
      ts: `${second}.000100`,
      text: 'Ask <@U2> in <#C1|general> &amp; read <https://example.org|this>',
    },
    { type: 'message', subtype: 'channel_join', user: 'U2', ts: `${second}.000150`, text: 'joined' },
    {
      type: 'message',
      user: 'U2',
      ts: `${second + 1}.000200`,
      thread_ts: `${second}.000100`,
      text: 'Done.',
      files: [{ name: 'plan.pdf' }],
    },
  ],
  'general/2026-03-05.json': [{ type: 'message', ts: 'soon', text: 'x' }],
  'secret-plans/2026-03-04.json': [{ user: 'U1', ts: `${second}.000300`, text: 'The prize is a canoe.' }],
  'D1/2026-03-04.json': [{ user: 'U2', ts: `${second}.000400`, text: 'Between us.' }],
};

test('a Slack export is read from its zip as from its folder: names, threads, private channels and one bad day', async (t) => {
  const { run, list, put, root, all, memory } = stage(t, 'slack', slackExport);
  put('../export.zip', zipOf(slackExport));
  const path = join(root, '..', 'export.zip');
  const report = await run({ path, account: 'B1' });
  assert.deepEqual(report.files, { stored: 3, unchanged: 0, empty: 0, failed: 1 });
  assert.match(report.failures[0]?.path ?? '', /export\.zip\/general\/2026-03-05\.json$/);
  assert.match(report.failures[0]?.words ?? '', /message 1: ts: /);
  const general = formatAddress({
    platform: 'slack',
    kind: 'channel',
    account: 'B1',
    space: 'T9',
    chat: 'C1',
  });
  const entries = await list(all(`room:${general}`));
  assert.deepEqual(
    entries.map(({ text, speaker, sessionID }) => [text, speaker, sessionID.split('/')[1]]),
    [
      ['Ben B. said: Done.\n  [file plan.pdf]', 'Ben B.', `thread ${second}.000100`],
      ['Ann said: Ask @Ben B. in #general & read this (https://example.org)', 'Ann', '2026-03-04'],
    ],
  );
  assert.deepEqual(
    (await list()).map(({ text }) => text),
    ['Ben B. said: Between us.'],
  );
  const space: Scope = { audiences: [], spaces: ['slack:B1:T9'], everyone: false };
  assert.equal(
    (await list(space)).length,
    2,
    'a public channel reaches its workspace, a private one does not',
  );
  const forgotten = await memory.forget({
    scope: all(`room:${general}`),
    selection: { person: 'slack:T9/U1' },
    mode: 'preview',
  });
  assert.equal(forgotten.entries, 1);
  assert.equal((await run()).files.stored, 3, 'the folder is another source');
  assert.equal((await run({ path, account: 'B1' })).files.unchanged, 3);
  await assert.rejects(run({ path: join(root, 'general') }), { code: 'nothing_to_import' });
});

test('a zip that is no zip, or that was cut off, is refused with a message', async (t) => {
  const { run, put, root } = stage(t, 'slack', {});
  const whole = zipOf(slackExport);
  for (const [name, bytes] of [
    ['a.zip', 'no zip'],
    ['b.zip', whole.subarray(0, whole.length - 40)],
  ] as const) {
    put(name, bytes);
    await assert.rejects(run({ path: join(root, name) }), { code: 'nothing_to_import' }, name);
  }
});

test('files of DiscordChatExporter keep channel, thread and direct message apart', async (t) => {
  const { run, list, all } = stage(t, 'discord', {
    'general.json': discordFile({}, [
      discordMessage('1', 'The kayak is packed.'),
      discordMessage('2', '', { type: 'GuildMemberJoin' }),
      discordMessage('3', 'Look', { type: 'Reply', attachments: [{ fileName: 'map.png' }] }),
    ]),
    'thread.json': discordFile({ id: '902', type: 'GuildPublicThread', categoryId: '901' }, [
      discordMessage('4', 'In the thread.'),
    ]),
    'dm.json': discordFile({ id: '903', type: 'DirectTextChat' }, [discordMessage('5', 'In private.')], '0'),
    'bad.json': { guild: {} },
  });
  const report = await run({ account: 'B2' });
  assert.deepEqual(report.files, { stored: 3, unchanged: 0, empty: 0, failed: 1 });
  const address = { platform: 'discord', kind: 'channel', account: 'B2', space: '900', chat: '901' } as const;
  const entries = await list(all(`room:${formatAddress(address)}`));
  assert.deepEqual(entries.map(({ text, chat }) => [text, chat]).sort(), [
    ['Ann said: In the thread.', formatAddress({ ...address, thread: '902' })],
    ['Ann said: Look\n  [file map.png]', formatAddress(address)],
    ['Ann said: The kayak is packed.', formatAddress(address)],
  ]);
  assert.deepEqual(
    (await list()).map(({ text }) => text),
    ['Ann said: In private.'],
  );
});
