import assert from 'node:assert/strict';
import { test } from 'node:test';
import { client } from './client.ts';

const dm = 'D0YOU0000';
const markdown = (...lengths: number[]) =>
  JSON.stringify(lengths.map((length) => ({ type: 'markdown', text: 'x'.repeat(length) })));

test('tokens are refused in Slack’s words', async (t) => {
  const { call, sandbox } = await client(t, { scopes: ['chat:write'] });
  const { bot, app = '' } = sandbox.tokens;
  assert.equal((await call('auth.test', {}, '')).error, 'not_authed');
  assert.equal((await call('auth.test', {}, 'xoxb-else')).error, 'invalid_auth');
  assert.equal((await call('auth.test', {}, app)).error, 'not_allowed_token_type');
  assert.equal((await call('apps.connections.open', {}, bot)).error, 'not_allowed_token_type');
  assert.equal((await call('nothing.at.all')).error, 'unknown_method');
  assert.equal((await call('auth.test', { token: bot }, '')).ok, true);
  assert.deepEqual(await call('users.info', { user: 'U0YOU0000' }), {
    ok: false,
    error: 'missing_scope',
    needed: 'users:read',
    provided: 'chat:write',
  });
});

test('each kind of conversation has scopes of its own', async (t) => {
  const { call } = await client(t, { scopes: ['im:history', 'im:read'] });
  assert.equal((await call('users.conversations', { types: 'im' })).ok, true);
  assert.equal((await call('users.conversations', { types: 'im,private_channel' })).needed, 'groups:read');
  assert.equal((await call('conversations.history', { channel: dm })).ok, true);
  assert.equal((await call('conversations.history', { channel: 'C0ROOM000' })).needed, 'channels:history');
});

test('messages that Slack refuses are refused in its words', async (t) => {
  const { call, sandbox } = await client(t);
  const post = async (args: Record<string, string>) =>
    (await call('chat.postMessage', { channel: dm, ...args })).error;
  assert.equal(await post({ text: 'x', channel: 'C404' }), 'channel_not_found');
  assert.equal(await post({}), 'no_text');
  assert.equal(await post({ text: '' }), 'no_text');
  assert.equal(await post({ text: 'x', thread_ts: '1.2' }), 'thread_not_found');
  assert.equal(await post({ text: 'x', blocks: markdown(12_001) }), 'invalid_blocks');
  assert.equal(await post({ text: 'x', blocks: markdown(0) }), 'invalid_blocks');
  assert.equal(await post({ text: 'x', blocks: '[{"type":"marquee"}]' }), 'invalid_blocks');
  assert.equal(await post({ text: 'x', blocks: '[' }), 'invalid_arguments');
  assert.equal(
    await post({ text: 'x', blocks: JSON.stringify(Array(51).fill({ type: 'divider' })) }),
    'invalid_blocks',
  );
  assert.equal(await post({ text: 'x', blocks: markdown(7000, 6201) }), 'msg_blocks_too_long');
  assert.equal(await post({ text: 'x', metadata: '{}' }), 'invalid_metadata_format');
  assert.deepEqual(sandbox.shown('dm', 'you'), []);
  assert.equal(await post({ text: 'x', blocks: markdown(7000, 6200) }), undefined);
});

test('only own messages can be changed, and long text is cut in a post and refused in an update', async (t) => {
  const { call, sandbox } = await client(t);
  const { id } = await sandbox.say({ chat: 'dm', user: 'you', text: 'mine' });
  assert.equal((await call('chat.update', { channel: dm, ts: id, text: 'x' })).error, 'cant_update_message');
  assert.equal((await call('chat.delete', { channel: dm, ts: id })).error, 'cant_delete_message');
  assert.equal((await call('chat.update', { channel: dm, ts: '1.2', text: 'x' })).error, 'message_not_found');
  const { ts } = await call('chat.postMessage', { channel: dm, text: 'x'.repeat(40_001) });
  assert.equal(sandbox.shown('dm', 'you')[1]?.text.length, 40_000);
  const update = await call('chat.update', { channel: dm, ts: String(ts), text: 'x'.repeat(4001) });
  assert.equal(update.error, 'msg_too_long');
});

test('a JSON body is taken as a form is', async (t) => {
  const { sandbox } = await client(t);
  const response = await fetch(`${sandbox.url}chat.postMessage`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${sandbox.tokens.bot}`,
      'Content-Type': 'application/json; charset=utf-8',
    },
    body: JSON.stringify({ channel: dm, text: 'a &amp; b' }),
  });
  assert.equal(response.headers.get('x-oauth-scopes')?.includes('chat:write'), true);
  assert.equal(sandbox.shown('dm', 'you')[0]?.text, 'a & b');
});

test('history pages from the newest down, within its window, and shows metadata only when asked', async (t) => {
  const { call, sandbox } = await client(t);
  const ids: string[] = [];
  for (let n = 0; n < 5; n += 1) ids.push((await sandbox.say({ chat: 'dm', user: 'you', text: `${n}` })).id);
  const metadata = { event_type: 'kept', event_payload: { key: 'k' } };
  await call('chat.postMessage', { channel: dm, text: 'five', metadata: JSON.stringify(metadata) });
  const texts = (page: { [key: string]: unknown }) =>
    (page.messages as { text: string }[]).map(({ text }) => text);
  const first = await call('conversations.history', { channel: dm, limit: '4' });
  assert.deepEqual(texts(first), ['five', '4', '3', '2']);
  assert.equal(first.has_more, true);
  const { next_cursor: cursor } = first.response_metadata as { next_cursor: string };
  const second = await call('conversations.history', { channel: dm, limit: '4', cursor });
  assert.deepEqual(texts(second), ['1', '0']);
  assert.equal(second.has_more, false);
  const window = { channel: dm, oldest: ids[1] ?? '', latest: ids[3] ?? '' };
  assert.deepEqual(texts(await call('conversations.history', window)), ['2']);
  assert.deepEqual(texts(await call('conversations.history', { ...window, inclusive: 'true' })), [
    '3',
    '2',
    '1',
  ]);
  assert.equal((await call('conversations.history', { channel: dm, cursor: 'x' })).error, 'invalid_cursor');
  const [plain] = first.messages as { metadata?: unknown }[];
  assert.equal(plain?.metadata, undefined);
  const saved = await call('conversations.history', {
    channel: dm,
    limit: '1',
    include_all_metadata: 'true',
  });
  assert.deepEqual((saved.messages as { metadata?: unknown }[])[0]?.metadata, metadata);
});

test('replies are only in their thread, first message first', async (t) => {
  const { call, sandbox } = await client(t);
  const channel = 'C0ROOM000';
  const { id } = await sandbox.say({ chat: 'room', user: 'guest', text: 'first' });
  await sandbox.say({ chat: 'room', user: 'you', text: 'second', replyTo: id });
  const replies = (await call('conversations.replies', { channel, ts: id })).messages as Record<
    string,
    unknown
  >[];
  assert.deepEqual(
    replies.map(({ text, thread_ts: thread }) => [text, thread]),
    [
      ['first', id],
      ['second', id],
    ],
  );
  assert.equal(replies[0]?.reply_count, 1);
  assert.equal(replies[1]?.parent_user_id, 'U0GUEST00');
  assert.equal(((await call('conversations.history', { channel })).messages as unknown[]).length, 1);
});

test('an ephemeral message is seen by one person and is not in the history', async (t) => {
  const { call, sandbox } = await client(t);
  await call('chat.postEphemeral', { channel: 'C0ROOM000', user: 'U0YOU0000', text: 'only you' });
  assert.equal(sandbox.shown('room', 'you').length, 1);
  assert.equal(sandbox.shown('room', 'guest').length, 0);
  assert.deepEqual((await call('conversations.history', { channel: 'C0ROOM000' })).messages, []);
});

test('faults fit their target, last as often as requested, and a lost answer keeps its effect', async (t) => {
  const { call, sandbox } = await client(t);
  sandbox.inject({ kind: 'lost_response', target: 'send', times: 1 });
  await call('auth.test');
  await assert.rejects(call('chat.postMessage', { channel: dm, text: 'there' }));
  assert.equal(sandbox.shown('dm', 'you').length, 1);
  sandbox.inject({ kind: 'rate_limit', target: 'any', times: 1, retryAfterMs: 1500 });
  const limited = await fetch(`${sandbox.url}auth.test`, { method: 'POST' });
  assert.equal(limited.status, 429);
  assert.equal(limited.headers.get('retry-after'), '2');
  assert.deepEqual(await limited.json(), { ok: false, error: 'ratelimited' });
  assert.equal((await call('auth.test')).ok, true);
  assert.deepEqual(
    sandbox.calls().map(({ name, status }) => [name, status]),
    [
      ['auth.test', 200],
      ['chat.postMessage', 0],
      ['auth.test', 429],
      ['auth.test', 200],
    ],
  );
});

test('a private chat is for its members, and strangers to the sandbox are told so', async (t) => {
  const { sandbox } = await client(t);
  await assert.rejects(sandbox.say({ chat: 'private', user: 'guest', text: 'x' }), /not in the chat/);
  assert.deepEqual(sandbox.shown('private', 'guest'), []);
  await assert.rejects(sandbox.editMessage('1.2', 'x'), /Expected the id of a message/);
});
