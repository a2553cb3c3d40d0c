// The program killed in the middle of a story, with the page open: the page says so, and continues where it was when it is back.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type TestContext, test } from 'node:test';
import { tempFolder } from '../../support/temp-folder.ts';
import { openLink, platforms, skip } from './browser.ts';

const program = join(import.meta.dirname, '..', '..', '..', 'bin', 'parley.js');

/** A port that nobody listens on now. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  assert.ok(typeof address === 'object' && address !== null);
  return address.port;
}

/** Starts `parley start` and resolves with its link once all three platforms are connected. */
async function start(
  t: TestContext,
  folder: string,
): Promise<{ child: ChildProcess; link: string; errors: () => string }> {
  const child = spawn(process.execPath, [program, 'start'], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', HOME: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  t.after(() => child.kill('SIGKILL'));
  let errors = '';
  child.stderr.on('data', (piece) => {
    errors += piece;
  });
  let link = '';
  const waiting = new Set<string>(platforms);
  for await (const line of createInterface({ input: child.stdout })) {
    link ||= /http:\/\/\S+key=[\w-]+/.exec(line)?.[0] ?? '';
    waiting.delete(/^ {2}(\w+) +connected$/.exec(line)?.[1] ?? '');
    if (waiting.size === 0) break;
  }
  child.stdout.resume();
  return { child, link, errors: () => errors };
}

test('the sandbox killed in the middle of a story shows it again as it was, and every platform continues', {
  skip,
}, async (t) => {
  const folder = tempFolder(t);
  writeFileSync(join(folder, 'parley.config.json'), JSON.stringify({ engine: { port: await freePort() } }));
  const first = await start(t, folder);
  const { page, complaints, pane, input, messages, say, tab } = await openLink(t, first.link);
  await tab('slack', 'Room').click();
  for (const platform of platforms) {
    await say(platform, `My boat on ${platform} is called Tern.`);
    await messages(platform, 'bot').getByText('remember').waitFor();
  }
  const story = (): Promise<string[][]> =>
    Promise.all(platforms.map((platform) => messages(platform).locator('.body').allTextContents()));
  const before = await story();
  const exited = once(first.child, 'exit');
  first.child.kill('SIGKILL');
  await exited;
  await say('telegram', 'Is anyone there?');
  await pane('telegram')
    .getByText(/^Not sent\. Parley cannot be reached/)
    .waitFor();
  assert.equal(await input('telegram').inputValue(), 'Is anyone there?');
  await page.getByText('The connection to Parley is lost. Trying again…').waitFor();

  const second = await start(t, folder);
  assert.equal(second.link, first.link);
  await page.locator('.lost[hidden]').first().waitFor({ state: 'attached' });
  await pane('telegram').getByRole('alert').waitFor({ state: 'hidden' });
  assert.deepEqual(await story(), before);
  await input('telegram').press('Enter');
  await messages('telegram', 'you').getByText('Is anyone there?').waitFor();
  for (const platform of platforms) {
    const answers = await messages(platform, 'bot').count();
    await say(platform, 'What is my boat called?');
    await messages(platform, 'bot').nth(answers).getByText(/Tern/).first().waitFor();
  }
  assert.doesNotMatch(second.errors(), /not_found/);
  assert.deepEqual(
    complaints.splice(0).filter((words) => !/net::ERR_|connection|Failed to fetch/i.test(words)),
    [],
  );
});
