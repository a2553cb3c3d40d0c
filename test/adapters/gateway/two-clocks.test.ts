// The engine's process or a platform has another clock than the gateway's, or the gateway's was set: what people answer counts all the same.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { ParleyError } from '#base/errors.ts';
import { type Harness, startHarness } from './harness.ts';
import { createScriptedChannel, dm, message } from './scripted-channel.ts';

const hour = 3_600_000;
const apart = [
  ['ahead', hour],
  ['behind', -hour],
] as const;
const you = { id: 'u1', name: 'you', isBot: false };

const texts = (h: Harness): string[] => h.channel.messages.map(({ text }) => text);
const shown = (h: Harness, words: RegExp): Promise<string> =>
  h.seen(String(words), () => texts(h).find((text) => words.test(text)));

/** A run that is active, of an engine whose clock is so far ahead. */
async function start(t: TestContext, clockAheadMs = 0): Promise<Harness> {
  const h = await startHarness(t, { channel: createScriptedChannel({ partLimit: 4_000, buttons: true }) });
  h.engine.clockAheadMs = clockAheadMs;
  await h.channel.sink.accept(message('1', 'look it up'));
  await h.pass();
  return h;
}

const say = async (h: Harness, id: string, text: string): Promise<void> => {
  await h.channel.sink.accept(message(id, text, { at: h.clock.now() }));
  await h.pass();
};

async function press(h: Harness, label: string): Promise<string | undefined> {
  const text = await shown(h, /May I use/);
  const choice = [...text.matchAll(/\[(.+)\|(.+)\]/g)].find(([, one]) => one === label)?.[2] ?? '';
  let told: string | undefined;
  const settle = (words: string | undefined): void => {
    told = words;
  };
  await h.channel.sink.accept({
    type: 'choice',
    nativeID: 'p1',
    at: 0,
    choice,
    settle,
    actor: you,
    address: dm,
  });
  await h.pass();
  return told;
}

for (const [words, ms] of apart) {
  test(`approval is given by a button when the engine's clock is an hour ${words}`, async (t) => {
    const h = await start(t, ms);
    h.engine.askLeave('run_1', 'req_1');
    assert.match(await shown(h, /May I use/), /within 15 minutes/);
    assert.equal(await press(h, 'yes, this once'), undefined);
    assert.deepEqual(h.engine.replies, [{ id: 'req_1', reply: 'once', by: 'you' }]);
  });

  test(`approval is given by a number when the engine's clock is an hour ${words}`, async (t) => {
    const h = await start(t, ms);
    h.engine.askLeave('run_1', 'req_1');
    await shown(h, /May I use/);
    await h.channel.sink.accept(message('2', '1', { at: h.clock.now() - 10 * 60_000 }));
    await h.pass();
    assert.deepEqual(h.engine.replies, [], 'what was written before is no answer');
    await say(h, '3', '1');
    assert.deepEqual(h.engine.replies, [{ id: 'req_1', reply: 'once', by: 'you' }]);
  });

  test(`a typed answer to a question is taken when the engine's clock is an hour ${words}`, async (t) => {
    const h = await start(t, ms);
    h.engine.askQuestions('run_1', 'req_1', [{ question: 'Which day?' }]);
    assert.match(await shown(h, /Which day/), /within 15 minutes/);
    await say(h, '2', 'Monday');
    assert.deepEqual(h.engine.replies, [{ id: 'req_1', reply: ['Monday'], by: 'you' }]);
    assert.equal(h.engine.runs.length, 1, 'it is no message to the assistant');
  });

  test(`what is no longer needed is not said to have expired, nor the other way, when the engine's clock is an hour ${words}`, async (t) => {
    for (const [laterMs, end] of [
      [0, /no longer needed/],
      [16 * 60_000, /expired, because no one answered in time/],
    ] as const) {
      const h = await start(t, ms);
      h.engine.askLeave('run_1', 'req_1');
      await shown(h, /May I use/);
      await h.pass(laterMs);
      h.engine.replyPermission = async () => {
        throw new ParleyError('request_settled', 'It is over.');
      };
      await say(h, '2', '1');
      await shown(h, end);
    }
  });
}

test("typed answers are taken when the gateway's clock is set back after the question", async (t) => {
  const h = await start(t);
  h.engine.askQuestions('run_1', 'req_1', [{ question: 'Which day?' }]);
  await shown(h, /Which day/);
  h.clock.jump(-hour);
  await say(h, '2', 'Monday');
  assert.deepEqual(h.engine.replies, [{ id: 'req_1', reply: ['Monday'], by: 'you' }]);
});

test("approval is given by a button when the gateway's clock is set on after the question", async (t) => {
  const h = await start(t);
  h.engine.askLeave('run_1', 'req_1');
  await shown(h, /May I use/);
  h.clock.jump(hour);
  assert.equal(await press(h, 'yes, this once'), undefined);
  assert.deepEqual(h.engine.replies, [{ id: 'req_1', reply: 'once', by: 'you' }]);
});

/** A gateway whose clock is so far ahead of its platform's, which says its own time. */
async function besidePlatform(t: TestContext, aheadMs: number): Promise<Harness & { said(): number }> {
  const h = await startHarness(t, { channel: createScriptedChannel({ partLimit: 4_000, buttons: true }) });
  const said = (): number => h.clock.now() - aheadMs;
  h.channel.now = said;
  return { ...h, said };
}

for (const [words, ms] of apart) {
  test(`a message is late by its platform's clock when ours is an hour ${words} of it`, async (t) => {
    const h = await besidePlatform(t, ms);
    await h.channel.sink.accept(message('1', 'hello', { at: h.said() }));
    await h.pass();
    h.engine.complete('run_1', 'hi');
    await h.pass();
    await h.channel.sink.accept(message('2', 'are you there?', { at: h.said() - 10 * 60_000 }));
    await h.pass();
    h.engine.complete('run_2', 'yes');
    await h.pass();
    assert.deepEqual(
      texts(h).map((text) => /only reached me now/.test(text)),
      [false, true],
    );
    assert.match(h.engine.prompts()[1]?.join() ?? '', /received late/);
  });

  test(`a typed answer to a question is taken when the platform's clock is an hour ${words === 'ahead' ? 'behind' : 'ahead of'} ours`, async (t) => {
    const h = await besidePlatform(t, ms);
    await h.channel.sink.accept(message('1', 'look it up', { at: h.said() }));
    await h.pass();
    h.engine.askQuestions('run_1', 'req_1', [{ question: 'Which day?' }]);
    await shown(h, /Which day/);
    await h.channel.sink.accept(message('2', 'Sunday', { at: h.said() - 10 * 60_000 }));
    await h.pass();
    assert.deepEqual(h.engine.replies, [], 'what was written before is no answer');
    await h.channel.sink.accept(message('3', 'Monday', { at: h.said() }));
    await h.pass();
    assert.deepEqual(h.engine.replies, [{ id: 'req_1', reply: ['Monday'], by: 'you' }]);
  });
}
