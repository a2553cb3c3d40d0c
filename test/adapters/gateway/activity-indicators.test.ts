// Reactions, the typing indicator and notices can each be turned off for a channel.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { ActivityIndicators } from '#adapters/gateway/terms/activity-indicators.ts';
import type { FailureKind } from '#adapters/gateway/terms/channel.ts';
import { type Harness, startHarness } from './harness.ts';
import { createScriptedChannel, message, room, ScriptedFailure } from './scripted-channel.ts';

/** Someone waits while someone else is answered. */
async function waiting(
  t: TestContext,
  indicators: ActivityIndicators,
  refusal: FailureKind = 'permission',
): Promise<Harness> {
  const h = await startHarness(t, { channel: createScriptedChannel({ partLimit: 4_000 }), indicators });
  h.channel.failing.react.push(new ScriptedFailure({ kind: refusal }));
  const there = { address: room, addressed: 'mention' as const };
  await h.channel.sink.accept(message('1', 'first', there));
  await h.pass(1_000);
  await h.channel.sink.accept(
    message('2', 'second', { ...there, actor: { id: 'u2', name: 'b', isBot: false } }),
  );
  await h.pass(1_000);
  return h;
}
const noticed = (h: Harness): boolean =>
  h.channel.messages.some(({ text }) => /Your message comes next/.test(text));
const typed = (h: Harness): boolean => h.channel.calls.includes('presence typing');

test('all indicators are shown unless set otherwise: typing, a reaction, and words where no reaction can be', async (t) => {
  const h = await waiting(t, { reactions: true, typing: true, notices: true });
  assert.deepEqual([typed(h), noticed(h)], [true, true]);
});

test('words take the place of a reaction that the bot may not make, and of none that fails for now', async (t) => {
  for (const [kind, words] of [
    ['permission', true],
    ['invalid', true],
    ['transient', false],
    ['rate_limit', false],
  ] as const)
    assert.equal(
      noticed(await waiting(t, { reactions: true, typing: true, notices: true }, kind)),
      words,
      kind,
    );
});

test('typing that is off is never called', async (t) => {
  const h = await waiting(t, { reactions: true, typing: false, notices: true });
  assert.deepEqual([typed(h), noticed(h)], [false, true]);
});

test('without notices a refused reaction is left at that', async (t) => {
  const h = await waiting(t, { reactions: true, typing: true, notices: false });
  assert.equal(noticed(h), false);
});

test('without reactions words are sent; without both nothing is', async (t) => {
  const words = await waiting(t, { reactions: false, typing: true, notices: true });
  assert.equal(noticed(words), true);
  assert.equal(words.channel.failing.react.length, 1, 'no reaction was tried');
  const silent = await waiting(t, { reactions: false, typing: false, notices: false });
  assert.deepEqual([noticed(silent), typed(silent), silent.channel.failing.react.length], [false, false, 1]);
});
