// Files on the page: attached, taken back, refused, sent, seen; and nothing that someone uploads runs there.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { png } from '../../adapters/uploads/samples.ts';
import { open, platforms, readyHouse, skip } from './browser.ts';

const picture = { name: 'boat.png', mimeType: 'image/png', buffer: png(7) };
const notes = { name: 'notes.md', mimeType: 'text/markdown', buffer: Buffer.from('# Tern') };
const hostile =
  '<svg xmlns="http://www.w3.org/2000/svg" onload="opener.hacked=1"><script>opener.hacked=2</script></svg>';

test('pictures are seen and other files are links with their size, coming in and going out', {
  skip,
}, async (t) => {
  const house = await readyHouse(t, 'Here it is.', {
    artifact: { name: 'prices.csv', media_type: 'text/csv', content: 'tea,2\n' },
  });
  const { page, pane, input, messages } = await open(t, house);
  const foreign: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(house.parley.url)) foreign.push(request.url());
  });
  for (const platform of platforms) {
    const files = pane(platform).getByRole('list', { name: 'Files to send' });
    // by keyboard: the dialog opens, and what was chosen can be taken back
    const dialog = page.waitForEvent('filechooser');
    await pane(platform).getByRole('button', { name: 'Attach files' }).press('Enter');
    await (await dialog).setFiles([notes, { ...notes, name: 'other.md' }]);
    await files.getByText('other.md').waitFor();
    await files.getByRole('button', { name: 'Do not send other.md' }).press('Enter');
    assert.deepEqual(await files.getByRole('listitem').allTextContents(), ['notes.md6 bytes✕']);
    await pane(platform).locator('.picker').setInputFiles([picture]);
    assert.equal(await files.getByRole('listitem').count(), 2);
    await input(platform).fill('What is this?');
    await input(platform).press('Enter');
    const image = messages(platform, 'you').getByRole('img');
    await image.waitFor();
    assert.equal(await files.isHidden(), true);
    assert.equal(await image.getAttribute('alt'), 'boat.png');
    const decoded = `document.querySelector('.${platform} .files img').decode().then(() => 'seen')`;
    assert.equal(await page.evaluate(decoded), 'seen');
    await messages(platform, 'you').getByRole('link', { name: 'notes.md 6 bytes' }).waitFor();
    const sent = messages(platform, 'bot').getByRole('link', { name: /prices\.csv 6 bytes/ });
    const download = page.waitForEvent('download');
    await sent.click();
    assert.match((await download).suggestedFilename(), /prices\.csv$/);
  }
  assert.deepEqual(foreign, []);
});

test('too much is refused with a message before it is sent, and an uploaded page or drawing never runs', {
  skip,
}, async (t) => {
  const house = await readyHouse(t);
  const { page, pane, input, messages } = await open(t, house);
  const picker = pane('slack').locator('.picker');
  const files = pane('slack').getByRole('list', { name: 'Files to send' });
  await picker.setInputFiles([notes]);
  await picker.setInputFiles(Array.from({ length: 10 }, () => picture));
  const problem = pane('slack').getByRole('alert');
  assert.equal(await problem.textContent(), 'Not attached. One message takes 10 files, these would be 11.');
  await page.evaluate(`(() => {
    const chosen = new DataTransfer();
    chosen.items.add(new File([new Uint8Array(20_000_000)], 'film.mp4'));
    const picker = document.querySelector('.slack .picker');
    picker.files = chosen.files;
    picker.dispatchEvent(new Event('change'));
  })()`);
  assert.equal(
    await problem.textContent(),
    'Not attached. One message takes 20 MB of files; film.mp4 (20 MB) would make it more.',
  );
  assert.equal(await files.getByRole('listitem').count(), 1);

  await picker.setInputFiles([
    { name: 'drawing.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(hostile) },
    { name: 'page.html', mimeType: 'text/html', buffer: Buffer.from(hostile) },
    { name: 'lie.png', mimeType: 'image/png', buffer: Buffer.from(hostile) },
  ]);
  await input('slack').press('Enter');
  const links = messages('slack', 'you').locator('.files a');
  await messages('slack', 'you')
    .getByRole('link', { name: /page\.html/ })
    .waitFor();
  for (const href of await links.evaluateAll((all) => all.map((at) => at.getAttribute('href') ?? ''))) {
    const { headers, shown } = await page.evaluate<{ headers: Record<string, string>; shown: string }>(
      `fetch(${JSON.stringify(href)}).then((got) => ({ headers: Object.fromEntries(got.headers), shown: got.headers.get('content-type') }))`,
    );
    assert.equal(headers['x-content-type-options'], 'nosniff');
    assert.match(headers['content-security-policy'] ?? '', /default-src 'none'; sandbox/);
    if (shown !== 'image/png') assert.match(headers['content-disposition'] ?? '', /^attachment/);
  }
  assert.equal(await messages('slack', 'you').getByRole('img').count(), 1);
  assert.equal(await page.evaluate('window.hacked'), undefined);
});
