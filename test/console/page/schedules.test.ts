// Schedules in the browser: made for a person in a chat, changed and removed, without a pointer; what is wrong is shown at its field.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Talk } from '../../app/house.ts';
import { found } from '../../support/found.ts';
import { clientOf, narrow, scriptedHouse, signedIn, skip } from './browser.ts';

const talk: Talk = { platform: 'telegram', chat: 'dm', user: 'you' };

test('a schedule is made, changed and removed by keyboard, and reaches its chat (W8, W10)', {
  skip,
}, async (t) => {
  const house = await scriptedHouse(t, 'Noted.');
  const client = clientOf(house);
  await house.ask(talk, '/zone Europe/Berlin');
  await house.ask(talk, 'Hello.');
  const { page, visit, accessible } = await signedIn(t, house);
  await visit('agents/schedules', 'Agents');
  await page.getByRole('button', { name: 'New schedule' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'A new schedule' });
  await dialog.getByLabel('Chat').locator('option').first().waitFor({ state: 'attached' });
  assert.match(
    (await dialog.getByLabel('Chat').locator('option').allTextContents()).join(),
    /^Robin · direct message · Telegram$/,
  );
  assert.equal(await dialog.getByLabel('Time zone').inputValue(), 'Europe/Berlin', 'that of the person');
  await dialog.getByRole('textbox', { name: 'Message' }).focus();
  await page.keyboard.type('Water <b>the</b> plants');
  await page.keyboard.press('Tab');
  await page.keyboard.type('cron 0 9 * * 1-5');
  await accessible();
  for (const to of ['Time zone', 'Cancel', 'Set it']) {
    await page.keyboard.press('Tab');
    const named = '(document.activeElement.labels?.[0] ?? document.activeElement).textContent.trim()';
    assert.equal(await page.evaluate(named), to);
  }
  await page.keyboard.press('Enter');
  await page.getByRole('status').getByText('Set: by the cron pattern "0 9 * * 1-5"').waitFor();
  const [made] = await client.schedules.list();
  assert.deepEqual(
    [made?.text, made?.state, made?.zone],
    ['Water <b>the</b> plants', 'active', 'Europe/Berlin'],
  );
  const [session] = await client.sessions.list();
  assert.equal(made?.chat, session?.place?.chat);
  assert.equal(`person:${made?.person}`, session?.place?.audience);

  await page.getByRole('button', { name: 'Change “Water <b>the</b> plants”' }).press('Enter');
  const change = page.getByRole('dialog', { name: 'Change the schedule' });
  assert.equal(await change.getByLabel('When').inputValue(), 'cron 0 9 * * 1-5');
  await change.getByLabel('When').fill('in 1 minute');
  await change.getByRole('button', { name: 'Change it' }).press('Enter');
  await change.waitFor({ state: 'detached' });
  const [changed] = await client.schedules.list();
  assert.deepEqual([changed?.id, changed?.text, changed?.recurrence], [made?.id, made?.text, undefined]);
  await client.schedules.change(made?.id ?? '', { when: 'in 1 second' });
  await found('the message', () => house.answers(talk).find(({ text }) => text.includes('plants')));

  await page.getByRole('button', { name: 'Remove this schedule' }).press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).press('Enter');
  assert.equal((await client.schedules.list()).length, 1, 'it is asked once before it is removed');
  await page.getByRole('button', { name: 'Remove this schedule' }).press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).press('Enter');
  await page.getByText('Nothing is scheduled').waitFor();
  assert.deepEqual(await client.schedules.list(), []);
});

test('what is wrong with a schedule is shown at its field, which has the focus, and nothing is made', {
  skip,
}, async (t) => {
  const house = await scriptedHouse(t, 'Noted.', {}, { schedules: { perPerson: 1 } });
  const client = clientOf(house);
  await house.ask(talk, 'Hello.');
  const { page, visit, complaints, accessible } = await signedIn(t, house, { viewport: narrow });
  await visit('agents/schedules', 'Agents');
  await page.getByRole('button', { name: 'New schedule' }).click();
  const dialog = page.getByRole('dialog');
  const fieldOf = (name: string) => dialog.getByRole('textbox', { name });
  const [text, when, zone] = [fieldOf('Message'), fieldOf('When'), fieldOf('Time zone')];
  const tries = async (
    cases: readonly (readonly [what: string, when: string, zone: string, at: string, sentence: RegExp])[],
  ): Promise<void> => {
    for (const [what, at, where, label, sentence] of cases) {
      await text.fill(what);
      await when.fill(at);
      await zone.fill(where);
      await dialog.getByRole('button', { name: 'Set it' }).click();
      await dialog.getByRole('alert').getByText(sentence).waitFor();
      const field = dialog.getByRole(label === 'For' ? 'combobox' : 'textbox', { name: label });
      assert.equal(await field.getAttribute('aria-invalid'), 'true');
      const about = await field.getAttribute('aria-describedby');
      assert.match((await dialog.locator(`[id="${about}"]`).textContent()) ?? '', sentence);
      assert.equal(await page.evaluate('document.activeElement.getAttribute("aria-invalid")'), 'true', label);
      assert.deepEqual(
        [await text.inputValue(), await when.inputValue()],
        [what, at],
        'what was typed stays',
      );
      assert.equal(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0);
    }
  };
  await text.waitFor();
  await tries([
    ['tea', ' ', 'UTC', 'When', /Write when it comes/],
    ['tea', ' ', 'UTC', 'When', /Write when it comes/],
    [' ', 'tomorrow', 'UTC', 'Message', /Write what is sent/],
    ['tea', 'cron 99 9 * * *', 'UTC', 'When', /"99 9 \* \* \*" is no cron pattern: expected five fields/],
    ['tea', 'yesterday at 9', 'UTC', 'When', /at 09:00 \(UTC\) is in the past/],
    ['tea', 'every minute', 'UTC', 'When', /too often/],
    ['tea', 'soon', 'UTC', 'When', /could not read a time/],
    ['tea', 'tomorrow at 9', 'Berlinn', 'Time zone', /nearest name is Europe\/Berlin/],
  ]);
  await accessible();
  assert.deepEqual(await client.schedules.list(), []);
  await zone.fill('UTC');
  await dialog.getByRole('button', { name: 'Set it' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'New schedule' }).click();
  await text.waitFor();
  await tries([['more tea', 'tomorrow at 9', 'UTC', 'For', /as many as one person may have/]]);
  await accessible();
  assert.equal((await client.schedules.list()).length, 1);
  assert.ok(complaints.splice(0).every((line) => /40[09]/.test(line)));
});

test('schedules and webhooks are found by the name of their room', { skip }, async (t) => {
  const house = await scriptedHouse(t, 'Noted.');
  const client = clientOf(house);
  await house.ask({ platform: 'slack', chat: 'room', user: 'you' }, 'Hello.');
  const { places } = house.sandbox.discord;
  const [space, account] = [places.addSpace('Harbour crew'), places.addAccount('Ann')];
  places.joinSpace(account, space);
  const room = places.addRoom({ space, kind: 'public', name: 'engine-room', members: [account] });
  await places.say({ account, room, text: 'Hello.', mention: true });
  const rooms = await found('both rooms', async () => {
    const all = await client.places.named();
    return all.length === 2 ? all : undefined;
  });
  for (const { chat, title } of rooms) {
    const { others, people } = await client.people.list();
    const accounts = [...people.flatMap((each) => each.accounts), ...others];
    const person = accounts.find(({ platform }) => chat.startsWith(platform))?.person ?? '';
    await client.schedules.create({
      when: 'in 3 hours',
      text: `Tea in ${title}`,
      zone: 'Europe/Berlin',
      person,
      chat,
    });
    await client.hooks.create({ name: `hook-${chat.split(':')[0]}`, chat });
  }
  const { page, visit, accessible } = await signedIn(t, house);
  for (const [path, shown] of [
    ['agents/schedules', 'Tea in'],
    ['agents/webhooks', '/hook/hook-'],
  ] as const) {
    await visit(path, 'Agents');
    const cards = page.locator('.card', { hasText: shown });
    await cards.nth(1).waitFor();
    await page.getByLabel('Room', { exact: true }).fill('#Engine');
    await cards.nth(1).waitFor({ state: 'detached' });
    await cards.filter({ hasText: 'Discord' }).waitFor();
    await accessible();
    await page.getByLabel('Room', { exact: true }).fill('no such room');
    await cards.first().waitFor({ state: 'detached' });
    await page.getByText('Change the room.').waitFor();
  }
});

test('a viewer reads, makes, changes and removes no schedule', { skip }, async (t) => {
  const house = await scriptedHouse(t, 'Noted.');
  await house.ask(talk, '/remind in 3 hours tea');
  const before = await clientOf(house).schedules.list();
  const { page, complaints } = await signedIn(t, house, { role: 'viewer', name: 'Ben' });
  await page.goto(`${house.parley.url}/console/agents/schedules`);
  await page.getByText('“Agents” is for owners').waitFor();
  assert.equal(await page.getByText('tea').count(), 0);
  const at = `/schedule/${before[0]?.id}`;
  for (const [method, path, body] of [
    ['GET', '/schedule'],
    ['POST', '/schedule', { when: 'in 2 hours', text: 'tea', person: 'per_a', chat: before[0]?.chat }],
    ['PATCH', at, { text: 'coffee' }],
    ['DELETE', at],
  ] as const) {
    const sent = `fetch(${JSON.stringify(path)}, ${JSON.stringify({
      method,
      headers: { 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })}).then(({ status }) => status)`;
    assert.equal(await page.evaluate(sent), 403, `${method} ${path}`);
  }
  assert.deepEqual(await clientOf(house).schedules.list(), before);
  assert.ok(complaints.splice(0).every((line) => line.includes('403')));
});
