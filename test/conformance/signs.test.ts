// The sign of work over each real client library, on a clock that the test moves: there within a second, in every kind of chat.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ogg } from '../adapters/uploads/samples.ts';
import { platforms, stageOn } from './platforms.ts';

for (const platform of platforms)
  for (const chat of ['dm', 'room'] as const)
    test(`${platform.name}: in a ${chat} a person sees within a second that the bot is active, and after the answer not any more`, async (t) => {
      const { sandbox, engine, clock, until, pass } = await stageOn(t, platform, chat);
      const writtenAt = clock.now();
      await sandbox.say({ chat, user: 'you', text: 'hello', mention: chat !== 'dm' });
      await until('the sign', () => sandbox.typing(chat, 'you'));
      assert.ok(clock.now() - writtenAt <= 1_000, `${clock.now() - writtenAt} ms`);
      await pass(10_000);
      assert.ok(sandbox.typing(chat, 'you'), 'as long as it works');
      engine.complete('run_1', 'Done.');
      await until('the answer', () => engine.deliveries.length > 0);
      await until('no sign', () => !sandbox.typing(chat, 'you'));
    });

for (const platform of platforms)
  test(`${platform.name}: while a long voice message is transcribed a person sees that the bot is active, all the time, and then the answer`, async (t) => {
    const written = Promise.withResolvers<string>();
    t.after(() => written.resolve(''));
    const { sandbox, engine, until, pass, answers } = await stageOn(t, platform, 'dm');
    engine.transcribe = async () => ({ status: 'done', text: await written.promise });
    const files = [{ name: 'voice.ogg', mime: 'audio/ogg', bytes: ogg, voice: true as const }];
    await sandbox.say({ chat: 'dm', user: 'you', text: '', files });
    await until('the sign', () => sandbox.typing('dm', 'you'));
    let missing = 0;
    for (let second = 1; second <= 150; second += 1) {
      await pass(1_000);
      // a notice after a minute takes the sign down for a moment
      missing = sandbox.typing('dm', 'you') ? 0 : missing + 1;
      assert.ok(missing <= 2, `${missing} seconds without it, after ${second} seconds`);
    }
    assert.equal(engine.runs.length, 0, 'it is still transcribed');
    written.resolve('The heron lands at nine.');
    await until('a run', () => engine.runs.length > 0);
    assert.match(JSON.stringify(engine.runs[0]?.body.parts), /The heron lands at nine\./);
    engine.complete('run_1', 'At nine, then.');
    await until('the answer', () => answers().some(({ text }) => text.includes('At nine, then.')));
    await until('no sign', () => !sandbox.typing('dm', 'you'));
  });
