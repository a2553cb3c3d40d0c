// `npm run screenshots`: pictures of the console for docs/screenshots/README.md, of a real Parley over the sandbox in a real Chromium, with thirty
// named rooms. With `--all FOLDER` every one of its pages instead, at three widths in both themes, for people who change them.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { systemClock } from '#base/clock.ts';
import { pages } from '../test/console/page/browser.ts';
import { launchChromium } from '../test/support/chromium.ts';
import { openHarbour } from '../test/support/harbour.ts';

type Theme = 'light' | 'dark';
const { all } = parseArgs({ options: { all: { type: 'string' } } }).values;
const target = all ?? join(import.meta.dirname, '..', 'docs', 'screenshots');
const widths = [390, 900, 1400];
/** Of a phone, and of a window. */
const heightOf = (width: number): number => (width < 500 ? 844 : 850);

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
    await page.waitForLoadState('networkidle', { timeout: 5_000 }).catch(() => undefined); // the event stream stays open
    await page.waitForTimeout(1_000);
    await page.screenshot({ path: join(target, `${file}.png`) });
    process.stdout.write(`${file}.png\n`);
  };
  mkdirSync(target, { recursive: true });
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
            Object.keys(paths).map((name) => [name, width, theme] as const),
          ),
        );
  for (const [name, width, theme] of pictures) {
    const page = await open(width, theme);
    await take(page, name, `${name}-${width}-${theme}`);
    await page.context().close();
  }
} finally {
  await browser.close();
  await close();
}
process.exit(); // the model still writes its long answers, to nobody
