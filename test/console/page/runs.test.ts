// The list of runs in the browser: narrowed by each of its filters, and sorted.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scriptedHouse, signedIn, skip } from './browser.ts';

test('the list of runs is narrowed by person, room, agent, model, status, time and duration, and sorted by duration and cost', {
  skip,
}, async (t) => {
  const long = 'The tide turns at noon. '.repeat(12);
  const house = await scriptedHouse(
    t,
    'It hangs behind the clock.',
    { betweenPiecesMs: 400, answers: { tides: long } },
    { model: { name: 'any', prices: { input: 1, output: 1_000 } } },
  );
  await house.ask({ platform: 'slack', chat: 'dm', user: 'guest' }, 'Tell me all about the tides.');
  await house.ask({ platform: 'discord', chat: 'room', user: 'you' }, 'Where is the spare key?');
  const { page, visit, accessible } = await signedIn(t, house);
  await visit('runs', 'Runs');
  const questions = page.locator('.run-row .asked');
  const tides = questions.filter({ hasText: 'the tides' });
  const key = questions.filter({ hasText: 'the spare key' });
  const both = async (): Promise<void> => {
    await tides.waitFor();
    await key.waitFor();
  };
  await both();
  const only = async (one: typeof tides): Promise<void> => {
    await (one === tides ? key : tides).waitFor({ state: 'detached' });
    await one.waitFor();
  };
  const none = () => page.getByText('No run fits').waitFor();
  for (const [label, words, shown] of [
    ['Person', 'guest', tides],
    ['Room', '#gen', key],
  ] as const) {
    await page.getByLabel(label, { exact: true }).fill(words);
    await only(shown);
    await page.getByLabel(label, { exact: true }).fill('');
    await both();
  }
  for (const [label, words] of [
    ['Agent', 'parl'],
    ['Model', 'any'],
  ] as const) {
    const field = page.getByLabel(label, { exact: true });
    await field.fill('no such name');
    await none();
    await field.fill(words);
    await both();
    await field.fill('');
  }
  const choose = (label: string, option: string) =>
    page.getByRole('combobox', { name: label }).selectOption({ label: option });
  await choose('Status', 'Cancelled');
  await none();
  await choose('Status', 'Completed');
  await both();
  await choose('Time', 'Last hour');
  await both();
  await choose('Duration', '5 s or longer');
  await only(tides);
  assert.match(page.url(), /status=completed.*hours=1.*least=5/);
  await choose('Duration', 'Any duration');
  await both();
  const first = async (): Promise<string> => (await questions.first().textContent()) ?? '';
  assert.match(await first(), /the spare key/);
  for (const order of ['Longest first', 'Dearest first']) {
    await choose('Order', order);
    await page.locator('.run-row').first().getByText('the tides').waitFor();
    await choose('Order', 'Newest first');
    await page.locator('.run-row').first().getByText('the spare key').waitFor();
  }
  await accessible();
});
