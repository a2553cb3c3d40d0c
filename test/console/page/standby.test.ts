// Channels of an instance that shares its bots with another one: who leads each, since when, and how fast the database answers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StorageStanding } from '#engine/wire/operator/storage-standing.ts';
import { scriptedHouse, signedIn, skip } from './browser.ts';

const sinceMs = Date.UTC(2026, 0, 2, 3, 4, 5);
const account = { fence: 3, sinceMs, isHeld: true };
const storage: StorageStanding = {
  kind: 'postgres',
  place: 'the database "parley"',
  instance: 'here',
  latencyMs: 2.5,
  accounts: [
    { ...account, channel: 'telegram', leads: false, leader: 'another-machine' },
    { ...account, channel: 'discord', leads: true, leader: 'here' },
    { ...account, channel: 'slack', leads: false, leader: 'another-machine', isHeld: false },
  ],
};

test('each channel says who leads it, and one on standby is no fault', { skip }, async (t) => {
  const house = await scriptedHouse(t, 'yes');
  const { page, accessible } = await signedIn(t, house, { role: 'owner' });
  await page.route(
    ({ pathname }) => pathname === '/status',
    async (route) => {
      const response = await route.fetch();
      const status = await response.json();
      Object.assign(status.channels.telegram, { state: 'standby', connected: false });
      await route.fulfill({ response, json: { ...status, storage } });
    },
  );
  await page.goto(`${house.parley.url}/console/`);
  const wordsOf = async (name: string): Promise<string> =>
    (await page.locator(`article[aria-label="${name}"]`).innerText()).replace(/\s+/g, ' ');
  await page.locator('article[aria-label="Telegram"]:has-text("another-machine")').waitFor();
  assert.match(await wordsOf('Telegram'), /standby.*Led by another-machine since/i);
  assert.match(await wordsOf('Discord'), /Led by this instance since/i);
  assert.match(await wordsOf('Slack'), /Led by nobody/i);
  assert.match(await page.locator('section:has(.channels)').innerText(), /PostgreSQL answers in 3 ms/);
  await accessible();
});
