// Discord's payloads as text and events, without a connection: what is odd first.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { explain } from '#adapters/discord/calls/explain.ts';
import { readEdit, readMessage } from '#adapters/discord/events/read-message.ts';
import type { ChannelContext } from '#adapters/discord/rooms/channel-context.ts';
import { mentionsSelf, readableText } from '#adapters/discord/rooms/mention-text.ts';
import { message } from './payload.ts';

const self = { id: '1', roleID: '9' };
const names = {
  user: (id: string) => (id === '2' ? 'Guest' : undefined),
  role: (id: string) => (id === '8' ? 'helpers' : undefined),
  channel: (id: string) => (id === '3' ? 'general' : undefined),
};
const read = (content: string): string => readableText(content, self, names);

const place: ChannelContext = {
  address: { platform: 'discord', account: '1', space: '5', chat: '3', kind: 'channel' },
  room: { names: { channel: 'general' }, restricted: false },
  open: true,
  botRoleID: '9',
  channelName: names.channel,
  roleName: names.role,
};

test('a mention inside of code is neither a mention nor taken out', () => {
  for (const content of ['`<@1>`', '```\n<@1>\n```', 'see ``<@1>``']) {
    assert.equal(mentionsSelf(content, self), false, content);
    assert.equal(read(content), content);
  }
});

test("only the bot's own mention goes, with the space and comma that came with it", () => {
  assert.equal(read('<@1> hi'), 'hi');
  assert.equal(read('<@!1>, hi'), 'hi');
  assert.equal(read('hi <@1>'), 'hi');
  assert.equal(read('hi <@1> there'), 'hi there');
  assert.equal(read('<@&9> hi'), 'hi');
  assert.equal(read('one\n<@1> two'), 'one\ntwo');
  assert.equal(read('`x` <@1> y'), '`x` y');
  assert.equal(read('<@1>'), '');
  assert.equal(read('<@12> hi'), '<@12> hi');
});

test('other mentions get their names, unknown ones stay', () => {
  assert.equal(read('<@2> <@!2> <@7>'), '@Guest @Guest <@7>');
  assert.equal(read('<@&8> <@&7> in <#3> <#4>'), '@helpers <@&7> in #general <#4>');
  assert.equal(read('<:wave:123> <a:dance:456>'), ':wave: :dance:');
});

test('text without mentions comes through unchanged except for its ends', () => {
  fc.assert(
    fc.property(
      fc.string().filter((text) => !/[<`]/.test(text)),
      (text) => {
        assert.equal(read(text), text.trim());
      },
    ),
  );
});

test('reading never breaks, whatever the text', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('<', '@', '!', '&', '1', '2', '>', '`', '\n', ' ', 'a') }),
      (text) => {
        assert.equal(typeof read(text), 'string');
      },
    ),
  );
});

test("identity is the account's id; names are only for reading (TI, T5)", () => {
  const one = readMessage(message({ member: { nick: 'Alex' } }), place);
  const two = readMessage(message({ author: { id: '22', username: 'other', global_name: 'Alex' } }), place);
  assert.equal(one?.actor.name, two?.actor.name);
  assert.notEqual(one?.actor.id, two?.actor.id);
});

test('the bot itself is never handed in; other bots and webhooks are marked (J6)', () => {
  assert.equal(
    readMessage(message({ author: { id: '1', username: 'parley', bot: true } }), place),
    undefined,
  );
  const bot = readMessage(message({ author: { id: '4', username: 'b', bot: true } }), place);
  assert.equal(bot?.actor.isBot, true);
  assert.equal(readMessage(message({ webhook_id: '4' }), place)?.actor.isBot, true);
});

test('system messages and messages that say nothing are not handed in, a bare mention is', () => {
  assert.equal(readMessage(message({ type: 7 }), place), undefined);
  assert.equal(readMessage(message({ type: 21, content: '' }), place), undefined);
  assert.equal(readMessage(message({ content: '' }), place), undefined);
  const bare = readMessage(message({ content: '<@1>' }), place);
  assert.equal(bare?.addressed, 'mention');
  assert.equal(bare?.text, '');
});

test('all attachments of a message come along, one message for all of them', () => {
  const attachment = { id: '7', size: 10, url: 'https://cdn.discordapp.com/a', filename: 'a.png' };
  const event = readMessage(
    message({
      content: '',
      attachments: [
        { ...attachment, content_type: 'image/png' },
        { ...attachment, url: 'https://x/b' },
      ],
    }),
    place,
  );
  assert.deepEqual(event?.files, [
    { id: 'https://cdn.discordapp.com/a', name: 'a.png', size: 10, mime: 'image/png' },
    { id: 'https://x/b', name: 'a.png', size: 10 },
  ]);
});

test('a reply to something that is gone keeps its id, and a forwarded text is quoted (F7)', () => {
  const gone = message({ type: 19, message_reference: { message_id: '50' }, referenced_message: null });
  assert.deepEqual(readMessage(gone, place)?.quoted, { nativeID: '50', fromBot: false });
  const forwarded = message({
    content: '',
    message_reference: { type: 1, message_id: '51' },
    message_snapshots: [{ message: { content: 'from somewhere else' } }],
  });
  assert.deepEqual(readMessage(forwarded, place)?.quoted, {
    nativeID: '51',
    text: 'from somewhere else',
    fromBot: false,
    forwarded: true,
  });
});

test('a change without an edit time, or of the bot itself, is no edit (A10)', () => {
  const edited_timestamp = '2024-05-06T07:09:00.000000+00:00';
  assert.equal(readEdit(message({}), place), undefined);
  assert.equal(
    readEdit(message({ edited_timestamp, author: { id: '1', username: 'parley' } }), place),
    undefined,
  );
  assert.equal(readEdit(message({ edited_timestamp }), place)?.at, Date.parse(edited_timestamp));
});

test('connection errors say whether anything was sent', () => {
  const withCode = (code: string) => Object.assign(new Error('x'), { code });
  assert.equal(explain(withCode('ECONNREFUSED')).maybeDelivered, false);
  assert.equal(explain(withCode('UND_ERR_CONNECT_TIMEOUT')).maybeDelivered, false);
  assert.equal(explain(withCode('ECONNRESET')).maybeDelivered, true);
  assert.equal(explain(withCode('UND_ERR_SOCKET')).maybeDelivered, true);
});
