// What goes wrong in the browser: each failure is a sentence in its place, and the rest of the page works.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Talk } from '../../app/house.ts';
import { clientOf, scriptedHouse, signedIn, skip } from './browser.ts';

const talk: Talk = { platform: 'telegram', chat: 'dm', user: 'you' };
const peopleAPI = ({ pathname }: URL): boolean => pathname === '/people';
const longName = `<b>${'long '.repeat(1_000)}</b>`;

test('a run and a conversation that do not exist, and an address that is none, are sentences on their page', {
  skip,
}, async (t) => {
  const house = await scriptedHouse(t, 'Noted.');
  const { page, visit, complaints, accessible } = await signedIn(t, house);
  await visit('runs/run_missing', 'Run');
  await page.getByText('There is no such run').waitFor();
  await accessible();
  await page.goto(`${house.parley.url}/console/conversations/ses_missing`);
  await page.getByText('This conversation does not exist').waitFor();
  await accessible();
  await page.goto(`${house.parley.url}/console/nowhere/%E0%A4%A`);
  await page.getByText('There is no such page').waitFor();
  await page.getByRole('link', { name: 'Open “Now”' }).click();
  await page.getByRole('heading', { level: 1, name: 'Now' }).waitFor();
  assert.ok(complaints.splice(0).every((line) => /40[04]/.test(line)));
});

test('an API that answers 500, nonsense or nothing fails only where it was needed', { skip }, async (t) => {
  const house = await scriptedHouse(t, 'The boat is called Tern.');
  await house.ask(talk, 'What is the boat called?');
  const { page, visit, complaints, accessible } = await signedIn(t, house);
  await page.route('**/usage/series*', (route) => route.fulfill({ status: 500, body: 'broken' }));
  await page.route('**/permission', (route) => route.fulfill({ status: 200, body: '<html>' }));
  await page.route(peopleAPI, (route) => route.abort());
  await visit('now', 'Now');
  await page.getByText('Parley answered with status 500 and no reason.').waitFor();
  await page.getByText('The answer of Parley cannot be read.').waitFor();
  await page.locator('.channel').nth(2).waitFor();
  await accessible();
  await visit('people', 'People');
  await page.getByText('Parley cannot be reached.').first().waitFor();
  await accessible();
  await page.unroute(peopleAPI);
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { level: 2, name: /^Admitted/ }).waitFor();
  await visit('conversations', 'Conversations');
  await page.getByText('What is the boat called?').first().waitFor();
  assert.ok(complaints.splice(0).every((line) => /500|ERR_FAILED/.test(line)));
});

test('a title of 5,000 characters with markup is cut where it would push everything away', {
  skip,
}, async (t) => {
  const house = await scriptedHouse(t, 'Noted.');
  const client = clientOf(house);
  const { id } = await client.sessions.create({ title: 'TITLE' });
  await client.sessions.promptSync(id, 'Hello.');
  const { page, accessible } = await signedIn(t, house, { viewport: { width: 390, height: 844 } });
  // the API refuses such a title; an older home may hold one
  await page.route(
    ({ pathname }) => /^\/session(\/[^/]+)?$/.test(pathname),
    async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: (await response.text()).replaceAll('TITLE', longName) });
    },
  );
  for (const path of ['conversations', `conversations/${id}`]) {
    await page.goto(`${house.parley.url}/console/${path}`);
    await page.getByText('<b>long long').filter({ visible: true }).first().waitFor();
    const width = Number(await page.evaluate('document.documentElement.scrollWidth'));
    assert.ok(width <= 390, `${path} is ${width} wide`);
    const title = await page.getByText('<b>long long').filter({ visible: true }).first().boundingBox();
    assert.ok((title?.height ?? 0) < 200, `the title is ${title?.height} high`);
    await accessible();
  }
});
