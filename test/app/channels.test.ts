// Channels next to each other in one program: one that is switched off, one that is disturbed, and what health says of them.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { z } from 'zod';
import { found } from '../support/found.ts';
import { type House, openHouse } from './house.ts';

const all = ['discord', 'telegram', 'slack'] as const;
const dm = { chat: 'dm', user: 'you' } as const;

for (const off of all) {
  test(`${off} switched off in the config is never called, although its token is there (H8)`, async (t) => {
    const house = await openHouse(t, { config: { channels: { [off]: { enabled: false } } } });
    const others = all.filter((platform) => platform !== off);
    await house.ready(...others);
    await house.sandbox[off].say({ ...dm, text: 'hello?' });
    for (const platform of others) await house.ask({ platform, ...dm }, 'My bicycle is green.');
    assert.deepEqual(house.sandbox[off].calls(), []);
    assert.deepEqual(house.answers({ platform: off, ...dm }), []);
    assert.equal(
      house.parley.gateway.status().some(({ platform }) => platform === off),
      false,
    );
  });
}

test('what waited for a channel when it was switched off makes no call, and is answered when it is switched on again (H8)', async (t) => {
  const house = await openHouse(t);
  await house.ready(...all);
  house.sandbox.telegram.inject({ kind: 'rate_limit', target: 'send', times: 1, retryAfterMs: 3_600_000 });
  await house.sandbox.telegram.say({ ...dm, text: 'My bicycle is green.' });
  await found('the refusal', () => house.sandbox.telegram.calls().find(({ status }) => status === 429));
  const sends = (): number =>
    house.sandbox.telegram.calls().filter(({ name }) => name === 'sendMessage').length;
  await house.restart({ channels: { telegram: { enabled: false } } });
  await house.ready('discord', 'slack');
  await house.ask({ platform: 'slack', ...dm }, 'What colour is my bicycle?');
  assert.equal(sends(), 1, 'the refused one alone');
  await house.restart({});
  await found('the answer', () => house.answers({ platform: 'telegram', ...dm })[0]);
});

const healthSchema = z.object({
  healthy: z.boolean(),
  ready: z.boolean(),
  channels: z.record(z.string(), z.object({ ready: z.boolean(), lastInboundAgeMs: z.number().nullable() })),
});

async function health(house: House): Promise<z.infer<typeof healthSchema>> {
  const token = readFileSync(join(house.folder, '.parley', 'token'), 'utf8').trim();
  const headers = { authorization: `Bearer ${token}` };
  return healthSchema.parse(await (await fetch(`${house.parley.url}/global/health`, { headers })).json());
}

test('another poller disturbs only Telegram: the others answer, and health names the channel that is not ready (H6, H4)', async (t) => {
  const house = await openHouse(t);
  await house.ready(...all);
  const before = await health(house);
  assert.equal(before.ready, true);
  assert.deepEqual(
    Object.values(before.channels).map(({ lastInboundAgeMs }) => lastInboundAgeMs),
    [null, null, null],
  );
  const { url, tokens } = house.sandbox.telegram;
  const rival = new AbortController();
  t.after(() => rival.abort());
  const poll = async (): Promise<void> => {
    while (!rival.signal.aborted)
      await fetch(`${url}/bot${tokens.bot}/getUpdates?timeout=1`, { signal: rival.signal }).catch(
        () => undefined,
      );
  };
  void poll();
  const words = await found('the conflict', () => {
    const status = house.parley.gateway.status().find(({ platform }) => platform === 'telegram');
    return status?.state === 'ready' ? undefined : status?.problem;
  });
  assert.match(words, /Another program is fetching the updates of this bot/);
  for (const platform of ['discord', 'slack'] as const)
    assert.match(await house.ask({ platform, ...dm }, 'The key is under the mat.'), /remember/);
  let now = await health(house);
  // between two conflicts a poll may come through
  while (now.channels.telegram?.ready === true) now = await health(house);
  assert.deepEqual([now.healthy, now.ready], [true, false]);
  for (const platform of ['discord', 'slack'])
    assert.ok(now.channels[platform]?.ready && now.channels[platform].lastInboundAgeMs !== null, platform);
  assert.equal(now.channels.telegram?.lastInboundAgeMs, null);
});
