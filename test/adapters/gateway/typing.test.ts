// The sign that the bot is at work: there while it works, gone with the answer, never longer than its bound.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTyping } from '#adapters/gateway/delivery/typing.ts';
import { createLimiter } from '#adapters/gateway/pace/limiter.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { quietLog } from '../../support/quiet-log.ts';
import { startHarness } from './harness.ts';
import { createScriptedChannel, dm, message, room, ScriptedFailure } from './scripted-channel.ts';

const indicators = (channel: { calls: string[] }): string[] =>
  channel.calls.filter((call) => call.startsWith('presence')).map((call) => call.slice('presence '.length));

/** Typing over a scripted channel, without the rest of the gateway. */
function make() {
  const clock = createManualClock();
  const ended = new AbortController();
  const channel = createScriptedChannel({ caps: { typingMs: 5_000 } });
  const limiter = createLimiter({ clock, capsOf: () => channel.caps });
  const typing = createTyping({ limiter, clock, log: quietLog().log, signal: ended.signal });
  return { clock, channel, limiter, typing, ended };
}

test('typing is refreshed while working, before it fades, and never sent after the answer was handed over (I1, TV)', async (t) => {
  const { channel, engine, pass, lines } = await startHarness(t);
  await channel.sink.accept(message('1', 'hello'));
  await pass(20_000);
  assert.equal(indicators(channel).length, 5, 'every four of its five seconds');
  engine.complete('run_1', 'done');
  await pass();
  await pass(60_000);
  assert.deepEqual(channel.calls.slice(channel.calls.indexOf('send done')), ['send done']);
  assert.doesNotMatch(lines.join('\n'), /typing indicator/, 'an end in good order is no problem');
});

test('an answer that grows is its own sign, so that none outlives it; where it stands still, typing is shown again (I1, TV)', async (t) => {
  const { channel, engine, pass } = await startHarness(t);
  await channel.sink.accept(message('1', 'hello'));
  await pass(1_000);
  engine.say('run_1', 'It');
  for (let second = 0; second < 20; second += 1) {
    engine.say('run_1', ' grows');
    await pass(1_000);
  }
  assert.deepEqual(indicators(channel), ['typing'], 'not since the preview stands');
  await pass(6_000);
  assert.deepEqual(indicators(channel), ['typing', 'typing'], 'the model thinks, or uses a tool');
  engine.say('run_1', ' on');
  await pass(20_000);
  assert.equal(indicators(channel).length, 6, 'refreshed every four of its five seconds');
  engine.say('run_1', ' to the end');
  await pass(4_000);
  engine.complete('run_1', 'It grew.');
  await pass(60_000);
  assert.deepEqual(indicators(channel).slice(6), ['idle']);
});

test('a run that never ends does not type for ever (I1)', async () => {
  const { clock, channel, typing } = make();
  typing.show(channel, dm);
  await clock.advance(15 * 60_000);
  const until = indicators(channel).length;
  assert.ok(until >= 225);
  await clock.advance(60 * 60_000);
  assert.equal(indicators(channel).length, until);
});

test('a sign that hangs holds no answer waiting, and when it arrives late it is taken down again (I1)', async () => {
  const { clock, channel, typing } = make();
  const hung = Promise.withResolvers<void>();
  const { presence } = channel;
  channel.presence = async (address, state) => {
    await presence(address, state);
    if (state === 'typing') await hung.promise;
  };
  const work = typing.show(channel, dm);
  await clock.advance(200);
  let stopped = false;
  void work.stop().then(() => {
    stopped = true;
  });
  await clock.advance(1_000);
  assert.equal(stopped, true);
  assert.deepEqual(indicators(channel), ['typing', 'idle']);
  hung.resolve();
  await clock.advance(60_000);
  assert.deepEqual(indicators(channel), ['typing', 'idle', 'idle']);
});

test('two works in one place share a sign, which stays until both have ended (I1)', async () => {
  const { clock, channel, typing } = make();
  const one = typing.show(channel, dm);
  const other = typing.show(channel, dm);
  await clock.advance(5_000);
  assert.equal(indicators(channel).length, 2);
  await one.stop();
  await one.stop();
  await clock.advance(5_000);
  assert.deepEqual(indicators(channel), ['typing', 'typing', 'typing']);
  await other.stop();
  await clock.advance(60_000);
  assert.deepEqual(indicators(channel).slice(3), ['idle']);
});

test('work that is over within 200 ms shows no sign and takes none down, and its answer waits for nothing (I1)', async () => {
  const { clock, channel, typing } = make();
  const work = typing.show(channel, dm);
  await clock.advance(199);
  await work.stop();
  await clock.advance(60_000);
  assert.deepEqual(indicators(channel), []);
  const longer = typing.show(channel, dm);
  await clock.advance(200);
  assert.deepEqual(indicators(channel), ['typing']);
  await longer.stop();
});

test('the sign is taken down when the run is done, fails or is stopped (I2)', async (t) => {
  for (const end of ['done', 'failed', 'stopped'] as const) {
    const { channel, engine, pass } = await startHarness(t);
    await channel.sink.accept(message('1', 'hello'));
    await pass(5_000);
    assert.equal(indicators(channel).at(-1), 'typing');
    if (end === 'done') engine.complete('run_1', 'done');
    else if (end === 'failed') engine.fail('run_1', 'The model cannot be reached.');
    else await channel.sink.accept(message('2', '/stop'));
    await pass();
    await pass(60_000);
    assert.equal(indicators(channel).at(-1), 'idle', end);
  }
});

test('after a killed process the sign is shown for the run that is begun again, and taken down with its answer (I2)', async (t) => {
  const { channel, engine, pass, kill } = await startHarness(t);
  await channel.sink.accept(message('1', 'hello'));
  await pass(5_000);
  await kill();
  const before = indicators(channel).length;
  await pass(5_000);
  assert.equal(indicators(channel)[before], 'typing');
  engine.complete('run_2', 'done');
  await pass();
  await pass(60_000);
  assert.equal(indicators(channel).at(-1), 'idle');
});

test('threads of one room have separate indicators (I2)', async () => {
  const { clock, channel, typing } = make();
  const told: string[] = [];
  channel.presence = async ({ thread }, state) => void told.push(`${thread} ${state}`);
  const one = typing.show(channel, { ...room, thread: 'one' });
  typing.show(channel, { ...room, thread: 'two' });
  await clock.advance(200);
  await one.stop();
  assert.deepEqual(told, ['one typing', 'two typing', 'one idle']);
  await clock.advance(4_000);
  assert.deepEqual(told.slice(3), ['two typing']);
});

test('inside a rate limit the sign is taken down as soon as that is over, unless there is work again (I2)', async () => {
  for (const next of ['nothing', 'work'] as const) {
    const { clock, channel, typing } = make();
    const work = typing.show(channel, dm);
    await clock.advance(200);
    channel.failing.presence.push(new ScriptedFailure({ kind: 'rate_limit', retryAfterMs: 30_000 }));
    await clock.advance(5_000);
    await work.stop();
    assert.deepEqual(indicators(channel), ['typing', 'typing'], 'no call inside the limit');
    if (next === 'work') typing.show(channel, dm);
    await clock.advance(31_000);
    assert.equal(indicators(channel).includes('idle'), next === 'nothing');
  }
});

test('a sign whose taking down is refused for a while is taken down when that is over (I2)', async () => {
  const { clock, channel, typing } = make();
  const work = typing.show(channel, dm);
  await clock.advance(1_000);
  channel.failing.presence.push(new ScriptedFailure({ kind: 'rate_limit', retryAfterMs: 7_000 }));
  await work.stop();
  assert.deepEqual(indicators(channel), ['typing', 'idle']);
  await clock.advance(7_000);
  assert.deepEqual(indicators(channel), ['typing', 'idle', 'idle']);
});

test('what is posted in the meantime takes the sign down, so it is set again, and at least every 90 s (I3)', async (t) => {
  const channel = createScriptedChannel({ caps: { typingMs: 90_000 } });
  const { engine, pass, clock } = await startHarness(t, { channel });
  await channel.sink.accept(message('1', 'hello'));
  await pass(500);
  assert.deepEqual(channel.calls, ['presence typing']);
  engine.say('run_1', 'half');
  await pass(1_000);
  assert.deepEqual(channel.calls.slice(1), ['send half'], 'what has just grown says as much');
  await pass(5_000);
  assert.deepEqual(channel.calls.slice(2), ['presence typing'], 'after a preview that stands still');
  await channel.sink.accept(message('2', '/help'));
  await pass();
  assert.equal(channel.calls.at(-1), 'presence typing', 'after the answer to a command');
  let last = clock.now();
  for (let tick = 0; tick < 600; tick += 1) {
    const before = indicators(channel).length;
    await pass(1_000);
    if (indicators(channel).length === before) continue;
    assert.ok(clock.now() - last <= 90_000, `${clock.now() - last} ms without a refresh`);
    last = clock.now();
  }
  assert.ok(clock.now() - last <= 90_000);
});

test('a sign gives way to answers: what it may not spend is left to them, and its failures concern nobody', async () => {
  const { clock, channel, typing, limiter } = make();
  channel.caps.pace = [{ acts: ['typing', 'send'], per: 'chat', calls: 5, perMs: 60_000 }];
  for (let call = 0; call < 3; call += 1) limiter.tryTake({ address: dm, act: 'send', urgency: 'final' });
  const work = typing.show(channel, dm);
  await clock.advance(30_000);
  assert.deepEqual(indicators(channel), []);
  channel.failing.presence.push(
    new ScriptedFailure({ kind: 'permission' }),
    new ScriptedFailure({ kind: 'gone' }),
  );
  await clock.advance(60_000);
  assert.ok(indicators(channel).length >= 2);
  await work.stop();
});
