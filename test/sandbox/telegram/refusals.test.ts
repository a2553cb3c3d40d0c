// What the Telegram sandbox turns down, in Telegram's words.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '#base/clock.ts';
import { createTelegramSandbox } from '#sandbox/telegram/server.ts';
import { type Answer, callerOf } from './bot-api.ts';

function words({ status, ok, error_code, description }: Answer): string {
  assert.equal(ok, false);
  assert.equal(status, error_code);
  return `${error_code} ${description}`;
}

test('a wrong token is Unauthorized, what is no token and an unknown method are Not Found', async (t) => {
  const sandbox = await createTelegramSandbox({ clock: systemClock });
  t.after(() => sandbox.close());
  assert.equal(words(await callerOf(sandbox, '123:wrong-token')('getMe')), '401 Unauthorized');
  assert.equal(words(await callerOf(sandbox, 'nonsense')('getMe')), '404 Not Found');
  assert.equal(words(await callerOf(sandbox)('makeCoffee')), '404 Not Found');
  sandbox.revokeToken();
  assert.equal(words(await callerOf(sandbox)('getMe')), '401 Unauthorized');
});

test('messages that Telegram would not take are refused in its words', async (t) => {
  const sandbox = await createTelegramSandbox({ clock: systemClock });
  t.after(() => sandbox.close());
  const call = callerOf(sandbox);
  const chat_id = Number(sandbox.userID('you'));
  const refused = async (method: string, params: object) => words(await call(method, params));
  assert.equal(await refused('sendMessage', { text: 'x' }), '400 Bad Request: chat_id is empty');
  assert.equal(await refused('sendMessage', { chat_id: 1, text: 'x' }), '400 Bad Request: chat not found');
  assert.equal(await refused('sendMessage', { chat_id }), '400 Bad Request: message text is empty');
  assert.equal(
    await refused('sendMessage', { chat_id, text: ' \n ' }),
    '400 Bad Request: message text is empty',
  );
  assert.equal(
    await refused('sendMessage', { chat_id, text: 'x'.repeat(4097) }),
    '400 Bad Request: message is too long',
  );
  assert.equal(
    await refused('sendMessage', { chat_id, text: 'x', message_thread_id: 1 }),
    '400 Bad Request: message thread not found',
  );
  assert.equal(
    await refused('sendMessage', { chat_id, text: 'x', reply_parameters: { message_id: 9 } }),
    '400 Bad Request: message to be replied not found',
  );
  assert.match(
    await refused('sendMessage', { chat_id, text: '<b>', parse_mode: 'HTML' }),
    /can't parse entities/,
  );
  assert.equal(
    await refused('editMessageText', { chat_id, message_id: 9, text: 'x' }),
    '400 Bad Request: message to edit not found',
  );
  assert.equal(
    await refused('deleteMessage', { chat_id, message_id: 9 }),
    '400 Bad Request: message to delete not found',
  );
  assert.equal(
    await refused('sendChatAction', { chat_id, action: 'dancing' }),
    '400 Bad Request: wrong parameter action in request',
  );
  const { id } = await sandbox.say({ chat: 'dm', user: 'you', text: 'hello' });
  assert.equal(
    await refused('editMessageText', { chat_id, message_id: id, text: 'x' }),
    "400 Bad Request: message can't be edited",
  );
  assert.equal(
    await refused('setMessageReaction', {
      chat_id,
      message_id: id,
      reaction: [{ type: 'emoji', emoji: '✅' }],
    }),
    '400 Bad Request: REACTION_INVALID',
  );
  const room = '@parley_sandbox_room';
  assert.equal(
    await refused('sendMessageDraft', { chat_id: room, draft_id: 1, text: 'x' }),
    '400 Bad Request: TEXTDRAFT_PEER_INVALID',
  );
  assert.equal(
    await refused('getFile', { file_id: 'x' }),
    '400 Bad Request: wrong file_id or the file is temporarily unavailable',
  );
  sandbox.setAccess({ chat: 'private', user: 'you' }, 'closed');
  assert.equal(
    await refused('sendMessage', { chat_id: -1_001_000_000_002, text: 'x' }),
    '403 Forbidden: bot was kicked from the supergroup chat',
  );
  sandbox.setAccess({ chat: 'dm', user: 'you' }, 'closed');
  assert.equal(
    await refused('sendMessage', { chat_id, text: 'x' }),
    '403 Forbidden: bot was blocked by the user',
  );
});

test('an edit that changes nothing is refused, one that changes an entity is not (D11)', async (t) => {
  const sandbox = await createTelegramSandbox({ clock: systemClock });
  t.after(() => sandbox.close());
  const call = callerOf(sandbox);
  const chat_id = sandbox.userID('you');
  const { result } = await call('sendMessage', { chat_id, text: 'same' });
  const { message_id } = result;
  const same = await call('editMessageText', { chat_id, message_id, text: 'same ' });
  assert.match(
    same.description ?? '',
    /^Bad Request: message is not modified: specified new message content/,
  );
  const entities = [{ type: 'bold', offset: 0, length: 4 }];
  const bold = await call('editMessageText', { chat_id, message_id, text: 'same', entities });
  assert.equal(bold.ok, true);
  assert.equal(typeof bold.result.edit_date, 'number');
});

test('a form, a query and JSON say the same', async (t) => {
  const sandbox = await createTelegramSandbox({ clock: systemClock });
  t.after(() => sandbox.close());
  const chat_id = sandbox.userID('you');
  const base = `${sandbox.url}/bot${sandbox.tokens.bot}`;
  const entities = JSON.stringify([{ type: 'italic', offset: 0, length: 1 }]);
  const fields = new URLSearchParams({ chat_id, text: 'a', entities });
  const form = new FormData();
  for (const [name, value] of fields) form.set(name, value);
  const answers = await Promise.all([
    fetch(`${base}/sendMessage?${fields}`),
    fetch(`${base}/SENDMESSAGE`, { method: 'POST', body: fields }),
    fetch(`${base}/sendmessage`, { method: 'POST', body: form }),
  ]);
  for (const answer of answers) {
    const body = (await answer.json()) as Answer;
    assert.deepEqual(body.result.entities, [{ type: 'italic', offset: 0, length: 1 }]);
  }
});
