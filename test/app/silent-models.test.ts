// Models that do not answer in time: what the person reads, and what the operator sees; from a platform's event to what is shown.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { overview } from '#engine/wire/operator/overview.ts';
import type { RawCall } from '../engine/support/raw-provider.ts';
import { openScriptedHouse } from './model-house.ts';

const platforms = ['discord', 'telegram', 'slack'] as const;
const limits = { connectSeconds: 1, firstTokenSeconds: 1, idleSeconds: 1 };

for (const [words, answer, said, model, setting] of [
  [
    'takes no request',
    () => {},
    /My model did not begin to answer within 1 second\. Please try again in a minute; if it stays like this/,
    { ...limits, firstTokenSeconds: 5 },
    'model.connectSeconds',
  ],
  [
    'takes the request and does not begin',
    (call: RawCall) => call.open(),
    /My model did not begin to answer within 1 second\. Please try again in a minute; if it stays like this/,
    { ...limits, connectSeconds: 5 },
    'model.firstTokenSeconds',
  ],
  [
    'goes silent in the middle',
    (call: RawCall) => call.say('The heron\n\n'),
    /The heron[\s\S]*My model went silent in the middle of this answer: nothing came for 1 second\. Please send that again/,
    limits,
    undefined,
  ],
] as const)
  test(`of a model that ${words} the chat says so and what to do, on every platform, and the status names the limit of what was not begun`, async (t) => {
    const { house } = await openScriptedHouse(t, answer, { config: { model } });
    for (const platform of platforms) {
      const shown = await house.ask({ platform, chat: 'dm', user: 'you' }, 'hello');
      assert.match(shown, said, platform);
      assert.doesNotMatch(shown, /ask for less/, platform);
    }
    const token = readFileSync(join(house.folder, '.parley', 'token'), 'utf8').trim();
    const headers = { authorization: `Bearer ${token}` };
    const { problems } = overview.parse(
      await (await fetch(`${house.parley.url}/status`, { headers })).json(),
    );
    if (setting === undefined) assert.deepEqual(problems, []);
    else assert.ok(problems[0]?.hint?.includes(`${setting} lets it take longer`), problems[0]?.hint ?? '');
    const runs = await (await fetch(`${house.parley.url}/runs`, { headers })).text();
    assert.match(runs, /"code":"ENGINE_TIMEOUT","message":"The model [^"]+ 1 second/);
  });
