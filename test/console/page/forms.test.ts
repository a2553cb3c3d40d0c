// Bad values in the forms of webhooks and tokens: what is wrong has its sentence in the form, what was typed stays, and nothing is written.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientOf, scriptedHouse, signedIn, skip, tokenOf } from './browser.ts';

const long = 'x'.repeat(5_000);

test('a bad name or chat of a webhook gets its sentence in the form, and no webhook is made', {
  skip,
}, async (t) => {
  const house = await scriptedHouse(t, 'Noted.');
  const { page, visit, complaints, accessible } = await signedIn(t, house);
  await visit('agents/webhooks', 'Agents');
  const form = page.getByRole('region', { name: 'A new webhook' });
  const [name, chat] = [form.getByLabel('Name'), form.getByLabel('Address of the chat')];
  const make = form.getByRole('button', { name: 'Make it' });
  await name.fill('   ');
  await chat.fill('nowhere');
  assert.ok(await make.isDisabled(), 'a name of spaces is none');
  for (const [typed, where, sentence] of [
    ['A b!', 'nowhere', /name: expected a name of lower-case letters, digits and "-", at most 40/],
    ['<b>x</b>', 'nowhere', /name: expected a name/],
    [long, 'nowhere', /name: expected a name/],
    ['alarm', 'nowhere', /Expected the address of a chat like "discord:dm:.*", got "nowhere"/],
    ['alarm', long, /chat: .*1000 characters/],
  ] as const) {
    await name.fill(typed);
    await chat.fill(where);
    await make.click();
    await form.getByRole('alert').getByText(sentence).waitFor();
    assert.deepEqual([await name.inputValue(), await chat.inputValue()], [typed, where]);
    assert.equal(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0);
  }
  await accessible();
  assert.deepEqual(await clientOf(house).hooks.list(), []);
  assert.ok(complaints.splice(0).every((line) => line.includes('400')));
});

test('a bad name of a token gets its sentence in the form, and no token is made', { skip }, async (t) => {
  const house = await scriptedHouse(t, 'Noted.');
  const { page, visit, complaints, accessible } = await signedIn(t, house);
  await visit('settings/tokens', 'Settings');
  const form = page.getByRole('region', { name: 'A new token' });
  const name = form.getByLabel('Name');
  const make = form.getByRole('button', { name: 'Make it' });
  assert.ok(await make.isDisabled(), 'nothing is typed yet');
  for (const [kind, typed, sentence] of [
    ['person', 'Nobody', /There is nobody of the name "Nobody"/],
    ['person', '<b>!', /There is nobody of the name "<b>!"/],
    ['person', long, /person: .*200 characters/],
    ['agent', '../..', /Expected the name of an agent, .* received "\.\.\/\.\."/],
    ['agent', long, /agent: .*200 characters/],
  ] as const) {
    await form.getByLabel('For').selectOption(kind);
    await name.fill(typed);
    await make.click();
    await form.getByRole('alert').getByText(sentence).waitFor();
    assert.equal(await name.inputValue(), typed);
    assert.equal(await page.getByText('Shown only now').count(), 0);
  }
  await accessible();
  const headers = { authorization: `Bearer ${tokenOf(house)}` };
  assert.deepEqual(await (await fetch(`${house.parley.url}/tokens`, { headers })).json(), []);
  assert.ok(complaints.splice(0).every((line) => /40[04]/.test(line)));
});
