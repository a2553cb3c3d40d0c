// Discord's limits as the real client meets them: what headers say, what each kind of 429 holds, and what is called in the meantime.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { createDiscordChannel } from '#adapters/discord/channel.ts';
import { createLimiter } from '#adapters/gateway/pace/limiter.ts';
import type { Address } from '#adapters/gateway/terms/address.ts';
import type { Channel, ChannelFailure, RateLimitHeaders } from '#adapters/gateway/terms/channel.ts';
import type { MessagePart } from '#adapters/text/part.ts';
import { systemClock } from '#base/clock.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { channelFor, openSandbox, silentLog } from './harness.ts';

const part = (content: string): MessagePart => ({ text: content, body: { content } });
const dm: Address = { platform: 'discord', account: 'bot', chat: '100000000000000001', kind: 'dm' };
const other: Address = { ...dm, chat: '100000000000000002' };

interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

const posted: Answer = { status: 200, headers: {}, body: JSON.stringify({ id: '200000000000000001' }) };
const refused = (headers: Record<string, string>, body: object | string): Answer => ({
  status: 429,
  headers,
  body: typeof body === 'string' ? body : JSON.stringify(body),
});

/** A channel for a server that gives these answers in turn, then takes everything; it notes what it was asked. */
async function scripted(t: TestContext, answers: Answer[]): Promise<{ channel: Channel; asked: string[] }> {
  const asked: string[] = [];
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    request.resume();
    asked.push(`${request.method} ${request.url?.replace('/api/v10', '')}`);
    const { status, headers, body } = answers.shift() ?? posted;
    const type = body.startsWith('{') ? 'application/json' : 'text/html';
    response.writeHead(status, { 'Content-Type': type, ...headers }).end(body);
  };
  const server = createServer(answer);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  // A TCP server's address is an object; only pipes have a string.
  const apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`;
  const channel = createDiscordChannel({
    token: 'MTIz.test.token',
    apiUrl,
    clock: systemClock,
    log: silentLog,
  });
  return { channel, asked };
}

async function failureOf(channel: Channel, call: Promise<unknown>): Promise<ChannelFailure> {
  const error = await call.then(
    () => assert.fail('expected the call to fail'),
    (reason: unknown) => reason,
  );
  return channel.explain(error);
}

/** Where the limiter lets nothing pass after this failure of a send in `dm`, in milliseconds. */
function holdsOf(channel: Channel, failure: ChannelFailure): Record<string, number> {
  const limiter = createLimiter({ clock: createManualClock(), capsOf: () => channel.caps });
  limiter.hold({ address: dm, act: 'send' }, failure);
  const wait = (address: Address, act: 'send' | 'edit'): number =>
    limiter.wait({ address, act, urgency: 'final' });
  return { send: wait(dm, 'send'), edit: wait(dm, 'edit'), somewhereElse: wait(other, 'send') };
}

test('headers of sends, edits, removals, typing and reactions are reported, with the thread or channel that they count for (TR)', async () => {
  await using opened = await openSandbox({ limits: { calls: 5, perMs: 5_000, global: 50 } });
  const { sandbox } = opened;
  const channel = channelFor(opened);
  const told: RateLimitHeaders[] = [];
  const stop = channel.budgets?.((budget) => void told.push(budget));
  const room: Address = {
    platform: 'discord',
    account: sandbox.botID,
    space: sandbox.guildID,
    chat: sandbox.channelID('room', 'you'),
    kind: 'channel',
  };
  const thread = { ...room, thread: sandbox.openThread({ chat: 'room', name: 'talk' }).id };
  const { nativeID } = await channel.send(room, part('a'), { key: 'a' });
  await channel.send(thread, part('b'), { key: 'b' });
  await channel.edit(room, nativeID, part('c'));
  await channel.react(room, nativeID, '👀');
  await channel.presence(room, 'typing');
  await channel.remove(room, nativeID);
  stop?.();
  await channel.send(room, part('d'), { key: 'd' });
  assert.deepEqual(
    told.map(({ place, act, limit, remaining }) => [place, act, limit, remaining]),
    [
      [room.chat, 'send', 5, 4],
      [thread.thread, 'send', 5, 4],
      [room.chat, 'edit', 5, 4],
      [room.chat, 'react', 5, 4],
      [room.chat, 'typing', 5, 4],
      [room.chat, 'remove', 5, 4],
    ],
  );
  for (const { resetAfterMs } of told) assert.ok(resetAfterMs > 0 && resetAfterMs <= 5_000);
});

test('a limiter that reads the headers never runs into a refusal, and leaves the last calls to finals (D4, TR)', async () => {
  await using opened = await openSandbox({ limits: { calls: 5, perMs: 5_000, global: 50 } });
  const { sandbox } = opened;
  const channel = channelFor(opened);
  const { editGapMs: _, ...caps } = channel.caps; // what else holds previews back
  const limiter = createLimiter({ clock: systemClock, capsOf: () => caps });
  channel.budgets?.((budget) => limiter.learn('discord', budget));
  const chat: Address = { ...dm, chat: sandbox.channelID('dm', 'you') };
  let previews = 0;
  while (limiter.tryTake({ address: chat, act: 'send', urgency: 'preview' })) {
    await channel.send(chat, part(`preview ${previews}`), { key: `p${previews}` });
    previews += 1;
  }
  assert.equal(previews, 4);
  assert.equal(limiter.tryTake({ address: chat, act: 'send', urgency: 'final' }), true);
  await channel.send(chat, part('final'), { key: 'f' });
  const left = limiter.wait({ address: chat, act: 'send', urgency: 'final' });
  assert.ok(left > 0 && left <= 5_000, `${left} ms`);
  const guest = { ...chat, chat: sandbox.channelID('dm', 'guest') };
  assert.equal(limiter.wait({ address: guest, act: 'send', urgency: 'preview' }), 0);
  assert.ok(sandbox.calls().every(({ status }) => status === 200));
});

const bucket = {
  'X-RateLimit-Limit': '5',
  'X-RateLimit-Remaining': '0',
  'X-RateLimit-Reset-After': '2.345',
  'X-RateLimit-Bucket': 'abcd',
};

test('a refusal of a route holds that route in that channel, for the exact time that the bucket names (D4)', async (t) => {
  const { channel, asked } = await scripted(t, [
    refused(
      { ...bucket, 'Retry-After': '3', 'X-RateLimit-Scope': 'user' },
      { message: 'You are being rate limited.', retry_after: 2.345, global: false },
    ),
  ]);
  const failure = await failureOf(channel, channel.send(dm, part('a'), { key: 'a' }));
  const { send, edit, somewhereElse } = holdsOf(channel, failure);
  assert.ok(send !== undefined && send > 2_000 && send <= 2_345, `${send} ms`);
  assert.deepEqual([edit, somewhereElse], [0, 0]);
  assert.equal(failure.maybeDelivered, false);
  await channel.send(other, part('b'), { key: 'b' });
  assert.equal(asked.length, 2, 'one attempt each');
});

test('a shared limit, which says nothing of the bucket, holds for as long as it says (D4)', async (t) => {
  const { channel } = await scripted(t, [
    refused(
      { ...bucket, 'X-RateLimit-Remaining': '4', 'Retry-After': '65', 'X-RateLimit-Scope': 'shared' },
      { message: 'The resource is being rate limited.', retry_after: 64.57, global: false },
    ),
  ]);
  const told: RateLimitHeaders[] = [];
  channel.budgets?.((budget) => void told.push(budget));
  const failure = await failureOf(channel, channel.send(dm, part('a'), { key: 'a' }));
  assert.deepEqual(holdsOf(channel, failure), { send: 65_000, edit: 0, somewhereElse: 0 });
  assert.deepEqual(told, [], 'headers of a refusal are not taken for the bucket’s');
});

test('the global limit holds every call of the account (D4)', async (t) => {
  const { channel, asked } = await scripted(t, [
    refused(
      { 'Retry-After': '1', 'X-RateLimit-Global': 'true', 'X-RateLimit-Scope': 'global' },
      { message: 'You are being rate limited.', retry_after: 0.64, global: true },
    ),
  ]);
  const failure = await failureOf(channel, channel.send(dm, part('a'), { key: 'a' }));
  const holds = Object.values(holdsOf(channel, failure));
  assert.ok(
    holds.every((ms) => ms > 0 && ms <= 1_000),
    holds.join(),
  );
  assert.match(failure.words, /all calls/);
  // the client's own count refuses as well, and asks nobody
  const local = await failureOf(channel, channel.send(other, part('b'), { key: 'b' }));
  assert.equal(local.wholeAccount, true);
  assert.equal(asked.length, 1);
});

test('an answer of Cloudflare, without JSON or a bucket, holds every call of the account (D4)', async (t) => {
  const page = '<!doctype html><title>Error 1015</title>You are being rate limited';
  const { channel } = await scripted(t, [refused({ 'Retry-After': '300' }, page)]);
  const failure = await failureOf(channel, channel.send(dm, part('a'), { key: 'a' }));
  assert.equal(failure.kind, 'rate_limit');
  assert.deepEqual(holdsOf(channel, failure), { send: 300_000, edit: 300_000, somewhereElse: 300_000 });
  assert.doesNotMatch(failure.words, /doctype/);
});

test('a refusal without a time that can be read is not repeated at once (D4)', async (t) => {
  const date = new Date(Date.now() + 60_000).toUTCString();
  const { channel } = await scripted(t, [
    refused({}, 'slow down'),
    refused({ 'Retry-After': date }, 'slow down'),
  ]);
  for (const key of ['a', 'b']) {
    const failure = await failureOf(channel, channel.send(dm, part('a'), { key }));
    assert.equal(failure.kind, 'rate_limit');
    assert.equal(holdsOf(channel, failure).send, 1_000);
    assert.match(failure.words, /without saying how long/);
  }
});

test('typing that is limited never holds a message', async (t) => {
  const { channel } = await scripted(t, [
    refused(
      { ...bucket, 'Retry-After': '3', 'X-RateLimit-Scope': 'user' },
      { retry_after: 2.345, global: false },
    ),
  ]);
  const failure = await failureOf(channel, channel.presence(dm, 'typing'));
  const limiter = createLimiter({ clock: createManualClock(), capsOf: () => channel.caps });
  limiter.hold({ address: dm, act: 'typing' }, failure);
  assert.ok(limiter.wait({ address: dm, act: 'typing', urgency: 'sign' }) > 0);
  assert.equal(limiter.wait({ address: dm, act: 'send', urgency: 'final' }), 0);
});

for (const [words, jumpMs] of [
  ['back', -3_600_000],
  ['on', 3_600_000],
] as const)
  test(`a bucket that is empty holds no call when this machine's clock is set ${words} by an hour`, async (t) => {
    const empty = { 'X-RateLimit-Limit': '5', 'X-RateLimit-Remaining': '0', 'X-RateLimit-Reset-After': '1' };
    const { channel, asked } = await scripted(t, [{ ...posted, headers: empty }]);
    await channel.send(dm, part('a'), { key: 'a' });
    const real = Date.now;
    t.mock.method(Date, 'now', () => real() + jumpMs);
    await channel.send(dm, part('b'), { key: 'b' });
    assert.equal(asked.length, 2);
  });

test('the limit over all calls is counted again when the clock of this machine is set back by an hour', async (t) => {
  const { channel, asked } = await scripted(t, []);
  const send = (key: string) =>
    channel.send(dm, part(key), { key }).then(
      () => 'sent',
      (error: unknown) => channel.explain(error),
    );
  for (let at = 0; at < 50; at += 1) await send(`k${at}`);
  const real = Date.now;
  t.mock.method(Date, 'now', () => real() - 3_600_000);
  assert.equal(await send('after'), 'sent');
  assert.ok(asked.length >= 51);
});
