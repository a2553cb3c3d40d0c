// The same load with the console open and without, in turns: what an open page costs the gateway.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { notedAddress } from '#app/home/engine-address.ts';
import { createClient } from '#engine/client/client.ts';
import { launchChromium } from '../../test/support/chromium.ts';
import { inTurns } from '../harness/turns.ts';
import { median, round } from './figures.ts';

/** What one measurement cost, by names; less is better. */
export type Costs = Readonly<Record<string, number>>;

export interface ConsoleRatios {
  /** Costs with the console open, divided by those without; of each turn. */
  turns: Costs[];
  median: Costs;
}

/** More than this, as the median of the turns, is worse. */
export const maxRatio = 1.05;

/** Until a page that was opened has read all that it shows. */
const settleMs = 2_000;

/** Who has the console open: the page in Chromium, or a program that reads the same and draws nothing. */
export type Reader = 'chromium' | 'light';

/** Measures so many times with the console open and without; which is first changes from turn to turn. */
export async function compareConsole(
  home: string,
  { turns, reader }: { turns: number; reader: Reader },
  measure: () => Promise<Costs>,
): Promise<ConsoleRatios> {
  // The browser of a reader is on another machine: here it must not take from Parley what it needs itself.
  const browser = reader === 'light' ? undefined : await launchChromium({ low: true });
  try {
    const open = async (): Promise<Costs> => {
      const close = await (browser === undefined ? readLightly(home) : openConsole(browser, home));
      return measure().finally(close);
    };
    await open(); // what a program does once, also for its first page, is in no turn
    const ratios = (await inTurns(turns, open, measure)).map(({ one, other }) => ratiosOf(one, other));
    const names = Object.keys(ratios[0] ?? {});
    const medianOf = (name: string): number => median(ratios.map((each) => each[name] ?? Number.NaN));
    return { turns: ratios, median: Object.fromEntries(names.map((name) => [name, medianOf(name)])) };
  } finally {
    await browser?.close();
  }
}

const ratiosOf = (open: Costs, without: Costs): Costs =>
  Object.fromEntries(
    Object.entries(open).map(([name, cost]) => [name, round(cost / (without[name] ?? Number.NaN))]),
  );

const engineOf = (home: string) => ({
  baseUrl: notedAddress('engine', home) ?? '',
  token: readFileSync(join(home, 'token'), 'utf8').trim(),
});

/** Starts the program that reads what the page reads; the returned function ends it. */
async function readLightly(home: string): Promise<() => Promise<void>> {
  const { baseUrl, token } = engineOf(home);
  const env = { ...process.env, PARLEY_TOKEN: token };
  const child = fork(join(import.meta.dirname, 'light-reader.ts'), [baseUrl], { env, stdio: 'inherit' });
  await once(child, 'message');
  await new Promise((resolve) => setTimeout(resolve, settleMs));
  return async () => {
    const ended = once(child, 'exit');
    child.kill();
    await ended;
  };
}

/** Opens the page "Now", which follows all that happens; the returned function closes it. */
async function openConsole(browser: Browser, home: string): Promise<() => Promise<void>> {
  const { baseUrl, token } = engineOf(home);
  const client = createClient({ baseUrl, token });
  const { path } = await client.signIns.link({ role: 'owner', name: 'bench' });
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(baseUrl + path);
  await page.getByRole('heading', { level: 2, name: /^In progress/ }).waitFor();
  await page.waitForTimeout(settleMs);
  return () => context.close();
}
