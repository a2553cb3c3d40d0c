// The journal, dreams and budgets in each of their states: loading, failed, empty, filled; wide and narrow, light and dark.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { audience, writeRecalls } from '../../app/recalled-home.ts';
import { originOf } from '../../engine/support/kit.ts';
import { clientOf, narrow, scriptedHouse, signedIn, skip, wide } from './browser.ts';

const person = { person: 'per_ann', name: 'Ann' };
const { nativeIDs: _ids, ...reader } = originOf({ audience, speaker: person });
const views = [
  { path: 'journal', empty: 'The journal is empty', filled: 'Reef early.' },
  { path: 'dreams', empty: 'Nothing of this audience was recalled yet', filled: 'passes every gate' },
  { path: 'budgets', empty: 'Nothing bounds this memory', filled: 'This audience' },
] as const;

for (const [viewport, colorScheme] of [
  [wide, 'light'],
  [wide, 'dark'],
  [narrow, 'light'],
  [narrow, 'dark'],
] as const)
  test(`journal, dreams and budgets can be read while they load, when they fail, empty and filled, ${viewport.width} px wide, ${colorScheme}`, {
    skip,
  }, async (t) => {
    const budgets = { audience: { items: { note: 2 }, characters: 1_000 } };
    const house = await scriptedHouse(t, 'Noted.', {}, { memory: { dreaming: { enabled: true }, budgets } });
    await writeRecalls(house.home);
    const client = clientOf(house);
    const lesson = {
      agentID: 'sailor',
      taskType: 'sailing',
      lessonKind: 'pattern',
      lesson: 'Reef early.',
      tags: [],
    };
    await client.memory.forReader('recordLesson', { reader, input: lesson });
    const { page, visit, complaints, accessible } = await signedIn(t, house, { viewport, colorScheme });
    const fits = async (): Promise<void> => {
      await accessible();
      assert.equal(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0, page.url());
    };
    for (const { path, empty, filled } of views) {
      const api = ({ pathname }: URL): boolean => pathname === `/memory/${path}`;
      const address = `memory/${path}?as=${audience}`;
      const asked = Promise.withResolvers<void>();
      await page.route(api, async (route) => {
        await asked.promise;
        await route.fulfill({ status: 500, json: { error: 'The disk is full.', code: 'STORAGE_FAILED' } });
      });
      await visit(address, 'Memory');
      await page.locator('#page .loading').first().waitFor();
      await fits();
      asked.resolve();
      await page.getByRole('alert').getByText('The disk is full.').waitFor();
      await fits();
      await page.unroute(api);
      await page.route(api, (route) => route.abort());
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByRole('alert').getByText('Parley cannot be reached.').waitFor();
      await page.unroute(api);
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByText(filled).first().waitFor();
      assert.equal(await page.getByRole('alert').count(), 0);
      await fits();
      await page.route(api, async (route) => {
        const response = await route.fetch();
        const json = await response.json();
        for (const name of ['entries', 'candidates', 'budgets'])
          if (Array.isArray(json[name])) json[name] = [];
        await route.fulfill({ response, json });
      });
      await visit(address, 'Memory');
      await page.getByText(empty).waitFor();
      await fits();
      await page.unroute(api);
    }
    assert.ok(complaints.splice(0).every((line) => /500|ERR_FAILED/.test(line)));
  });
