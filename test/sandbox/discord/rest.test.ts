// The sandbox's REST routes: refusals in Discord's words, nonces, limits, faults, and every answer against the description.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { systemClock } from '#base/clock.ts';
import { createDiscordSandbox, type DiscordSandbox } from '#sandbox/discord/server.ts';
import { discordDescription } from './openapi.ts';
import { type Answer, type Call, caller } from './rest.ts';

const messages = '/channels/{channel_id}/messages';
const oneMessage = '/channels/{channel_id}/messages/{message_id}';
const reaction = '/channels/{channel_id}/messages/{message_id}/reactions/{emoji_name}/@me';
const typing = '/channels/{channel_id}/typing';

let sandbox: DiscordSandbox;
let call: Call;
let answers: Answer[];
let room: string;

before(async () => {
  sandbox = await createDiscordSandbox({
    clock: systemClock,
    limits: { calls: 1000, perMs: 1000, global: 1000 },
  });
  ({ call, answers } = caller(sandbox));
  room = sandbox.channelID('room', 'you');
});
after(() => sandbox.close());

const words = (answer: Answer) => [answer.status, answer.body];
const idOf = (answer: Answer): string => (answer.body as { id: string }).id;

test('a wrong token is refused on every route', async () => {
  const answer = await call('GET', '/users/@me', { token: 'wrong' });
  assert.deepEqual(words(answer), [401, { message: '401: Unauthorized', code: 0 }]);
});

test('unknown channels, messages, users, guilds and emoji are refused with their codes', async () => {
  const none = '1000000000000000001';
  const said = await sandbox.say({ chat: 'room', user: 'you', text: 'here' });
  const codes = [
    await call('GET', '/channels/{channel_id}', { params: { channel_id: none } }),
    await call('GET', oneMessage, { params: { channel_id: room, message_id: none } }),
    await call('GET', '/users/{user_id}', { params: { user_id: none } }),
    await call('GET', '/guilds/{guild_id}', { params: { guild_id: none } }),
    await call('GET', '/guilds/{guild_id}/members/{user_id}', {
      params: { guild_id: sandbox.guildID, user_id: none },
    }),
    await call('PUT', reaction, { params: { channel_id: room, message_id: said.id, emoji_name: 'no' } }),
  ].map((answer) => [answer.status, (answer.body as { code: number }).code]);
  assert.deepEqual(codes, [
    [404, 10003],
    [404, 10008],
    [404, 10013],
    [404, 10004],
    [404, 10007],
    [404, 10014],
  ]);
});

test('a room that the bot may not see answers Missing Access', async () => {
  const answer = await call('POST', messages, {
    params: { channel_id: sandbox.hiddenChannelID },
    body: { content: 'hello' },
  });
  assert.deepEqual(words(answer), [403, { message: 'Missing Access', code: 50001 }]);
});

test('a text of 2001 characters, an empty one and a long nonce are refused with a message', async () => {
  const params = { channel_id: room };
  const long = await call('POST', messages, { params, body: { content: 'x'.repeat(2001) } });
  assert.deepEqual(words(long), [
    400,
    {
      message: 'Invalid Form Body',
      code: 50035,
      errors: {
        content: {
          _errors: [{ code: 'BASE_TYPE_MAX_LENGTH', message: 'Must be 2000 or fewer in length.' }],
        },
      },
    },
  ]);
  const empty = await call('POST', messages, { params, body: { content: ' \n ' } });
  assert.deepEqual(words(empty), [400, { message: 'Cannot send an empty message', code: 50006 }]);
  const nonce = await call('POST', messages, { params, body: { content: 'a', nonce: 'n'.repeat(26) } });
  assert.equal(nonce.status, 400);
  const field = await call('POST', messages, { params, body: { content: 7 } });
  assert.equal((field.body as { code: number }).code, 50035);
});

test('an answer to a message that is gone is refused unless the request says otherwise', async () => {
  const params = { channel_id: room };
  const reference = { message_id: '1000000000000000001' };
  const strict = await call('POST', messages, {
    params,
    body: { content: 'a', message_reference: reference },
  });
  assert.match(JSON.stringify(strict.body), /REPLIES_UNKNOWN_MESSAGE/);
  const lenient = await call('POST', messages, {
    params,
    body: { content: 'a', message_reference: { ...reference, fail_if_not_exists: false } },
  });
  assert.equal(lenient.status, 200);
});

test("the bot can neither edit nor delete another's message", async () => {
  const said = await sandbox.say({ chat: 'room', user: 'you', text: 'mine' });
  const params = { channel_id: room, message_id: said.id };
  const edit = await call('PATCH', oneMessage, { params, body: { content: 'yours' } });
  assert.deepEqual(words(edit), [
    403,
    { message: 'Cannot edit a message authored by another user', code: 50005 },
  ]);
  assert.equal((await call('DELETE', oneMessage, { params })).status, 403);
});

test('the same nonce posts once when it is enforced, and again when it is not', async () => {
  const params = { channel_id: sandbox.channelID('dm', 'guest') };
  const enforced = { content: 'once', nonce: 'key-1', enforce_nonce: true };
  const first = await call('POST', messages, { params, body: enforced });
  const second = await call('POST', messages, { params, body: enforced });
  assert.equal(idOf(first), idOf(second));
  await call('POST', messages, { params, body: { content: 'once', nonce: 'key-1' } });
  assert.equal(sandbox.shown('dm', 'guest').length, 2);
});

test('mentions reach nobody when allowed_mentions lists nothing', async () => {
  const content = `@everyone <@${sandbox.userID('you')}>`;
  const params = { channel_id: room };
  const loud = await call('POST', messages, { params, body: { content } });
  const quiet = await call('POST', messages, { params, body: { content, allowed_mentions: { parse: [] } } });
  assert.equal(sandbox.payload(idOf(loud)).mention_everyone, true);
  assert.equal(sandbox.payload(idOf(quiet)).mention_everyone, false);
  assert.deepEqual(sandbox.payload(idOf(quiet)).mentions, []);
});

test('a list gives the newest first, and after an id the ones next to it', async () => {
  const said: string[] = [];
  for (const text of ['one', 'two', 'three', 'four'])
    said.push((await sandbox.say({ chat: 'private', user: 'you', text })).id);
  const params = { channel_id: sandbox.channelID('private', 'you') };
  const ids = async (query: string) =>
    ((await call('GET', messages, { params, query })).body as { id: string }[]).map(({ id }) =>
      said.indexOf(id),
    );
  assert.deepEqual(await ids('?limit=2'), [3, 2]);
  assert.deepEqual(await ids(`?limit=2&after=${said[0]}`), [2, 1]);
  assert.deepEqual(await ids(`?before=${said[2]}`), [1, 0]);
  assert.equal((await call('GET', messages, { params, query: '?limit=101' })).status, 400);
});

test('a bucket that is used up answers 429 with the time to wait, in headers and body', async () => {
  const strict = await createDiscordSandbox({
    clock: systemClock,
    limits: { calls: 2, perMs: 60_000, global: 4 },
  });
  try {
    const { call } = caller(strict);
    const params = { channel_id: strict.channelID('room', 'you') };
    const first = await call('POST', messages, { params, body: { content: 'a' } });
    assert.equal(first.headers.get('X-RateLimit-Remaining'), '1');
    await call('POST', messages, { params, body: { content: 'b' } });
    const refused = await call('POST', messages, { params, body: { content: 'c' } });
    assert.equal(refused.status, 429);
    const body = refused.body as { retry_after: number; global: boolean };
    assert.ok(body.retry_after > 1 && body.retry_after <= 60);
    assert.equal(body.global, false);
    assert.equal(refused.headers.get('Retry-After'), String(Math.ceil(body.retry_after)));
    await call('POST', typing, { params });
    const global = await call('POST', typing, { params });
    assert.equal(global.headers.get('X-RateLimit-Global'), 'true');
    assert.equal((global.body as { global: boolean }).global, true);
  } finally {
    await strict.close();
  }
});

test('faults befall only their target, as often as asked', async () => {
  const params = { channel_id: sandbox.channelID('dm', 'you') };
  const send = (content: string) => call('POST', messages, { params, body: { content } });
  sandbox.inject({ kind: 'rate_limit', target: 'send', times: 1, retryAfterMs: 1500 });
  assert.equal((await call('POST', typing, { params })).status, 204);
  const limited = await send('a');
  assert.equal(limited.status, 429);
  assert.equal(limited.headers.get('Retry-After'), '2');
  assert.equal((limited.body as { retry_after: number }).retry_after, 1.5);
  sandbox.inject({ kind: 'server_error', target: 'any', times: 1 });
  assert.equal((await send('a')).status, 500);
  sandbox.inject({ kind: 'lost_response', target: 'send', times: 1 });
  await assert.rejects(send('a'));
  sandbox.inject({ kind: 'slow', target: 'send', times: 1, delayMs: 5 });
  assert.equal((await send('b')).status, 200);
  assert.deepEqual(
    sandbox.shown('dm', 'you').map(({ text }) => text),
    ['a', 'b'],
  );
  assert.equal(sandbox.calls().filter(({ status }) => status === 0).length, 1);
});

test('a typing indicator stands until the bot posts', async () => {
  const params = { channel_id: room };
  let changes = 0;
  const stop = sandbox.onChange(() => {
    changes += 1;
  });
  await call('POST', typing, { params });
  assert.equal(sandbox.typing('room', 'you'), true);
  await call('POST', messages, { params, body: { content: 'done' } });
  assert.equal(sandbox.typing('room', 'you'), false);
  assert.equal(changes, 2);
  stop();
});

test('what a person sees has the mentions as names, the edits and the reactions', async () => {
  const params = { channel_id: room };
  const said = await sandbox.say({ chat: 'room', user: 'you', text: '**hello**', mention: true });
  const posted = await call('POST', messages, {
    params,
    body: { content: 'first', message_reference: { message_id: said.id } },
  });
  await call('PATCH', oneMessage, {
    params: { ...params, message_id: idOf(posted) },
    body: { content: 'second' },
  });
  await call('PUT', reaction, { params: { ...params, message_id: said.id, emoji_name: '👀' } });
  const [asked, answer] = sandbox.shown('room', 'guest').slice(-2);
  assert.equal(asked?.text, '@parley hello');
  assert.deepEqual(asked?.reactions, ['👀']);
  assert.equal(answer?.text, 'second');
  assert.equal(answer?.edited, true);
  assert.equal(answer?.author, 'bot');
  assert.equal(answer?.replyTo, said.id);
});

test('every answer, refusals and limits too, fits the OpenAPI description', async (t) => {
  const description = discordDescription();
  if (description === undefined) {
    t.skip('the folder with the platform specifications is not there');
    return;
  }
  const said = await sandbox.say({ chat: 'room', user: 'you', text: 'hello', mention: true });
  const reply = await sandbox.say({ chat: 'room', user: 'guest', text: 'again', replyTo: said.id });
  const user = sandbox.userID('you');
  await call('GET', '/gateway');
  await call('GET', '/gateway/bot');
  await call('GET', '/applications/@me');
  await call('GET', '/oauth2/applications/@me');
  await call('GET', '/users/@me');
  await call('GET', '/users/@me/guilds');
  await call('GET', '/users/{user_id}', { params: { user_id: user } });
  await call('POST', '/users/@me/channels', { body: { recipient_id: user } });
  await call('POST', '/users/@me/channels', { body: {} });
  await call('GET', '/guilds/{guild_id}', { params: { guild_id: sandbox.guildID } });
  await call('GET', '/guilds/{guild_id}/channels', { params: { guild_id: sandbox.guildID } });
  await call('GET', '/guilds/{guild_id}/members/{user_id}', {
    params: { guild_id: sandbox.guildID, user_id: user },
  });
  const at = (message_id: string) => ({ channel_id: room, message_id });
  await call('PUT', reaction, { params: { ...at(said.id), emoji_name: '👍' } });
  const posted = await call('POST', messages, { params: { channel_id: room }, body: { content: 'x' } });
  await call('PATCH', oneMessage, { params: at(idOf(posted)), body: { content: 'y' } });
  await call('POST', '/channels/{channel_id}/messages/{message_id}/threads', {
    params: at(said.id),
    body: { name: 'a thread' },
  });
  await call('POST', '/channels/{channel_id}/threads', {
    params: { channel_id: room },
    body: { name: 'another' },
  });
  for (const id of [room, said.id, sandbox.channelID('dm', 'you'), sandbox.channelID('private', 'you')])
    await call('GET', '/channels/{channel_id}', { params: { channel_id: id } });
  await call('GET', messages, { params: { channel_id: room } });
  await call('GET', oneMessage, { params: at(reply.id) });
  await call('DELETE', reaction, { params: { ...at(said.id), emoji_name: '👍' } });
  await call('DELETE', oneMessage, { params: at(idOf(posted)) });
  assert.deepEqual(
    answers.filter(({ status }) => status !== 500).flatMap((answer) => description.complaints(answer)),
    [],
  );
});
