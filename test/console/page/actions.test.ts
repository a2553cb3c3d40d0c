// What is done with conversations, requests and people in the browser, and that it is true afterwards.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { found, until } from '../../support/found.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { clientOf, scriptedHouse, signedIn, skip, tokenOf } from './browser.ts';

test('a conversation is written to, retried, branched, renamed, archived, exported and deleted', {
  skip,
}, async (t) => {
  const house = await scriptedHouse(t, 'The boat is called Tern.');
  const client = clientOf(house);
  const { id } = await client.sessions.create({ title: 'Boats' });
  const { page, visit, accessible } = await signedIn(t, house);
  const texts = async (session: string): Promise<string[]> =>
    (await client.sessions.messages(session)).map(({ info }) => info.role);
  await visit(`conversations/${id}`, 'Conversations');
  const send = page.getByRole('button', { name: 'Send' });
  assert.ok(await send.isDisabled(), 'nothing is written yet');
  await page.getByPlaceholder('Write a message').fill('What is it <i>called</i>?');
  await send.click();
  await page.locator('.message.assistant').getByText('The boat is called Tern.').waitFor();
  await page.locator('.message.live').waitFor({ state: 'detached' });
  assert.deepEqual(await texts(id), ['user', 'assistant']);
  assert.equal(await page.getByPlaceholder('Write a message').inputValue(), '');

  await page.getByRole('button', { name: 'Way', exact: true }).last().click();
  await accessible();
  const [first] = await client.runs.list();
  await page.getByRole('button', { name: 'Retry: answer again' }).click();
  await found('another run', async () =>
    (await client.runs.list())[0]?.runID !== first?.runID ? true : undefined,
  );
  await page.locator('.message.live').waitFor({ state: 'detached' });
  await found('one question, one answer', async () =>
    (await texts(id)).join() === 'user,assistant' ? true : undefined,
  );

  await page.getByRole('button', { name: 'Rename' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Title').fill('A <b>new</b> title');
  await dialog.getByRole('button', { name: 'Rename' }).click();
  await page.getByRole('heading', { level: 2, name: 'A <b>new</b> title' }).waitFor();
  assert.equal((await client.sessions.get(id)).title, 'A <b>new</b> title');

  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Export as JSON' }).click();
  const exported = JSON.parse(readFileSync(await (await download).path(), 'utf8'));
  assert.equal(exported.id, id);

  await page.getByRole('button', { name: 'Archive' }).click();
  await page.locator('.conversation-head').getByText('archived').waitFor();
  assert.deepEqual(
    (await client.sessions.list()).map((session) => session.id),
    [],
  );
  await page.getByRole('button', { name: 'Back from the archive' }).click();
  await page.getByRole('button', { name: 'Archive' }).waitFor();

  await page.getByRole('button', { name: 'Branch: a copy to go on from' }).click();
  await page.waitForURL((url) => !url.pathname.endsWith(id));
  const copy = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  assert.deepEqual(await texts(copy), ['user', 'assistant']);
  await page.getByRole('button', { name: 'Branch from here' }).first().click();
  await page.waitForURL((url) => !url.pathname.endsWith(copy));
  const part = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  assert.deepEqual(await texts(part), ['user']);

  await page.getByRole('button', { name: 'Delete' }).first().click();
  await page.getByRole('dialog').getByText('1 message').waitFor();
  assert.equal((await client.sessions.list()).length, 3, 'the question deletes nothing');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  assert.ok(!(await client.sessions.list()).some((session) => session.id === part));
});

test('a question of a run is answered, and another one is not answered', { skip }, async (t) => {
  const questions = [{ question: 'Which boat?', options: ['Tern', 'Nelly'] }];
  const house = await scriptedHouse(t, 'Thank you.', {
    tool: { name: 'question', arguments: { questions } },
  });
  const client = clientOf(house);
  const { page, accessible } = await signedIn(t, house);
  for (const [press, wanted] of [
    ['Answer', /"Nelly"/],
    ['Do not answer', /did not want to/],
  ] as const) {
    const { id } = await client.sessions.create();
    const { runID } = await client.sessions.promptAsync(id, 'Ask me.');
    const card = page.locator('.card', { hasText: 'Which boat?' });
    await card.getByRole('button', { name: 'Nelly' }).waitFor();
    await accessible();
    const answer = card.getByRole('button', { name: 'Answer', exact: true });
    assert.ok(await answer.isDisabled(), 'nothing is chosen yet');
    await card.getByRole('button', { name: 'Nelly' }).click();
    assert.equal(await card.getByLabel('Answer').inputValue(), 'Nelly');
    await card.getByRole('button', { name: press, exact: true }).click();
    await card.waitFor({ state: 'detached' });
    await found('the end of the run', async () =>
      (await client.runs.get(runID)).status === 'completed' ? true : undefined,
    );
    assert.match(JSON.stringify(await client.sessions.messages(id)), wanted);
  }
});

test('a question about a call that may have run is answered by one press of one of its choices, and by nothing else', {
  skip,
}, async (t) => {
  const ledger = join(tempFolder(t), 'ledger');
  writeFileSync(ledger, '');
  const lines = () => readFileSync(ledger, 'utf8').split('\n').slice(0, -1);
  const server = join(import.meta.dirname, '..', '..', 'engine', 'support', 'paying-server.ts');
  const house = await scriptedHouse(
    t,
    'Done.',
    { tool: { name: 'mcp_bank_wire', arguments: { what: 'bike' } } },
    {
      agent: { tools: ['mcp_bank_*'] },
      mcp: { bank: { command: process.execPath, args: [server], env: { LEDGER: ledger } } },
      tools: { policy: { mcp_bank_wire: 'allow' } },
    },
  );
  const you = { platform: 'telegram', chat: 'dm', user: 'you' } as const;
  await until('the bank', async () => /mcp_bank_wire/.test(await house.ask(you, '/tools')));
  await house.sandbox.telegram.say({ chat: 'dm', user: 'you', text: 'Wire the bike.' });
  await until('the call', () => lines().length === 1);
  await house.restart();
  const client = clientOf(house);
  const { page, accessible } = await signedIn(t, house);
  const card = page.locator('.card', { hasText: 'The call may have run' });
  await card.getByRole('button', { name: 'Try again' }).waitFor();
  await accessible();
  assert.deepEqual(await card.getByRole('button').allTextContents(), ['Try again', 'Skip it', 'Stop']);
  assert.equal(await card.getByRole('textbox').count(), 0);
  assert.deepEqual(lines(), ['wire bike'], 'nothing is repeated before the answer');
  await card.getByRole('button', { name: 'Try again' }).click();
  await card.waitFor({ state: 'detached' });
  await found('the end of the run', async () =>
    (await client.runs.list()).every(({ status }) => status !== 'running') ? true : undefined,
  );
  assert.deepEqual(lines(), ['wire bike', 'wire bike']);
});

test('what is always allowed is in the list of agents, and is taken back there', { skip }, async (t) => {
  const house = await scriptedHouse(
    t,
    'Done.',
    { tool: { name: 'memory_search', arguments: { query: 'key' } } },
    { tools: { policy: { memory_search: 'ask' } } },
  );
  const client = clientOf(house);
  const { id } = await client.sessions.create();
  const { runID } = await client.sessions.promptAsync(id, 'Where is the key?');
  const { page, visit } = await signedIn(t, house);
  await page.locator('.card').getByText('"key"').waitFor();
  await page.getByRole('button', { name: 'Always allow' }).click();
  await page.getByText('Nothing waits for you').waitFor();
  await found('the end of the run', async () =>
    (await client.runs.get(runID)).status === 'completed' ? true : undefined,
  );
  await visit('agents', 'Agents');
  await page.getByRole('button', { name: /^No longer allow memory_search/ }).click();
  await page.getByText('Nothing is allowed permanently').waitFor();
  assert.deepEqual(await client.permissions.rules(), []);
});

test('an account without a role is admitted with one, and another one is joined to that person', {
  skip,
}, async (t) => {
  const open = { directMessages: 'open' } as const;
  const house = await scriptedHouse(t, 'Noted.', {}, { channels: { telegram: open, slack: open } });
  const client = clientOf(house);
  for (const platform of ['telegram', 'slack'] as const)
    await house.ask({ platform, chat: 'dm', user: 'guest' }, 'Hello.');
  const { page, visit, accessible } = await signedIn(t, house);
  await visit('people', 'People');
  const row = (platform: string) => page.locator('.other-account', { hasText: platform });
  await row('Telegram')
    .getByRole('button', { name: /^Admit or join Guest on Telegram/ })
    .click();
  await accessible();
  await row('Telegram').getByLabel('Name').fill('Gwen');
  await row('Telegram').getByLabel('Role').selectOption('guest');
  await row('Telegram').getByRole('button', { name: 'Admit', exact: true }).click();
  const card = page.locator('.person', { hasText: 'Gwen' });
  await card.waitFor();
  await row('Slack')
    .getByRole('button', { name: /^Admit or join Guest on Slack/ })
    .click();
  await row('Slack').getByLabel('Belongs to').selectOption('Gwen');
  await row('Slack').getByRole('button', { name: 'Join', exact: true }).click();
  await card.getByText('Slack').waitFor();
  const gwen = await client.people.get('Gwen');
  assert.deepEqual(
    [gwen.role, gwen.accounts.map(({ platform }) => platform).toSorted()],
    ['guest', ['slack', 'telegram']],
  );
  await assert.rejects(client.people.admit({ account: 'slack:nobody' }), /No account without a name/);
});

test('a stranger who asks and an account that wrote are blocked after one question, listed, and unblocked', {
  skip,
}, async (t) => {
  const channels = { telegram: { directMessages: 'pairing' }, slack: { directMessages: 'open' } };
  const house = await scriptedHouse(t, 'Noted.', {}, { channels });
  const client = clientOf(house);
  await house.sandbox.telegram.say({ chat: 'dm', user: 'guest', text: 'hello?' });
  await house.ask({ platform: 'slack', chat: 'dm', user: 'guest' }, 'Hello.');
  const { page, visit, accessible } = await signedIn(t, house);
  await visit('people', 'People');
  for (const platform of ['Telegram', 'Slack']) {
    await page.getByRole('button', { name: `Block Guest on ${platform}` }).click();
    const dialog = page.getByRole('dialog', { name: `Block Guest on ${platform}?` });
    if (platform === 'Slack') await accessible();
    await dialog.getByRole('button', { name: 'Block', exact: true }).click();
    await page.getByRole('button', { name: `Unblock Guest on ${platform}` }).waitFor();
  }
  await accessible();
  const { blocked, pending, others } = await client.people.list();
  assert.deepEqual(
    [blocked.map(({ platform }) => platform), pending, others],
    [['slack', 'telegram'], [], []],
  );
  await page.getByRole('button', { name: 'Unblock Guest on Slack' }).click();
  await page.getByRole('button', { name: 'Admit or join Guest on Slack' }).waitFor();
});

test('a stranger is admitted under a name, gets another role, loses the account, and another one is turned away', {
  skip,
}, async (t) => {
  const pairing = { directMessages: 'pairing' } as const;
  const house = await scriptedHouse(t, 'Noted.', {}, { channels: { telegram: pairing, discord: pairing } });
  const people = async () => {
    const headers = { authorization: `Bearer ${tokenOf(house)}` };
    const answer = await fetch(`${house.parley.url}/people`, { headers });
    const { people: all } = (await answer.json()) as {
      people: { name: string; role?: string; accounts: object[] }[];
    };
    return all.find(({ name }) => name === 'Gwen');
  };
  await house.sandbox.telegram.say({ chat: 'dm', user: 'guest', text: 'hello?' });
  const { page, visit, accessible, complaints } = await signedIn(t, house);
  await visit('people', 'People');
  const request = page.locator('.card', { hasText: 'Pairing request' });
  const name = request.getByLabel('Name');
  await name.fill('<b>!</b>');
  await request.getByRole('button', { name: 'Admit' }).click();
  await request
    .getByRole('alert')
    .getByText(/Expected a name of at most 40 letters/)
    .waitFor();
  await name.fill('Robin');
  await request.getByRole('button', { name: 'Admit' }).click();
  await request
    .getByRole('alert')
    .getByText(/already belongs to someone/)
    .waitFor();
  await accessible();
  await name.fill('Gwen');
  await request.getByLabel('Role').selectOption('guest');
  await request.getByRole('button', { name: 'Admit' }).click();
  const card = page.locator('.person', { hasText: 'Gwen' });
  await card.waitFor();
  assert.equal((await people())?.role, 'guest');
  await card.getByLabel('Role').selectOption('member');
  await card.getByRole('button', { name: 'Change' }).click();
  await card.getByRole('button', { name: 'Change' }).waitFor({ state: 'detached' });
  assert.equal((await people())?.role, 'member');
  await card.getByRole('button', { name: /^Unlink Telegram/ }).click();
  await page.getByRole('dialog').getByText('no longer belongs to Gwen').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await card.getByRole('button', { name: /^Unlink Telegram/ }).waitFor({ state: 'detached' });
  assert.deepEqual((await people())?.accounts ?? [], []);
  if ((await card.count()) > 0) {
    await card.getByRole('button', { name: 'Remove Gwen' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await card.waitFor({ state: 'detached' });
  }
  assert.equal(await people(), undefined);
  await house.sandbox.discord.say({ chat: 'dm', user: 'guest', text: 'hello?' });
  await page.reload();
  await page.getByRole('button', { name: 'Turn away' }).click();
  await page.getByRole('button', { name: 'Turn away' }).waitFor({ state: 'detached' });
  assert.ok(complaints.splice(0).every((line) => /400|409/.test(line)));
});

test('a memory file is saved, what another one wrote is never overwritten, and an entry is forgotten', {
  skip,
}, async (t) => {
  const house = await scriptedHouse(t, 'Noted.');
  const client = clientOf(house);
  const audience = 'person:operator';
  await client.memory.noteFile('The key hangs behind the clock.');
  await client.memory.put('The door code is blue.', { audience });
  const [listed] = (await client.memory.files({ audience })).files;
  const path = listed?.path ?? '';
  const { page, visit, accessible, complaints } = await signedIn(t, house);
  await visit('memory/files', 'Memory');
  await page.getByRole('button', { name: new RegExp(path.slice(path.indexOf('/') + 1)) }).click();
  const text = page.locator('textarea.file-text');
  const save = page.getByRole('button', { name: 'Save' });
  const before = await text.inputValue();
  assert.match(before, /behind the clock/);
  await text.fill(`${before}\n- Mine.\n`);
  await save.click();
  await page.getByText('Saved.').waitFor();
  assert.match((await client.memory.wholeFile(path)).text, /- Mine\./);
  await text.fill('Mine only.\n');
  const theirs = await client.memory.wholeFile(path);
  await client.memory.replaceFile({ path, text: `${theirs.text}- Theirs.\n`, tag: theirs.tag });
  await save.click();
  await page.getByText('The file was changed in the meantime.').waitFor();
  await accessible();
  assert.match((await client.memory.wholeFile(path)).text, /- Theirs\./);
  await page.getByRole('button', { name: 'Continue with mine' }).click();
  await page.getByRole('button', { name: 'Discard changes' }).waitFor();
  await save.click();
  await page.getByText('Saved.').waitFor();
  assert.equal((await client.memory.wholeFile(path)).text, 'Mine only.\n');
  await text.fill('Not stored.');
  await page.getByRole('button', { name: 'Discard changes' }).click();
  assert.notEqual(await text.inputValue(), 'Not stored.');

  await visit('memory/entries', 'Memory');
  const entry = page.locator('.memory', { hasText: 'The door code is blue.' });
  await entry.getByRole('button', { name: 'Forget this entry' }).click();
  const dialog = page.getByRole('dialog', { name: 'Forget this entry?' });
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  assert.ok(
    (await client.memory.list({ audience })).items.some(({ content }) => content.includes('door code')),
  );
  await entry.getByRole('button', { name: 'Forget this entry' }).click();
  await dialog.getByLabel('Reason').fill('it changed');
  await dialog.getByRole('button', { name: 'Forget 1 entry' }).click();
  await page.getByText(/^Forgotten\. .*it changed/).waitFor();
  await entry.waitFor({ state: 'detached' });
  assert.ok(
    !(await client.memory.list({ audience })).items.some(({ content }) => content.includes('door code')),
  );
  assert.ok(complaints.splice(0).every((line) => /409|410/.test(line)));
});
