// The board of work in the browser: what agents of all people left, by project and agent, narrowed, settled, parked and answered, and read by the agents.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { originOf } from '../../engine/support/kit.ts';
import { clientOf, narrow, scriptedHouse, signedIn, skip, wide } from './browser.ts';

type Client = ReturnType<typeof clientOf>;

/** What is written for a person, by an agent, in a project. */
function writer(client: Client, person: string) {
  const { nativeIDs: _ids, ...reader } = originOf({
    audience: `person:${person}`,
    speaker: { person, name: person },
  });
  return (
    operation: 'closeSession' | 'noteElement' | 'recordLesson' | 'bundle' | 'memoryCreate',
    input: object,
    projectID?: string,
  ) => client.memory.forReader(operation, { reader, projectID, input: { agentID: 'claude', ...input } });
}

const close = (key: string, more: object = {}) => ({
  ...{ key, title: `Session ${key}`, summary: 'The parser was written again.' },
  threads: [{ title: `Thread of ${key}`, body: 'The lexer is slow.' }],
  steps: [{ title: `Step of ${key}`, body: 'Measure the lexer.' }],
  decisions: [{ title: `Decision of ${key}`, body: 'Use a table.', tags: ['parser'], pinned: true }],
  ...more,
});

async function fill(client: Client) {
  const [ann, ben] = [writer(client, 'per_ann'), writer(client, 'per_ben')];
  await ann('closeSession', close('monday'), 'parley');
  await ann('closeSession', close('beds', { agentID: 'codex' }), 'garden');
  await ben('closeSession', close('taxes', { agentID: 'clerk' }));
  await ann(
    'recordLesson',
    { taskType: 'build', lessonKind: 'gotcha', lesson: 'The lexer needs a table.' },
    'parley',
  );
  return { ann, ben };
}

test('the board shows what is open for everyone, by project and agent, and what is settled, parked or answered there is read by the agents', {
  skip,
}, async (t) => {
  const house = await scriptedHouse(t, 'Noted.');
  const { ann } = await fill(clientOf(house));
  const { page, visit, accessible } = await signedIn(t, house, { name: 'Anna' });
  await visit('work', 'Work');
  const column = (name: string) => page.getByRole('region', { name, exact: true });
  await column('Open threads').getByText('Thread of monday').waitFor();
  assert.deepEqual(await column('Open threads').locator('article b').allTextContents(), [
    'Thread of taxes',
    'Thread of beds',
    'Thread of monday',
  ]);
  for (const place of ['No project · clerk', 'garden · codex', 'parley · claude'])
    await column('Open threads').getByRole('heading', { name: place }).waitFor();
  await accessible();

  const act = async (title: string, button: string, words?: string) => {
    await page
      .locator('article', { hasText: title })
      .getByRole('button', { name: button, exact: true })
      .click();
    const dialog = page.getByRole('dialog');
    if (words !== undefined) await dialog.locator('textarea').fill(words);
    await dialog.locator('footer .button.primary').click();
    await dialog.waitFor({ state: 'detached' });
  };
  await act('Thread of monday', 'Answer', 'Use the table of 2024.');
  await page.getByText('claude reads your answer').waitFor();
  await column('Open threads').getByText('Anna: Use the table of 2024.').waitFor();
  await act('Step of monday', 'Park', 'not this week');
  await column('Parked').getByText('Step of monday').waitFor();
  await act('Thread of beds', 'Done');
  await page.getByText('Done: Thread of beds').waitFor();
  await page.locator('article', { hasText: 'Thread of beds' }).waitFor({ state: 'detached' });
  await act('Step of beds', 'Drop', 'no bed');
  await page.locator('article', { hasText: 'Step of beds' }).waitFor({ state: 'detached' });
  const woken = async (input: object, project: string) =>
    (await ann('bundle', input, project)) as never as Bundle;
  const { sections, leftOut } = await woken({}, 'parley');
  assert.equal(sections.openThreads?.[0]?.statusNote, 'Anna: Use the table of 2024.');
  assert.deepEqual([sections.nextSteps, leftOut.map(({ section }) => section)], [[], ['parkedSteps']]);
  const garden = (await woken({ agentID: 'codex' }, 'garden')).sections;
  assert.deepEqual([garden.openThreads, garden.nextSteps], [[], []]);
  await act('Step of monday', 'Open again');
  await column('Next steps').getByText('Step of monday').waitFor();
});

interface Bundle {
  sections: Record<string, { statusNote?: string }[]>;
  leftOut: { section: string }[];
}

test('an answer on the board says which of two memories holds since, and one that chooses none says how', {
  skip,
}, async (t) => {
  const house = await scriptedHouse(t, 'Noted.');
  const ann = writer(clientOf(house), 'per_ann');
  for (const [content, confidence] of [
    ['Deploys are on Monday.', 0.9],
    ['Deploys are on Sunday.', 0.3],
  ] as const)
    await ann('memoryCreate', { kind: 'fact', key: 'deploy day', content, confidence, source: 'a stand-up' });
  const { page, visit } = await signedIn(t, house, { name: 'Anna' });
  await visit('work', 'Work');
  const answer = async (words: string) => {
    await page.locator('article').getByRole('button', { name: 'Answer', exact: true }).click();
    // what is to be chosen can be read where it is chosen
    const choices = page.getByRole('dialog').locator('ol li');
    assert.match((await choices.allTextContents()).join(), /Deploys are on Monday.*,Deploys are on Sunday/s);
    await page.getByRole('dialog').locator('textarea').fill(words);
    await page.getByRole('dialog').locator('footer .button.primary').click();
  };
  await answer('Ask the team.');
  await page.getByText(/Both memories stand: 1\. Deploys are on Monday.*2\. Deploys are on Sunday/).waitFor();
  await answer('2');
  await page
    .getByText(
      /This holds now: Deploys are on Sunday\. \(a stand-up, \d{4}.*takes the place of: Deploys are on Monday/,
    )
    .waitFor();
  await page.locator('article').waitFor({ state: 'detached' });
});

test('what agents write in Markdown is shown as Markdown on the board, in its lists and in the journal of memory', {
  skip,
}, async (t) => {
  const house = await scriptedHouse(t, 'Noted.');
  const ann = writer(clientOf(house), 'per_ann');
  const body = '- **lexer**: `src/parse`\n\n```ts\nconst x = 1;\n```';
  const marked = [{ title: 'Marked', body }];
  await ann('closeSession', close('marks', { summary: body, decisions: marked, threads: marked }));
  const { page, visit } = await signedIn(t, house);
  for (const path of ['work', 'work/decisions', 'work/recap', 'memory/journal?as=person:per_ann']) {
    await visit(path, path.startsWith('work') ? 'Work' : 'Memory');
    const card = page.locator('article', { hasText: 'src/parse' }).first();
    await card.locator('li strong', { hasText: 'lexer' }).waitFor();
    await card.locator('pre', { hasText: 'const x = 1;' }).waitFor();
    assert.doesNotMatch(await card.innerText(), /\*\*|```/, path);
  }
});

test('work is narrowed by person, project and agent, in an address, also decisions, lessons and recaps', {
  skip,
}, async (t) => {
  const house = await scriptedHouse(t, 'Noted.');
  await fill(clientOf(house));
  const { page, visit, accessible } = await signedIn(t, house);
  await visit('work/decisions', 'Work');
  const shown = async (...titles: string[]) => {
    for (const title of titles) await page.locator('article b', { hasText: title }).waitFor();
    assert.deepEqual((await page.locator('article b').allTextContents()).sort(), titles.sort());
  };
  await shown('Decision of monday', 'Decision of beds', 'Decision of taxes');
  await page.getByText('#parser').first().waitFor();
  await page.getByRole('combobox', { name: 'Project' }).selectOption('garden');
  await page.locator('article b', { hasText: 'Decision of monday' }).waitFor({ state: 'detached' });
  await shown('Decision of beds');
  assert.match(page.url(), /work\/decisions\?project=garden/);
  await page.getByRole('combobox', { name: 'Project' }).selectOption('');
  await page.getByRole('combobox', { name: 'Of' }).selectOption({ label: 'Person per_ben' });
  await page.locator('article b', { hasText: 'Decision of monday' }).waitFor({ state: 'detached' });
  await shown('Decision of taxes');
  await page.getByRole('link', { name: 'Recap' }).click();
  await shown('Session taxes');
  await page.getByRole('combobox', { name: 'Of' }).selectOption('');
  await page.locator('article b', { hasText: 'Session monday' }).waitFor();
  await shown('Session monday', 'Session beds', 'Session taxes');
  await accessible();
  await page
    .getByRole('region', { name: 'parley · claude' })
    .getByRole('link', { name: '2 threads and steps open' })
    .click();
  await page.locator('article b', { hasText: 'Step of monday' }).waitFor();
  await shown('Thread of monday', 'Step of monday');
  await page.getByRole('link', { name: 'Lessons' }).click();
  await page.getByText('The lexer needs a table.').waitFor();
  await visit('work/lessons?agent=nobody', 'Work');
  await page.getByText('Nothing was learned yet').waitFor();
});

for (const [theme, viewport] of [
  ['light', wide],
  ['dark', narrow],
] as const)
  test(`a board of much and long text is no wider than the screen, in ${theme} at ${viewport.width} px`, {
    skip,
  }, async (t) => {
    const house = await scriptedHouse(t, 'Noted.');
    const write = writer(clientOf(house), 'per_ann');
    const long = 'Donaudampfschifffahrtsgesellschaft'.repeat(6);
    const many = Array.from({ length: 120 }, (_, at) => ({ title: `${at} ${long}`, body: long }));
    await write(
      'closeSession',
      close('much', { agentID: long.slice(0, 90), threads: many, steps: many.slice(0, 3) }),
      long.slice(0, 190),
    );
    const { page, visit, accessible } = await signedIn(t, house, { viewport, colorScheme: theme });
    await visit('work', 'Work');
    await page.locator('article').first().waitFor();
    await accessible();
    assert.equal(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0);
    await older(page);
    assert.equal(await page.locator('article').count(), 123);
  });

/** Reads on until nothing older is left. */
async function older(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: 'Show older entries' });
  await button.click();
  await button.waitFor({ state: 'detached' });
}

test('an empty page names the page of documentation as a link, which the program itself serves', {
  skip,
}, async (t) => {
  const house = await scriptedHouse(t, 'Noted.');
  const { page, visit, accessible } = await signedIn(t, house);
  for (const [path, heading] of [
    ['work', 'Work'],
    ['work/recap', 'Work'],
    ['work/lessons', 'Work'],
    ['memory/journal', 'Memory'],
  ] as const) {
    await visit(path, heading);
    const link = page.locator('.empty').getByRole('link', { name: 'docs/mcp.md' });
    await link.waitFor();
    await accessible();
    const [opened] = await Promise.all([page.context().waitForEvent('page'), link.click()]);
    await opened.getByText('# ').first().waitFor();
    assert.match((await opened.textContent('body')) ?? '', /^# .*MCP/);
    await opened.close();
  }
});
