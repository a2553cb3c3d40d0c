// `npm run bench:console`: the console in headless Chromium, on a home with a long session, a large memory and many live runs.
// Measures first paint, interactive, event to screen, scrolling, heap and JavaScript. Its last line is JSON.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { createClient, type ParleyClient } from '#engine/client/client.ts';
import { launchChromium } from '../../test/support/chromium.ts';
import { startStreamingModel } from '../gateway/streaming-model.ts';
import { argumentsOf } from '../harness/arguments.ts';
import { atLeast, atMost, conclude } from '../harness/conclude.ts';
import { freePort } from '../harness/free-port.ts';
import { startProgram } from '../harness/program.ts';
import { percentile } from '../retrieval/figures.ts';
import { fillMemory } from './fill-memory.ts';
import { writeLongSession } from './long-session.ts';
import { scrollFor, watchPage } from './watch-page.ts';

const goals = {
  firstPaintMs: 500,
  interactiveMs: 1_000,
  eventToScreenP95Ms: 100,
  framesASecond: 55,
  heapMB: 100,
  scriptBytes: 80_000,
};
const openings = 5;
const scrollMs = 5_000;
/** Between two pieces of one run. */
const pieceMs = 1_000;
/** The page is there, or the bench fails. */
const timeoutMs = 120_000;

const { values } = argumentsOf({
  name: 'bench:console',
  about:
    'Measures the console in headless Chromium, on a home with a long session, a large memory and many live runs. The last line is JSON.',
  options: {
    messages: { standard: 5_000, least: 1, most: 1_000_000, about: 'messages of the long session' },
    memories: { standard: 1_000_000, least: 1, most: 10_000_000, about: 'memories' },
    runs: { standard: 200, least: 1, most: 10_000, about: 'live runs' },
    seconds: { standard: 600, least: 1, most: 86_400, about: 'how long they stream' },
    home: {
      value: 'FOLDER',
      about: 'a folder that stays: its memory is filled once, and used again with all else made again',
    },
  },
});
const { messages, memories, runs, seconds } = values;
const print = (line: string): void => void process.stdout.write(`${line}\n`);

const folder = values.home ?? mkdtempSync(join(tmpdir(), 'parley-console-bench-'));
const home = join(folder, '.parley');
mkdirSync(home, { recursive: true });
for (const name of readdirSync(home))
  if (!name.startsWith('memory.sqlite')) rmSync(join(home, name), { recursive: true });
const model = await startStreamingModel({
  deltas: ((seconds + 300) * 1_000) / pieceMs,
  everyMs: pieceMs,
  piece: () => `at${Date.now()}; `,
});
const port = await freePort();
writeFileSync(
  join(folder, 'parley.config.json'),
  JSON.stringify({
    engine: { port },
    log: { level: 'error' },
    model: { name: 'bench', provider: 'openai-compatible', baseUrl: model.url },
  }),
);
let browser: Browser | undefined;
let program: ReturnType<typeof startProgram> | undefined;
try {
  const began = performance.now();
  const stored = await fillMemory(home, memories);
  print(`${stored} memories in ${Math.round((performance.now() - began) / 1000)} s`);
  const sessionID = writeLongSession(join(home, 'engine.sqlite'), messages);
  program = startProgram(folder, {}, { words: ['engine'], until: [/^The engine listens/] });
  await program.ready;
  const client = createClient({
    baseUrl: `http://127.0.0.1:${port}`,
    token: readFileSync(join(home, 'token'), 'utf8').trim(),
  });
  browser = await launchChromium();
  const figures = await measure(browser, client, sessionID);
  const { framesASecond, ...most } = goals;
  conclude({ bench: 'console', messages, memories, runs, seconds, ...figures }, [
    ...atLeast('framesASecond', figures.framesASecond, framesASecond),
    ...Object.entries(most).flatMap(
      ([name, bound]) => atMost(name, figures[name as keyof typeof most], bound), // the entries are those of `most`
    ),
  ]);
} finally {
  await browser?.close();
  await program?.stop();
  await model.close();
  if (values.home === undefined) rmSync(folder, { recursive: true, force: true });
}

async function measure(chromium: Browser, client: ParleyClient, sessionID: string) {
  const context = await chromium.newContext({ viewport: { width: 1280, height: 800 } });
  context.setDefaultTimeout(timeoutMs);
  await context.addInitScript(watchPage);
  const page = await context.newPage();
  let scriptBytes = 0;
  page.on('response', async (response) => {
    if (response.request().resourceType() === 'script')
      scriptBytes += (await response.request().sizes()).responseBodySize;
  });
  const origin = `http://127.0.0.1:${port}`;
  const { path } = await client.signIns.link({ role: 'owner', name: 'bench' });
  await page.goto(origin + path);
  await page.getByRole('heading', { level: 1, name: 'Now' }).waitFor();
  const bytesOnce = scriptBytes;

  const opened: Opening[] = [];
  for (let time = 0; time < openings; time += 1)
    opened.push(await open(page, `${origin}/console/conversations/${sessionID}`));
  await page.getByText(`Message ${messages}.`).waitFor();
  const framesASecond = Math.round(Number(await page.evaluate(scrollFor(scrollMs))));
  const memoryPage = await openMemory(page, origin);
  const median = (of: (each: Opening) => number): number => Math.round(percentile(opened.map(of), 0.5));
  print(
    `opened: ${opened.map(({ firstPaintMs, interactiveMs }) => `${Math.round(firstPaintMs)}/${Math.round(interactiveMs)}`).join(' ')} ms`,
  );

  await page.goto(`${origin}/console/now`);
  const sessions = await Promise.all(Array.from({ length: runs }, () => client.sessions.create()));
  await Promise.all(sessions.map(({ id }) => client.sessions.promptAsync(id, 'Write.')));
  await page.getByRole('heading', { level: 2, name: `In progress ${runs}` }).waitFor();
  await page.waitForTimeout(3 * pieceMs); // all runs have begun to write
  await page.evaluate('window.bench.delays.length = 0; window.bench.arrivals.length = 0');
  await page.waitForTimeout(seconds * 1_000);
  const delays = (await page.evaluate('window.bench.delays')) as number[];
  const arrivals = (await page.evaluate('window.bench.arrivals')) as number[];
  const elements = Number(await page.evaluate('document.querySelectorAll("*").length'));
  const heapMB = await heapOf(page);
  await context.close();
  return {
    firstPaintMs: median(({ firstPaintMs }) => firstPaintMs),
    interactiveMs: median(({ interactiveMs }) => interactiveMs),
    ...memoryPage,
    eventToScreenP50Ms: percentile(delays, 0.5),
    eventToScreenP95Ms: percentile(delays, 0.95),
    eventToPageP50Ms: percentile(arrivals, 0.5),
    eventToPageP95Ms: percentile(arrivals, 0.95),
    arrived: arrivals.length,
    drawn: delays.length,
    framesASecond,
    heapMB,
    elements,
    scriptBytes: bytesOnce,
  };
}

/** The entries of the largest audience: until the first is there, while they are scrolled, and a search of them by a word. */
async function openMemory(page: Page, origin: string) {
  const path = `${origin}/console/memory/entries?as=${encodeURIComponent('room:bench:0')}`;
  const began = performance.now();
  await page.goto(path);
  await page.locator('.memory').first().waitFor();
  const memoryPageMs = Math.round(performance.now() - began);
  const memoryFramesASecond = Math.round(Number(await page.evaluate(scrollFor(scrollMs, 60))));
  const searched = performance.now();
  const answer = page.waitForResponse((response) => response.url().includes('/memory?'));
  await page.getByLabel('Only entries with these words').fill('boat');
  await (await answer).finished();
  return { memoryPageMs, memoryFramesASecond, memorySearchMs: Math.round(performance.now() - searched) };
}

interface Opening {
  firstPaintMs: number;
  interactiveMs: number;
}

/** Opens an address in a new document: when the first text is drawn, and when the page itself is there and takes keys. */
async function open(page: Page, address: string): Promise<Opening> {
  await page.goto(address);
  await page.locator('#page h1').waitFor();
  // a paint is entered after the frame that shows it
  await page.waitForFunction(
    "window.bench.headingMs !== undefined && performance.getEntriesByName('first-contentful-paint').length > 0",
  );
  return (await page.evaluate(`({
    firstPaintMs: performance.getEntriesByName('first-contentful-paint')[0].startTime,
    interactiveMs: window.bench.headingMs,
  })`)) as Opening; // its shape is above
}

/** What the page still holds after a collection, in MB. */
async function heapOf(page: Page): Promise<number> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('HeapProfiler.collectGarbage');
  const { usedSize } = await devtools.send('Runtime.getHeapUsage');
  return Math.round(usedSize / 1e5) / 10;
}
