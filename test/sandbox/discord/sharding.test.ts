// The sandbox's Gateway demands and divides shards as Discord does, spoken over a plain WebSocket.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { WebSocket } from 'ws';
import { systemClock } from '#base/clock.ts';
import { createDiscordSandbox, type DiscordSandboxOptions } from '#sandbox/discord/server.ts';

const intents = (1 << 0) | (1 << 9) | (1 << 12) | (1 << 15);

interface Payload {
  op: number;
  d: { guilds?: { id: string }[]; shard?: number[]; content?: string };
  t: string | null;
}

async function open(shards: NonNullable<DiscordSandboxOptions['shards']>) {
  const sandbox = await createDiscordSandbox({ clock: systemClock, shards });
  const { places, url, tokens } = sandbox;
  const identify = async (shard?: [number, number]) => {
    const socket = new WebSocket(`ws://127.0.0.1:${new URL(url).port}/?v=10&encoding=json`);
    const received: Payload[] = [];
    socket.on('message', (raw) => received.push(JSON.parse(raw.toString())));
    await once(socket, 'open');
    const answered = once(socket, 'close').then(([code]) => Number(code));
    socket.send(JSON.stringify({ op: 2, d: { token: tokens.bot, intents, ...(shard ? { shard } : {}) } }));
    const end = Date.now() + 5000;
    const find = async (fits: (one: Payload) => boolean): Promise<Payload> => {
      for (;;) {
        const found = received.find(fits);
        if (found !== undefined) return found;
        assert.ok(Date.now() < end, 'an answer in time');
        await systemClock.sleep(2);
      }
    };
    return {
      closed: answered,
      find,
      said: () => received.flatMap(({ t, d }) => (t === 'MESSAGE_CREATE' ? [d.content] : [])),
    };
  };
  /** Until each of so many shards has a guild. */
  const guildOn = async (shard: number, count: number): Promise<string> => {
    for (;;) {
      const space = places.addSpace(`guild ${shard}`);
      if (Number((BigInt(space) >> 22n) % BigInt(count)) === shard) return space;
      places.admin.setPresence(space, 'without the bot');
      await systemClock.sleep(1);
    }
  };
  return { sandbox, identify, guildOn, [Symbol.asyncDispose]: () => sandbox.close() };
}

test('a shard with too many guilds is closed with 4011, one that cannot be with 4010', async () => {
  await using opened = await open({ maxGuilds: 1 });
  await opened.guildOn(0, 2);
  assert.equal(await (await opened.identify()).closed, 4011);
  assert.equal(await (await opened.identify([2, 2])).closed, 4010);
  assert.equal(await (await opened.identify([-1, 2])).closed, 4010);
});

test('events of a guild come on its own shard, and direct messages on the first only', async () => {
  await using opened = await open({});
  const { sandbox } = opened;
  const guilds = [await opened.guildOn(0, 2), await opened.guildOn(1, 2)];
  const shards = [await opened.identify([0, 2]), await opened.identify([1, 2])];
  for (const [id, shard] of shards.entries()) {
    const { d } = await shard.find(({ t }) => t === 'READY');
    assert.deepEqual(d.shard, [id, 2]);
    const own = d.guilds?.map((guild) => guild.id) ?? [];
    assert.ok(own.includes(guilds[id] ?? ''));
    assert.ok(!own.includes(guilds[1 - id] ?? ''));
  }
  const { places } = sandbox;
  const ann = places.addAccount('Ann');
  for (const [id, space] of guilds.entries()) {
    places.joinSpace(ann, space);
    const room = places.addRoom({ space, kind: 'public', name: 'hall', members: [] });
    await places.say({ account: ann, room, text: `in ${id}` });
  }
  await sandbox.say({ chat: 'dm', user: 'you', text: 'in private' });
  await shards[0]?.find(({ d }) => d?.content === 'in private');
  await shards[1]?.find(({ d }) => d?.content === 'in 1');
  assert.deepEqual(shards[0]?.said(), ['in 0', 'in private']);
  assert.deepEqual(shards[1]?.said(), ['in 1']);
});

test('two shards of one bucket that identify at once are told to wait by an invalid session', async () => {
  await using opened = await open({ maxConcurrency: 2, identifyGapMs: 5000 });
  await (await opened.identify([0, 4])).find(({ t }) => t === 'READY');
  await (await opened.identify([1, 4])).find(({ t }) => t === 'READY');
  await (await opened.identify([2, 4])).find(({ op }) => op === 9);
});

test('as many shards are recommended as the guilds need', async () => {
  await using opened = await open({ maxGuilds: 1, maxConcurrency: 16 });
  await opened.guildOn(0, 2);
  await opened.guildOn(1, 2);
  const answer = await fetch(`${opened.sandbox.url}/v10/gateway/bot`, {
    headers: { Authorization: `Bot ${opened.sandbox.tokens.bot}` },
  });
  const { shards, session_start_limit: limit } = (await answer.json()) as {
    shards: number;
    session_start_limit: { max_concurrency: number };
  };
  assert.ok(shards >= 3, `${shards}`);
  assert.equal(limit.max_concurrency, 16);
});
