// Reminders over the whole program and the real client libraries: set in a chat of each platform, confirmed, and sent at the time.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { found } from '../conformance/platforms.ts';
import { openHouse } from './house.ts';

const all = ['discord', 'telegram', 'slack'] as const;
const you = { chat: 'dm', user: 'you' } as const;

test('a reminder is set on each platform, survives a restart, and is sent once at its time (S18)', async (t) => {
  const house = await openHouse(t);
  await house.ready(...all);
  for (const platform of all) {
    const sign = platform === 'slack' ? '!' : '/';
    const shown = await house.ask({ platform, ...you }, `${sign}remind in 12 seconds water ${platform}`);
    assert.match(shown, /remind you on .* \((?:UTC|Etc\/UTC)\): “water/);
    assert.match(await house.ask({ platform, ...you }, `${sign}remind yes`), /It is set/);
  }
  await house.restart();
  await house.ready(...all);
  const sent = (platform: (typeof all)[number]): string[] =>
    house
      .answers({ platform, ...you })
      .map(({ text }) => text)
      .filter((text) => text.includes(`water ${platform}`) && text.includes('⏰'));
  for (const platform of all)
    await found(`the reminder on ${platform}`, () => (sent(platform).length > 0 ? true : undefined));
  await house.restart();
  await house.ready(...all);
  for (const platform of all) assert.equal(sent(platform).length, 1, platform);
});

test('on Slack the zone of the profile is taken, and a person need not write it (S17)', async (t) => {
  const house = await openHouse(t);
  await house.ready('slack');
  const shown = await house.ask({ platform: 'slack', ...you }, '!remind tomorrow at 9 call the bank');
  assert.match(shown, /at 09:00 \(Etc\/UTC\): “call the bank”/);
});
