// Holds what the sandbox sends against the platform's sample files. A sample has every key that an object can have,
// with an empty value. So: each key that is sent must be in the sample with the same JSON type, all the way down; an
// array's items are compared with the sample's items together. Samples may have more, since no answer has every key.
// Not compared: the inside of `blocks` (the sender's own) and `attachments`, and the values in `extra`, which the
// samples of events lack but the SDK's response types have (history has no sample file of its own).

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { until } from '../../support/found.ts';
import { type Body, client } from './client.ts';

const folder = join(import.meta.dirname, '..', '..', '..', '..', 'shared', 'platform-specs', 'slack');
const opaque = new Set(['blocks', 'attachments']);
const extra = {
  reactions: [{ name: '', users: [''], count: 1 }],
  reply_users: [''],
  metadata: { event_type: '', event_payload: { key: '' } },
  streaming_state: 'in_progress',
};

function sample(t: TestContext, name: string): Body | undefined {
  const path = join(folder, name);
  if (existsSync(path)) return JSON.parse(readFileSync(path, 'utf8'));
  t.skip(`the samples are missing: ${path}`);
  return undefined;
}

function typeOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
}

/** Where `sent` has a key or a type that none of the samples has. */
function strays(sent: unknown, samples: readonly unknown[], path: string): string[] {
  const alike = samples.filter((one) => typeOf(one) === typeOf(sent));
  if (alike.length === 0)
    return [`${path}: ${typeOf(sent)}, expected ${samples.map(typeOf).join(' or ') || 'nothing'}`];
  if (Array.isArray(sent)) {
    const items = alike.flatMap((one) => (Array.isArray(one) ? one : []));
    return sent.flatMap((item, index) => strays(item, items, `${path}[${index}]`));
  }
  if (typeof sent !== 'object' || sent === null) return [];
  return Object.entries(sent).flatMap(([key, value]) => {
    const found = alike.flatMap((one) =>
      one !== null && typeof one === 'object' && key in one ? [(one as Body)[key]] : [],
    );
    if (found.length === 0) return [`${path}.${key}: not in the sample`];
    return opaque.has(key) ? [] : strays(value, found, `${path}.${key}`);
  });
}

test('the comparison finds a key that is too many and a type that is wrong', () => {
  assert.deepEqual(strays({ a: 1, b: [{ c: '' }] }, [{ a: 0, b: [{}, { c: 'x' }] }], ''), []);
  assert.deepEqual(strays({ a: '1' }, [{ a: 0 }], ''), ['.a: string, expected number']);
  assert.deepEqual(strays({ b: [{ d: 1 }] }, [{ b: [{ c: 1 }] }], ''), ['.b[0].d: not in the sample']);
});

const calls: Record<string, Record<string, string>> = {
  'auth.test': {},
  'team.info': {},
  'bots.info': {},
  'users.info': { user: 'U0PARLEY0' },
  'users.list': {},
  'conversations.list': { types: 'public_channel,private_channel,im' },
  'conversations.info': { channel: 'C0ROOM000', include_num_members: 'true' },
  'conversations.members': { channel: 'C0ROOM000' },
  'chat.postEphemeral': { channel: 'C0ROOM000', user: 'U0YOU0000', text: 'x' },
  'reactions.add': { channel: 'D0YOU0000', name: 'eyes' },
  'reactions.remove': { channel: 'D0YOU0000', name: 'eyes' },
  'assistant.threads.setStatus': { channel_id: 'D0YOU0000', status: 'is thinking...' },
  'chat.delete': { channel: 'D0YOU0000' },
};

for (const [method, args] of Object.entries(calls)) {
  test(`${method} answers as its sample does, also when it refuses`, async (t) => {
    const expected = sample(t, join('api', `${method}.json`));
    if (expected === undefined) return;
    const { call } = await client(t);
    const { ts } = await call('chat.postMessage', { channel: 'D0YOU0000', text: 'x' });
    const message = { ts: String(ts), timestamp: String(ts), thread_ts: String(ts) };
    if (method === 'reactions.remove') await call('reactions.add', { ...args, ...message });
    const whole = method === 'chat.postEphemeral' ? args : { ...message, ...args };
    const answer = await call(method, whole);
    assert.equal(answer.ok, true, JSON.stringify(answer));
    assert.deepEqual(strays(answer, [expected], method), []);
    const refused = await call(method, whole, 'xoxb-else');
    assert.equal(refused.ok, false);
    assert.deepEqual(strays(refused, [expected], method), []);
  });
}

test('apps.connections.open answers as its sample does', async (t) => {
  const expected = sample(t, join('api', 'apps.connections.open.json'));
  if (expected === undefined) return;
  const { call, sandbox } = await client(t);
  assert.deepEqual(strays(await call('apps.connections.open', {}, sandbox.tokens.app), [expected], ''), []);
});

test('an upload answers as its samples do, and its file is shown and can be fetched', async (t) => {
  const [asked, completed] = ['getUploadURLExternal', 'completeUploadExternal'].map((name) =>
    sample(t, join('api', `files.${name}.json`)),
  );
  if (asked === undefined || completed === undefined) return;
  const { call, sandbox } = await client(t);
  const url = await call('files.getUploadURLExternal', { filename: 'a.txt', length: '5' });
  assert.deepEqual(strays(url, [asked], 'url'), []);
  const files = JSON.stringify([{ id: url.file_id }]);
  assert.equal((await call('files.completeUploadExternal', { files })).error, 'file_not_found');
  await fetch(String(url.upload_url), { method: 'POST', body: 'hello' });
  const done = await call('files.completeUploadExternal', {
    files,
    channel_id: 'D0YOU0000',
    initial_comment: 'here',
  });
  assert.equal(done.ok, true);
  assert.deepEqual(strays(done, [completed], 'done'), []);
  assert.equal(sandbox.shown('dm', 'you')[0]?.text, 'here');
  const [file] = done.files as Body[];
  const headers = { Authorization: `Bearer ${sandbox.tokens.bot}` };
  assert.equal(await (await fetch(String(file?.url_private), { headers })).text(), 'hello');
});

test('events are as their samples, each kind of them', async (t) => {
  const names = [
    'Message',
    'AppMention',
    'MessageChanged',
    'MessageDeleted',
    'MessageFileShare',
    'MessageChannelJoin',
  ];
  const samples = names.map((name) => sample(t, join('events', `${name}Payload.json`)));
  const { call, sandbox, connect } = await client(t);
  const { frames } = await connect(() => true);
  const { id } = await sandbox.say({ chat: 'room', user: 'you', text: 'one', mention: true });
  const reply = await sandbox.say({ chat: 'room', user: 'you', text: 'two', thread: id });
  await sandbox.editMessage(id, 'three');
  sandbox.unfurl(id);
  sandbox.share({
    chat: 'dm',
    user: 'you',
    text: '',
    name: 'a.txt',
    mime: 'text/plain',
    bytes: new Uint8Array(3),
  });
  sandbox.join('guest');
  await call('chat.postMessage', { channel: 'C0ROOM000', text: 'x', thread_ts: id });
  await sandbox.deleteMessage(reply.id); // a message with replies leaves a tombstone instead
  await until('10 events', () => frames.length >= 11);
  const kinds = new Set<string>();
  for (const frame of frames.slice(1)) {
    const payload = frame.payload as Body;
    const { type, subtype } = payload.event as Body;
    const name = type === 'app_mention' ? 'AppMention' : nameOf(subtype);
    kinds.add(name);
    const expected = samples[names.indexOf(name)];
    if (expected !== undefined) assert.deepEqual(strays(payload, [expected], name), []);
  }
  assert.deepEqual([...kinds].sort(), names.toSorted());
});

function nameOf(subtype: unknown): string {
  if (subtype === undefined) return 'Message';
  return `Message${String(subtype)
    .replace(/^message_/, '')
    .replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())}`;
}

test('messages of history, replies and posts have the keys of messages in events', async (t) => {
  const event = sample(t, join('events', 'MessageChangedPayload.json'));
  const file = sample(t, join('events', 'MessageFileSharePayload.json'));
  if (event === undefined || file === undefined) return;
  const { call, sandbox } = await client(t);
  const changed = event.event as Body;
  const shared = file.event as Body;
  const expected = [{ ...(changed.message as Body), files: shared.files, app_id: '', ...extra }];
  const channel = 'D0YOU0000';
  const { id } = await sandbox.say({ chat: 'dm', user: 'you', text: 'one' });
  sandbox.share({
    chat: 'dm',
    user: 'you',
    text: '',
    name: 'a.txt',
    mime: 'text/plain',
    bytes: new Uint8Array(3),
  });
  const metadata = JSON.stringify({ event_type: 'kept', event_payload: { key: 'k' } });
  const posted = await call('chat.postMessage', { channel, text: 'x', thread_ts: id, metadata });
  await call('reactions.add', { channel, timestamp: id, name: 'eyes' });
  await call('chat.startStream', { channel, thread_ts: id, markdown_text: 'so far' });
  const history = await call('conversations.history', { channel, include_all_metadata: 'true' });
  const replies = await call('conversations.replies', { channel, ts: id, include_all_metadata: 'true' });
  for (const message of [posted.message, ...(history.messages as Body[]), ...(replies.messages as Body[])])
    assert.deepEqual(strays(message, expected, 'message'), []);
});
