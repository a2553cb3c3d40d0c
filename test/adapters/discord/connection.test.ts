// What happens to messages and to the connection when the gateway fails, through the real discord.js.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { systemClock } from '#base/clock.ts';
import { ParleyError } from '#base/errors.ts';
import type { DiscordSandbox } from '#sandbox/discord/server.ts';
import { until } from '../../support/found.ts';
import { channelFor, connect, memorySink, openSandbox, readyCount } from './harness.ts';

const numbered = (count: number): string[] => Array.from({ length: count }, (_, index) => `${index + 1}`);

async function sayAll(sandbox: DiscordSandbox, texts: readonly string[]): Promise<void> {
  for (const text of texts) await sandbox.say({ chat: 'dm', user: 'you', text });
}

const callsOf = (sandbox: DiscordSandbox, name: string): number =>
  sandbox.calls().filter((call) => call.name === name).length;

// Most of the time is discord.js waiting half a second before it reconnects, so the tests wait side by side.
describe('a Discord connection that is refused, fails or ends', { concurrency: 4 }, () => {
  test('a wrong token ends the run with a message that says what to do (H7)', async () => {
    await using opened = await openSandbox();
    const sink = memorySink();
    const channel = channelFor({ sandbox: opened.sandbox, token: 'MTIz.wrong.token' });
    await assert.rejects(channel.run(sink, new AbortController().signal), (error) => {
      assert.ok(error instanceof ParleyError);
      assert.equal(error.code, 'discord_token');
      assert.match(error.hint ?? '', /Reset Token/);
      return true;
    });
    const [state, detail] = sink.states.at(-1) ?? [];
    assert.equal(state, 'failed');
    assert.match(detail ?? '', /does not take the bot token.*DISCORD_BOT_TOKEN/);
    assert.equal(callsOf(opened.sandbox, 'GET /gateway/bot'), 1);
  });

  test('a refused intent ends the run with the click path, and is not tried again (H5, TW)', async () => {
    await using opened = await openSandbox({ messageContent: 'refused' });
    const channel = channelFor({ sandbox: opened.sandbox });
    await assert.rejects(channel.run(memorySink(), new AbortController().signal), (error) => {
      assert.ok(error instanceof ParleyError);
      assert.match(error.hint ?? '', /Privileged Gateway Intents.*Message Content Intent/);
      return true;
    });
    assert.equal(callsOf(opened.sandbox, 'GATEWAY IDENTIFY'), 1);
  });

  test('a bot that may begin no more sessions today says until when, and begins none', async () => {
    await using opened = await openSandbox({ sessionStarts: { left: 0, resetAfterMs: 36_000_000 } });
    const sink = memorySink();
    const stop = new AbortController();
    const running = channelFor({ sandbox: opened.sandbox }).run(sink, stop.signal);
    const told = () => sink.states.find(([state]) => state === 'reconnecting')?.[1];
    await until('it says so', () => told() !== undefined);
    assert.match(
      told() ?? '',
      /begin no connection until 20\S+Z: those of the day are used up\. It is tried again/,
    );
    stop.abort();
    await running;
    assert.equal(callsOf(opened.sandbox, 'GATEWAY IDENTIFY'), 0);
  });

  test('a failing sink delays messages but loses none and keeps their order', async () => {
    await using opened = await openSandbox();
    await using connected = await connect(opened);
    connected.sink.failNext(3);
    await sayAll(opened.sandbox, numbered(5));
    await until('all five came', () => connected.sink.events.length === 5);
    assert.deepEqual(connected.sink.texts(), numbered(5));
  });

  test('messages around a dropped connection come once each, in order, by a resume (A2, A4)', async () => {
    await using opened = await openSandbox();
    const { sandbox } = opened;
    await using connected = await connect(opened);
    await sayAll(sandbox, ['1', '2']);
    sandbox.inject({ kind: 'drop_socket' });
    await sayAll(sandbox, ['3', '4']);
    await until('the connection is back', () => readyCount(connected.sink) === 2);
    await sayAll(sandbox, ['5']);
    await until('all came', () => connected.sink.texts().includes('5'));
    assert.deepEqual(connected.sink.texts(), numbered(5));
    assert.equal(connected.sink.duplicates(), 0);
    assert.equal(callsOf(sandbox, 'GATEWAY RESUME'), 1);
    assert.equal(callsOf(sandbox, 'GATEWAY IDENTIFY'), 1);
  });

  test('a request to reconnect is followed by a resume', async () => {
    await using opened = await openSandbox();
    await using connected = await connect(opened);
    opened.sandbox.askReconnect();
    await until('the connection is back', () => readyCount(connected.sink) === 2);
    assert.equal(callsOf(opened.sandbox, 'GATEWAY RESUME'), 1);
  });

  test('an invalid session is replaced, and what was missed is fetched before what is new (A4, H3)', async () => {
    await using opened = await openSandbox();
    const { sandbox } = opened;
    await using connected = await connect(opened);
    const { sink } = connected;
    await sayAll(sandbox, ['1']);
    await until('the first came', () => sink.events.length === 1);
    sandbox.inject({ kind: 'invalid_session' });
    await sayAll(sandbox, ['2', '3']);
    await until('the connection is back', () => readyCount(sink) === 2);
    await sayAll(sandbox, ['4']);
    await until('all came', () => sink.texts().includes('4'));
    assert.deepEqual(sink.texts(), numbered(4));
    assert.equal(callsOf(sandbox, 'GATEWAY IDENTIFY'), 2);
  });
});

describe('a Discord connection after a time away', { concurrency: 4 }, () => {
  test('more than a page of messages sent while Parley was down comes in order, and nothing older (A4)', async () => {
    await using opened = await openSandbox();
    const { sandbox } = opened;
    const sink = memorySink();
    await sayAll(sandbox, ['before its time']);
    const first = await connect({ sandbox, sink });
    await sayAll(sandbox, ['1']);
    await until('the first came', () => sink.events.length === 1);
    await first.stop();
    await sayAll(sandbox, numbered(106).slice(1));
    await using _ = await connect({ sandbox, sink });
    await until('all came', () => sink.events.length === 106);
    assert.deepEqual(sink.texts(), numbered(106));
  });

  test('a room without a session is caught up too, once it has a cursor (T1)', async () => {
    await using opened = await openSandbox();
    const { sandbox } = opened;
    const sink = memorySink();
    const first = await connect({ sandbox, sink });
    await sandbox.say({ chat: 'room', user: 'guest', text: 'chatter' });
    await until('it came', () => sink.events.length === 1);
    await first.stop();
    await sandbox.say({ chat: 'room', user: 'you', text: 'anyone?', mention: true });
    sink.chats = async () => [];
    await using _ = await connect({ sandbox, sink });
    await until('the mention came', () => sink.texts().includes('anyone?'));
  });

  test('an old message that is reported again as a session begins hides nothing of what was missed (A3, A4)', async () => {
    await using opened = await openSandbox();
    const { sandbox } = opened;
    const sink = memorySink();
    const first = await connect({ sandbox, sink });
    const old = await sandbox.say({ chat: 'room', user: 'guest', text: 'chatter' });
    await until('it came', () => sink.events.length === 1);
    await first.stop();
    await sandbox.say({ chat: 'room', user: 'you', text: 'anyone?', mention: true });
    const { cursor } = sink;
    const told = Promise.withResolvers<void>();
    sink.cursor = async (name) => {
      if (name.startsWith('channel:')) await told.promise; // a busy program looks later at what it knows
      return cursor(name);
    };
    await using _ = await connect({ sandbox, sink });
    await sandbox.redeliver(old.id);
    await systemClock.sleep(100);
    told.resolve();
    await until('the mention came', () => sink.texts().includes('anyone?'));
    assert.equal(callsOf(sandbox, 'GATEWAY IDENTIFY'), 2, 'in this session, and not in one that came later');
  });

  test('more messages than may wait for a slow sink are fetched later, none is lost', async () => {
    await using opened = await openSandbox();
    await using connected = await connect(opened);
    const release = connected.sink.hold();
    await sayAll(opened.sandbox, numbered(620));
    const last = await opened.sandbox.say({ chat: 'room', user: 'you', text: 'another channel' });
    release();
    const { sink } = connected;
    await until('all came', () => sink.events.length === 621);
    assert.deepEqual(
      sink
        .messages()
        .filter(({ address }) => address.kind === 'dm')
        .map(({ text }) => text),
      numbered(620),
    );
    assert.ok(sink.messages().some(({ nativeID }) => nativeID === last.id));
  });

  test('a connection that never gets ready is replaced by a new one (H3)', async () => {
    for (const what of ['hello', 'ready'] as const) {
      await using opened = await openSandbox();
      const { sandbox } = opened;
      sandbox.withhold(what);
      const sink = memorySink();
      const over = new AbortController();
      const run = channelFor({ sandbox, readyTimeoutMs: 4000 }).run(sink, over.signal);
      await until('it is given up', () => sink.states.some(([state]) => state === 'reconnecting'));
      assert.match(sink.states.at(-1)?.[1] ?? '', /Not ready within 4000 ms/);
      sandbox.withhold('nothing');
      await until('the next one is ready', () => readyCount(sink) === 1);
      over.abort();
      await run;
    }
  });

  test('it is ready only after READY, says when it is not, and heartbeats count as life (H4)', async () => {
    await using opened = await openSandbox({ heartbeatIntervalMs: 200 });
    const connected = await connect(opened);
    const { sink } = connected;
    const alive = sink.aliveCalls();
    await until('heartbeats were answered', () => sink.aliveCalls() > alive + 2);
    opened.sandbox.inject({ kind: 'drop_socket' });
    await until('the connection is back', () => readyCount(sink) === 2);
    await connected.stop();
    assert.deepEqual(
      sink.states.map(([state]) => state),
      ['connecting', 'ready', 'reconnecting', 'ready', 'stopped'],
    );
  });

  test('a fault while a message is accepted is waited out', async () => {
    await using opened = await openSandbox();
    opened.sandbox.inject({ kind: 'server_error', target: 'any', times: 1 });
    opened.sandbox.inject({ kind: 'lost_response', target: 'any', times: 1 });
    await using connected = await connect(opened);
    assert.equal(connected.sink.states.filter(([state]) => state === 'reconnecting').length, 2);
  });

  test('a run that is stopped while the connection is away does not come back on its own', async () => {
    await using opened = await openSandbox();
    const connected = await connect(opened);
    opened.sandbox.inject({ kind: 'drop_socket' });
    await until('it noticed', () => connected.sink.states.at(-1)?.[0] === 'reconnecting');
    await connected.stop();
    // a call that was on its way when it was told to end still arrives
    await systemClock.sleep(100);
    const calls = opened.sandbox.calls().length;
    // discord.js tries again half a second after a loss, also when it was told to end.
    await systemClock.sleep(800);
    assert.equal(opened.sandbox.calls().length, calls);
    assert.equal(connected.sink.states.at(-1)?.[0], 'stopped');
  });
});
