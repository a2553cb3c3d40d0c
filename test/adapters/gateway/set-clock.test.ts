// The machine's clock is set back or on by an hour: nothing in a chat waits longer or shorter for it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createIdentifyGate } from '#adapters/discord/shards/identify-gate.ts';
import { createTyping } from '#adapters/gateway/delivery/typing.ts';
import { createLimiter } from '#adapters/gateway/pace/limiter.ts';
import { createLooks } from '#adapters/gateway/readers/looks.ts';
import { createDirectory } from '#adapters/slack/rooms/directory.ts';
import { type MonotonicMs, momentIn } from '#base/clock.ts';
import { createManualClock, settle } from '../../support/manual-clock.ts';
import { quietLog } from '../../support/quiet-log.ts';
import { startHarness } from './harness.ts';
import { createScriptedChannel, dm, message, room, ScriptedFailure } from './scripted-channel.ts';
import { createScriptedEngine } from './scripted-engine.ts';

const hour = 3_600_000;
const echo = () => createScriptedEngine((texts) => texts.join(' and '));
const texts = (channel: { messages: { text: string }[] }): string[] =>
  channel.messages.map(({ text }) => text);

test('a message is answered after the wait for its burst when the clock is set back in the middle of it', async (t) => {
  const { channel, clock, pass } = await startHarness(t, { engine: echo() });
  await channel.sink.accept(message('1', 'hello'));
  clock.jump(-hour);
  await pass(2_000);
  assert.deepEqual(texts(channel), ['hello']);
});

test('what waits when the program starts is answered soon, although the clock was set back while it was down', async (t) => {
  const h = await startHarness(t, { engine: echo() });
  await h.channel.sink.accept(message('1', 'hello'));
  h.clock.jump(-hour);
  await h.restart();
  await h.pass(2_000);
  assert.deepEqual(texts(h.channel), ['hello']);
});

test('a message waits seconds for those that were missed, also when the clock is set back', async (t) => {
  const { channel, clock, engine, pass } = await startHarness(t, { engine: echo() });
  channel.sink.reportBacklog('all');
  await channel.sink.accept(message('1', 'hello'));
  await pass();
  clock.jump(-hour);
  await pass(14_000);
  assert.deepEqual(engine.prompts(), []);
  await pass(2_000);
  assert.deepEqual(engine.prompts(), [['hello']]);
});

for (const [words, ms] of [
  ['back', -hour],
  ['on', hour],
] as const) {
  test(`a rate limit lasts as long as the platform says when the clock is set ${words}`, async (t) => {
    const { channel, clock, pass } = await startHarness(t, { engine: echo() });
    channel.failing.send.push(new ScriptedFailure({ kind: 'rate_limit', retryAfterMs: 7_000 }));
    await channel.sink.accept(message('1', 'hello'));
    await pass();
    clock.jump(ms);
    await channel.sink.accept(message('2', 'there', { at: clock.now(), address: { ...dm, chat: 'D2' } }));
    await pass(6_000);
    assert.deepEqual(texts(channel), ['there']);
    await pass(2_000);
    assert.deepEqual(texts(channel), ['there', 'hello']);
  });

  test(`a bucket that headers announced opens in its time when the clock is set ${words}`, () => {
    const clock = createManualClock();
    const limiter = createLimiter({ clock, capsOf: () => ({}) });
    limiter.learn(dm.platform, { place: dm.chat, act: 'send', limit: 5, remaining: 0, resetAfterMs: 4_000 });
    clock.jump(ms);
    assert.equal(limiter.wait({ address: dm, act: 'send', urgency: 'final' }), 4_000);
  });

  test(`Discord is identified to after five seconds when the clock is set ${words}`, async () => {
    const clock = createManualClock();
    const gate = createIdentifyGate(clock);
    const { signal } = new AbortController();
    await gate.wait(1, signal); // another bucket, which nobody waits for
    await gate.wait(0, signal);
    let through = false;
    clock.jump(ms);
    const second = gate.wait(0, signal).then(() => {
      through = true;
    });
    await clock.advance(5_249);
    assert.equal(through, false);
    await clock.advance(1);
    await settle();
    assert.equal(through, true);
    await second;
  });
}

test('typing is refreshed, and ends after its longest time, when the clock is set back', async () => {
  const clock = createManualClock();
  const channel = createScriptedChannel({ caps: { typingMs: 5_000 } });
  const limiter = createLimiter({ clock, capsOf: () => channel.caps });
  const typing = createTyping({ limiter, clock, log: quietLog().log, signal: new AbortController().signal });
  const indicators = (): number => channel.calls.filter((call) => call.startsWith('presence')).length;
  typing.show(channel, dm);
  await clock.advance(1_000);
  typing.grew(dm);
  clock.jump(-hour);
  await clock.advance(20_000);
  assert.ok(indicators() >= 3, `${indicators()} indicators`);
  await clock.advance(15 * 60_000);
  const most = indicators();
  await clock.advance(10 * 60_000);
  assert.equal(indicators(), most);
});

test('a surface that fades is renewed in its time when the clock is set back, and the answer waits for nothing', async (t) => {
  const shown: string[] = [];
  let due: MonotonicMs | undefined;
  const channel = createScriptedChannel({
    live: () => ({
      renewAt: () => due,
      async update(markdown) {
        shown.push(markdown);
        due = momentIn(h.clock, 3_000);
        return 'shown';
      },
    }),
  });
  const h = await startHarness(t, { channel });
  await channel.sink.accept(message('1', 'hello'));
  await h.pass(1_000);
  h.engine.say('run_1', 'It is');
  await h.pass(2_000);
  const before = shown.length;
  h.clock.jump(-hour);
  await h.pass(10_000);
  assert.ok(before > 0 && shown.length >= before + 3, `${before} times, then ${shown.length}`);
  h.engine.complete('run_1', 'It is so.');
  await h.pass(1_000);
  assert.deepEqual(texts(channel), ['It is so.']);
});

test('who has read that a turn of others comes first reads it again after a while, also when the clock is set back', async (t) => {
  const { channel, clock, pass } = await startHarness(t);
  const notices = (): number =>
    texts(channel).filter((text) => /still working on something else/.test(text)).length;
  const waits = async (id: string): Promise<void> => {
    channel.failing.react.push(new ScriptedFailure({ kind: 'permission' }));
    await channel.sink.accept(message(id, id, { address: room, addressed: 'mention' }));
    await pass();
  };
  await channel.sink.accept(message('1', 'first', { address: room, addressed: 'mention' }));
  await pass();
  await waits('2');
  assert.equal(notices(), 1);
  clock.jump(-hour);
  await pass(10 * 60_000);
  await waits('3');
  assert.equal(notices(), 2);
});

test('who may read is looked up again in its time when the clock is set back', async () => {
  const clock = createManualClock();
  const channel = createScriptedChannel();
  let asked = 0;
  channel.rights = {
    ...channel.rights,
    async ofSpace() {
      asked += 1;
      return true;
    },
  };
  const { signal } = new AbortController();
  const looks = createLooks({ channel, clock, log: quietLog().log, signal, times: { cacheMs: 60_000 } });
  await looks.ofSpace(room, 'u1');
  clock.jump(-hour);
  await looks.ofSpace(room, 'u1');
  assert.equal(asked, 1);
  await clock.advance(60_000);
  await looks.ofSpace(room, 'u1');
  assert.equal(asked, 2);
});

test('a name on Slack is looked up again after an hour when the clock is set back', async () => {
  const clock = createManualClock();
  let name = 'Ada';
  const web = { users: { info: async () => ({ user: { name } }) } } as never; // all that names ask for
  const directory = createDirectory({ web, clock, log: quietLog().log });
  const shown = async (): Promise<string | undefined> => (await directory.names(['U1'])).get('U1');
  assert.equal(await shown(), 'Ada');
  name = 'Ida';
  clock.jump(-hour);
  await clock.advance(hour);
  assert.equal(await shown(), 'Ida');
});
