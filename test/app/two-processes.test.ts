// Engine and channels as an operator runs them in two processes, and each of them killed in the middle of a run.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { freePort } from '../../bench/harness/free-port.ts';
import { type RawCall, startRaw } from '../engine/support/raw-provider.ts';
import { found } from '../support/found.ts';
import type { Talk } from './house.ts';
import { openStage } from './stage.ts';

const dm: Talk = { platform: 'telegram', chat: 'dm', user: 'you' };

const lastOf = ({ body }: RawCall): string => JSON.stringify(body.messages.at(-1));

function answer(call: RawCall, text: string): void {
  call.say(text);
  call.finish();
}

test('engine and channels each killed in the middle of a run: every message has one answer, a model is asked again only when its engine died, and all is remembered once (A1)', async (t) => {
  const model = await startRaw(t);
  const port = await freePort();
  const channelSet = await openStage(t, {
    platforms: ['telegram'],
    variables: { OPENAI_BASE_URL: model.settings.baseUrl },
    configure: (config) => ({
      ...config,
      model: { ...config.model, name: 'm' },
      engine: { ...config.engine, port },
      gateway: { ...config.gateway, port: 0 },
    }),
  });
  const { telegram } = channelSet.sandbox;
  const draft = (text: string) =>
    found(`the draft "${text}"`, () => (telegram.draft?.('dm', 'you')?.text === text ? true : undefined));
  const firstChannels = channelSet.run('channels', '--engine', `http://127.0.0.1:${port}`);
  const firstEngine = channelSet.run('engine');
  await firstChannels.connected('telegram', 'engine');

  await channelSet.say(dm, 'one');
  (await model.next()).say('Half of an answer,');
  await draft('Half of an answer,');
  firstEngine.signal('SIGKILL');
  assert.equal(await firstEngine.ended, 'SIGKILL');
  await channelSet.say(dm, 'two');
  const secondEngine = channelSet.run('engine');
  const again = await model.next();
  assert.match(lastOf(again), /one/);
  again.say('To one,');
  await draft('To one,');
  answer(again, ' at last.');
  await channelSet.answered(dm, /^To one, at last\.$/);
  const second = await model.next();
  assert.match(lastOf(second), /two/);
  answer(second, 'To two.');
  await channelSet.answered(dm, /^To two\.$/);
  assert.match(
    firstChannels.said(),
    /engine +The engine at .* What is written until then is saved, and answered afterwards\./,
  );

  await channelSet.say(dm, 'three');
  const third = await model.next();
  third.say('To three,');
  await draft('To three,');
  firstChannels.signal('SIGKILL');
  assert.equal(await firstChannels.ended, 'SIGKILL');
  const secondChannels = channelSet.run('channels');
  await secondChannels.connected('telegram', 'engine');
  third.say(' not forgotten,');
  await draft('To three, not forgotten,');
  answer(third, ' after all.');
  await channelSet.answered(dm, /^To three, not forgotten, after all\.$/);

  await channelSet.say(dm, 'four');
  const fourth = await model.next();
  assert.match(lastOf(fourth), /four/, 'nobody was asked for "three" again');
  answer(fourth, 'To four.');
  await channelSet.answered(dm, /^To four\.$/);
  secondChannels.signal('SIGTERM');
  assert.equal(await secondChannels.ended, 0, secondChannels.said());
  secondEngine.signal('SIGTERM');
  assert.equal(await secondEngine.ended, 0, secondEngine.said());
  assert.deepEqual(channelSet.answers(dm), [
    'To one, at last.',
    'To two.',
    'To three, not forgotten, after all.',
    'To four.',
  ]);
  const memory = new Database(join(channelSet.home, 'memory.sqlite'), { readonly: true });
  t.after(() => memory.close());
  const saved = memory
    .prepare('SELECT run_id, count(*) AS n FROM global_memory_chunks GROUP BY run_id')
    .all();
  assert.deepEqual(
    saved.map((row) => Object(row).n),
    [1, 1, 1, 1],
  );
});
