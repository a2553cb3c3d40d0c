// Every page of the console: it can be read and used by everyone, in both themes and on a phone, and asks no other host.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientOf, narrow, openPage, pages, scriptedHouse, signedIn, skip, wide } from './browser.ts';

const fixed = pages.filter(([each]) => !/SES|RUN/.test(each));

for (const [name, how] of [
  ['light and wide', { viewport: wide, colorScheme: 'light' }],
  ['dark and 390 px wide', { viewport: narrow, colorScheme: 'dark' }],
] as const)
  test(`axe finds nothing serious on any page, ${name}, and none is wider than the screen (W8)`, {
    skip,
  }, async (t) => {
    const house = await scriptedHouse(t, 'The boat is **called** `Tern`.\n\n```ts\nconst a = 1; // one\n```');
    await house.ask({ platform: 'telegram', chat: 'dm', user: 'you' }, 'What is the boat called?');
    const [session] = await clientOf(house).sessions.list();
    const [run] = await clientOf(house).runs.list();
    const { page, accessible } = await signedIn(t, house, how);
    for (const [path, heading] of pages) {
      const real = path.replace('SES', session?.id ?? '').replace('RUN', run?.runID ?? '');
      await page.goto(`${house.parley.url}/console/${real}`);
      const title = page.getByRole('heading', { level: 1, name: heading, includeHidden: true });
      await title.first().waitFor({ state: 'attached' });
      await page.locator('main .loading').first().waitFor({ state: 'detached' });
      await accessible();
      assert.equal(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0, path);
    }
  });

for (const [locale, isHalfDay] of [
  ['en-US', true],
  ['en-GB', false],
] as const)
  test(`every time on every page is in the clock format of the reader, ${isHalfDay ? '12' : '24'} hours`, {
    skip,
  }, async (t) => {
    const house = await scriptedHouse(t, 'The boat is called Tern.');
    await house.ask({ platform: 'telegram', chat: 'dm', user: 'you' }, 'What is the boat called?');
    const client = clientOf(house);
    const [session] = await client.sessions.list();
    const [run] = await client.runs.list();
    const { path: link } = await client.signIns.link({ role: 'owner', name: 'Anna' });
    const { page } = await openPage(t, house.parley.url + link, { locale });
    await page.locator('figure.plot svg text').first().waitFor();
    const wrong: string[] = [];
    let right = 0;
    for (const [path] of pages) {
      const real = path.replace('SES', session?.id ?? '').replace('RUN', run?.runID ?? '');
      await page.goto(`${house.parley.url}/console/${real}`);
      await page.locator('#page h1').first().waitFor({ state: 'attached' });
      await page.locator('main .loading').first().waitFor({ state: 'detached' });
      if (path === 'now') await page.locator('figure.plot svg text').first().waitFor();
      // as text: the tests have no types of a browser
      const texts: string[] =
        await page.evaluate(`[...document.querySelectorAll('#page *')].flatMap((each) => [
        each.getAttribute('title') ?? '',
        ...[...each.childNodes].flatMap((node) => (node.nodeType === Node.TEXT_NODE ? node.data : [])),
      ])`);
      for (const time of texts.flatMap(
        (text) => text.match(/(?<![\d.])\d{1,2}:\d\d(?::\d\d)?(?!\d)(?:\s[AP]M\b)?/g) ?? [],
      ))
        if (/M$/.test(time) === isHalfDay) right += 1;
        else wrong.push(`${path}: ${time}`);
    }
    assert.deepEqual(wrong, []);
    assert.ok(right > 40, `${right} times were looked at`);
  });

test('no request leaves the machine, and the page has no inline script or style (W11)', {
  skip,
}, async (t) => {
  const house = await scriptedHouse(t, 'Hello.');
  const { visit, requests } = await signedIn(t, house);
  for (const [path, heading] of fixed) await visit(path, heading);
  const { origin } = new URL(house.parley.url);
  assert.deepEqual(
    requests.filter(({ url }) => new URL(url).origin !== origin),
    [],
  );
  const response = await fetch(`${house.parley.url}/console`);
  const policy = response.headers.get('content-security-policy') ?? '';
  assert.match(policy, /^default-src 'self';/);
  assert.doesNotMatch(policy, /unsafe|https?:/);
  assert.doesNotMatch(await response.text(), /<style|<script(?![^>]*src=)| style=| on\w+=/);
});

test('keys and the palette open pages without a pointer (W8)', { skip }, async (t) => {
  const house = await scriptedHouse(t, 'Hello.');
  const { page } = await signedIn(t, house);
  for (const [key, heading] of [
    ['r', 'Runs'],
    ['m', 'Memory'],
    ['s', 'Settings'],
    ['n', 'Now'],
  ] as const) {
    await page.keyboard.press('g');
    await page.keyboard.press(key);
    await page.getByRole('heading', { level: 1, name: heading }).waitFor();
  }
  await page.keyboard.press('Control+k');
  await page
    .getByRole('combobox', { name: 'A page, a conversation, a #room, a setting or a command' })
    .fill('peop');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'People' }).waitFor();
});
