// A running program reads its config again when the file changes: what may change holds at once, the rest is named, and a broken file changes nothing.
import assert from 'node:assert/strict';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { reloadOnChange } from '#app/commands/serve/reload-on-change.ts';
import { changedKeys } from '#app/config/changed-keys.ts';
import { configSchema } from '#app/config/schema.ts';
import { type Clock, systemClock } from '#base/clock.ts';
import { found } from '../support/found.ts';
import type { House } from './house.ts';
import { openModelHouse } from './model-house.ts';

const guest = { platform: 'telegram', chat: 'dm', user: 'guest' } as const;
const somewhereElse = { ...guest, platform: 'discord' } as const;
const you = { ...guest, user: 'you' } as const;
const base = {
  engine: { port: 0 },
  gateway: { debounceMs: 0, shutdownSeconds: 1 },
  log: { level: 'silent' },
  model: { name: 'any' },
};
const listed = (id: string) => ({
  channels: { telegram: { directMessages: 'allowlist', allowlist: [id], rateLimits: 'reactive' } },
});

/** Puts another file in the place of the config, as editors do. */
function save(house: House, config: object | string): void {
  const path = join(house.folder, 'parley.config.json');
  const text = typeof config === 'string' ? config : JSON.stringify({ ...base, ...config });
  writeFileSync(`${path}.new`, text);
  renameSync(`${path}.new`, path);
}

/** The program with its config watched by a clock that runs fifty times as fast, and what it prints. */
async function openWatched(t: TestContext) {
  const { house, model } = await openModelHouse(t, ['telegram', 'discord'], { ...base, ...listed('1') });
  const printed: string[] = [];
  const clock: Clock = { ...systemClock, sleep: (ms, signal) => systemClock.sleep(ms / 50, signal) };
  const watching = reloadOnChange(house.parley, { clock, print: (line) => printed.push(line) });
  t.after(() => watching[Symbol.asyncDispose]());
  const told = (words: RegExp): Promise<string> =>
    found(`${words}`, () => printed.find((line) => words.test(line)));
  return { house, model, printed, told };
}

test('a changed config changes roles, admission and limits while it runs; a broken file changes nothing', async (t) => {
  const { house, model, printed, told } = await openWatched(t);
  assert.match(await house.ask(guest, 'hello'), /add you to my list/);
  const id = house.sandbox.telegram.userID('guest');
  const open = listed(id);
  save(house, open);
  assert.equal(await told(/read again/), 'The config was read again: channels.telegram.allowlist.');
  assert.equal(await house.ask(guest, 'hello again'), 'Seen.');

  save(house, '{ "channels": ');
  assert.match(await told(/cannot be used/), /nothing is changed: .*parley\.config\.json is not valid JSON/);
  assert.equal(await house.ask(guest, 'and now?'), 'Seen.');
  save(house, { ...open, limit: { person: { messages: 1 } } });
  assert.match(
    await told(/"limit"/),
    /"limit" is not a key of the config\. The nearest known key is "limits"/,
  );
  save(house, { ...open, model: { name: 'any', provider: 'anthropic' } });
  assert.match(await told(/ANTHROPIC_API_KEY/), /nothing is changed: .*anthropic needs an API key/);
  rmSync(join(house.folder, 'parley.config.json'));
  await told(/is not there any more/);
  assert.equal(await house.ask(guest, 'still there?'), 'Seen.');

  printed.length = 0;
  save(house, {
    ...open,
    agent: { name: 'Rhyme', systemPrompt: 'Answer in verse.' },
    model: { name: 'other' },
    people: { gus: { role: 'owner', accounts: [`telegram:${id}`] } },
    engine: { port: 1 },
  });
  const [again = ''] = [await told(/read again/)];
  assert.match(again, /: agent\.name, agent\.systemPrompt, model\.name, people\.$/);
  assert.equal(await told(/next start/), 'engine.port was changed: it takes effect at the next start.');
  assert.match(await house.ask(guest, '/whoami'), /gus.*owner/s);
  assert.equal(await house.ask(guest, 'who are you?'), 'Seen.');
  const sent = JSON.stringify(model.getLastRequest()?.body);
  assert.match(sent, /"model":"other"/);
  assert.match(sent, /Answer in verse\./);

  printed.length = 0;
  save(house, { ...open, limits: { person: { messages: 1 } } });
  assert.match(await told(/read again/), /limits\.person\.messages/);
  assert.equal(await house.ask(somewhereElse, 'one'), 'Seen.');
  assert.match(await house.ask(somewhereElse, 'one more'), /reached your limit of 1 message in 24 hours/);
  assert.equal(await house.ask(you, 'owners have none'), 'Seen.', 'the sandbox keeps its own owner');
});

test('SIGHUP has it read again at once; what did not change is not reported', async (t) => {
  if (process.stdin.isTTY) return t.skip('with a terminal, SIGHUP means that it was closed');
  const printed: string[] = [];
  let reads = 0;
  const never: Clock = { ...systemClock, sleep: (_, signal) => systemClock.sleep(2 ** 30, signal) };
  const reload = async () => {
    reads += 1;
    return reads === 1
      ? { status: 'unchanged' as const }
      : { status: 'changed' as const, now: ['limits'], pendingRestart: [] };
  };
  const watching = reloadOnChange(
    { configFile: '/none', reload },
    { clock: never, print: (line) => printed.push(line) },
  );
  process.emit('SIGHUP');
  process.emit('SIGHUP');
  await found('the line', () => printed[0]);
  await watching[Symbol.asyncDispose]();
  assert.deepEqual([reads, printed], [2, ['The config was read again: limits.']]);
  assert.equal(process.listenerCount('SIGHUP'), 0);
});

test('changes are named by the keys of the table, whole lists and maps as one', () => {
  const before = configSchema.parse({
    people: { ann: ['discord:12345'] },
    model: { prices: { input: 1, output: 2 } },
  });
  const after = configSchema.parse({
    $schema: 'x',
    people: { ann: ['discord:12345', 'telegram:1'] },
    channels: { slack: { rooms: { overrides: { C1: {} } }, apiUrl: 'http://a' } },
    memory: { embedding: { provider: 'openai', model: 'm', dimensions: 8 } },
  });
  assert.deepEqual(changedKeys(before, before), []);
  assert.deepEqual(changedKeys(before, after), [
    'model.prices.input',
    'model.prices.output',
    ...['provider', 'model', 'dimensions', 'documentPrefix', 'queryPrefix'].map(
      (key) => `memory.embedding.${key}`,
    ),
    'channels.slack.rooms.overrides',
    'channels.slack.apiUrl',
    'people',
  ]);
});
