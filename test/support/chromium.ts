// A real Chromium for tests, where one is on the PATH. No test.
import { accessSync, constants, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

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
