// The journal, dreams and budgets of one audience in the browser, and how much people used of their limits.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { audience, boat, writeRecalls } from '../../app/recalled-home.ts';
import { originOf } from '../../engine/support/kit.ts';
import { clientOf, scriptedHouse, signedIn, skip } from './browser.ts';

const person = { person: 'per_ann', name: 'Ann' };
const { nativeIDs: _ids, ...reader } = originOf({ audience, speaker: person });

test('the journal of an audience shows what agents wrote, newest first, by kind and agent, in pages', {
  skip,
}, async (t) => {
  const house = await scriptedHouse(t, 'Noted.');
  const client = clientOf(house);
  const record = (agentID: string, lesson: string) =>
    client.memory.forReader('recordLesson', {
      reader,
      input: { agentID, taskType: 'sailing', lessonKind: 'pattern', lesson, tags: [] },
    });
  await client.memory.forReader('closeSession', {
    reader,
    input: {
      ...{ agentID: 'coder', key: 'one', title: 'The <b>parser</b>', summary: 'It was rewritten.' },
      threads: [{ title: 'The lexer is slow', body: '' }],
    },
  });
  for (let number = 1; number <= 120; number += 1) await record('sailor', `Lesson ${number}: reef early.`);
  const { page, visit, accessible } = await signedIn(t, house);
  await visit(`memory/journal?as=${audience}`, 'Memory');
  await page.getByText('Lesson 120: reef early.').waitFor();
  await accessible();
  await page.getByLabel('Agent').fill('coder');
  await page.getByText('The <b>parser</b>').waitFor();
  await page.getByText('It was rewritten.').waitFor();
  assert.equal(await page.getByText('reef early').count(), 0);
  await page.getByLabel('Kind').selectOption('thread');
  await page.getByText('The lexer is slow').waitFor();
  await page.locator('.badge').getByText('open').waitFor();
  await page.getByText('The <b>parser</b>').waitFor({ state: 'detached' });
  await page.getByLabel('Kind').selectOption('build');
  await page.getByText('No entry fits').waitFor();
  await page.getByLabel('Agent').fill('');
  await page.getByLabel('Kind').selectOption('lesson');
  const list = page.getByRole('group', { name: 'Journal' });
  const first = page.getByText('Lesson 1: reef early.');
  for (let step = 0; !(await first.isVisible()); step += 1) {
    assert.ok(step < 100, 'the oldest entry is not reached');
    await list.evaluate((box) => box.scrollTo(0, box.scrollHeight));
    await page.waitForTimeout(50); // the next page makes the list longer
  }
});

test('dreams show what the next sweep promotes, what waits, and why', { skip }, async (t) => {
  const house = await scriptedHouse(t, 'Noted.', {}, { memory: { dreaming: { enabled: true } } });
  await writeRecalls(house.home);
  const { page, visit, accessible } = await signedIn(t, house);
  await visit(`memory/dreams?as=${audience}`, 'Memory');
  const promoted = page.getByRole('region', { name: 'The next sweep promotes' });
  await promoted.getByText(boat).waitFor();
  await promoted.getByText('passes every gate').waitFor();
  const waits = page.getByRole('region', { name: 'Waits' });
  await waits.getByText('The cellar key hangs behind the old clock.').waitFor();
  await waits.getByText('1 of 3 recalls').waitFor();
  await waits.getByText(/^Score/).click();
  await waits.getByText('diversity').last().waitFor();
  await accessible();
  const { candidates } = await clientOf(house).memory.dreams({ audience });
  assert.deepEqual(
    candidates.map(({ verdict }) => verdict),
    ['promote', 'waits'],
  );
  await visit('memory/dreams?as=person:operator', 'Memory');
  await page.getByText('Nothing of this audience was recalled yet').waitFor();
});

test('budgets show what is used of each bound, and what would go next', { skip }, async (t) => {
  const budgets = { audience: { items: { note: 2 }, characters: 1_000 } };
  const house = await scriptedHouse(t, 'Noted.', {}, { memory: { budgets } });
  const client = clientOf(house);
  for (const text of ['One is red.', 'Two is blue.', 'Three is green.'])
    await client.memory.put(text, { audience });
  const { page, visit, accessible } = await signedIn(t, house);
  await visit(`memory/budgets?as=${audience}`, 'Memory');
  await page.getByRole('progressbar', { name: 'characters used' }).waitFor();
  await page.getByText('3 of 2').waitFor();
  await page.getByText(/Over its bound of note: the next upkeep forgets/).waitFor();
  await accessible();
  assert.equal((await client.memory.list({ audience })).count, 3, 'a look changes nothing');
});

test('people and assistants show what was used of them within a day, of which limits; owners have none', {
  skip,
}, async (t) => {
  const house = await scriptedHouse(
    t,
    'Noted.',
    {},
    {
      limits: { person: { messages: 5 }, assistants: { Parley: { messages: 9 } } },
    },
  );
  for (const user of ['you', 'guest'] as const)
    await house.ask({ platform: 'telegram', chat: 'dm', user }, 'Where is the key?');
  const { page, visit, accessible } = await signedIn(t, house);
  await visit('people', 'People');
  const owner = page.locator('.person').first();
  await owner.getByText('messages in 24 h').waitFor();
  await owner.getByText('without limits').waitFor();
  assert.equal(await owner.getByRole('progressbar').count(), 0);
  const guest = page.getByRole('region', { name: 'Other accounts' }).locator('li', { hasText: 'Guest' });
  await guest.getByText('1 of 5').waitFor();
  const bar = guest.getByRole('progressbar', { name: 'messages in 24 h used' });
  assert.deepEqual([await bar.getAttribute('value'), await bar.getAttribute('max')], ['1', '5']);
  const assistants = page.getByRole('region', { name: 'Assistants' }).locator('li', { hasText: 'Parley' });
  await assistants.getByText('2 of 9').waitFor();
  await accessible();

  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const [done = 0, track = 0, around = 0] = await lightOf(page, bar);
    const isDark = colorScheme === 'dark';
    assert.ok(isDark ? track < 0.1 : track > 0.6, `the track is ${track} light, ${colorScheme}`);
    assert.ok(contrast(done, track) >= 3, `what is used is told from the track, ${colorScheme}: ${done}`);
    assert.ok(contrast(track, around) > 1.1, `the track is told from the page, ${colorScheme}: ${around}`);
  }
});

const contrast = (one: number, other: number): number =>
  (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);

/** How light a bar is drawn near its beginning and near its end, and what is above it, from 0 to 1 (relative luminance of WCAG 2). */
async function lightOf(page: Page, bar: Locator): Promise<number[]> {
  await bar.scrollIntoViewIfNeeded();
  const { x = 0, y = 0, width = 0, height = 0 } = (await bar.boundingBox()) ?? {};
  const clip = { x, y: y - 4, width, height: height + 4 };
  const shot = await page.screenshot({ clip });
  // as text: the tests have no types of a browser
  return page.evaluate(`(async (base64, at) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const picture = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const { width, height } = picture;
    const drawing = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
    drawing.drawImage(picture, 0, 0);
    const lightAt = ([across, down]) => {
      const pixel = drawing.getImageData(Math.floor(across * width), Math.floor(down * height), 1, 1).data;
      const [red, green, blue] = [...pixel].map((value) =>
        value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4);
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    return at.map(lightAt);
  })(${JSON.stringify(shot.toString('base64'))}, [[0.1, 0.65], [0.9, 0.65], [0.5, 0.05]])`);
}
