// A memory that is damaged where the engine runs, while the channels run in another process with another home folder: owners hear of it once.
import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import {
  type RunningChannels,
  type RunningEngine,
  startChannels,
  startEngine,
} from '#app/compose/compose.ts';
import { loadConfig } from '#app/config/load.ts';
import { systemClock } from '#base/clock.ts';
import type { SandboxUser } from '#sandbox/contract.ts';
import { createTelegramSandbox } from '#sandbox/telegram/server.ts';
import { freePort } from '../../bench/harness/free-port.ts';
import { found } from '../support/found.ts';
import { tempFolder } from '../support/temp-folder.ts';

const clock = systemClock;

async function openParts(t: TestContext) {
  const folder = tempFolder(t);
  const sandbox = await createTelegramSandbox({ clock });
  t.after(() => sandbox.close());
  const port = await freePort();
  const config = {
    engine: { port },
    gateway: { debounceMs: 0, shutdownSeconds: 1, port: 0 },
    log: { level: 'silent' },
    people: { you: { role: 'owner', accounts: [`telegram:${sandbox.userID('you')}`] } },
    channels: { telegram: { directMessages: 'open', apiUrl: sandbox.url, rateLimits: 'reactive' } },
  };
  writeFileSync(join(folder, 'parley.config.json'), JSON.stringify(config));
  const load = (home: string) =>
    loadConfig({
      folder,
      variables: {
        PARLEY_HOME: join(folder, home),
        PARLEY_TOKEN: 'token-of-this-test',
        TELEGRAM_BOT_TOKEN: sandbox.tokens.bot,
      },
    });
  let engine: RunningEngine | undefined;
  let channels: RunningChannels | undefined;
  const stop = async (part: 'engine' | 'channels'): Promise<void> => {
    await (part === 'engine' ? engine : channels)?.close();
    if (part === 'engine') engine = undefined;
    else channels = undefined;
  };
  t.after(async () => {
    await stop('channels');
    await stop('engine');
  });
  const texts = (user: SandboxUser): string[] =>
    sandbox.shown('dm', user).flatMap(({ author, text }) => (author === 'bot' ? [text] : []));
  return {
    memory: join(folder, 'engine', 'memory.sqlite'),
    async start(part: 'engine' | 'channels') {
      if (part === 'engine') engine = await startEngine(load('engine'), { clock });
      else channels = await startChannels(load('channels'), { clock, baseUrl: `http://127.0.0.1:${port}` });
    },
    stop,
    async ask(user: SandboxUser, text: string) {
      const before = texts(user).filter((one) => !isNotice(one)).length;
      await sandbox.say({ chat: 'dm', user, text });
      await found('an answer', () => texts(user).filter((one) => !isNotice(one))[before]);
    },
    notices: (user: SandboxUser) => texts(user).filter(isNotice).length,
  };
}

const isNotice = (text: string): boolean => /I cannot open my memory and continue without it/.test(text);

test('the owners are told once that the memory of an engine elsewhere is damaged, and again of the next damage', async (t) => {
  const parts = await openParts(t);
  await parts.start('engine');
  await parts.start('channels');
  await parts.ask('you', 'My bicycle is green.');
  await parts.ask('guest', 'My boat is red.');
  assert.equal(parts.notices('you'), 0);
  await parts.stop('engine');
  const whole = readFileSync(parts.memory);
  const spoil = (): void => writeFileSync(parts.memory, Buffer.alloc(whole.length, 0x5a));
  spoil();
  await parts.start('engine');
  await found('the notice', () => (parts.notices('you') > 0 ? true : undefined));
  await parts.ask('you', 'Are you there?');
  await parts.stop('channels');
  await parts.start('channels');
  await parts.ask('you', 'And now?');
  await parts.stop('engine');
  await parts.start('engine');
  await parts.ask('you', 'And after another start?');
  assert.deepEqual([parts.notices('you'), parts.notices('guest')], [1, 0]);
  await parts.stop('engine');
  for (const suffix of ['-wal', '-shm']) rmSync(`${parts.memory}${suffix}`, { force: true });
  writeFileSync(parts.memory, whole);
  await parts.start('engine');
  await parts.ask('you', 'Is it fixed?');
  await parts.stop('engine');
  spoil();
  await parts.start('engine');
  await found('the second notice', () => (parts.notices('you') > 1 ? true : undefined));
});
