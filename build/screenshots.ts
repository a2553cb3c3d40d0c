// `npm run screenshots`: six pictures of the console for docs/screenshots/README.md, of a real Parley over the sandbox in a real Chromium.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startParley } from '#app/compose/compose.ts';
import { startSandbox } from '#app/compose/sandbox.ts';
import { loadConfig } from '#app/config/load.ts';
import { systemClock } from '#base/clock.ts';
import { createClient } from '#engine/client/client.ts';
import { launchChromium } from '../test/support/chromium.ts';

const target = join(import.meta.dirname, '..', 'docs', 'screenshots');
const wide = { width: 1280, height: 800 };
const phone = { width: 390, height: 844 };

/** What people write before the pictures are taken; the sandbox's model answers. */
const talk = [
  ['telegram', 'dm', 'My boat is called **Tern** and lies in Harlingen until June.'],
  ['telegram', 'dm', '/zone Europe/Berlin'],
  ['telegram', 'dm', '/schedule every Monday at 9 Check the lines of the boat'],
  ['discord', 'room', 'The tide turns at 14:20 today.'],
  ['slack', 'room', 'Who brings the charts on Friday?'],
  ['telegram', 'dm', 'Where does my boat lie?'],
] as const;

const folder = mkdtempSync(join(tmpdir(), 'parley-screenshots-'));
writeFileSync(
  join(folder, 'parley.config.json'),
  JSON.stringify({ engine: { port: 0 }, gateway: { debounceMs: 0 }, log: { level: 'silent' } }, null, 2),
);
const sandbox = await startSandbox(systemClock);
const loaded = loadConfig({ folder, variables: {} });
const parley = await startParley(loaded, { clock: systemClock, sandbox });
const browser = await launchChromium();
try {
  for (const [platform, chat, text] of talk) {
    const before = sandbox[platform].shown(chat, 'you').length;
    await sandbox[platform].say({ chat, user: 'you', text, mention: chat !== 'dm' });
    const until = Date.now() + 60_000;
    while (sandbox[platform].shown(chat, 'you').length < before + 2 && Date.now() < until)
      await systemClock.sleep(100);
  }
  const client = createClient({
    baseUrl: parley.url,
    token: readFileSync(join(loaded.home, 'token'), 'utf8').trim(),
  });
  const [session] = await client.sessions.list({ title: 'boat' });
  const run = (await client.runs.list()).at(0);
  const pictures = [
    ['now', 'now', wide, 'light'],
    ['conversation', `conversations/${session?.id}`, wide, 'dark'],
    ['run', `runs/${run?.runID}`, wide, 'light'],
    ['memory', 'memory/entries', wide, 'dark'],
    ['schedules', 'agents/schedules', phone, 'light'],
    ['settings', 'settings', phone, 'dark'],
  ] as const;
  mkdirSync(target, { recursive: true });
  for (const [name, path, viewport, colorScheme] of pictures) {
    const context = await browser.newContext({
      viewport,
      colorScheme,
      reducedMotion: 'reduce',
      locale: 'en-GB',
    });
    const page = await context.newPage();
    const link = await client.signIns.link({ role: 'owner', name: 'Anna' });
    await page.goto(parley.url + link.path);
    await page.getByRole('heading', { level: 1, name: 'Now' }).waitFor();
    await page.getByText(/^Looked/).waitFor(); // what the doctor finds
    await page.goto(`${parley.url}/console/${path}`);
    await page.locator('#page h1').waitFor({ state: 'attached' });
    await page.waitForLoadState('networkidle', { timeout: 5_000 }).catch(() => undefined); // the event stream stays open
    await page.waitForTimeout(1_000);
    await page.screenshot({ path: join(target, `${name}.png`) });
    await context.close();
    process.stdout.write(`${name}.png\n`);
  }
} finally {
  await browser.close();
  await parley.close();
  await sandbox.close();
  rmSync(folder, { recursive: true, force: true });
}
