// Where an answer says what it answers, over each real client library: only on its first message.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { platforms, stageOn } from './platforms.ts';

for (const platform of platforms.filter(({ name }) => name !== 'slack'))
  for (const how of ['whole', 'streamed'] as const)
    test(`${platform.name}: of an answer in several messages, ${how}, only the first is a reply`, async (t) => {
      const { engine, ask, until, answers } = await stageOn(t, platform, 'room');
      const run = await ask('tell me');
      const text = 'All work and no play makes a dull sentence. '.repeat(200);
      if (how === 'streamed') {
        engine.say(run, text.slice(0, 5_000));
        await until('a second message', () => answers().length > 1);
      }
      engine.complete(run, text);
      await until('the answer', () => engine.deliveries.length > 0);
      const [first, ...others] = answers();
      assert.ok(others.length >= 2);
      assert.notEqual(first?.replyTo, undefined);
      assert.deepEqual(
        others.map(({ replyTo }) => replyTo),
        others.map(() => undefined),
      );
    });
