// What people do and see in the Telegram sandbox, and what of it the bot is told.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '#base/clock.ts';
import { entityBlocks } from '#sandbox/telegram/entities/entity-blocks.ts';
import { createTelegramSandbox } from '#sandbox/telegram/server.ts';
import { callerOf } from './bot-api.ts';
import { createTestClock } from './test-clock.ts';

test('text with entities is shown as paragraphs, quotes and code with their styles', () => {
  const text = 'Hi bold link\n\nnext\nsaid so\nlet x = 1;\nend';
  const at = (part: string) => ({ offset: text.indexOf(part), length: part.length });
  const blocks = entityBlocks(text, [
    { type: 'bold', ...at('bold link') },
    { type: 'text_link', ...at('link'), url: 'https://a.org/' },
    { type: 'blockquote', ...at('said so') },
    { type: 'pre', ...at('let x = 1;'), language: 'js' },
  ]);
  assert.deepEqual(blocks, [
    {
      kind: 'paragraph',
      runs: [
        { text: 'Hi ', styles: [] },
        { text: 'bold ', styles: ['bold'] },
        { text: 'link', styles: ['bold'], url: 'https://a.org/' },
      ],
    },
    { kind: 'paragraph', runs: [{ text: 'next', styles: [] }] },
    { kind: 'quote', runs: [{ text: 'said so', styles: [] }] },
    { kind: 'code', language: 'js', text: 'let x = 1;' },
    { kind: 'paragraph', runs: [{ text: 'end', styles: [] }] },
  ]);
});

test('with privacy mode on, the bot hears only mentions, commands and replies to it in groups', async (t) => {
  const sandbox = await createTelegramSandbox({ clock: systemClock });
  t.after(() => sandbox.close());
  const call = callerOf(sandbox);
  const room = { chat: 'room', user: 'guest' } as const;
  await sandbox.say({ ...room, text: 'among us' });
  await sandbox.say({ ...room, text: 'to you', mention: true });
  await sandbox.say({ ...room, text: '/stop' });
  await sandbox.say({ ...room, text: '/stop@another_bot' });
  const { result } = await call('sendMessage', { chat_id: '@parley_sandbox_room', text: 'from me' });
  await sandbox.say({ ...room, text: 'answering', replyTo: String(result.message_id) });
  sandbox.setPrivacy('off');
  await sandbox.say({ ...room, text: 'in the open' });
  const updates = (await call('getUpdates')).result;
  assert.deepEqual(
    updates.map(({ message }: { message: { text: string } }) => message.text),
    ['@parley_sandbox_bot to you', '/stop', 'answering', 'in the open'],
  );
  await assert.rejects(sandbox.say({ chat: 'private', user: 'guest', text: 'x' }), /not in the chat/);
});

test('a reply outside topics carries a thread id that is no topic (F3)', async (t) => {
  const sandbox = await createTelegramSandbox({ clock: systemClock, privacy: 'off' });
  t.after(() => sandbox.close());
  const first = await sandbox.say({ chat: 'room', user: 'you', text: 'start' });
  await sandbox.say({ chat: 'room', user: 'guest', text: 'reply', replyTo: first.id });
  const thread = sandbox.createTopic('Plans');
  await sandbox.say({ chat: 'room', user: 'you', text: 'in topic', thread });
  const { result } = await callerOf(sandbox)('getUpdates');
  const [, reply, opened, inTopic] = result.map(({ message }: { message: object }) => message);
  assert.equal(reply.message_thread_id, Number(first.id));
  assert.equal(reply.is_topic_message, undefined);
  assert.equal(opened.forum_topic_created.name, 'Plans');
  assert.equal(inTopic.is_topic_message, true);
  assert.equal(inTopic.reply_to_message.message_id, Number(thread));
  assert.deepEqual(
    sandbox.shown('room', 'you').map((one) => [one.text, one.thread, one.replyTo]),
    [
      ['start', undefined, undefined],
      ['reply', undefined, first.id],
      ['in topic', thread, undefined],
    ],
  );
});

test('typing and drafts are shown until the bot posts or their time is over', async (t) => {
  const clock = createTestClock();
  const sandbox = await createTelegramSandbox({ clock });
  t.after(() => sandbox.close());
  const call = callerOf(sandbox);
  const chat_id = sandbox.userID('guest');
  let changes = 0;
  const stop = sandbox.onChange(() => changes++);
  await call('sendChatAction', { chat_id, action: 'typing' });
  assert.equal(sandbox.typing('dm', 'guest'), true);
  assert.equal(sandbox.typing('dm', 'you'), false);
  clock.advance(5000);
  assert.equal(sandbox.typing('dm', 'guest'), false);
  await call('sendMessageDraft', { chat_id, draft_id: 1, text: 'half a' });
  assert.equal(sandbox.draft?.('dm', 'guest')?.text, 'half a');
  assert.equal(sandbox.typing('dm', 'guest'), true);
  assert.deepEqual(sandbox.shown('dm', 'guest'), [], 'a draft is no message');
  await call('sendChatAction', { chat_id, action: 'typing' });
  await call('sendMessage', { chat_id, text: 'half a loaf' });
  assert.equal(sandbox.typing('dm', 'guest'), false);
  assert.equal(sandbox.draft?.('dm', 'guest'), undefined);
  assert.deepEqual(
    sandbox.shown('dm', 'guest').map(({ text, author }) => `${author}: ${text}`),
    ['bot: half a loaf'],
  );
  assert.ok(changes >= 5);
  stop();
});

test('a group that becomes a supergroup reports both ids and refuses the old one (F6)', async (t) => {
  const sandbox = await createTelegramSandbox({ clock: systemClock, basicGroups: ['room'] });
  t.after(() => sandbox.close());
  const call = callerOf(sandbox);
  const { from, to } = sandbox.migrate('room');
  const { result } = await call('getUpdates');
  assert.deepEqual(
    result.map(({ message }: { message: { chat: { id: number } } }) => String(message.chat.id)),
    [from, to],
  );
  assert.equal(String(result[0].message.migrate_to_chat_id), to);
  assert.equal(String(result[1].message.migrate_from_chat_id), from);
  const refused = await call('sendMessage', { chat_id: from, text: 'x' });
  assert.equal(refused.description, 'Bad Request: group chat was upgraded to a supergroup chat');
  assert.equal((await call('sendMessage', { chat_id: to, text: 'x' })).ok, true);
});

test('what people edit and delete is shown so, and the bot receives only edits', async (t) => {
  const sandbox = await createTelegramSandbox({ clock: systemClock });
  t.after(() => sandbox.close());
  const { id } = await sandbox.say({ chat: 'dm', user: 'you', text: 'helo' });
  await sandbox.editMessage(id, 'hello');
  assert.deepEqual(
    sandbox.shown('dm', 'you').map(({ text, edited }) => [text, edited]),
    [['hello', true]],
  );
  await sandbox.deleteMessage(id);
  assert.deepEqual(sandbox.shown('dm', 'you'), []);
  assert.equal(sandbox.pendingUpdates(), 2);
  await assert.rejects(sandbox.editMessage(id, 'x'), /has no message/);
});
