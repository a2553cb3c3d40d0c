// What the gateway sends, through the real client to the sandbox: exactly once, quietly, and its failures in words.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { explain } from '#adapters/discord/calls/explain.ts';
import type { Address } from '#adapters/gateway/terms/address.ts';
import type { Channel, ChannelFailure } from '#adapters/gateway/terms/channel.ts';
import type { MessagePart } from '#adapters/text/part.ts';
import { ParleyError } from '#base/errors.ts';
import type { DiscordSandbox } from '#sandbox/discord/server.ts';
import { channelFor, openSandbox } from './harness.ts';

let sandbox: DiscordSandbox;
let channel: Channel;
let close: () => Promise<void>;
let dm: Address;
let room: Address;

before(async () => {
  const opened = await openSandbox();
  ({ sandbox } = opened);
  channel = channelFor({ sandbox });
  close = async () => opened[Symbol.asyncDispose]();
  const common = { platform: 'discord', account: sandbox.botID } as const;
  dm = { ...common, chat: sandbox.channelID('dm', 'you'), kind: 'dm' };
  room = {
    ...common,
    space: sandbox.guildID,
    chat: sandbox.channelID('room', 'you'),
    kind: 'channel',
  };
});
after(() => close());

const part = (content: string): MessagePart => ({ text: content, body: { content } });
const shownDm = () => sandbox.shown('dm', 'you').map(({ text }) => text);

/** Starts a server on a free port; its base URL. */
async function listening(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A TCP server's address is an object; only pipes have a string.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The failure that a call ends with. */
async function failureOf(call: Promise<unknown>): Promise<ChannelFailure> {
  const error = await call.then(
    () => assert.fail('expected the call to fail'),
    (reason: unknown) => reason,
  );
  return channel.explain(error);
}

test('too long a text is refused with a message, and nothing is posted (E1)', async () => {
  const failure = await failureOf(channel.send(dm, part('x'.repeat(2001)), { key: 'long' }));
  assert.equal(failure.kind, 'too_long');
  assert.equal(failure.maybeDelivered, false);
  assert.match(failure.words, /Must be 2000 or fewer in length/);
  assert.deepEqual(shownDm(), []);
});

test('failures say what they are: gone, permission, invalid, auth', async () => {
  const nowhere = { ...dm, chat: '1000000000000000001' };
  assert.equal((await failureOf(channel.send(nowhere, part('a'), { key: 'a' }))).kind, 'gone');
  const hidden = { ...room, chat: sandbox.hiddenChannelID };
  const denied = await failureOf(channel.send(hidden, part('a'), { key: 'b' }));
  assert.equal(denied.kind, 'permission');
  assert.match(denied.words, /Missing Access/);
  assert.equal((await failureOf(channel.send(dm, part(' '), { key: 'c' }))).kind, 'invalid');
  assert.equal((await failureOf(channel.send(dm, { text: '', body: 7 }, { key: 'd' }))).kind, 'invalid');
  const stranger = channelFor({ sandbox, token: 'MTIz.other.token' });
  for (const key of ['e', 'f']) {
    const failure = await failureOf(stranger.send(dm, part('a'), { key }));
    assert.equal(failure.kind, 'auth');
    assert.match(failure.words, /Reset Token/);
    assert.equal(failure.words.includes('other.token'), false);
  }
});

test('a send whose answer was lost may be repeated with its key and is once (C1)', async () => {
  sandbox.inject({ kind: 'lost_response', target: 'send', times: 1 });
  const failure = await failureOf(channel.send(dm, part('once'), { key: 'part-1' }));
  assert.equal(failure.kind, 'transient');
  assert.equal(failure.maybeDelivered, true);
  const receipt = await channel.send(dm, part('once'), { key: 'part-1' });
  assert.deepEqual(shownDm(), ['once']);
  assert.equal(sandbox.shown('dm', 'you')[0]?.id, receipt.nativeID);
});

test('one call is one attempt: a fault of the server is reported at once', async () => {
  sandbox.inject({ kind: 'server_error', target: 'send', times: 1 });
  const before = sandbox.calls().length;
  const failure = await failureOf(channel.send(dm, part('again'), { key: 'again' }));
  assert.equal(failure.kind, 'transient');
  assert.equal(failure.maybeDelivered, true);
  assert.equal(sandbox.calls().length, before + 1);
});

test('a rate limit is reported with its wait, holds up no other chat, and no call is made inside it (D4, TR)', async () => {
  sandbox.inject({ kind: 'rate_limit', target: 'send', times: 1, retryAfterMs: 1500 });
  const failure = await failureOf(channel.send(room, part('a'), { key: 'limited' }));
  assert.equal(failure.kind, 'rate_limit');
  assert.equal(failure.maybeDelivered, false);
  const waitMs = failure.retryAfterMs ?? 0;
  assert.ok(waitMs > 0 && waitMs <= 1500, `got ${waitMs}`);
  const calls = sandbox.calls().length;
  assert.equal((await failureOf(channel.send(room, part('a'), { key: 'limited' }))).kind, 'rate_limit');
  assert.equal(sandbox.calls().length, calls);
  await channel.send(dm, part('elsewhere'), { key: 'free' });
});

test('what a model writes pings nobody, also as a reply and after an edit (J1, TS)', async () => {
  const said = await sandbox.say({ chat: 'dm', user: 'you', text: 'shout' });
  const loud = `@everyone <@${sandbox.userID('you')}>`;
  const { nativeID } = await channel.send(dm, part(loud), { key: 'j1', replyTo: said.id });
  for (const change of ['sent', 'edited']) {
    if (change === 'edited') await channel.edit(dm, nativeID, part(`${loud} @here`));
    const payload = sandbox.payload(nativeID);
    assert.equal(payload.mention_everyone, false, change);
    assert.deepEqual(payload.mentions, [], change);
    assert.deepEqual(payload.mention_roles, [], change);
  }
  assert.equal(sandbox.shown('dm', 'you').at(-1)?.replyTo, said.id);
});

test('an answer to a message that was deleted is posted all the same', async () => {
  const said = await sandbox.say({ chat: 'dm', user: 'guest', text: 'gone soon' });
  await sandbox.deleteMessage(said.id);
  const address = { ...dm, chat: sandbox.channelID('dm', 'guest') };
  await channel.send(address, part('late'), { key: 'late', replyTo: said.id });
  assert.equal(sandbox.shown('dm', 'guest').at(-1)?.text, 'late');
});

test('a message is edited, also to what it is already, reacted to and removed', async () => {
  const { nativeID } = await channel.send(dm, part('draft'), { key: 'edit-me' });
  await channel.edit(dm, nativeID, part('final'));
  await channel.edit(dm, nativeID, part('final'));
  await channel.react(dm, nativeID, '👀');
  const shown = sandbox.shown('dm', 'you').at(-1);
  assert.equal(shown?.text, 'final');
  assert.deepEqual(shown?.reactions, ['👀']);
  await channel.remove(dm, nativeID);
  assert.equal(
    sandbox.shown('dm', 'you').some(({ id }) => id === nativeID),
    false,
  );
  assert.equal((await failureOf(channel.edit(dm, nativeID, part('x')))).kind, 'gone');
});

test('typing shows, and being idle makes no call', async () => {
  await channel.presence(dm, 'typing');
  assert.equal(sandbox.typing('dm', 'you'), true);
  const calls = sandbox.calls().length;
  await channel.presence(dm, 'idle');
  assert.equal(sandbox.calls().length, calls);
});

test('a send that is given up may have been delivered', async () => {
  const over = new AbortController();
  const silent = createServer(() => over.abort());
  const url = `${await listening(silent)}/api`;
  const sending = channelFor({ sandbox: { ...sandbox, url } }).send(dm, part('a'), {
    key: 'slow',
    signal: over.signal,
  });
  const failure = await failureOf(sending);
  assert.equal(failure.kind, 'transient');
  assert.equal(failure.maybeDelivered, true);
  silent.close();
  silent.closeAllConnections();
});

test('a server that cannot be reached got nothing', async () => {
  const opened = await openSandbox();
  const lonely = channelFor({ sandbox: opened.sandbox });
  await opened[Symbol.asyncDispose]();
  const failure = await failureOf(lonely.send(dm, part('a'), { key: 'x' }));
  assert.equal(failure.kind, 'transient');
  assert.equal(failure.maybeDelivered, false);
});

test('anything else that is thrown is explained without breaking', () => {
  for (const error of [undefined, 'text', new Error(''), { code: 7 }])
    assert.equal(explain(error).kind, 'transient');
});

test('a long answer in Markdown is rendered into parts that Discord takes', async () => {
  const parts = channel.render(`# Title\n\n${'A sentence of some length. '.repeat(200)}`);
  assert.ok(parts.length > 1);
  for (const [index, one] of parts.entries()) await channel.send(dm, one, { key: `render-${index}` });
  assert.equal(channel.render('hello').length, 1);
});

test('the check names the missing intent and the clicks that fix it (H5)', async () => {
  assert.ok((await channel.check()).every(({ level }) => level === 'ok'));
  await using opened = await openSandbox({ messageContent: 'refused' });
  const findings = await channelFor({ sandbox: opened.sandbox }).check();
  const missing = findings.find(({ level }) => level === 'error');
  assert.match(missing?.what ?? '', /Message Content intent is off/);
  assert.match(missing?.hint ?? '', /Privileged Gateway Intents/);
  const [bad] = await channelFor({ sandbox, token: 'MTIz.other.token' }).check();
  assert.equal(bad?.level, 'error');
  assert.match(bad?.hint ?? '', /DISCORD_BOT_TOKEN/);
  assert.doesNotMatch(bad?.what ?? '', /Reset Token/, 'the hint is there once');
});

test('a file is streamed up to the limit, and a link that ran out is renewed once (K5)', async () => {
  const cdn = createServer((request, response) => {
    if (request.url === '/api/v10/attachments/refresh-urls') {
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify({ refreshed_urls: [{ original: '', refreshed: `${base}/new` }] }));
    } else if (request.url === '/new') {
      response.write('hello ');
      response.end('file');
    } else {
      response.statusCode = request.url === '/broken' ? 500 : 404;
      response.end();
    }
  });
  const base = await listening(cdn);
  try {
    const { open } = channelFor({ sandbox: { ...sandbox, url: `${base}/api` } });
    assert.ok(open);
    const read = async (path: string, limit: number): Promise<string> => {
      const stream = await open({ id: `${base}${path}` }, limit, new AbortController().signal);
      return new Response(stream).text();
    };
    assert.equal(await read('/old', 10), 'hello file');
    await assert.rejects(read('/old', 9), /at most 9 bytes/);
    await assert.rejects(read('/broken', 9), /status 500/);
    await assert.rejects(open({ id: 'file:///etc/passwd' }, 9, new AbortController().signal), ParleyError);
  } finally {
    cdn.close();
    cdn.closeAllConnections();
  }
});

test('pages below links are not shown in what the bot posts and edits, unless the config wants them (R37)', async () => {
  for (const linkPreviews of [undefined, true]) {
    const flags: unknown[] = [];
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        flags.push(JSON.parse(Buffer.concat(chunks).toString('utf8')).flags);
        response.writeHead(200, { 'content-type': 'application/json' }).end('{"id":"7"}');
      });
    });
    const url = `${await listening(server)}/api`;
    const writing = channelFor({ sandbox: { ...sandbox, url }, linkPreviews });
    await writing.send(dm, part('See https://example.org'), { key: 'a' });
    await writing.edit(dm, '7', part('See https://example.org/b'));
    server.close();
    server.closeAllConnections();
    assert.deepEqual(flags, linkPreviews === true ? [undefined, undefined] : [4, 4]);
  }
});
