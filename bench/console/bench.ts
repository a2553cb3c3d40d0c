// `npm run bench:console`: the console in headless Chromium, on a home with a long session, a large memory and many live runs.
// Measures first paint, interactive, event to screen, scrolling, heap and JavaScript. Its last line is JSON.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { systemClock } from '#base/clock.ts';
import { createIds } from '#base/ids.ts';
import { createClient, type ParleyClient } from '#engine/client/client.ts';
import { createMemory } from '#memory/memory.ts';
import { launchChromium } from '../../test/support/chromium.ts';
import { startStreamingModel } from '../gateway/streaming-model.ts';
import { freePort } from '../harness/free-port.ts';
import { startProgram } from '../harness/program.ts';
import { writeRooms } from '../memory/files.ts';
import { percentile } from '../retrieval/figures.ts';
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

const { values } = parseArgs({
  options: {
    messages: { type: 'string', default: '5000' },
    memories: { type: 'string', default: '1000000' },
    runs: { type: 'string', default: '200' },
    seconds: { type: 'string', default: '600' },
  },
});
const [messages, memories, runs, seconds] = [
  values.messages,
  values.memories,
  values.runs,
  values.seconds,
].map(Number) as [number, number, number, number];
const print = (line: string): void => void process.stdout.write(`${line}\n`);

const folder = mkdtempSync(join(tmpdir(), 'parley-console-bench-'));
const home = join(folder, '.parley');
mkdirSync(home);
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
  await fillMemory();
  const sessionID = writeLongSession(join(home, 'engine.sqlite'), messages);
  program = startProgram(folder, {}, { words: ['engine'], until: [/^The engine listens/] });
  await program.ready;
  const client = createClient({
    baseUrl: `http://127.0.0.1:${port}`,
    token: readFileSync(join(home, 'token'), 'utf8').trim(),
  });
  browser = await launchChromium();
  const figures = await measure(browser, client, sessionID);
  const ok =
    figures.firstPaintMs <= goals.firstPaintMs &&
    figures.interactiveMs <= goals.interactiveMs &&
    figures.eventToScreenP95Ms <= goals.eventToScreenP95Ms &&
    figures.framesASecond >= goals.framesASecond &&
    figures.heapMB <= goals.heapMB &&
    figures.scriptBytes <= goals.scriptBytes;
  print(JSON.stringify({ bench: 'console', messages, memories, runs, seconds, ...figures, ok }));
  process.exitCode = ok ? 0 : 1;
} finally {
  await browser?.close();
  await program?.stop();
  await model.close();
  rmSync(folder, { recursive: true, force: true });
}

/** Turns of a hundred rooms, as an import makes them. */
async function fillMemory(): Promise<void> {
  const began = performance.now();
  const rooms = writeRooms(join(folder, 'rooms'), memories);
  const memory = createMemory({
    path: join(home, 'memory.sqlite'),
    clock: systemClock,
    newId: createIds(systemClock),
  });
  let stored = 0;
  for (const { path, audience } of rooms.files) {
    const where = { audience, space: 'bench:space', restricted: false };
    stored += (await memory.importPath({ path, format: 'transcript', where })).chunks.stored;
  }
  await memory.close();
  rmSync(join(folder, 'rooms'), { recursive: true });
  print(`${stored} memories in ${Math.round((performance.now() - began) / 1000)} s`);
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
  const memoryPage = await open(page, `${origin}/console/memory`);
  const median = (of: (each: Opening) => number): number => Math.round(percentile(opened.map(of), 0.5));
  print(
    `opened: ${opened.map(({ firstPaintMs, interactiveMs }) => `${Math.round(firstPaintMs)}/${Math.round(interactiveMs)}`).join(' ')} ms`,
  );

  await page.goto(`${origin}/console/now`);
  const sessions = await Promise.all(Array.from({ length: runs }, () => client.sessions.create()));
  await Promise.all(sessions.map(({ id }) => client.sessions.promptAsync(id, 'Write.')));
  await page.getByRole('heading', { level: 2, name: `In progress ${runs}` }).waitFor();
  await page.waitForTimeout(3 * pieceMs); // all runs have begun to write
  await page.evaluate('window.bench.delays.length = 0');
  await page.waitForTimeout(seconds * 1_000);
  const delays = (await page.evaluate('window.bench.delays')) as number[];
  const elements = Number(await page.evaluate('document.querySelectorAll("*").length'));
  const heapMB = await heapOf(page);
  await context.close();
  return {
    firstPaintMs: median(({ firstPaintMs }) => firstPaintMs),
    interactiveMs: median(({ interactiveMs }) => interactiveMs),
    memoryPageMs: Math.round(memoryPage.interactiveMs),
    eventToScreenP50Ms: percentile(delays, 0.5),
    eventToScreenP95Ms: percentile(delays, 0.95),
    drawn: delays.length,
    framesASecond,
    heapMB,
    elements,
    scriptBytes: bytesOnce,
  };
}

interface Opening {
  firstPaintMs: number;
  interactiveMs: number;
}

/** Opens an address in a new document: when the first text is drawn, and when the page itself is there and takes keys. */
async function open(page: Page, address: string): Promise<Opening> {
  await page.goto(address);
  await page.locator('#page h1').waitFor();
  while ((await page.evaluate('window.bench.headingMs')) === undefined) await page.waitForTimeout(10);
  return (await page.evaluate(`({
    firstPaintMs: performance.getEntriesByName('first-contentful-paint')[0].startTime,
    interactiveMs: window.bench.headingMs,
  })`)) as Opening; // its shape is above
}

/** What the page retains after a collection, in MB. */
async function heapOf(page: Page): Promise<number> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('HeapProfiler.collectGarbage');
  const { usedSize } = await devtools.send('Runtime.getHeapUsage');
  return Math.round(usedSize / 1e5) / 10;
}
