// What must not happen on the page: chat text as markup, words lost, a dead connection that looks alive.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { open, platforms, readyHouse, skip } from './browser.ts';

const hostile = [
  '<script>window.hacked = 1</script>',
  '<img src=x onerror="window.hacked = 2">',
  '<svg onload="window.hacked = 3"></svg>',
  '</p></li><iframe src="javascript:window.hacked=4"></iframe>',
  '[press me](javascript:window.hacked=5)',
  '[data](data:text/html,<script>window.hacked=6</script>)',
  '![pixel](https://tracker.invalid/pixel.png)',
  '`<b>code</b>`',
].join('\n\n');

test('text from a chat never becomes markup, a script or an address that runs one', { skip }, async (t) => {
  const house = await readyHouse(t, `The bot says:\n\n${hostile}\n\nthe end`);
  const { page, say, messages } = await open(t, house);
  for (const platform of platforms) {
    await say(platform, `You say:\n\n${hostile}\n\nthe end`);
    for (const author of ['you', 'bot'] as const) {
      const body = messages(platform, author).locator('.body').last();
      await body.getByText('the end').waitFor();
      const shown = (await body.textContent()) ?? '';
      for (const piece of [
        '<script>window.hacked = 1</script>',
        '<img src=x onerror',
        '<svg onload',
        '</p></li><iframe',
      ])
        assert.ok(shown.includes(piece), `${platform} ${author}: ${piece}`);
    }
  }
  const bad = 'main :is(script, img, iframe, [onerror], [onload]), main .message svg, main .body b';
  assert.equal(await page.locator(bad).count(), 0);
  const addresses = await page
    .locator('main a')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href')));
  assert.deepEqual(
    addresses.filter((address) => !/^https?:\/\//.test(address ?? '')),
    [],
  );
  assert.equal(await page.evaluate('window.hacked'), undefined);
});

test('a link opens in another tab, whose site does not learn where it was pressed', { skip }, async (t) => {
  const house = await readyHouse(t, 'See [the plan](https://example.com/plan?a=1&b=2).');
  const { say, messages } = await open(t, house);
  for (const platform of platforms) {
    await say(platform, 'Where is it?');
    const link = messages(platform, 'bot').getByRole('link', { name: 'the plan' });
    assert.equal(await link.getAttribute('href'), 'https://example.com/plan?a=1&b=2');
    assert.equal(await link.getAttribute('rel'), 'noopener noreferrer');
    assert.equal(await link.getAttribute('target'), '_blank');
  }
});

test('what the platform refuses is shown, and the text and its reply are still there', {
  skip,
}, async (t) => {
  const house = await readyHouse(t);
  const { complaints, pane, input, say, messages } = await open(t, house);
  await say('telegram', 'My kite is blue.');
  const answer = messages('telegram', 'bot').filter({ hasText: 'remember' });
  await answer.getByRole('button', { name: /^Reply/ }).press('Enter');
  const long = 'x'.repeat(4097);
  await say('telegram', long);
  const alert = pane('telegram').getByRole('alert');
  await alert.getByText("Not sent. A person's text has 1 to 4096 units, this has 4097.").waitFor();
  assert.equal(await input('telegram').inputValue(), long);
  assert.match((await pane('telegram').locator('.replying').textContent()) ?? '', /Parley: Noted/);
  await say('telegram', 'shorter');
  await messages('telegram', 'you').getByText('shorter').waitFor();
  assert.equal(await alert.isHidden(), true);
  // The browser itself notes every answer of 400.
  assert.deepEqual(
    complaints.splice(0).filter((line) => !line.includes('400 (Bad Request)')),
    [],
  );
});

test('a lost connection is shown, what is typed in the meantime is kept, and the page recovers by itself', {
  skip,
}, async (t) => {
  const house = await readyHouse(t);
  // The restarted program has to come back at the address that the page knows.
  const { port } = new URL(house.parley.url);
  const config = { engine: { port: Number(port) }, gateway: { debounceMs: 0, shutdownSeconds: 1 } };
  const { page, complaints, pane, input, say, messages } = await open(t, house);
  await say('slack', 'My drum is loud.');
  await messages('slack', 'bot').getByText('remember').waitFor();
  const banner = page.getByRole('status');
  assert.equal(await banner.isHidden(), true);

  await house.parley.close();
  await banner.getByText('The connection to Parley is lost. Trying again').waitFor();
  await say('slack', 'Are you there?');
  await pane('slack').getByRole('alert').getByText('Not sent.').waitFor();
  assert.equal(await input('slack').inputValue(), 'Are you there?');
  assert.equal(await messages('slack', 'you').count(), 1);

  writeFileSync(
    join(house.folder, 'parley.config.json'),
    JSON.stringify({ ...config, log: { level: 'silent' } }),
  );
  await house.restart();
  await banner.waitFor({ state: 'hidden' });
  await input('slack').fill('How loud is my drum?');
  await input('slack').press('Enter');
  await messages('slack', 'bot').getByText('My drum is loud.').waitFor();
  // While nothing listens, the browser notes each failed try.
  assert.deepEqual(
    complaints.splice(0).filter((line) => !/ERR_|Failed to fetch|network error/i.test(line)),
    [],
  );
});

test('the link to the console opens it signed in as the owner, and once only makes a sign-in', {
  skip,
}, async (t) => {
  const house = await readyHouse(t);
  const { page } = await open(t, house);
  for (let times = 0; times < 2; times += 1) {
    await page.getByRole('link', { name: 'Console' }).click();
    await page.getByRole('heading', { level: 1, name: 'Now' }).waitFor();
    await page.goto(house.parley.url);
    await page.locator('.pane.slack').waitFor({ state: 'attached' });
  }
  const listed = await page.evaluate('fetch("/sign-ins").then((answer) => answer.json())');
  assert.deepEqual(
    (listed as { role: string }[]).map(({ role }) => role),
    ['owner'],
  );
});
