// The page by keyboard and for a screen reader: tabs, sending, composing, replying, names and live regions.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { names, open, platforms, readyHouse, skip } from './browser.ts';

// What each of these does leaves the next one what it looks at: opening a house and a page takes longer than all of them.
test('a page on which nothing was written yet', { skip }, async (t) => {
  const house = await readyHouse(t);
  const { page, pane, input, tab, messages } = await open(t, house);

  await t.test('everything has a role and a name', async () => {
    for (const platform of platforms) {
      const name = names[platform];
      assert.equal(
        await pane(platform).ariaSnapshot(),
        [
          `- region "${name}":`,
          `  - heading "${name}" [level=2]`,
          `  - tablist "Chats on ${name}":`,
          '    - tab "Direct message" [selected]',
          '    - tab "Room"',
          '    - tab "Private room"',
          `  - tabpanel "${name}, Direct message":`,
          '    - list',
          '    - paragraph: Only you and Parley are here. Tell it something worth remembering.',
          `  - textbox "Message Parley on ${name}":`,
          '    - /placeholder: Message Parley',
          '  - toolbar "Add":',
          '    - button "Attach files"',
          '    - button "Record a voice message"',
          '  - button "Send"',
          '  - paragraph: Enter sends, Shift+Enter starts a new line.',
          '  - paragraph',
        ].join('\n'),
      );
      const panel = await pane(platform).getByRole('tabpanel').getAttribute('id');
      for (const tab of await pane(platform).getByRole('tab').all())
        assert.equal(await tab.getAttribute('aria-controls'), panel);
    }
    assert.equal(await page.getByRole('heading', { level: 1 }).textContent(), 'Parley sandbox');
    assert.equal(await page.title(), 'Parley sandbox');
    assert.equal(await page.locator('html').getAttribute('lang'), 'en');
    await page.getByRole('list', { name: 'Try this' }).waitFor();
  });

  await t.test('Tab goes through a pane in the order of its reading', async () => {
    await tab('discord', 'Direct message').focus();
    const order: string[] = [];
    for (let n = 0; n < 5; n += 1) {
      await page.keyboard.press('Tab');
      order.push(
        await page.evaluate<string>('document.activeElement.ariaLabel ?? document.activeElement.textContent'),
      );
    }
    assert.deepEqual(order, [
      'Discord, Direct message',
      'Message Parley on Discord',
      'Attach files',
      'Send',
      'Direct message',
    ]);
  });

  await t.test('arrow keys, Home and End move along the tabs, one of which is in the tab order', async () => {
    const chosen = () => pane('telegram').locator('[role=tab][aria-selected=true]').textContent();
    const focused = () => page.evaluate<string>('document.activeElement.textContent');
    await tab('telegram', 'Direct message').focus();
    for (const [key, name] of [
      ['ArrowRight', 'Room'],
      ['ArrowRight', 'Private room'],
      ['ArrowRight', 'Direct message'],
      ['ArrowLeft', 'Private room'],
      ['Home', 'Direct message'],
      ['End', 'Private room'],
      ['ArrowLeft', 'Room'],
    ] as const) {
      await page.keyboard.press(key);
      assert.equal(await chosen(), name, key);
      assert.equal(await focused(), name, key);
      assert.equal(await pane('telegram').locator('[role=tab][tabindex="0"]').count(), 1);
    }
    assert.equal(await pane('slack').locator('[aria-selected=true]').textContent(), 'Direct message');
  });

  await t.test('what is typed stays with its chat', async () => {
    await input('discord').fill('for your eyes only');
    await tab('discord', 'Room').click();
    assert.equal(await input('discord').inputValue(), '');
    await input('discord').fill('for everyone');
    await tab('discord', 'Direct message').click();
    assert.equal(await input('discord').inputValue(), 'for your eyes only');
    await tab('discord', 'Room').click();
    assert.equal(await input('discord').inputValue(), 'for everyone');
  });

  await t.test('Enter sends, Shift+Enter starts a new line, blanks are not sent', async () => {
    await input('slack').focus();
    await page.keyboard.press('Enter');
    await page.keyboard.type('   ');
    await page.keyboard.press('Enter');
    await input('slack').fill('');
    await page.keyboard.type('one');
    await page.keyboard.press('Shift+Enter');
    await page.keyboard.type('two');
    assert.equal(await input('slack').inputValue(), 'one\ntwo');
    await page.keyboard.press('Enter');
    await messages('slack', 'you').first().waitFor();
    assert.equal(await input('slack').inputValue(), '');
    assert.deepEqual(
      house.sandbox.slack.shown('dm', 'you').flatMap(({ author, text }) => (author === 'you' ? text : [])),
      ['one\ntwo'],
    );
  });
});

test('while an input method composes a word, Enter and Escape belong to it', { skip }, async (t) => {
  const house = await readyHouse(t);
  const { page, pane, input, messages, say } = await open(t, house);
  await say('telegram', 'My cat is called Mikan.');
  const answer = messages('telegram', 'bot').filter({ hasText: 'remember' });
  await answer.hover();
  await answer.getByRole('button', { name: /^Reply/ }).click();
  const session = await page.context().newCDPSession(page);
  await session.send('Input.imeSetComposition', { text: 'みかん', selectionStart: 3, selectionEnd: 3 });
  await page.keyboard.press('Escape');
  assert.equal(await pane('telegram').locator('.replying').isVisible(), true);
  await session.send('Input.imeSetComposition', { text: 'みかん', selectionStart: 3, selectionEnd: 3 });
  await page.keyboard.press('Enter');
  assert.match(await input('telegram').inputValue(), /^みかん/);
  await say('telegram', '蜜柑');
  await messages('telegram', 'you').getByText('蜜柑').waitFor();
  assert.deepEqual(await messages('telegram', 'you').locator('.body').allTextContents(), [
    'My cat is called Mikan.',
    '蜜柑',
  ]);
});

test('a reply can be begun and left with the keyboard alone', { skip }, async (t) => {
  const { page, pane, messages, say, input } = await open(t, await readyHouse(t));
  await say('discord', 'My dog is called Ada.');
  const answer = messages('discord', 'bot').filter({ hasText: 'remember' });
  const button = answer.getByRole('button', { name: /^Reply to Parley: Noted/ });
  await button.focus();
  assert.equal(
    await button.evaluate((at) => at.ownerDocument.defaultView?.getComputedStyle(at).opacity),
    '1',
  );
  await page.keyboard.press('Enter');
  const replying = pane('discord').locator('.replying');
  await replying.getByText(/^Parley: Noted/).waitFor();
  assert.equal(await input('discord').evaluate((at) => at === at.ownerDocument.activeElement), true);
  await page.keyboard.press('Escape');
  assert.equal(await replying.isHidden(), true);
  await button.press('Enter');
  await replying.getByRole('button', { name: 'Do not reply to this message' }).press('Enter');
  assert.equal(await replying.isHidden(), true);
  assert.equal(await input('discord').evaluate((at) => at === at.ownerDocument.activeElement), true);
});

test('an answer is read once it stands still, and what stood before is not news', {
  skip,
}, async (t) => {
  const house = await readyHouse(t);
  await house.ask({ platform: 'slack', chat: 'dm', user: 'you' }, 'My tent is orange.');
  await house.ask({ platform: 'slack', chat: 'private', user: 'you' }, 'What is the gift?');
  const { page, pane, tab, say, messages } = await open(t, house);
  const received = pane('slack').locator('[aria-live=polite]');
  await page.clock.install();
  await page.reload();
  await messages('slack', 'bot').getByText('I will remember that').waitFor();
  await page.clock.runFor(10_000);
  assert.equal(await received.textContent(), '');
  await tab('slack', 'Private room').click();
  await messages('slack', 'bot').getByText('I remember nothing about that').waitFor();
  await page.clock.runFor(10_000);
  assert.equal(await received.textContent(), '');
  await tab('slack', 'Direct message').click();
  await say('slack', 'What colour is my tent?');
  await messages('slack', 'bot').getByText('My tent is orange.').waitFor();
  await page.clock.runFor(10_000);
  const words = (await received.textContent()) ?? '';
  assert.match(words, /^Parley on Slack: I am running offline/);
  assert.doesNotMatch(words, /Noted|nothing/);
});
