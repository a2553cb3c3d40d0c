// Every answer of the Telegram sandbox against Telegram's own list of methods and types.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '#base/clock.ts';
import { createTelegramSandbox } from '#sandbox/telegram/server.ts';
import { callerOf } from './bot-api.ts';
import { botApiJudge } from './bot-api-judge.ts';

const missing = 'shared/platform-specs/telegram-bot-api.json is not there';
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

test('the judge refuses unknown fields and missing ones', (t) => {
  const judge = botApiJudge();
  if (judge === undefined) return t.skip(missing);
  const user = { id: 1, is_bot: false, first_name: 'You' };
  assert.deepEqual(judge.type('User', user), []);
  assert.notDeepEqual(judge.type('User', { ...user, nickname: 'y' }), []);
  assert.notDeepEqual(judge.type('User', { id: 1, is_bot: false }), []);
  assert.notDeepEqual(judge.result('sendMessage', { message_id: 1 }), []);
});

test('what every method returns has the shape that the Bot API promises', async (t) => {
  const judge = botApiJudge();
  if (judge === undefined) return t.skip(missing);
  const sandbox = await createTelegramSandbox({ clock: systemClock });
  t.after(() => sandbox.close());
  const call = callerOf(sandbox);
  const chat_id = sandbox.userID('you');
  const held = async (method: string, params: object | FormData = {}) => {
    const answer = await call(method, params);
    assert.equal(answer.ok, true, `${method}: ${answer.description}`);
    assert.deepEqual(judge.result(method, answer.result), [], method);
    return answer.result;
  };
  await held('getMe');
  await held('getWebhookInfo');
  await held('deleteWebhook', { drop_pending_updates: false });
  await held('setMyCommands', { commands: [{ command: 'stop', description: 'Stops the run' }] });
  await held('getMyCommands');
  await held('getChat', { chat_id });
  await held('getChat', { chat_id: '@parley_sandbox_room' });
  await held('getChatMember', { chat_id: '@parley_sandbox_room', user_id: Number(sandbox.userID('you')) });
  await held('getChatMember', { chat_id: '@parley_sandbox_room', user_id: Number(sandbox.userID('guest')) });
  const said = await sandbox.say({ chat: 'dm', user: 'you', text: '/start with https://example.com' });
  const sent = await held('sendMessage', {
    chat_id,
    text: 'bold and https://example.com',
    entities: [
      { type: 'bold', offset: 0, length: 4 },
      { type: 'text_link', offset: 5, length: 3, url: 'example.org' },
    ],
    link_preview_options: { is_disabled: true },
    reply_parameters: { message_id: Number(said.id) },
    reply_markup: { inline_keyboard: [[{ text: 'Yes', callback_data: 'yes' }]] },
  });
  await held('editMessageText', { chat_id, message_id: sent.message_id, text: 'other' });
  await held('sendChatAction', { chat_id, action: 'typing' });
  await held('setMessageReaction', {
    chat_id,
    message_id: Number(said.id),
    reaction: [{ type: 'emoji', emoji: '👀' }],
  });
  await held('sendMessageDraft', { chat_id, draft_id: 7, text: 'so far' });
  const photo = new FormData();
  photo.set('chat_id', chat_id);
  photo.set('photo', new Blob([png], { type: 'image/png' }), 'dot.png');
  photo.set('caption', 'a dot');
  const shown = await held('sendPhoto', photo);
  await held('getFile', { file_id: shown.photo[0].file_id });
  const document = new FormData();
  document.set('chat_id', chat_id);
  document.set('document', new Blob(['hello'], { type: 'text/plain' }), 'hello.txt');
  const filed = await held('sendDocument', document);
  const path = (await held('getFile', { file_id: filed.document.file_id })).file_path;
  const bytes = await fetch(`${sandbox.url}/file/bot${sandbox.tokens.bot}/${path}`);
  assert.equal(await bytes.text(), 'hello');
  await held('deleteMessage', { chat_id, message_id: filed.message_id });
});

test('every kind of update has the shape that the Bot API promises', async (t) => {
  const judge = botApiJudge();
  if (judge === undefined) return t.skip(missing);
  const sandbox = await createTelegramSandbox({
    clock: systemClock,
    privacy: 'off',
    basicGroups: ['private'],
  });
  t.after(() => sandbox.close());
  const call = callerOf(sandbox);
  const first = await sandbox.say({ chat: 'room', user: 'guest', text: 'hello #tag', mention: true });
  await sandbox.say({ chat: 'room', user: 'you', text: 'in reply', replyTo: first.id });
  const thread = sandbox.createTopic('Plans');
  await sandbox.say({ chat: 'room', user: 'you', text: 'in the topic', thread });
  await sandbox.editMessage(first.id, 'hello again');
  await sandbox.sayFile({
    chat: 'dm',
    user: 'you',
    name: 'a.txt',
    mime: 'text/plain',
    bytes: Buffer.from('a'),
    caption: 'a file',
  });
  await sandbox.redeliver(first.id);
  sandbox.migrate('private');
  const asked = await call('sendMessage', {
    chat_id: sandbox.userID('you'),
    text: 'Sure?',
    reply_markup: { inline_keyboard: [[{ text: 'Yes', callback_data: 'yes' }]] },
  });
  const query = sandbox.press(String(asked.result.message_id), 'you', 'yes');
  const { result } = await call('getUpdates');
  assert.deepEqual(judge.result('getUpdates', result), []);
  assert.equal(result.length, 10);
  const answered = await call('answerCallbackQuery', { callback_query_id: query });
  assert.deepEqual(judge.result('answerCallbackQuery', answered.result), []);
  const again = await call('answerCallbackQuery', { callback_query_id: query });
  assert.match(again.description ?? '', /^Bad Request: query is too old/);
});

test('refusals carry only the parameters that the Bot API knows', async (t) => {
  const judge = botApiJudge();
  if (judge === undefined) return t.skip(missing);
  const sandbox = await createTelegramSandbox({ clock: systemClock, basicGroups: ['private'] });
  t.after(() => sandbox.close());
  const call = callerOf(sandbox);
  sandbox.inject({ kind: 'rate_limit', target: 'send', times: 1, retryAfterMs: 2500 });
  const limited = await call('sendMessage', { chat_id: sandbox.userID('you'), text: 'x' });
  assert.deepEqual(judge.type('ResponseParameters', limited.parameters), []);
  assert.deepEqual(limited.parameters, { retry_after: 3 });
  const { from, to } = sandbox.migrate('private');
  const moved = await call('sendMessage', { chat_id: from, text: 'x' });
  assert.deepEqual(judge.type('ResponseParameters', moved.parameters), []);
  assert.deepEqual(moved.parameters, { migrate_to_chat_id: Number(to) });
});
