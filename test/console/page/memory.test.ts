// Memory in the browser: forgetting counts first and shows its proof, and an import says what it stored.
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openHouse } from '../../app/house.ts';
import { type Answer, call, overHttp, tokenFor } from '../../app/mcp-kit.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { clientOf, scriptedHouse, signedIn, skip } from './browser.ts';

/** A house where a person said something, and the audience that it belongs to. */
async function openTold(t: TestContext) {
  const house = await openHouse(t);
  await house.ready('telegram');
  await house.ask({ platform: 'telegram', chat: 'dm', user: 'you' }, 'My safe has the number 4711.');
  const client = clientOf(house);
  const { audiences } = await client.memory.audiences();
  const audience = audiences.find(({ entries }) => entries > 0)?.audience ?? '';
  return { house, client, audience };
}

test('forgetting a person counts first, asks once, and shows that nothing is left (W10)', {
  skip,
}, async (t) => {
  const { house, client, audience } = await openTold(t);
  const { page, visit } = await signedIn(t, house);
  await visit(`memory/forget?as=${encodeURIComponent(audience)}`, 'Memory');
  await page.getByRole('button', { name: 'Count what would be forgotten' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('1 entry').waitFor();
  assert.equal((await client.memory.list({ audience })).count, 1);
  await dialog.getByRole('button', { name: 'Forget permanently' }).click();
  await page.getByText('A second look finds nothing that is left.').waitFor();
  assert.equal((await client.memory.list({ audience })).count, 0);
});

test('a search as under an assistant shows what that one would find, and one of every assistant all of it', {
  skip,
}, async (t) => {
  const counsel = { systemPrompt: 'You are a counsellor.', partition: 'own' };
  const house = await scriptedHouse(t, 'Yes.', {}, { agent: { name: 'Skipper' }, assistants: { counsel } });
  const client = clientOf(house);
  await client.memory.put({ content: 'The safe of the office is green.' });
  await client.memory.put({ content: 'The safe of the counsel is blue.', agent: 'counsel' });
  await assert.rejects(client.memory.search('safe', { agent: 'nobody' }), /There is no agent "nobody"/);
  const { page, visit } = await signedIn(t, house);
  await visit('memory', 'Memory');
  await page.getByLabel('Search memory').fill('safe');
  for (const [agent, shown, hidden] of [
    ['counsel', 'is blue', 'is green'],
    ['Skipper', 'is green', 'is blue'],
  ] as const) {
    await page.getByLabel('Assistant').selectOption(agent);
    await page.getByText(hidden).waitFor({ state: 'detached' });
    await page.getByText(shown).waitFor();
  }
  await page.getByLabel('Assistant').selectOption('');
  for (const words of ['is blue', 'is green']) await page.getByText(words).waitFor();
});

test('an exchange has the names of the person and of the assistant that answered, and the audit says in words what was looked at', {
  skip,
}, async (t) => {
  const house = await scriptedHouse(t, 'I will remember it.', {}, { agent: { name: 'Skipper' } });
  await house.ask({ platform: 'telegram', chat: 'dm', user: 'you' }, 'My safe has the number 4711.');
  const { audiences } = await clientOf(house).memory.audiences();
  const audience = audiences.find(({ entries }) => entries > 0)?.audience ?? '';
  const { page, visit } = await signedIn(t, house);
  const of = `?as=${encodeURIComponent(audience)}`;
  await visit(`memory/entries${of}`, 'Memory');
  await page.getByText(/^Robin said: My safe has the number 4711\.\s*Skipper answered: /).waitFor();
  await visit(`memory${of}`, 'Memory');
  await page.getByLabel('Search memory').fill('safe number');
  await page.getByText(/Skipper answered: /).waitFor();
  for (const part of ['journal', 'dreams']) {
    await visit(`memory/${part}${of}`, 'Memory');
    await page.locator('main .empty').first().waitFor();
  }
  await visit(`memory/audit${of}`, 'Memory');
  const lines = page.locator('.audit-what');
  for (const words of ['listed the entries', 'read the journal', 'looked at the dreams'])
    await lines.getByText(words).first().waitFor();
  await lines.getByText('searched memory').first().waitFor();
  const shown = await lines.allTextContents();
  assert.deepEqual(
    shown.filter((line) => /[a-z][A-Z]|POST|GET/.test(line)),
    [],
  );
});

test('what comes from an agent, or was written since a day, is shown with the journal before it is forgotten', {
  skip,
}, async (t) => {
  const { house, client, audience } = await openTold(t);
  const mcp = await overHttp(house.parley.url, (await tokenFor(house, '--person', 'Robin')).secret);
  t.after(() => mcp.close());
  const lesson = { task_type: 'build', lesson_kind: 'gotcha', lesson: 'The lexer needs a table.' };
  await call(mcp, 'record_lesson', { agent_id: 'claude', ...lesson });
  const own = String(((await call(mcp, 'memory_lookup', { kind: 'lesson' })).items as Answer[])[0]?.audience);
  const { page, visit, accessible } = await signedIn(t, house);
  await visit(`memory/forget?as=${encodeURIComponent(own)}`, 'Memory');
  const part = page.getByRole('region', { name: 'Forget by where it comes from' });
  const press = part.getByRole('button', { name: 'Count what would be forgotten' });
  assert.equal(await press.isDisabled(), true);
  await part.getByLabel('Which').fill('claude');
  await press.click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('1 entry').waitFor();
  await dialog.getByText('The lexer needs a table.').waitFor();
  await accessible();
  await dialog.getByRole('button', { name: 'Forget permanently' }).click();
  await page.getByText('A second look finds nothing that is left.').waitFor();
  assert.deepEqual((await call(mcp, 'memory_lookup', { kind: 'lesson' })).items, []);
  assert.equal((await client.memory.list({ audience })).count, 1);
  await visit(`memory/forget?as=${encodeURIComponent(audience)}`, 'Memory');
  await part.getByLabel('By').selectOption('from_ms');
  await part.getByLabel('Which').fill('2020-01-01');
  await press.click();
  await dialog.getByText('4711').waitFor();
  await page.keyboard.press('Escape');
});

test('a folder is imported for a project, what it stored is said, and emptying it is asked about', {
  skip,
}, async (t) => {
  const house = await openHouse(t);
  const folder = tempFolder(t);
  for (const name of ['a', 'b', 'c'])
    writeFileSync(join(folder, `${name}.md`), `The ${name} refund takes nine days.`);
  const client = clientOf(house);
  const { page, visit, accessible, complaints } = await signedIn(t, house);
  await visit('memory/import?as=person:operator', 'Memory');
  const press = page.getByRole('button', { name: 'Import to memory' });
  assert.equal(await press.isDisabled(), true);
  await page.getByLabel('Folder or file').fill(join(folder, 'nowhere'));
  await press.click();
  await page
    .getByRole('alert')
    .getByText(/nowhere/)
    .waitFor();
  await page.getByLabel('Folder or file').fill(folder);
  await page.getByLabel('Holds for').selectOption('project');
  await page.getByRole('textbox', { name: 'Project' }).fill('shop');
  await page.getByLabel('Files that are gone').selectOption('go');
  await press.click();
  const report = page.getByRole('status', { name: 'Report' });
  await report.getByText('3 files stored').waitFor();
  await accessible();
  const found = async () => (await client.memory.search('refund', { project_id: 'shop' })).results.length;
  assert.equal(await found(), 3);
  for (const name of ['a', 'b']) rmSync(join(folder, `${name}.md`));
  await press.click();
  await page.getByRole('button', { name: 'Remove them from memory all the same' }).click();
  await report.getByText('2 files', { exact: true }).waitFor();
  assert.equal(await found(), 1);
  assert.ok(complaints.splice(0).every((line) => /400|409/.test(line)));
});

test('a note is corrected by a new version, and what was said is not', { skip }, async (t) => {
  const house = await scriptedHouse(t, 'Noted.');
  const client = clientOf(house);
  const { id } = await client.memory.put({ content: 'The berth is number 4.', kind: 'fact', key: 'berth' });
  const { page, visit, accessible } = await signedIn(t, house);
  await visit('memory/entries?as=person:operator', 'Memory');
  await page.getByRole('button', { name: 'Correct this entry' }).click();
  const dialog = page.getByRole('dialog');
  assert.equal(
    await dialog.getByRole('button', { name: 'Write a new version' }).count(),
    0,
    'nothing changed',
  );
  await dialog.getByLabel('What holds now').fill('The berth is number <b>7</b>.');
  await accessible();
  await dialog.getByRole('button', { name: 'Write a new version' }).click();
  await page.getByText('Corrected. Version 2 holds now').waitFor();
  await page.locator('.memory').getByText('The berth is number <b>7</b>.').waitFor();
  assert.equal(await page.getByText('number 4').count(), 0);
  const { item, versions } = await client.memory.get(id ?? '');
  assert.deepEqual(
    [item.key, versions.map(({ content }) => content)],
    ['berth', ['The berth is number 4.', 'The berth is number <b>7</b>.']],
  );
  await house.ask({ platform: 'slack', chat: 'dm', user: 'you' }, 'The fog is thick.');
  const { audiences } = await client.memory.audiences();
  const said = audiences.find(
    ({ audience }) => audience.startsWith('person:') && audience !== 'person:operator',
  );
  assert.ok(said !== undefined);
  await visit(`memory/entries?as=${said.audience}`, 'Memory');
  await page.locator('.memory').getByText('The fog is thick.').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Correct this entry' }).count(), 0);
});
