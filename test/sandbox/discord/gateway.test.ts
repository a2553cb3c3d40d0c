// The sandbox's Gateway as its protocol has it, spoken over a plain WebSocket; discord.js has its own tests.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { WebSocket } from 'ws';
import { systemClock } from '#base/clock.ts';
import {
  createDiscordSandbox,
  type DiscordSandbox,
  type DiscordSandboxOptions,
} from '#sandbox/discord/server.ts';
import { discordDescription } from './openapi.ts';

interface Payload {
  op: number;
  d: Record<string, unknown>;
  s: number | null;
  t: string | null;
}

/** A connection whose payloads can be waited for, one after the other. */
async function dial(sandbox: DiscordSandbox, version = '10') {
  const { port } = new URL(sandbox.url);
  const socket = new WebSocket(`ws://127.0.0.1:${port}/?v=${version}&encoding=json`);
  const closed = once(socket, 'close').then(([code]) => code as number);
  const inbox: Payload[] = [];
  let wake = () => {};
  socket.on('message', (raw) => {
    inbox.push(JSON.parse(raw.toString()));
    wake();
  });
  await once(socket, 'open');
  const next = async (fits: (payload: Payload) => boolean): Promise<Payload> => {
    for (;;) {
      const index = inbox.findIndex(fits);
      if (index >= 0) {
        const [payload] = inbox.splice(0, index + 1).slice(-1);
        if (payload !== undefined) return payload;
      }
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  return {
    socket,
    closed,
    op: (op: number) => next((payload) => payload.op === op),
    event: (name: string) => next((payload) => payload.t === name),
    send: (op: number, d: unknown) => socket.send(JSON.stringify({ op, d })),
  };
}

const allIntents = (1 << 0) | (1 << 9) | (1 << 10) | (1 << 12) | (1 << 13) | (1 << 15);

async function withSandbox(
  work: (sandbox: DiscordSandbox) => Promise<void>,
  options: Partial<DiscordSandboxOptions> = {},
): Promise<void> {
  const sandbox = await createDiscordSandbox({ clock: systemClock, ...options });
  try {
    await work(sandbox);
  } finally {
    await sandbox.close();
  }
}

async function identified(sandbox: DiscordSandbox, intents = allIntents) {
  const line = await dial(sandbox);
  line.send(2, { token: sandbox.tokens.bot, intents, properties: {} });
  const ready = await line.event('READY');
  return { ...line, sessionID: ready.d.session_id as string };
}

test('misuse is closed with its own code', () =>
  withSandbox(async (sandbox) => {
    const codes: [number, (line: Awaited<ReturnType<typeof dial>>) => void][] = [
      [4001, (line) => line.send(99, null)],
      [4002, (line) => line.socket.send('{')],
      [4003, (line) => line.send(3, {})],
      [4004, (line) => line.send(2, { token: 'wrong', intents: 0 })],
      [4004, (line) => line.send(6, { token: 'wrong', session_id: 'x', seq: 1 })],
    ];
    for (const [code, misuse] of codes) {
      const line = await dial(sandbox);
      misuse(line);
      assert.equal(await line.closed, code);
    }
    assert.equal(await (await dial(sandbox, '9')).closed, 4012);
    const known = await identified(sandbox);
    known.send(2, { token: sandbox.tokens.bot, intents: 0 });
    assert.equal(await known.closed, 4005);
  }));

test('Message Content is refused with 4014 where its switch is off', () =>
  withSandbox(
    async (sandbox) => {
      const line = await dial(sandbox);
      line.send(2, { token: sandbox.tokens.bot, intents: allIntents });
      assert.equal(await line.closed, 4014);
    },
    { messageContent: 'refused' },
  ));

test('HELLO comes first, heartbeats are acknowledged, READY brings the guild with its rooms', () =>
  withSandbox(
    async (sandbox) => {
      const line = await dial(sandbox);
      assert.equal((await line.op(10)).d.heartbeat_interval, 1234);
      line.send(1, null);
      await line.op(11);
      line.send(2, { token: sandbox.tokens.bot, intents: allIntents });
      const ready = await line.event('READY');
      assert.equal(ready.s, 1);
      const guild = await line.event('GUILD_CREATE');
      const rooms = guild.d.channels as { name: string }[];
      assert.deepEqual(
        rooms.map(({ name }) => name),
        ['general', 'private', '___hidden___'],
      );
    },
    { heartbeatIntervalMs: 1234 },
  ));

test('without the Message Content intent only what concerns the bot has content', () =>
  withSandbox(async (sandbox) => {
    const line = await identified(sandbox, allIntents & ~(1 << 15));
    await sandbox.say({ chat: 'room', user: 'you', text: 'quiet' });
    assert.equal((await line.event('MESSAGE_CREATE')).d.content, '');
    await sandbox.say({ chat: 'room', user: 'you', text: 'for you', mention: true });
    assert.equal((await line.event('MESSAGE_CREATE')).d.content, `<@${sandbox.botID}> for you`);
    await sandbox.say({ chat: 'dm', user: 'you', text: 'direct' });
    assert.equal((await line.event('MESSAGE_CREATE')).d.content, 'direct');
  }));

test('events without their intent are not sent', () =>
  withSandbox(async (sandbox) => {
    const line = await identified(sandbox, 1 << 9);
    await sandbox.say({ chat: 'dm', user: 'you', text: 'direct' });
    await sandbox.say({ chat: 'room', user: 'you', text: 'open' });
    const event = await line.event('MESSAGE_CREATE');
    assert.equal(event.d.channel_id, sandbox.channelID('room', 'you'));
  }));

test('a resume replays what came after the sequence number, once, and then says RESUMED', () =>
  withSandbox(async (sandbox) => {
    const first = await identified(sandbox);
    await sandbox.say({ chat: 'dm', user: 'you', text: 'one' });
    const { s } = await first.event('MESSAGE_CREATE');
    sandbox.inject({ kind: 'drop_socket' });
    assert.equal(await first.closed, 1006);
    await sandbox.say({ chat: 'dm', user: 'you', text: 'two' });
    const second = await dial(sandbox);
    second.send(6, { token: sandbox.tokens.bot, session_id: first.sessionID, seq: s });
    assert.equal((await second.event('MESSAGE_CREATE')).d.content, 'two');
    await second.event('RESUMED');
  }));

test('an unknown session and one that was ended answer op 9, a sequence from the future 4007', () =>
  withSandbox(async (sandbox) => {
    const stranger = await dial(sandbox);
    stranger.send(6, { token: sandbox.tokens.bot, session_id: 'unknown', seq: 1 });
    assert.equal((await stranger.op(9)).d, false);
    const first = await identified(sandbox);
    const ahead = await dial(sandbox);
    ahead.send(6, { token: sandbox.tokens.bot, session_id: first.sessionID, seq: 999 });
    assert.equal(await ahead.closed, 4007);
    sandbox.inject({ kind: 'invalid_session' });
    assert.equal((await first.op(9)).d, false);
    const late = await dial(sandbox);
    late.send(6, { token: sandbox.tokens.bot, session_id: first.sessionID, seq: 1 });
    assert.equal((await late.op(9)).d, false);
    const second = await identified(sandbox);
    sandbox.askReconnect();
    await second.op(7);
  }));

test('the messages inside of dispatches fit the OpenAPI description', async (t) => {
  const description = discordDescription();
  if (description === undefined) {
    t.skip('the folder with the platform specifications is not there');
    return;
  }
  assert.notDeepEqual(description.mismatch('MessageResponse', {}), []);
  await withSandbox(async (sandbox) => {
    const line = await identified(sandbox);
    const told: [string, Record<string, unknown>][] = [];
    const asked = await sandbox.say({ chat: 'room', user: 'you', text: 'hello', mention: true });
    told.push(['MessageResponse', (await line.event('MESSAGE_CREATE')).d]);
    await sandbox.say({ chat: 'room', user: 'guest', text: 'why?', replyTo: asked.id });
    told.push(['MessageResponse', (await line.event('MESSAGE_CREATE')).d]);
    await sandbox.say({ chat: 'room', user: 'you', text: 'inside', thread: asked.id });
    told.push(['ThreadResponse', (await line.event('THREAD_CREATE')).d]);
    told.push(['MessageResponse', (await line.event('MESSAGE_UPDATE')).d]);
    told.push(['MessageResponse', (await line.event('MESSAGE_CREATE')).d]);
    await sandbox.editMessage(asked.id, 'changed');
    told.push(['MessageResponse', (await line.event('MESSAGE_UPDATE')).d]);
    await sandbox.redeliver(asked.id);
    told.push(['MessageResponse', (await line.event('MESSAGE_CREATE')).d]);
    await sandbox.deleteMessage(asked.id);
    assert.equal((await line.event('MESSAGE_DELETE')).d.id, asked.id);
    assert.deepEqual(
      told.flatMap(([schema, value]) => description.mismatch(schema, value)),
      [],
    );
  });
});

test('nobody speaks where they are not, and ids that are not there are named', () =>
  withSandbox(async (sandbox) => {
    await assert.rejects(sandbox.say({ chat: 'private', user: 'guest', text: 'hi' }), /"guest" is in/);
    await assert.rejects(sandbox.say({ chat: 'room', user: 'you', text: 'hi', thread: '7' }), /got "7"/);
    await assert.rejects(sandbox.editMessage('7', 'x'), /got "7"/);
  }));
