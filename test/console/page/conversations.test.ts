// Conversations in the browser: what people write stays text, live runs are whole, restarts leave no gap, long ones stay small.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openHouse } from '../../app/house.ts';
import { clientOf, scriptedHouse, signedIn, skip } from './browser.ts';

const hostile = [
  '<script>window.hacked = 1</script>',
  '<img src=x onerror="window.hacked = 2">',
  '[press me](javascript:window.hacked=3)',
  '![pixel](https://tracker.invalid/pixel.png)',
  '`<b>code</b>` & "quotes"',
  'שלום עולם',
  'zero\u200bwidth',
].join('\n\n');

test('HTML, scripts, right-to-left text and a line of a megabyte are shown as text (W4)', {
  skip,
}, async (t) => {
  const house = await scriptedHouse(t, `It says:\n\n${hostile}\n\nthe end`);
  const client = clientOf(house);
  const session = await client.sessions.create({ title: '<b>bold</b> title' });
  await client.sessions.promptSync(session.id, `You say:\n\n${hostile}\n\nthe end`);
  const { page, visit, requests } = await signedIn(t, house);
  await visit(`conversations/${session.id}`, 'Conversations');
  await page.getByRole('heading', { level: 2, name: '<b>bold</b> title' }).waitFor();
  for (const role of ['user', 'assistant']) {
    const message = page.locator(`.message.${role}`);
    await message.getByText('the end').waitFor();
    const text = (await message.textContent()) ?? '';
    for (const piece of [
      '<script>window.hacked = 1</script>',
      '<img src=x onerror=',
      '<b>code</b>',
      'שלום עולם',
    ])
      assert.ok(text.includes(piece), `${role}: ${piece}`);
    assert.equal(await message.locator('script, img, iframe, code b').count(), 0);
    assert.equal(await message.locator('[href^="javascript"]').count(), 0);
  }
  assert.equal(await page.evaluate('window.hacked'), undefined);
  assert.ok(requests.every(({ url }) => !url.includes('tracker.invalid')));

  const long = await client.sessions.create({ title: 'Long' });
  for (let part = 0; part < 5; part += 1)
    await client.sessions.promptSync(long.id, [{ type: 'text', text: 'x'.repeat(199_000) }]);
  await visit(`conversations/${long.id}`, 'Conversations');
  await page
    .getByRole('button', { name: /Show all 199,000 characters/ })
    .first()
    .waitFor();
  assert.ok(Number(await page.evaluate('document.body.textContent.length')) < 200_000);
});

test('a run that is watched from its middle shows what came before and what follows, as the chat has it (W6)', {
  skip,
}, async (t) => {
  const answer = Array.from({ length: 60 }, (_, index) => `Sentence ${index + 1} of the story.`).join(' ');
  const house = await scriptedHouse(t, answer, { betweenPiecesMs: 60 });
  const client = clientOf(house);
  const session = await client.sessions.create({ title: 'Story' });
  const { runID } = await client.sessions.promptAsync(session.id, 'Write a story.');
  await house.parley.model();
  await new Promise((resolve) => setTimeout(resolve, 1_500)); // the model writes in real time
  const { page, visit } = await signedIn(t, house);
  await visit(`conversations/${session.id}`, 'Conversations');
  const live = page.locator('.message.live');
  await live.getByText(/^Sentence 1 of the story\. Sentence 2/).waitFor();
  await live
    .locator('header .badge')
    .getByText(/^[1-9]/)
    .waitFor(); // seconds since it began, not since it was seen
  await live.waitFor({ state: 'detached' });
  assert.equal((await client.runs.get(runID)).status, 'completed');
  const shown = page.locator('.message.assistant');
  assert.equal(await shown.count(), 1);
  assert.equal((await shown.locator('.markdown').textContent())?.trim(), answer);
  assert.equal(await page.locator('.message.user').count(), 1);
});

test('after a restart of the server the page says so, comes back, and shows every message once (W5)', {
  skip,
}, async (t) => {
  const house = await openHouse(t, { config: { engine: { port: 0 } } });
  await house.ready('telegram');
  const port = Number(new URL(house.parley.url).port);
  await house.ask({ platform: 'telegram', chat: 'dm', user: 'you' }, 'The kite is red.');
  const [session] = await clientOf(house).sessions.list();
  const { page, visit, complaints } = await signedIn(t, house);
  await visit(`conversations/${session?.id}`, 'Conversations');
  await page.locator('.message.user').getByText('The kite is red.').waitFor();
  await house.parley.close();
  await page.getByText('The connection to Parley is lost').waitFor();
  await house.restart({
    engine: { port },
    gateway: { debounceMs: 0, shutdownSeconds: 1 },
    log: { level: 'silent' },
  });
  await house.ready('telegram');
  await house.ask({ platform: 'telegram', chat: 'dm', user: 'you' }, 'What colour is the kite?');
  await page.getByText('The connection to Parley is lost').waitFor({ state: 'detached' });
  await page.locator('.message.user').getByText('What colour is the kite?').waitFor();
  await page.locator('.message').nth(3).waitFor();
  const ids = await page
    .locator('.messages [data-key]')
    .evaluateAll((rows) => rows.map((row) => row.getAttribute('data-key')));
  assert.equal(new Set(ids).size, 4);
  // While nothing listens, the browser notes each failed try.
  assert.deepEqual(
    complaints.splice(0).filter((line) => !/ERR_|Failed to fetch|network error/i.test(line)),
    [],
  );
});

test('the conversations of one room are listed without the others, until all are shown again', {
  skip,
}, async (t) => {
  const house = await scriptedHouse(t, 'Noted.');
  await house.ask({ platform: 'slack', chat: 'room', user: 'you' }, 'The boat is called Tern.');
  await house.ask({ platform: 'slack', chat: 'private', user: 'you' }, 'The party is a surprise.');
  const { page, visit } = await signedIn(t, house);
  await visit('conversations', 'Conversations');
  const rows = page.getByRole('group', { name: 'Conversations' }).getByRole('link');
  await rows.getByText('The party is a surprise.').waitFor();
  await rows.getByText('The boat is called Tern.').click();
  await page.getByTitle('Only conversations of this chat').click();
  await rows.getByText('The party is a surprise.').waitFor({ state: 'detached' });
  assert.match(await rows.allTextContents().then(String), /^The boat is called Tern\./);
  await page.getByRole('button', { name: 'show all' }).click();
  await rows.getByText('The party is a surprise.').waitFor();
});

test('what was said is found in all rooms, by room with its words, and a conversation is forgotten from its own page', {
  skip,
}, async (t) => {
  const house = await scriptedHouse(t, 'The tide turns at noon.');
  const client = clientOf(house);
  await house.ask({ platform: 'discord', chat: 'room', user: 'you' }, 'Where is the <b>anchor</b> chain?');
  await house.ask({ platform: 'slack', chat: 'dm', user: 'you' }, 'Buy an Anchor light.');
  await house.ask({ platform: 'telegram', chat: 'dm', user: 'you' }, 'When does the ferry leave?');
  const { page, visit, accessible } = await signedIn(t, house);
  await visit('conversations', 'Conversations');
  await page.getByLabel('Search what was written').fill('anchor');
  const found = page.locator('.entry-found');
  await page
    .locator('.entry-room')
    .getByText(/^#\S+ · .+ · Discord$/)
    .waitFor();
  assert.deepEqual(await found.locator('mark').allTextContents(), ['Anchor', 'anchor']);
  await found.getByText('Where is the <b>anchor</b> chain?').waitFor();
  assert.equal(await page.getByText('ferry').count(), 0);
  await accessible();
  await page.locator('.entry', { hasText: 'Anchor light' }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog
    .getByLabel('What goes')
    .selectOption({ label: 'The conversation and what was remembered from it' });
  await dialog.getByText(/made from it (is|are) forgotten, and no import brings/).waitFor();
  await dialog.getByRole('button', { name: 'Delete and forget' }).click();
  await dialog.waitFor({ state: 'detached' });
  assert.equal((await client.sessions.list()).length, 2);
  const { audiences } = await client.memory.audiences();
  const left = await Promise.all(audiences.map(({ audience }) => client.memory.list({ audience })));
  assert.doesNotMatch(JSON.stringify(left), /Anchor light/);
  assert.match(JSON.stringify(left), /ferry/);
});

test('what was found opens its message in the conversation, far back too, and says so when it is gone', {
  skip,
}, async (t) => {
  const house = await scriptedHouse(t, 'Noted.');
  const client = clientOf(house);
  const { id } = await client.sessions.create({ title: 'Long' });
  await client.sessions.promptSync(id, 'The anchor chain is in the lazarette.');
  // more than one page of messages after it
  for (let number = 1; number <= 60; number += 1) await client.sessions.promptSync(id, `Message ${number}.`);
  const { page, visit, accessible } = await signedIn(t, house);
  await visit('conversations?text=anchor', 'Conversations');
  await page.locator('.entry-found').click();
  const message = page.locator('.message.found');
  await message.getByText('The anchor chain is in the lazarette.').waitFor();
  assert.ok(
    await message.evaluate((shown) => {
      const [mine, list] = [
        shown.getBoundingClientRect(),
        shown.closest('.virtual')?.getBoundingClientRect(),
      ];
      return list !== undefined && mine.top >= list.top && mine.bottom <= list.bottom;
    }),
    'it is in sight',
  );
  await accessible();
  await visit(`conversations/${id}?message=msg_gone`, 'Conversations');
  await page.getByText('The message that was found is not in this conversation any more.').waitFor();
});

test('a viewer finds what was said in open rooms only', { skip }, async (t) => {
  const house = await scriptedHouse(t, 'The tide turns at noon.');
  await house.ask({ platform: 'discord', chat: 'room', user: 'you' }, 'Where is the anchor chain?');
  await house.ask({ platform: 'slack', chat: 'dm', user: 'you' }, 'Buy an anchor light.');
  const { page, visit } = await signedIn(t, house, { role: 'viewer' });
  await visit('conversations', 'Conversations');
  await page.getByLabel('Search what was written').fill('anchor');
  await page.locator('.entry-found').getByText('Where is the anchor chain?').waitFor();
  assert.equal(await page.locator('.entry-found').count(), 1);
});

test('where several assistants answer, each conversation names its own, and so do its messages; the list is filtered by it', {
  skip,
}, async (t) => {
  const config = {
    assistants: { 'Poet <b>': { systemPrompt: 'You rhyme.' } },
    bindings: [{ assistant: 'Poet <b>', platform: 'slack' }],
  };
  const house = await scriptedHouse(t, 'Noted.', {}, config);
  await house.ask({ platform: 'slack', chat: 'dm', user: 'you' }, 'The moon is round.');
  await house.ask({ platform: 'discord', chat: 'dm', user: 'you' }, 'The boat is called Tern.');
  const { page, visit } = await signedIn(t, house);
  await visit('conversations', 'Conversations');
  const rows = page.getByRole('group', { name: 'Conversations' }).getByRole('link');
  await rows.filter({ hasText: 'The moon is round.' }).getByText('Poet <b>').waitFor();
  await rows.filter({ hasText: 'The boat is called Tern.' }).getByText('Parley').waitFor();
  await page.getByLabel('Assistant').fill('poet');
  await rows.getByText('The boat is called Tern.').waitFor({ state: 'detached' });
  await rows.getByText('The moon is round.').click();
  await page.getByText('answered by Poet <b>').waitFor();
  await page.locator('.message.assistant').getByText('Poet <b>').waitFor();
  assert.match(page.url(), /agent=poet/);
});
