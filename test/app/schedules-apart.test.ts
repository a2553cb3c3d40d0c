// Reminders and webhooks with engine and channels in two processes, over a kill of each of them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HookMade } from '#engine/wire/schedules/hook.ts';
import type { Schedule } from '#engine/wire/schedules/schedule.ts';
import { freePort } from '../../bench/harness/free-port.ts';
import { found } from '../support/found.ts';
import type { Talk } from './house.ts';
import { openStage } from './stage.ts';

// Discord knows a message that it is sent twice, so nothing may come twice there
const dm: Talk = { platform: 'discord', chat: 'dm', user: 'you' };

test('reminders and webhooks are sent once where engine and channels are two processes, over a kill of each (S18)', async (t) => {
  const port = await freePort();
  const stage = await openStage(t, {
    platforms: ['discord'],
    configure: (config) => ({
      ...config,
      engine: { ...config.engine, port },
      gateway: { ...config.gateway, port: 0 },
    }),
  });
  const url = `http://127.0.0.1:${port}`;
  const sent = (words: string): number =>
    stage.answers(dm).filter((text) => /^(?:⏰|📨)/u.test(text) && text.includes(words)).length;
  const arrived = (words: string) => found(words, () => (sent(words) > 0 ? true : undefined));
  const openChannels = async () => {
    const channels = stage.run('channels', '--engine', url);
    await channels.connected('discord', 'engine');
    return channels;
  };
  /** Sets and confirms it; the address of its chat. */
  const remind = async (words: string): Promise<string> => {
    const before = stage.answers(dm).length;
    await stage.say(dm, `/remind in 8 seconds ${words}`);
    await stage.answered(dm, new RegExp(`remind you on .*${words}`, 's'));
    await stage.say(dm, '/remind yes');
    await found('the confirmation', () =>
      stage
        .answers(dm)
        .slice(before)
        .some((text) => /It is set/.test(text))
        ? true
        : undefined,
    );
    const listed = (await engine.get('/schedule')) as Schedule[];
    return listed.find(({ text }) => text === words)?.chat ?? '';
  };

  let engine = stage.run('engine');
  let channels = await openChannels();
  const chat = await remind('water');
  const { secret } = (await (
    await engine.send('POST', '/hooks', { name: 'builds', chat })
  ).json()) as HookMade;
  const hook = async (body: string): Promise<number> => {
    const headers = { authorization: `Bearer ${secret}`, 'idempotency-key': body };
    const { status } = await fetch(`${url}/hook/builds`, { method: 'POST', headers, body });
    return status;
  };

  // the channels are killed: what is due in the meantime waits for them
  channels.signal('SIGKILL');
  await channels.ended;
  assert.equal(await hook('build one'), 202);
  await found('the firing of the reminder', async () => {
    const listed = (await engine.get('/schedule')) as Schedule[];
    return listed.some(({ text, fired_at_ms: at }) => text === 'water' && at !== null) ? true : undefined;
  });
  channels = await openChannels();
  await arrived('water');
  await arrived('build one');

  // they are killed at once after a burst: some of it is taken, some sent, some neither
  const burst = ['build two', 'build three', 'build four', 'build five'];
  for (const body of burst) assert.equal(await hook(body), 202);
  channels.signal('SIGKILL');
  await channels.ended;
  channels = await openChannels();
  for (const body of burst) await arrived(body);

  // the engine is killed: what was due in the meantime is due when it runs again
  await remind('plants');
  const firedBy = Date.now() + 8_000;
  assert.equal(await hook('build six'), 202);
  engine.signal('SIGKILL');
  await engine.ended;
  await found('the time of the reminder', () => (Date.now() > firedBy ? true : undefined));
  engine = stage.run('engine');
  await arrived('plants');
  await arrived('build six');
  assert.equal(await hook('build six'), 202, 'a repeat is taken as one');
  assert.equal(await hook('build seven'), 202);
  await arrived('build seven');

  channels.signal('SIGTERM');
  assert.equal(await channels.ended, 0, channels.said());
  engine.signal('SIGTERM');
  assert.equal(await engine.ended, 0, engine.said());
  const once = ['water', 'plants', 'build one', ...burst, 'build six', 'build seven'];
  assert.deepEqual(
    once.map((words) => [words, sent(words)]),
    once.map((words) => [words, 1]),
  );
});
