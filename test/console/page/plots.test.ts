// Plots over time in the browser: what is drawn for no data, one point, a gap and a change of day.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import type { UsageBucket } from '#engine/wire/runs/usage.ts';
import { openHouse } from '../../app/house.ts';
import { clientOf, openPage, skip } from './browser.ts';

type Fill = (bucket: UsageBucket, index: number, all: number) => UsageBucket;

const fills: Record<string, Fill> = {
  nothing: (bucket) => bucket,
  'one point': (bucket, index) =>
    index === 20 ? { ...bucket, messages: 3, runs: 3, latencyMs: { p50: 2_000, p95: 4_000 } } : bucket,
  'a gap': (bucket, index, all) =>
    index < all / 3 || index >= (all * 2) / 3
      ? { ...bucket, messages: 40, runs: 40, latencyMs: { p50: 2_000, p95: 4_000 } }
      : bucket,
};

/** For each third of a plot, how many pixels long its series are there, bars by their outlines. */
function inkOfThirds(page: Page, title: string): Promise<number[]> {
  // as text: the tests have no types of a browser
  return page.evaluate(`((title) => {
    const figure = [...document.querySelectorAll('figure.plot')].find(
      (each) => each.querySelector('.plot-title')?.textContent === title,
    );
    const paths = [...(figure?.querySelectorAll('svg .plot-grid') ?? [])];
    const series = [...(figure?.querySelectorAll('svg :is(.plot-bars, .plot-line)') ?? [])];
    if (series.length === 0) throw new Error('no plot');
    const area = paths[0].getBBox(); // the line of zero leads over the whole time
    const thirds = [0, 0, 0];
    for (const path of series)
      for (let at = 0; at < path.getTotalLength(); at += 1) {
        const third = Math.floor(((path.getPointAtLength(at).x - area.x) * 3) / area.width);
        thirds[Math.min(2, Math.max(0, third))] += 1;
      }
    return thirds;
  })(${JSON.stringify(title)})`);
}

test('plots have true axes with units, a dot for one point, and no line over a gap or for nothing (W9)', {
  skip,
}, async (t) => {
  const house = await openHouse(t);
  const { path } = await clientOf(house).signIns.link({ role: 'owner', name: 'Anna' });
  const { page } = await openPage(t, 'about:blank', {
    timezoneId: 'Asia/Kathmandu',
    locale: 'en-GB',
  });
  let fill = fills.nothing as Fill;
  let asked = new URLSearchParams();
  await page.route('**/usage/series*', async (route) => {
    asked = new URL(route.request().url()).searchParams;
    const response = await route.fetch();
    const buckets = (await response.json()) as UsageBucket[];
    await route.fulfill({
      response,
      json: buckets.map((bucket, index) => fill(bucket, index, buckets.length)),
    });
  });
  await page.goto(house.parley.url + path);
  const plot = (title: string) => page.locator('figure.plot', { hasText: title });
  const show = async (name: string): Promise<void> => {
    fill = fills[name] as Fill;
    await page.reload();
    await plot('Errors').locator('svg').waitFor();
  };
  await plot('Errors').locator('svg').waitFor();

  await show('nothing');
  assert.equal(await page.getByText('Nothing in this time', { exact: true }).count(), 5);
  for (const [title, unit] of [
    ['Messages', 'messages'],
    ['Time to answer', 'seconds'],
    ['Tokens', 'tokens'],
    ['Cost', 'US dollars'],
    ['Errors', 'runs'],
  ] as const) {
    assert.equal(await plot(title).locator('.plot-unit').textContent(), unit);
    assert.deepEqual(await inkOfThirds(page, title), [0, 0, 0], title);
  }

  await show('one point');
  const [left = 0, middle = 0, right = 0] = await inkOfThirds(page, 'Time to answer');
  assert.ok(middle > 4 && middle < 200, `the two dots have ${middle} pixels`);
  assert.equal(left + right, 0);
  assert.equal(await plot('Messages').locator('.plot-total').textContent(), '3 messages');

  await show('a gap');
  for (const title of ['Time to answer', 'Messages']) {
    const [before = 0, gap = 0, after = 0] = await inkOfThirds(page, title);
    assert.ok(before > 20 && after > 20, `${title}: ${before} and ${after} pixels next to the gap`);
    assert.ok(gap < before / 20, `${title}: ${gap} pixels in the gap`);
  }
  // days that end at midnight, at another label, and between two: the zone is 5:45 ahead
  for (const time of ['18:10', '00:10', '02:40']) {
    await page.clock.setFixedTime(new Date(`2026-03-05T${time}:00Z`));
    await show('a gap');
    const texts = Object.fromEntries(
      await Promise.all(
        ['Messages', 'Time to answer'].map(
          async (title) => [title, await plot(title).locator('svg text').allTextContents()] as const,
        ),
      ),
    );
    // the values are 40, 2 s and 4 s: the axis begins at zero and ends above them
    assert.ok(texts.Messages?.includes('0') && texts.Messages.includes('40'), texts.Messages?.join());
    for (const [title, all] of Object.entries(texts))
      assert.equal(new Set(all).size, all.length, `${title}: no two labels are alike: ${all}`);
    assert.ok(texts['Time to answer']?.includes('0.0 s') && texts['Time to answer'].includes('4.0 s'));
    // a day has one midnight of the reader's zone: it is named by its date, and the other ticks are times
    const midnight = new Intl.DateTimeFormat('en-GB', {
      day: 'numeric',
      month: 'short',
      timeZone: 'Asia/Kathmandu',
    });
    const days = ['from_ms', 'until_ms'].map((end) => midnight.format(Number(asked.get(end))));
    assert.ok(
      texts.Messages?.some((text) => days.includes(text)),
      `${days} in ${texts.Messages?.join()}`,
    );
    assert.ok(
      texts.Messages?.every((text) => days.includes(text) || /^(\d\d:00|\d+|)$/.test(text)),
      texts.Messages?.join(),
    );
  }
});
