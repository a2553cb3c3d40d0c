// Reactions that come before the gateway has the platform's answer to the call that posted what was reacted to.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type Harness, startHarness } from '../harness.ts';
import { dm, message } from '../scripted-channel.ts';

/** A gateway whose platform carries out calls of this kind at once, and answers them when `answer` is called. */
async function slowToAnswer(t: TestContext, call: 'send' | 'edit') {
  const h = await startHarness(t);
  let answer = (): void => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const carryOut = h.channel[call].bind(h.channel) as (...args: unknown[]) => Promise<unknown>;
  Object.assign(h.channel, {
    async [call](...args: unknown[]) {
      const outcome = await carryOut(...args);
      await answered;
      return outcome;
    },
  });
  await h.channel.sink.accept(message('1', 'hello'));
  await h.pass();
  return { h, answer };
}

/** Someone reacts; the outcome is there once it is known. */
function react({ channel, clock }: Harness, nativeID: string, emoji: string): { outcome?: string } {
  const reacted: { outcome?: string } = {};
  const actor = { id: 'u1', name: 'you', isBot: false };
  const event = { type: 'reaction', address: dm, nativeID, at: clock.now(), actor } as const;
  void channel.sink.accept({ ...event, added: [emoji], removed: [] }).then((outcome) => {
    reacted.outcome = outcome;
  });
  return reacted;
}

test('a reaction that stops reaches the answer whose first message the platform has shown and not answered for yet', async (t) => {
  const { h, answer } = await slowToAnswer(t, 'send');
  h.engine.say('run_1', 'It begins');
  const shown = await h.seen('the preview', () => h.channel.messages[0]);
  const reacted = react(h, shown.id, '⏹');
  await h.pass();
  assert.equal(reacted.outcome, undefined, 'it is held, not dropped');
  answer();
  await h.seen('the end', () => (h.engine.runs[0]?.run.status === 'cancelled' ? true : undefined));
  assert.equal(reacted.outcome, 'accepted');
});

for (const [call, what] of [
  ['send', 'that is posted'],
  ['edit', 'that takes the place of its preview'],
] as const)
  test(`a thumb under an answer ${what} is stored with its run, also before the platform has answered`, async (t) => {
    const { h, answer } = await slowToAnswer(t, call);
    if (call === 'edit') {
      h.engine.say('run_1', 'It begins');
      await h.seen('the preview', () => h.channel.messages[0]);
      await h.pass(2_000);
    }
    h.engine.complete('run_1', 'It begins and ends.');
    const shown = await h.seen('the answer', () =>
      h.channel.messages.find(({ text }) => text === 'It begins and ends.'),
    );
    const reacted = react(h, shown.id, '👍');
    await h.pass();
    answer();
    await h.seen('the outcome', () => reacted.outcome);
    assert.equal(reacted.outcome, 'accepted');
    const given = await h.seen('the feedback', () => h.engine.feedback[0]);
    assert.deepEqual([given.runID, given.rating], ['run_1', 'good']);
  });

test('a reaction to a message of no answer is held no longer than the call, and not at all where nothing is being posted', async (t) => {
  const { h, answer } = await slowToAnswer(t, 'send');
  const before = react(h, 'm99', '👍');
  await h.seen('the outcome', () => before.outcome);
  h.engine.say('run_1', 'It begins');
  await h.seen('the preview', () => h.channel.messages[0]);
  const meanwhile = react(h, 'm99', '👍');
  await h.pass();
  assert.deepEqual([before.outcome, meanwhile.outcome], ['ignored', undefined]);
  answer();
  await h.seen('the outcome', () => meanwhile.outcome);
  assert.equal(meanwhile.outcome, 'ignored');
  assert.equal(h.engine.feedback.length, 0);
});

test('a platform that answers for a message only after ten seconds does not hold up what people write meanwhile', async (t) => {
  const { h, answer } = await slowToAnswer(t, 'send');
  h.engine.say('run_1', 'It begins');
  const shown = await h.seen('the preview', () => h.channel.messages[0]);
  const reacted = react(h, shown.id, '⏹');
  await h.pass(10_200);
  assert.equal(reacted.outcome, 'ignored');
  assert.ok(h.lines.some((line) => line.includes('a reaction came before')));
  answer();
});
