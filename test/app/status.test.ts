// What an operator is told over HTTP of each channel, and that one channel's end is its own.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { TelegramSandbox } from '#adapters/sandbox/telegram/server.ts';
import { found } from '../conformance/platforms.ts';
import { type House, openHouse } from './house.ts';

const all = ['discord', 'telegram', 'slack'] as const;
const dm = { chat: 'dm', user: 'you' } as const;

type Entry = Record<string, unknown>;

async function get(house: House, path: string): Promise<Record<string, unknown>> {
  const token = readFileSync(join(house.home, 'token'), 'utf8').trim();
  const headers = { authorization: `Bearer ${token}` };
  return (await (await fetch(`${house.parley.url}${path}`, { headers })).json()) as Record<string, unknown>;
}

test('H4, T10: the status tells of each channel its state and since when, what came and went, what waits, and that it is alive', async (t) => {
  const house = await openHouse(t, { config: { channels: { slack: { enabled: false } } } });
  await house.ready('discord', 'telegram');
  const before = Date.now();
  const quiet = (await get(house, '/channels/status')) as Record<string, Entry>;
  assert.deepEqual([quiet.discord?.lastInboundMs, quiet.discord?.lastOutboundMs], [null, null]);
  await house.ask({ platform: 'discord', ...dm }, 'My bicycle is green.');
  const status = (await get(house, '/channels/status')) as Record<string, Entry>;
  const { sinceMs, lastAliveMs, lastInboundMs, lastOutboundMs, ...rest } = status.discord ?? {};
  assert.deepEqual(rest, {
    enabled: true,
    connected: true,
    state: 'ready',
    inboxBacklog: 0,
    outboxBacklog: 0,
    trouble: null,
    lastError: null,
    lastErrorAtMs: null,
  });
  assert.ok(Number(sinceMs) <= before && Number(lastAliveMs) >= Number(sinceMs));
  assert.ok(Number(lastInboundMs) >= before && Number(lastOutboundMs) >= Number(lastInboundMs));
  assert.deepEqual([status.telegram?.lastInboundMs, status.telegram?.state], [null, 'ready']);
  assert.deepEqual(
    [status.slack?.enabled, status.slack?.connected, status.slack?.state],
    [false, false, 'off'],
  );
  const health = await get(house, '/global/health');
  assert.deepEqual(
    [health.healthy, health.ready],
    [true, true],
    'a channel that is switched off is not waited for',
  );
  await house.restart();
  await house.ready('discord', 'telegram');
  const again = (await get(house, '/channels/status')) as Record<string, Entry>;
  // a restart forgets neither, and knows both from what was committed
  const [inbound, outbound] = [Number(again.discord?.lastInboundMs), Number(again.discord?.lastOutboundMs)];
  assert.ok(inbound >= before && inbound <= Number(lastInboundMs), `${inbound}`);
  assert.ok(outbound >= inbound && outbound <= Number(lastOutboundMs), `${outbound}`);
});

test('H7: a token that is revoked while running ends that channel, in words with the cure, and no other', async (t) => {
  const house = await openHouse(t);
  await house.ready(...all);
  // the house knows its servers by what all of them can do
  (house.sandbox.telegram as TelegramSandbox).revokeToken();
  await house.sandbox.telegram.say({ ...dm, text: 'anything that ends the poll' });
  await found('the end', () =>
    house.parley.gateway.status().some(({ platform, state }) => platform === 'telegram' && state === 'failed')
      ? true
      : undefined,
  );
  for (const platform of ['discord', 'slack'] as const) {
    await house.sandbox[platform].say({ ...dm, text: 'My bicycle is green.' });
    await found(`an answer on ${platform}`, () => house.answers({ platform, ...dm })[0]);
  }
  const { telegram, discord, slack } = (await get(house, '/channels/status')) as Record<string, Entry>;
  assert.match(String(telegram?.trouble), /Unauthorized.*@BotFather.*TELEGRAM_BOT_TOKEN/);
  assert.equal(telegram?.lastError, telegram?.trouble);
  assert.ok(!JSON.stringify(telegram).includes(house.sandbox.telegram.tokens.bot));
  assert.deepEqual([discord?.state, slack?.state], ['ready', 'ready']);
  const health = await get(house, '/global/health');
  assert.deepEqual([health.healthy, health.ready], [true, false]);
  assert.equal((health.channels as Record<string, Entry>).telegram?.ready, false);
});
