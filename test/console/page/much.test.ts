// Much data in the browser: a session of thousands of messages and hundreds of live runs, of which little is in the document.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { writeLongSession } from '../../../bench/console/long-session.ts';
import { startStreamingModel } from '../../../bench/gateway/streaming-model.ts';
import { openHouse } from '../../app/house.ts';
import { until } from '../../support/found.ts';
import { clientOf, openPage, scriptedHouse, signedIn, skip } from './browser.ts';

const messages = 5_000;
const runs = 200;
/** Elements in the document, at most. */
const maxElements = 3_000;

test('5,000 messages and 200 live runs are read in pages and drawn in part, to their very beginning (W3)', {
  skip,
}, async (t) => {
  // they write until they are stopped: however long it takes to begin all of them, none has ended before
  const model = await startStreamingModel({
    ...{ deltas: Number.POSITIVE_INFINITY, everyMs: 1_000 },
    piece: (number) => `Word ${number} `,
  });
  const house = await openHouse(t, {
    config: { model: { name: 'any', provider: 'openai-compatible', baseUrl: model.url } },
  });
  t.after(() => model.close());
  const sessionID = writeLongSession(join(house.home, 'engine.sqlite'), messages);
  const client = clientOf(house);
  const { page, visit, requests } = await signedIn(t, house);
  const elements = async (): Promise<number> =>
    Number(await page.evaluate('document.querySelectorAll("*").length'));

  await visit(`conversations/${sessionID}`, 'Conversations');
  await page.getByText(`Message ${messages}.`).waitFor();
  const read = requests.filter(({ url }) => url.includes(`/session/${sessionID}/message`));
  assert.equal(read.length, 1);
  assert.match(read[0]?.url ?? '', /limit=100/);
  assert.ok((await elements()) < maxElements);
  const list = page.getByRole('group', { name: 'Messages' });
  const first = page.getByText('Message 1.', { exact: false }).and(page.locator('.message *')).first();
  let steps = 0;
  while (!(await first.isVisible())) {
    const height = await list.evaluate((box) => box.scrollHeight);
    await list.evaluate((box) => box.scrollTo(0, 0));
    await until(
      'an older page, which makes the list longer',
      async () => (await list.evaluate((box) => box.scrollHeight)) !== height || (await first.isVisible()),
    );
    steps += 1;
    assert.ok(steps < 1_000, 'the first message is not reached');
  }
  assert.ok(steps >= messages / 100 - 1, `${messages} messages were read in ${steps} steps`);
  assert.ok((await elements()) < maxElements);

  const sessions: { id: string }[] = [];
  for (let run = 0; run < runs; run += 1) {
    const session = await client.sessions.create();
    await client.sessions.promptAsync(session.id, 'Write much.');
    sessions.push(session);
  }
  await page.getByRole('link', { name: /^Now/ }).click();
  await page.getByRole('heading', { level: 2, name: `In progress ${runs}` }).waitFor();
  await page.getByText('Word 3').first().waitFor();
  const rows = await page.locator('.live-row').count();
  assert.ok(rows > 3 && rows < 60, `${rows} rows of ${runs} runs are drawn`);
  assert.ok((await elements()) < maxElements);
  for (const { id } of sessions) await client.sessions.cancel(id);
});

test('a message that is read stays where it is while older and newer ones come, with its time in the zone of the reader', {
  skip,
}, async (t) => {
  const house = await scriptedHouse(t, 'A short answer.');
  const sessionID = writeLongSession(join(house.home, 'engine.sqlite'), 300);
  const client = clientOf(house);
  const { path } = await client.signIns.link({ role: 'owner', name: 'Anna' });
  const zone = { locale: 'en-GB', timezoneId: 'Asia/Kathmandu' };
  const { page, context } = await openPage(t, house.parley.url + path, zone);
  house.beforeEnd.push(() => context.close());
  await page.getByRole('heading', { level: 1, name: 'Now' }).waitFor();
  await page.goto(`${house.parley.url}/console/conversations/${sessionID}`);
  await page.getByText('Message 300.').waitFor();
  const list = page.getByRole('group', { name: 'Messages' });
  const gate = Promise.withResolvers<void>();
  await page.route(/before=/, async (route) => {
    await gate.promise;
    await route.continue();
  });
  await list.evaluate((box) => box.scrollTo(0, 30)); // near to its start, so that older ones are read
  await page.waitForTimeout(500); // rows that come in sight are measured
  const height = await list.evaluate((box) => box.scrollHeight);
  const inSight = `(() => {
    const box = document.querySelector('.messages .virtual').getBoundingClientRect();
    for (const row of document.querySelectorAll('.messages .message')) {
      const { top, bottom } = row.getBoundingClientRect();
      const number = /Message \\d+\\./.exec(row.textContent)?.[0];
      if (number !== undefined && top > box.top && bottom < box.bottom) return { number, top };
    }
  })()`;
  const before = (await page.evaluate(inSight)) as { number: string; top: number };
  gate.resolve();
  while ((await list.evaluate((box) => box.scrollHeight)) < height + 1_000) await page.waitForTimeout(50);
  await client.sessions.promptSync(sessionID, 'One more.');
  await client.sessions.promptSync(sessionID, 'And another one.');
  await page.getByText('304 messages').waitFor();
  await page.waitForTimeout(500);
  const after = (await page.evaluate(inSight)) as { number: string; top: number };
  assert.equal(after.number, before.number);
  assert.ok(Math.abs(after.top - before.top) <= 2, `it moved by ${after.top - before.top} pixels`);

  const time = page.locator('.message').filter({ hasText: before.number }).locator('time').first();
  const moment = Date.parse((await time.getAttribute('datetime')) ?? '');
  const format = { dateStyle: 'full', timeStyle: 'long', timeZone: zone.timezoneId } as const;
  assert.equal(await time.getAttribute('title'), new Intl.DateTimeFormat(zone.locale, format).format(moment));
});

test('while many runs come and go, the page Now reads the status every two seconds and plots every ten, at most', {
  skip,
}, async (t) => {
  const house = await scriptedHouse(t, 'Noted.');
  const client = clientOf(house);
  const { page, requests } = await signedIn(t, house);
  await page.getByRole('heading', { level: 2, name: 'Over time' }).waitFor();
  const { id } = await client.sessions.create();
  const began = performance.now();
  requests.length = 0;
  for (let run = 0; run < 40; run += 1) await client.sessions.promptSync(id, 'Note this.');
  await page.waitForTimeout(2_500); // what the last run brings
  const seconds = (performance.now() - began) / 1_000;
  const read = (path: string): number => requests.filter(({ url }) => new URL(url).pathname === path).length;
  assert.ok(read('/status') >= 1);
  // also without any event they are read, every 10 and every 30 seconds
  assert.ok(read('/status') <= seconds / 2 + seconds / 10 + 1, `${read('/status')} in ${seconds} s`);
  const series = read('/usage/series');
  assert.ok(series <= seconds / 10 + seconds / 30 + 1, `${series} in ${seconds} s`);
});
