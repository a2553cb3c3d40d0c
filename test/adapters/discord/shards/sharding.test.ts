// A bot whose servers are divided among several connections, through the real discord.js and a gateway that demands it.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Address } from '#adapters/gateway/terms/address.ts';
import { systemClock } from '#base/clock.ts';
import { ParleyError } from '#base/errors.ts';
import type { DiscordSandboxOptions } from '#sandbox/discord/server.ts';
import { until } from '../../../support/found.ts';
import { type Connect, channelFor, connect, memorySink, openSandbox, readyCount } from '../harness.ts';

/** Discord's five seconds for a channel whose clock runs twenty times as fast, less what a busy machine takes. */
const identifyGapMs = 150;

/** A bot in a guild for each of these shards, of four; the sandbox's own guild is on one of them as well. */
async function openClubs({
  sessionStarts,
  ...rules
}: { maxGuilds?: number; maxConcurrency?: number } & Pick<DiscordSandboxOptions, 'sessionStarts'> = {}) {
  const shards = { maxGuilds: 2, identifyGapMs, maxConcurrency: 4, ...rules };
  const opened = await openSandbox({ shards, sessionStarts });
  const { places, botID } = opened.sandbox;
  const ann = places.addAccount('Ann');
  const rooms: string[] = [];
  const spaces: string[] = [];
  for (const shard of [0, 1, 2, 3]) {
    let space = places.addSpace(`guild ${shard}`);
    while (Number((BigInt(space) >> 22n) % 4n) !== shard) {
      places.admin.setPresence(space, 'without the bot');
      await systemClock.sleep(1);
      space = places.addSpace(`guild ${shard}`);
    }
    places.joinSpace(ann, space);
    spaces.push(space);
    rooms.push(places.addRoom({ space, kind: 'public', name: `room ${shard}`, members: [ann] }));
  }
  return {
    ...opened,
    ann,
    spaces,
    say: (shard: number, text: string) => places.say({ account: ann, room: rooms[shard] ?? '', text }),
    addressOf: (shard: number): Address => ({
      platform: 'discord',
      account: botID,
      space: spaces[shard] ?? '',
      chat: rooms[shard] ?? '',
      kind: 'channel',
    }),
  };
}

const four = { from: 0, to: 3, of: 4 };

async function connectAll(clubs: Awaited<ReturnType<typeof openClubs>>, options: Partial<Connect> = {}) {
  const { sandbox } = clubs;
  const connected = await connect({ sandbox, shards: four, ...options });
  const { sink } = connected;
  await until('every shard is ready', () => sink.states.at(-1)?.join() === 'ready,');
  return connected;
}

describe('shards', { concurrency: 4 }, () => {
  test('as many connections as Discord demands are made, none of them refused, and each server and direct message is received once', async () => {
    await using clubs = await openClubs({ maxConcurrency: 1 });
    const { sandbox } = clubs;
    await using connected = await connectAll(clubs, { shards: 'automatic' });
    for (const shard of [0, 1, 2, 3]) await clubs.say(shard, `in ${shard}`);
    await sandbox.say({ chat: 'dm', user: 'you', text: 'in private' });
    const { sink } = connected;
    await until('all came', () => sink.events.length >= 5);
    assert.deepEqual(sink.texts().toSorted(), ['in 0', 'in 1', 'in 2', 'in 3', 'in private']);
    assert.equal(sink.duplicates(), 0);
    const identifies = sandbox.calls().filter(({ name }) => name === 'GATEWAY IDENTIFY');
    assert.ok(identifies.length > 1);
    assert.deepEqual([...new Set(identifies.map(({ status }) => status))], [200], 'none came too early');
    // once for all of them, or again where the machine is slow; never once for the plan and once for each
    const asked = sandbox.calls().filter(({ name }) => name === 'GET /gateway/bot').length;
    assert.ok(asked <= identifies.length, `${asked}`);
    await until('the commands are registered', () => sandbox.commands().length > 0);
    assert.equal(sandbox.calls().filter(({ name }) => name.startsWith('PUT /applications')).length, 1);
  });

  test('one shard that is down is named, and the servers of the others are answered in the meantime', async () => {
    await using clubs = await openClubs();
    const { sandbox } = clubs;
    sandbox.withhold('ready', 2);
    await using connected = await connect({ sandbox, shards: four, readyTimeoutMs: 20_000 });
    const { sink } = connected;
    await clubs.say(1, 'is anyone there?');
    await until('the others are received', () => sink.texts().includes('is anyone there?'));
    await until('it is reported', () => /Shard 2 of 4 is not connected/.test(sink.states.at(-1)?.[1] ?? ''));
    assert.equal(sink.states.at(-1)?.[0], 'ready');
    assert.match(
      sink.states.at(-1)?.[1] ?? '',
      /Not ready within.*The servers of the other shards are served/,
    );
    await clubs.say(2, 'and here?');
    sandbox.withhold('nothing');
    await until('all are ready', () => sink.states.at(-1)?.join() === 'ready,');
    await clubs.say(2, 'now?');
    await until('it is received', () => sink.texts().includes('now?'));
  });

  test('a gap of one shard is closed from the history of its servers alone', async () => {
    await using clubs = await openClubs();
    const { sandbox } = clubs;
    await using connected = await connectAll(clubs);
    const { sink } = connected;
    for (const shard of [0, 1, 2, 3]) await clubs.say(shard, `first in ${shard}`);
    await until('all came', () => sink.events.length === 4);
    const ready = readyCount(sink);
    const pages = () => sandbox.calls().filter(({ name }) => name === 'GET /channels/:id/messages').length;
    const before = pages();
    sandbox.withhold('hello'); // nothing is heard of it until its session is over
    sandbox.dropShard(1);
    await until('it is away', () => /Shard 1 of 4/.test(sink.states.at(-1)?.[1] ?? ''));
    sandbox.inject({ kind: 'invalid_session' });
    await clubs.say(1, 'missed');
    sandbox.withhold('nothing');
    await until('it is back', () => readyCount(sink) > ready && sink.states.at(-1)?.join() === 'ready,');
    await until('what was missed came', () => sink.texts().includes('missed'));
    await clubs.say(1, 'later');
    await until('what is new came', () => sink.texts().includes('later'));
    assert.deepEqual(sink.texts().slice(4), ['missed', 'later']);
    assert.equal(sink.duplicates(), 0);
    // one page of what was missed, and one of each chat: the session of every shard is new, and none reports what changed in between
    await until('all pages were read', () => pages() - before >= 1 + 4);
    assert.equal(pages() - before, 1 + 4);
  });

  test('a drop of one shard is resumed by that shard alone', async () => {
    await using clubs = await openClubs();
    const { sandbox } = clubs;
    await using connected = await connectAll(clubs);
    const { sink } = connected;
    sandbox.dropShard(3);
    await clubs.say(3, 'meanwhile');
    await until('it is back', () => sink.states.length > 3 && sink.states.at(-1)?.join() === 'ready,');
    await until('it came', () => sink.texts().includes('meanwhile'));
    const of = (name: string) => sandbox.calls().filter((call) => call.name === name).length;
    assert.deepEqual([of('GATEWAY RESUME'), of('GATEWAY IDENTIFY')], [1, 4]);
  });

  test('two processes with a range each hear every message once, and direct messages come to the one with the first shard', async () => {
    await using clubs = await openClubs();
    const { sandbox } = clubs;
    const sinks = [memorySink(), memorySink()] as const;
    await using _ = await connectAll(clubs, { shards: { from: 0, to: 1, of: 4 }, sink: sinks[0] });
    await using __ = await connectAll(clubs, { shards: { from: 2, to: 3, of: 4 }, sink: sinks[1] });
    await until('the commands are registered', () => sandbox.commands().length > 0);
    for (const shard of [0, 1, 2, 3]) await clubs.say(shard, `in ${shard}`);
    await sandbox.say({ chat: 'dm', user: 'you', text: 'in private' });
    sandbox.slash({ chat: 'dm', user: 'you', name: 'help' });
    await until('all came', () => sinks[0].events.length === 4 && sinks[1].events.length === 2);
    assert.deepEqual(sinks[0].texts().toSorted(), ['/help', 'in 0', 'in 1', 'in private']);
    assert.deepEqual(sinks[1].texts().toSorted(), ['in 2', 'in 3']);
    assert.equal(sandbox.calls().filter(({ name }) => name.startsWith('PUT /applications')).length, 1);
  });

  test('the shard of the server says who may read, and it is not known where another process has it', async () => {
    await using clubs = await openClubs();
    await using connected = await connectAll(clubs, { shards: { from: 1, to: 1, of: 4 } });
    const { rights } = connected.channel;
    assert.ok(rights);
    const { signal } = new AbortController();
    assert.equal(await rights.ofRoom(clubs.addressOf(1), clubs.ann, signal), 'everything');
    await assert.rejects(rights.ofRoom(clubs.addressOf(2), clubs.ann, signal), /shard of this server/);
  });

  test('a range of too few shards ends with a message that says what to set', async () => {
    await using clubs = await openClubs({ maxGuilds: 1 });
    const channel = channelFor({ sandbox: clubs.sandbox, shards: { from: 0, to: 0, of: 1 } });
    const sink = memorySink();
    await assert.rejects(channel.run(sink, new AbortController().signal), (error) => {
      assert.ok(error instanceof ParleyError);
      assert.match(error.message, /4011.*more servers than one shard may have/);
      assert.match(error.hint ?? '', /channels\.discord\.shards.*"automatic".*"of"/);
      return true;
    });
    assert.equal(sink.states.at(-1)?.[0], 'failed');
    assert.equal(clubs.sandbox.calls().filter(({ name }) => name === 'GATEWAY IDENTIFY').length, 1);
  });

  test('a shard that does not exist is refused once, with a message', async () => {
    await using clubs = await openClubs();
    const channel = channelFor({ sandbox: clubs.sandbox, shards: { from: 4, to: 4, of: 4 } });
    await assert.rejects(channel.run(memorySink(), new AbortController().signal), /4010.*no shard 4 of 4/);
    assert.equal(clubs.sandbox.calls().filter(({ name }) => name === 'GATEWAY IDENTIFY').length, 1);
  });

  test('as long as fewer connections are granted than there are shards, none is begun, and it is said until when', async () => {
    await using clubs = await openClubs({ sessionStarts: { left: 3, resetAfterMs: 36_000_000 } });
    const { sandbox } = clubs;
    const sink = memorySink();
    const stop = new AbortController();
    const running = channelFor({ sandbox, shards: four }).run(sink, stop.signal);
    await until('it is said', () => /no connection until 20\S+Z/.test(sink.states.at(-1)?.[1] ?? ''));
    stop.abort();
    await running;
    assert.equal(sandbox.calls().filter(({ name }) => name === 'GATEWAY IDENTIFY').length, 0);
  });

  test('a bot that grew while it ran gets more shards on its own', async () => {
    await using opened = await openSandbox({ shards: { maxGuilds: 1, identifyGapMs, maxConcurrency: 16 } });
    const { sandbox } = opened;
    await using connected = await connect({ sandbox });
    const before = sandbox.calls().filter(({ name }) => name === 'GATEWAY IDENTIFY').length;
    assert.equal(before, 1);
    await systemClock.sleep(300); // a new answer about the number of shards is due, and an IDENTIFY
    sandbox.places.addSpace('one too many');
    sandbox.inject({ kind: 'invalid_session' });
    await until(
      'more of them are ready',
      () => readyCount(connected.sink) >= 3 && connected.sink.states.at(-1)?.join() === 'ready,',
    );
    assert.ok(connected.sink.states.some(([, words]) => /wants more shards/.test(words ?? '')));
    await sandbox.say({ chat: 'dm', user: 'you', text: 'still there?' });
    await until('it is received', () => connected.sink.texts().includes('still there?'));
  });
});
