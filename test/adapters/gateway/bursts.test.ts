// Bursts: how long one of messages is waited for before it is answered, and how one of answers is shown.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type Harness, startHarness } from './harness.ts';
import { dm, message, room } from './scripted-channel.ts';

const other = { id: 'u2', name: 'other', isBot: false };

/** So many messages of one person in the room, the first one 60 ms before the rest: a burst is over after 100 ms of silence. */
async function burst(t: TestContext, count: number): Promise<Harness> {
  const h = await startHarness(t);
  for (let at = 1; at <= count; at += 1) {
    await h.channel.sink.accept(message(`${at}`, `line ${at}`, { address: room, addressed: 'mention' }));
    if (at === 1) await h.clock.advance(60);
  }
  return h;
}

test('a burst is waited for until it is silent, and not any more once another person has spoken (B2)', async (t) => {
  for (const [who, runs] of [
    ['the same', 0],
    ['another', 1],
  ] as const) {
    const h = await burst(t, 2);
    const more = {
      address: room,
      addressed: 'mention' as const,
      ...(who === 'another' ? { actor: other } : {}),
    };
    await h.channel.sink.accept(message('m', 'more', more));
    await h.clock.advance(50);
    assert.equal(h.engine.runs.length, runs, who);
    await h.clock.advance(100);
    assert.deepEqual(h.engine.prompts()[0]?.length, who === 'another' ? 2 : 3);
  }
});

test('a burst of twenty messages is answered without waiting for more of it (B2)', async (t) => {
  for (const [count, runs] of [
    [19, 0],
    [20, 1],
    [21, 1],
  ] as const) {
    const h = await burst(t, count);
    await h.clock.advance(50);
    assert.equal(h.engine.runs.length, runs, `${count}`);
    await h.clock.advance(100);
    assert.equal(h.engine.prompts()[0]?.length, Math.min(count, 20));
  }
});

test('of many chats whose answers grow at one moment, some are rendered in each turn of the event loop', async (t) => {
  const h = await startHarness(t);
  for (let at = 1; at <= 20; at += 1)
    await h.channel.sink.accept(message(`${at}`, 'hello', { address: { ...dm, chat: `D${at}` } }));
  await h.pass();
  const say = (text: string): void => {
    for (let run = 1; run <= 20; run += 1) h.engine.say(`run_${run}`, text);
  };
  say('one');
  await h.pass(2_000);
  const { render } = h.channel;
  const [turns, times] = [new Set<number>(), { passed: 0 }];
  h.channel.render = (markdown) => {
    turns.add(times.passed);
    setImmediate(() => {
      times.passed += 1;
    });
    return render(markdown);
  };
  say(' two');
  await h.pass(2_000);
  assert.ok(turns.size > 2, `${turns.size} turns`);
});
