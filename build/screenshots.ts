// `npm run screenshots`: pictures of the console for docs/screenshots/README.md, of a real Parley over the sandbox in a real Chromium, with thirty
// named rooms, and of the sandbox's page for README. With `--all FOLDER [PAGE]...` every one of its pages instead (or those), at three widths in
// both themes, for people who change them.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { systemClock } from '#base/clock.ts';
import { pages } from '../test/console/page/browser.ts';
import { launchChromium } from '../test/support/chromium.ts';
import { until } from '../test/support/found.ts';
import { openHarbour, openProgram } from '../test/support/harbour.ts';

type Theme = 'light' | 'dark';
const {
  values: { all },
  positionals: wanted,
} = parseArgs({ options: { all: { type: 'string' } }, allowPositionals: true });
const target = all ?? join(import.meta.dirname, '..', 'docs', 'screenshots');
const widths = [390, 900, 1400];
/** Of a phone, and of a window. */
const heightOf = (width: number): number => (width < 500 ? 844 : 850);

/** What comes in on the sandbox's picture. */
const boat = `<svg width="640" height="360" viewBox="0 0 640 360"><rect width="640" height="215" fill="#f9d9a8"/>
  <rect y="215" width="640" height="145" fill="#2f76a0"/><path d="M200 220h250l-40 50H240z" fill="#7d3c24"/>
  <path d="M310 65v145h-85z" fill="#e4573d"/><path d="M322 60v150h115z" fill="#fff"/></svg>`;

/** What is being answered while the pictures are taken: three long answers, and one that waits for an approval. */
const live = [
  ['discord', 'engine-room', 'Ben', 'Slowly: write the whole maintenance plan for the winter.'],
  ['slack', 'invoices', 'Carla', 'Slowly: compare the offers of the three sail makers.'],
  ['telegram', 'Night watch', 'Deniz', 'Slowly: tell me about the night in Harlingen.'],
  ['discord', 'spare-parts', 'Eva', 'Look up where the spare impeller is.'],
] as const;

const { url, client, say, close } = await openHarbour();
const browser = await launchChromium();
try {
  const [run] = await client.runs.list({ status: 'completed', room: 'spare-parts' });
  for (const [platform, room, person, text] of live) await say({ platform, room, person, text });
  while ((await client.permissions.list()).length === 0) await systemClock.sleep(100);
  const [session] = await client.sessions.list({ room: 'deck' });
  /** The pages by the names of their pictures. */
  const paths: Readonly<Record<string, string>> = {
    ...Object.fromEntries(
      pages.map(([path]) => [
        path.replace('/SES', '-one').replace('/RUN', '-one').replaceAll('/', '-'),
        path.replace('SES', session?.id ?? '').replace('RUN', run?.runID ?? ''),
      ]),
    ),
    found: 'conversations?text=oil',
  };
  const open = async (width: number, colorScheme: Theme): Promise<Page> => {
    const context = await browser.newContext({
      ...{ viewport: { width, height: heightOf(width) }, colorScheme },
      ...{ reducedMotion: 'reduce', locale: 'en-GB' },
    });
    const page = await context.newPage();
    const link = await client.signIns.link({ role: 'owner', name: 'Anna' });
    await page.goto(url + link.path);
    await page.getByRole('heading', { level: 1, name: 'Now' }).waitFor();
    return page;
  };
  const take = async (page: Page, name: string, file: string): Promise<void> => {
    await page.goto(`${url}/console/${paths[name]}`);
    await page.locator('#page h1').waitFor({ state: 'attached' });
    await page.locator('.loading').first().waitFor({ state: 'detached' });
    await page.waitForTimeout(1_000); // plots are drawn, and what is said of them
    await page.screenshot({ path: join(target, `${file}.png`) });
    process.stdout.write(`${file}.png\n`);
  };
  mkdirSync(target, { recursive: true });
  if (all === undefined) await takeSandbox(browser, join(target, '..', 'sandbox.png'));
  const pictures: readonly (readonly [name: string, width: number, theme: Theme])[] =
    all === undefined
      ? [
          ['now', 1400, 'light'],
          ['found', 1400, 'dark'],
          ['runs-one', 1400, 'light'],
          ['runs', 900, 'dark'],
          ['memory-entries', 900, 'light'],
          ['now', 390, 'dark'],
          ['settings', 390, 'light'],
        ]
      : widths.flatMap((width) =>
          (['light', 'dark'] as const).flatMap((theme) =>
            Object.keys(paths)
              .filter((name) => wanted.length === 0 || wanted.includes(name))
              .map((name) => [name, width, theme] as const),
          ),
        );
  const opened = new Map<string, Page>();
  for (const [name, width, theme] of pictures) {
    const window = `${width}-${theme}`;
    const page = opened.get(window) ?? (await open(width, theme));
    opened.set(window, page);
    await take(page, name, `${name}-${window}`);
  }
} finally {
  await browser.close();
  await close();
}

/** The sandbox's page: one memory in three chats, a picture that comes in and a file that goes out. */
async function takeSandbox(by: Browser, path: string): Promise<void> {
  const program = await openProgram({}, {});
  const page = await by.newPage({ viewport: { width: 1280, height: 800 }, locale: 'en-GB' });
  await page.goto(program.sandbox.link(program.url));
  const say = async (platform: 'discord' | 'telegram' | 'slack', text: string, files: Buffer[] = []) => {
    const shown = () => program.sandbox[platform].shown('dm', 'you').filter(({ author }) => author === 'bot');
    const before = shown().length;
    const sent = files.map((bytes) => ({ name: 'boat.png', mime: 'image/png', bytes }));
    await program.sandbox[platform].say({ chat: 'dm', user: 'you', text, files: sent });
    await until(`an answer to ${text}`, () => shown().length > before);
  };
  await say('discord', 'My boat is called Tern.', [await pictureOf(by, boat)]);
  await say('telegram', 'What is my boat called?');
  for (const text of ['Where is my boat?', 'My boat is in the old harbour.', '!export'])
    await say('slack', text);
  await page.getByText('Here it is.').waitFor();
  await page.waitForTimeout(1_000);
  await page.screenshot({ path });
  process.stdout.write(`${path}\n`);
  await page.close();
  await program.close();
}

async function pictureOf(by: Browser, svg: string): Promise<Buffer> {
  const page = await by.newPage({ viewport: { width: 640, height: 360 } });
  await page.setContent(`<body style="margin:0">${svg}</body>`);
  const picture = await page.screenshot();
  await page.close();
  return picture;
}
