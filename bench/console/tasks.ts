// `npm run bench:console:tasks`: what an operator of a home of thirty rooms has to press, and type, for six questions, and how long that takes.
// Each begins on the page Now, and ends when the answer is on the screen. Its last line is JSON.
import type { Page } from 'playwright-core';
import { launchChromium } from '../../test/support/chromium.ts';
import { openHarbour } from '../../test/support/harbour.ts';
import { argumentsOf } from '../harness/arguments.ts';
import { conclude } from '../harness/conclude.ts';

/** The console in the hands of someone who knows the way: presses and texts are counted, reading and thinking are not. */
interface Hands {
  page: Page;
  press(role: 'link' | 'button' | 'tab', name: string | RegExp): Promise<void>;
  pressOn(selector: string): Promise<void>;
  choose(label: string, option: string | { label: string }): Promise<void>;
  type(label: string, text: string): Promise<void>;
  sees(text: string | RegExp): Promise<void>;
}

/** A task, with the clicks and seconds that it took at commit 9fd2803d; undefined where no page could do it. */
interface Task {
  name: string;
  before: { clicks: number; seconds: number } | undefined;
  do(hands: Hands): Promise<void>;
}

const tasks: readonly Task[] = [
  {
    name: 'find what was said in #engine-room last week',
    // no room had a name: platform and time, then each of the twelve rooms of Discord is opened
    before: { clicks: 15, seconds: 4.7 },
    async do({ press, choose, type, pressOn, page }) {
      await press('link', 'Conversations');
      await type('Search what was written', 'oil');
      await type('Room', 'engine-room');
      await choose('Time', '7');
      await page.locator('.entry-room', { hasText: '#engine-room · Harbour crew' }).waitFor();
      await pressOn('.entry-found');
      await page.locator('.message.found').waitFor();
    },
  },
  {
    name: 'why was this answer slow',
    before: undefined, // the list had no question and no order, a run no queue, memory, first token or delivery
    async do({ press, choose, pressOn, sees }) {
      await press('link', /^Runs/);
      await choose('Order', 'duration');
      await pressOn('.run-row');
      await sees('Where the time went');
      await sees('Time to the first token');
    },
  },
  {
    name: 'correct a memory',
    before: undefined, // only forgotten
    async do({ press, choose, type, page, sees }) {
      await press('link', 'Memory');
      await choose('As seen by', 'person:operator');
      await press('link', 'Entries');
      await press('button', 'Correct this entry');
      await type('What holds now', 'The spare impeller is in the lazarette.');
      await press('button', 'Write a new version');
      await sees(/^Corrected\. Version 2 holds now/);
      await page.getByText('The spare impeller is in the lazarette.').first().waitFor();
    },
  },
  {
    name: 'give a stranger a role',
    before: undefined, // an account without a code could not be admitted
    async do({ press, choose, page }) {
      await press('link', 'People');
      await press('button', 'Admit or join Ben on Telegram');
      await choose('Role', 'guest');
      await press('button', 'Admit');
      await page.locator('.person', { hasText: 'Ben' }).waitFor();
    },
  },
  {
    name: 'change a setting',
    before: { clicks: 3, seconds: 1.3 }, // the page, and the check and the write of JSON typed by hand, by someone who knows the key
    async do({ choose, type, press, sees, page }) {
      await page.keyboard.press('Control+k');
      await type('A page, a conversation, a #room, a setting or a command', 'language');
      await page.getByRole('option', { name: /^language\s*Setting$/ }).waitFor();
      await page.keyboard.press('Enter');
      await choose('language', 'de');
      await press('button', 'Show what changes');
      await press('button', 'Write the file');
      await sees('Written. It holds now.');
    },
  },
  {
    name: 'what did Anna cost this month',
    before: undefined, // costs were summed by nothing but time
    async do({ press, page }) {
      await press('link', /^Runs/);
      await press('link', 'Cost');
      await page.getByRole('row', { name: /^Anna on Discord \$/ }).waitFor();
    },
  },
];

argumentsOf({
  name: 'bench:console:tasks',
  about:
    'Counts what an operator presses and types for six questions, in headless Chromium. The last line is JSON.',
  options: {},
});
const { url, client, close } = await openHarbour();
const browser = await launchChromium();
const rows: {
  task: string;
  before: Task['before'] | null;
  clicks: number;
  texts: number;
  seconds: number;
}[] = [];
try {
  await client.memory.put('The spare impeller is in the store.');
  const page = await browser.newPage({ viewport: { width: 1400, height: 900 }, locale: 'en-GB' });
  await page.goto(url + (await client.signIns.link({ role: 'owner', name: 'Anna' })).path);
  for (const { name, before, do: act } of tasks) {
    await page.goto(`${url}/console/now`);
    await page.getByRole('heading', { level: 2, name: 'Channels' }).waitFor();
    const counted = { clicks: 0, texts: 0 };
    const from = performance.now();
    await act(handsOn(page, counted));
    const seconds = Math.round((performance.now() - from) / 100) / 10;
    rows.push({ task: name, before: before ?? null, ...counted, seconds });
  }
} finally {
  await browser.close();
  await close();
}
const lines = rows.map(
  ({ task, before, clicks, texts, seconds }) =>
    `| ${task} | ${before?.clicks ?? 'not possible'} | ${before?.seconds ?? ''} | ${clicks} | ${texts} | ${seconds} |`,
);
process.stdout.write(
  [
    '| task | clicks before | seconds before | clicks | texts typed | seconds |',
    '| --- | --- | --- | --- | --- | --- |',
    ...lines,
    '',
  ].join('\n'),
);
conclude(
  { bench: 'console tasks', tasks: rows },
  rows.flatMap(({ task, clicks }) => (clicks > 6 ? [`${task}: ${clicks} clicks, to reach: at most 6`] : [])),
);

function handsOn(page: Page, counted: { clicks: number; texts: number }): Hands {
  const click = async (): Promise<void> => {
    counted.clicks += 1;
  };
  return {
    page,
    async press(role, name) {
      await click();
      await page
        .getByRole(role, { name, exact: typeof name === 'string' })
        .first()
        .click();
    },
    async pressOn(selector) {
      await click();
      await page.locator(selector).first().click();
    },
    async choose(label, option) {
      await click();
      const field = page.locator('select').and(page.getByLabel(label)).first();
      await field.waitFor();
      await field.selectOption(option);
    },
    async type(label, text) {
      counted.texts += 1;
      await page.getByLabel(label, { exact: true }).fill(text);
    },
    sees: (text) => page.getByText(text).first().waitFor(),
  };
}
