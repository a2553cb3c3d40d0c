// The sign of work over each real client library, on a clock that the test moves: there within a second, in every kind of chat.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { platforms, stageOn } from './platforms.ts';

for (const platform of platforms)
  for (const chat of ['dm', 'room'] as const)
    test(`${platform.name}: in a ${chat} a person sees within a second that the bot is active, and after the answer not any more`, async (t) => {
      const { sandbox, engine, clock, until, pass } = await stageOn(t, platform, chat);
      const saidAt = clock.now();
      await sandbox.say({ chat, user: 'you', text: 'hello', mention: chat !== 'dm' });
      await until('the sign', () => sandbox.typing(chat, 'you'));
      assert.ok(clock.now() - saidAt <= 1_000, `${clock.now() - saidAt} ms`);
      await pass(10_000);
      assert.ok(sandbox.typing(chat, 'you'), 'as long as it works');
      engine.complete('run_1', 'Done.');
      await until('the answer', () => engine.deliveries.length > 0);
      await until('no sign', () => !sandbox.typing(chat, 'you'));
    });
