// A real Chromium for tests, where one is on the PATH. No test.
import { accessSync, constants, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { TestContext } from 'node:test';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core';

/** By which Chromium goes; without windows it does the same for less. */
const programNames = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];

/** The first Chromium on the PATH, or undefined. */
function chromiumPath(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const programs = programNames.flatMap((name) => folders.map((folder) => join(folder, name)));
  return programs.find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false; // not there
    }
  });
}

const executablePath = chromiumPath();

/** For a test's options: why there is no browser here, or false. */
export const noChromium = executablePath === undefined ? 'there is no Chromium on the PATH' : false;

/** A new browser, which anyone who launches it closes. With `low` it gets the processor time that nothing else on the machine wants. */
export function launchChromium({ low = false }: { low?: boolean } = {}): Promise<Browser> {
  // there is no graphics card to be had, and looking for one takes a process
  const microphone = ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'];
  const args = ['--no-sandbox', '--disable-gpu', ...microphone];
  return chromium.launch({ executablePath: low ? niceChromium() : (executablePath ?? ''), args });
}

/** A program that starts Chromium with the lowest priority, which all its processes and threads inherit. */
function niceChromium(): string {
  const path = join(mkdtempSync(join(tmpdir(), 'parley-chromium-')), 'chromium');
  writeFileSync(path, `#!/bin/sh\nexec nice -n 19 '${executablePath}' "$@"\n`, { mode: 0o700 });
  return path;
}

/** How long the browser waits for the next test once none uses it. */
const idleMs = 1000;

/**
 * The browser of the tests that run in this process. No hook of Node's runner closes it: a hook of a module belongs to whatever test the
 * module happened to be loaded in, which may end while another one uses the browser.
 */
const shared: { browser?: Promise<Browser> | undefined; users: number; idle?: NodeJS.Timeout } = { users: 0 };

/** A fresh profile in the browser that this process's tests share, closed after the test; who asks for no motion spares drawing frames. */
export async function openProfile(t: TestContext, options: BrowserContextOptions): Promise<BrowserContext> {
  clearTimeout(shared.idle);
  shared.users += 1;
  shared.browser ??= launchChromium();
  const { browser } = shared;
  t.after(() => {
    shared.users -= 1;
    if (shared.users > 0) return;
    shared.idle = setTimeout(() => {
      shared.browser = undefined;
      void browser.then((idle) => idle.close());
    }, idleMs);
  });
  const context = await (await browser).newContext({ reducedMotion: 'reduce', ...options });
  t.after(() => context.close());
  return context;
}
