// Settings in the browser: the config file with its check, backups with their restore, and links for other browsers.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { plannedRestore } from '#app/backup/planned-restore.ts';
import { restoreAsPlanned } from '#app/commands/serve/restore-as-planned.ts';
import { readEnvironment } from '#app/config/environment.ts';
import type { House } from '../../app/house.ts';
import { clientOf, openPage, scriptedHouse, signedIn, skip } from './browser.ts';

/** What a start prints of a restore, with nothing else running in the home folder. */
async function printedAtStart(house: House, lines: readonly RegExp[]): Promise<void> {
  await house.parley.close();
  const printed: string[] = [];
  await restoreAsPlanned(house.home, { json: true, print: (line) => void printed.push(line) });
  assert.equal(printed.length, lines.length, printed.join('\n'));
  for (const [at, line] of lines.entries()) assert.match(printed[at] ?? '', line);
}

const talk = { platform: 'telegram', chat: 'dm', user: 'you' } as const;

/** The page Settings, with the file of the config and what it holds. */
async function atSettings(t: TestContext) {
  const house = await scriptedHouse(t, 'Noted.');
  const file = join(house.folder, 'parley.config.json');
  const before = JSON.parse(readFileSync(file, 'utf8'));
  const signed = await signedIn(t, house);
  await signed.visit('settings', 'Settings');
  return { house, file, before, ...signed };
}

test('a config that is no JSON, has an unknown key or a wrong value is refused with the reason, and nothing is written', {
  skip,
}, async (t) => {
  const house = await scriptedHouse(t, 'Noted.');
  const file = join(house.folder, 'parley.config.json');
  const before = readFileSync(file, 'utf8');
  const { page, visit, accessible } = await signedIn(t, house);
  await visit('settings', 'Settings');
  const text = page.getByLabel('Text of the config file');
  const check = page.getByRole('button', { name: 'Show what changes' });
  assert.equal(await text.inputValue(), before);
  assert.ok(await check.isDisabled(), 'nothing changed yet');
  for (const [broken, reason] of [
    ['{ "log": ', /not valid JSON/],
    [JSON.stringify({ ...JSON.parse(before), lgo: {} }), /"lgo" is not a key of the config/],
    [JSON.stringify({ ...JSON.parse(before), log: { level: 'loud' } }), /log\.level/],
  ] as const) {
    await text.fill(broken);
    await check.click();
    const dialog = page.getByRole('dialog', { name: 'This cannot be used' });
    await dialog.getByText(reason).waitFor();
    await accessible();
    assert.equal(await dialog.getByRole('button', { name: 'Write the file' }).count(), 0);
    await dialog.getByRole('button', { name: 'Close' }).click();
  }
  await page.getByRole('button', { name: 'Discard changes' }).click();
  assert.equal(await text.inputValue(), before);
  assert.equal(readFileSync(file, 'utf8'), before);
});

test('a secret is written to .env for its owner alone, is audited, and is given back by nothing; a viewer sees none', {
  skip,
}, async (t) => {
  const house = await scriptedHouse(t, 'Noted.');
  const file = join(house.folder, '.env');
  writeFileSync(file, '# mine\nOTHER=1\n', { mode: 0o644 });
  const answers: string[] = [];
  const { page, visit, accessible } = await signedIn(t, house);
  page.on('response', (response) => {
    if (response.url().includes('/config'))
      void response.text().then(
        (text) => answers.push(text),
        () => undefined, // of a page that was left
      );
  });
  await visit('settings', 'Settings');
  const row = page.locator('.secret-row', { hasText: 'TAVILY_API_KEY' });
  await row.getByText('not set').waitFor();
  const fixed = page.locator('.secret-row', { hasText: 'OPENAI_API_KEY' });
  await fixed.getByText('set by the environment').waitFor();
  assert.equal(await fixed.getByRole('button').count(), 0);
  await row.getByRole('button', { name: 'Set TAVILY_API_KEY' }).click();
  const dialog = page.getByRole('dialog', { name: 'Set TAVILY_API_KEY' });
  const secret = 'tvly-Ab\'3 "quoted" #9';
  await dialog.getByLabel(/key for Tavily/).fill(secret);
  assert.equal(await dialog.getByLabel(/key for Tavily/).getAttribute('type'), 'password');
  await accessible();
  await dialog.getByRole('button', { name: 'Write it' }).click();
  await page.getByText('TAVILY_API_KEY is written. It holds at the next start.').waitFor();
  await row.getByText('next start').waitFor();
  await accessible();
  const written = readFileSync(file, 'utf8');
  assert.equal(written, `# mine\nOTHER=1\nTAVILY_API_KEY=\`${secret}\`\n`);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.equal(readEnvironment({}, file).TAVILY_API_KEY, secret);
  const client = clientOf(house);
  const states = await client.config.secrets();
  const shown = [answers, states, await page.content(), await client.log()].map((each) =>
    JSON.stringify(each),
  );
  for (const each of shown) assert.doesNotMatch(each, /tvly-Ab/);
  const { events } = await client.memory.audit({ audience: 'person:operator' });
  assert.deepEqual(
    events.filter(({ action }) => action === 'configure').map(({ actor, detail }) => [actor, detail.how]),
    [['Anna', 'set the secret TAVILY_API_KEY']],
  );

  await assert.rejects(
    client.config.setSecret('TELEGRAM_BOT_TOKEN', { value: 'hello' }),
    /does not look like TELEGRAM_BOT_TOKEN/,
  );
  await assert.rejects(
    client.config.setSecret('OPENAI_API_KEY', { value: 'sk-x' }),
    /set in the environment/,
  );
  await assert.rejects(
    client.config.setSecret('PARLEY_HOME', { value: '/tmp' }),
    /is no secret that is read here/,
  );
  await assert.rejects(client.config.setSecret('TAVILY_API_KEY', { value: 'a\nB=2' }), /Expected one line/);
  const token = '1234567890:AAE-x7aaaaaaaaaaaaaaaaaaaaaa';
  await client.config.setSecret('TELEGRAM_BOT_TOKEN', { value: token });
  assert.equal(readFileSync(file, 'utf8'), `${written}TELEGRAM_BOT_TOKEN=${token}\n`);
  await client.config.setSecret('TELEGRAM_BOT_TOKEN', { value: null });
  assert.equal(readFileSync(file, 'utf8'), written);

  const viewer = await signedIn(t, house, { role: 'viewer', name: 'Vera' });
  assert.equal(await viewer.page.evaluate(async () => (await fetch('/config/secrets')).status), 403);
  viewer.complaints.length = 0; // of the refusal
});

test('a change of the config shows its difference before it is written, and what holds now', {
  skip,
}, async (t) => {
  const { house, file, before, page, accessible } = await atSettings(t);
  const wanted = JSON.stringify({ ...before, language: 'de' }, undefined, 2);
  await page.getByLabel('Text of the config file').fill(wanted);
  await page.getByRole('button', { name: 'Show what changes' }).click();
  const dialog = page.getByRole('dialog', { name: 'Write this to the file?' });
  const row = dialog.getByRole('row', { name: /language/ });
  assert.match((await row.textContent()) ?? '', /en.*de/);
  await accessible();
  assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), before, 'the difference writes nothing');
  await dialog.getByRole('button', { name: 'Write the file' }).click();
  await page.getByRole('row', { name: /^language de en/ }).waitFor();
  assert.equal(readFileSync(file, 'utf8'), wanted);
  const { keys } = await clientOf(house).config.get();
  assert.equal(keys.find(({ key }) => key === 'language')?.value, 'de');
});

test('a setting is found by its description, changed in a form with its bounds, and not lost while one looks elsewhere', {
  skip,
}, async (t) => {
  const { file, before, page, visit, accessible } = await atSettings(t);
  await page.locator('.config-group', { hasText: 'gateway' }).locator('summary').click();
  await page.getByLabel('gateway.giveUpMinutes').waitFor();
  const search = page.getByLabel('Search settings');
  await search.fill('longest time for one answer');
  const seconds = page.getByLabel('model.totalSeconds', { exact: true });
  assert.equal(await page.locator('.config-field').count(), 1);
  await page.locator('.config-field').getByText('from 1 to 3600').waitFor();
  await page.locator('.config-field').getByText('at once').waitFor();
  await seconds.fill('99999');
  await page.locator('.config-field').getByText('Expected a number from 1 to 3600.').waitFor();
  await accessible();
  assert.ok(await page.getByRole('button', { name: 'Show what changes' }).isDisabled(), 'it is not taken');
  await seconds.fill('120');
  await search.fill('agent.partition');
  await page.locator('.config-field code', { hasText: /^own$/ }).waitFor(); // no backquotes
  await search.fill('log.level');
  await page.getByRole('combobox', { name: 'log.level' }).selectOption('debug');
  await accessible();
  await visit('runs', 'Runs');
  await visit('settings', 'Settings');
  await page.getByText('Not written yet').waitFor();
  const wanted = { ...before, model: { ...before.model, totalSeconds: 120 }, log: { level: 'debug' } };
  assert.deepEqual(JSON.parse(await page.getByLabel('Text of the config file').inputValue()), wanted);
  await search.fill('log.level');
  await page.getByRole('button', { name: 'Use the default of log.level' }).click();
  await page.getByRole('button', { name: 'Show what changes' }).click();
  const dialog = page.getByRole('dialog', { name: 'Write this to the file?' });
  await dialog.getByRole('row', { name: /model\.totalSeconds.*120.*at once/ }).waitFor();
  await dialog.getByRole('button', { name: 'Write the file' }).click();
  await dialog.waitFor({ state: 'detached' });
  assert.equal(JSON.parse(readFileSync(file, 'utf8')).model.totalSeconds, 120);
  await page.getByText('Written. It holds now.').waitFor();
});

test('a config that someone else changed in the meantime is not overwritten', { skip }, async (t) => {
  const { file, before, page, complaints } = await atSettings(t);
  await page.getByLabel('Text of the config file').fill(JSON.stringify({ ...before, language: 'de' }));
  await page.getByRole('button', { name: 'Show what changes' }).click();
  const theirs = JSON.stringify({ ...before, gateway: { ...before.gateway, debounceMs: 5 } });
  writeFileSync(file, theirs);
  const dialog = page.getByRole('dialog', { name: 'Write this to the file?' });
  await dialog.getByRole('button', { name: 'Write the file' }).click();
  await dialog.getByText('The config file was changed in the meantime.').waitFor();
  assert.equal(readFileSync(file, 'utf8'), theirs);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  assert.ok(complaints.splice(0).every((line) => line.includes('409')));
});

test('a backup that was begun in the browser is done, and the next start restores it once the browser asks for that', {
  skip,
}, async (t) => {
  const house = await scriptedHouse(t, 'Noted.');
  await house.ask(talk, 'My bicycle is green.');
  const { page, visit, accessible, complaints } = await signedIn(t, house);
  await visit('settings/backup', 'Settings');
  const folder = page.getByLabel('New folder on the machine where Parley runs');
  const start = page.getByRole('button', { name: 'Back up now' });
  await folder.fill('backups/one');
  await start.click();
  await page.getByText(/expected an absolute path/).waitFor();
  const taken = join(house.folder, 'taken');
  mkdirSync(taken);
  writeFileSync(join(taken, 'notes.txt'), 'mine');
  await folder.fill(taken);
  await start.click();
  await page.locator('.badge').getByText('failed').waitFor();
  await page.getByRole('alert').getByText(taken).first().waitFor();
  await accessible();
  assert.equal(readFileSync(join(taken, 'notes.txt'), 'utf8'), 'mine');
  const backup = join(house.folder, 'backup');
  await folder.fill(backup);
  await start.click();
  await page.locator('.badge').getByText('done').waitFor();
  assert.equal(await page.getByRole('progressbar').getAttribute('value'), '1');
  await accessible();
  assert.ok(complaints.splice(0).every((line) => line.includes('400')));

  await house.ask(talk, 'My bicycle is blue.');
  const restored = page.getByLabel('Folder of the backup');
  const plan = page.getByRole('button', { name: 'Restore at the next start' });
  await restored.fill('backup');
  await plan.click();
  await page.getByText(/expected an absolute path/).waitFor();
  await restored.fill(taken);
  await plan.click();
  await page.getByRole('alert').getByText(`${taken} is no whole backup`).waitFor();
  await accessible();
  await restored.fill(backup);
  await plan.click();
  await page.getByText('Stop Parley and start it again').waitFor();
  await accessible();
  await page.getByRole('button', { name: 'Restore nothing' }).click();
  await page.getByText('Stop Parley and start it again').waitFor({ state: 'detached' });
  assert.equal(plannedRestore(house.home), undefined);
  await plan.click();
  await page.getByText('Stop Parley and start it again').waitFor();
  await page.close();
  assert.ok(complaints.splice(0).every((line) => line.includes('400')));
  assert.ok(existsSync(join(house.home, 'memory.sqlite')));
  await printedAtStart(house, [/ is as it was at .* UTC: 3 databases/, /replaced-/, /deleted after that/]);
  await house.restart();
  const again = await signedIn(t, house);
  await again.visit('conversations', 'Conversations');
  await again.page.getByText('My bicycle is green.').first().click();
  await again.page.locator('.message.user').getByText('My bicycle is green.').waitFor();
  assert.equal(await again.page.getByText('My bicycle is blue.').count(), 0);
  await again.visit('settings/backup', 'Settings');
  await again.page.getByText(/What was there before is in .*replaced-/).waitFor();
  await again.accessible();
  await again.page.getByRole('button', { name: 'Hide' }).click();
  await again.page.getByText(/What was there before is in/).waitFor({ state: 'detached' });
});

test('another browser is signed in by a link from Settings, until it is ended there', {
  skip,
}, async (t) => {
  const house = await scriptedHouse(t, 'Noted.');
  const { page, visit } = await signedIn(t, house);
  await visit('settings/sign-ins', 'Settings');
  await page.getByRole('textbox', { name: 'For' }).fill('Ben');
  await page.getByLabel('Role').selectOption('viewer');
  await page.getByRole('button', { name: 'Make a link' }).click();
  const address = (await page.locator('.link-text code').textContent()) ?? '';
  const ben = await openPage(t, address);
  house.beforeEnd.push(() => ben.context.close());
  await ben.page.getByRole('heading', { level: 1, name: 'Now' }).waitFor();
  await ben.page.getByText('viewer', { exact: true }).waitFor();
  await page.reload();
  await page
    .locator('.sign-in-row', { hasText: 'Ben' })
    .getByText(/^Chrome on (?:Linux|macOS|Windows)$/)
    .waitFor();
  await page.getByRole('button', { name: 'End the sign-in of Ben' }).click();
  await page.getByRole('button', { name: 'End the sign-in of Ben' }).waitFor({ state: 'detached' });
  await ben.page.reload();
  await ben.page.getByText('parley console').first().waitFor();
  assert.ok(ben.complaints.splice(0).every((line) => line.includes('401')));
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByText('parley console').first().waitFor();
});

test('a setting is opened by its key from the command palette, with its field ready to be changed', {
  skip,
}, async (t) => {
  const { page, visit } = await atSettings(t);
  await visit('now', 'Now');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: /^A page/ }).fill('log.level');
  await page.getByRole('option', { name: /^log\.level\s*Setting$/ }).waitFor();
  await page.keyboard.press('Enter');
  const field = page.getByRole('combobox', { name: 'log.level' });
  await field.and(page.locator(':focus')).waitFor();
  // once more from there, to another one
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: /^A page/ }).fill('language');
  await page.getByRole('option', { name: /^language\s*Setting$/ }).click();
  await page.getByRole('combobox', { name: 'language', exact: true }).and(page.locator(':focus')).waitFor();
});
