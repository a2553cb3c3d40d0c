// A half message that is no part of the answer is taken down: later where the platform is busy, after a kill too, and not for ever.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { ChannelFailure, FailureKind } from '#adapters/gateway/terms/channel.ts';
import { type Harness, startHarness } from './harness.ts';
import { message, ScriptedFailure } from './scripted-channel.ts';

const texts = (h: Harness): string[] => h.channel.messages.map(({ text }) => text);
const removals = (h: Harness): number => h.channel.calls.filter((call) => call.startsWith('remove ')).length;

/** There is half a message that cannot become the answer, and these failures meet the attempts to remove it. */
async function halfLeft(
  t: TestContext,
  failures: readonly (Partial<ChannelFailure> & { kind: FailureKind })[],
): Promise<Harness> {
  const h = await startHarness(t);
  await h.channel.sink.accept(message('1', 'hello'));
  await h.pass();
  h.engine.say('run_1', 'half');
  await h.pass(2_000);
  h.channel.failing.edit.push(new ScriptedFailure({ kind: 'permission' }));
  for (const failure of failures) h.channel.failing.remove.push(new ScriptedFailure(failure));
  h.engine.complete('run_1', 'whole');
  await h.pass(100);
  assert.deepEqual(texts(h), failures.length === 0 ? ['whole'] : ['half', 'whole']);
  return h;
}

test('a removal that fails for now is tried again after a wait, each time longer, and not before', async (t) => {
  const transient = { kind: 'transient' } as const;
  const h = await halfLeft(t, [transient, transient, transient]);
  assert.equal(removals(h), 1);
  await h.pass(10_000);
  assert.equal(removals(h), 4);
  assert.deepEqual(texts(h), ['whole']);
});

test('a removal waits for as long as the platform says', async (t) => {
  for (const kind of ['transient', 'rate_limit'] as const) {
    const h = await halfLeft(t, [{ kind, retryAfterMs: 20_000 }]);
    await h.pass(19_000);
    assert.equal(removals(h), 1, kind);
    await h.pass(2_000);
    assert.deepEqual([removals(h), texts(h)], [2, ['whole']], kind);
  }
});

test('a message that is never removed is tried six times and left, and the next answer comes as always', async (t) => {
  const h = await halfLeft(
    t,
    Array.from({ length: 20 }, () => ({ kind: 'transient' as const })),
  );
  await h.pass(10 * 60_000);
  assert.deepEqual([removals(h), texts(h)], [6, ['half', 'whole']]);
  assert.equal(h.engine.deliveries.length, 1);
  await h.channel.sink.accept(message('2', 'and now?', { at: h.clock.now() }));
  await h.pass();
  h.engine.complete('run_2', 'next');
  await h.pass(10 * 60_000);
  assert.deepEqual([removals(h), texts(h)], [6, ['half', 'whole', 'next']]);
});

test('a message that is gone already is not asked for again, also after a restart', async (t) => {
  const h = await halfLeft(t, [{ kind: 'gone' }]);
  await h.pass(60_000);
  await h.restart();
  await h.pass(60_000);
  assert.equal(removals(h), 1);
});

test('a kill before the half was removed leaves it to the next start', async (t) => {
  const h = await halfLeft(t, [{ kind: 'transient' }, { kind: 'transient' }]);
  await h.kill();
  h.channel.failing.remove.length = 0;
  await h.pass(60_000);
  assert.deepEqual(texts(h), ['whole']);
  assert.equal(h.engine.deliveries.length, 1);
  assert.equal(h.engine.runs.length, 1);
});
