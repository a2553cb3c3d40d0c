// The question about a call that may have run: only what was written after it was shown answers it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isEarlier } from '#adapters/gateway/requests/open-requests.ts';
import { startHarness } from './harness.ts';
import { createScriptedChannel, dm, message, room, ScriptedFailure } from './scripted-channel.ts';

test('a number that was written before the question about a call was there does not answer it', async (t) => {
  const h = await startHarness(t, { channel: createScriptedChannel({ partLimit: 4_000 }) });
  await h.channel.sink.accept(message('1', 'pay 100'));
  await h.pass();
  const interruptedCall = { tool: 'mcp_bank_pay', args: { what: '100' } };
  const options = ['Try again', 'Skip it', 'Stop'];
  const sending = new ScriptedFailure({ kind: 'transient' });
  h.channel.failing.send.push(sending);
  h.engine.askQuestions('run_1', 'req_1', [{ question: 'It may have run?', options, interruptedCall }]);
  await h.seen('the attempt to ask', () => (h.channel.failing.send.length === 0 ? true : undefined));
  await h.channel.sink.accept(message('2', '1'));
  await h.seen('the question', () => h.channel.messages.find(({ text }) => /may have run/.test(text)));
  assert.deepEqual(h.engine.replies, []);
  await h.channel.sink.accept(message('3', '2'));
  await h.seen('the answer', () => h.engine.replies[0]);
  assert.deepEqual(h.engine.replies, [{ id: 'req_1', reply: ['Skip it'], by: 'you' }]);
});

for (const [address, where, wrong, right] of [
  [dm, 'in private', 'banana', '2'],
  [dm, 'in private', 'yes', 'skip it'],
  [dm, 'in private', '4', 'Skip it.'],
  [dm, 'in private', '/answer req_1 banana', '/answer req_1 skip it'],
  [room, 'in a room', 'banana', '2'],
] as const)
  test(`"${wrong}" to a question about a call ${where} is refused with the choices, and "${right}" is obeyed`, async (t) => {
    const h = await startHarness(t, { channel: createScriptedChannel({ partLimit: 4_000 }) });
    const place = { address, addressed: address.kind === 'dm' ? 'dm' : 'mention' } as const;
    await h.channel.sink.accept(message('1', 'pay 100', place));
    await h.pass();
    const interruptedCall = { tool: 'mcp_bank_pay', args: { what: '100' } };
    const options = ['Try again', 'Skip it', 'Stop'];
    h.engine.askQuestions('run_1', 'req_1', [{ question: 'It may have run?', options, interruptedCall }]);
    await h.seen('the question', () => h.channel.messages.find(({ text }) => /may have run/.test(text)));
    await h.channel.sink.accept(message('2', wrong, place));
    await h.seen('the refusal', () =>
      h.channel.messages.find(
        ({ text }) => /1\. Try again\n2\. Skip it\n3\. Stop/.test(text) && /only/.test(text),
      ),
    );
    assert.deepEqual(h.engine.replies, []);
    await h.channel.sink.accept(message('3', right, place));
    await h.seen('the answer', () => h.engine.replies[0]);
    assert.deepEqual(h.engine.replies, [{ id: 'req_1', reply: ['Skip it'], by: 'you' }]);
    assert.equal(h.engine.prompts().length, 1, 'neither was a message to the assistant');
  });

test('which of two messages came first is known by the numbers of their platform, and of other ids nothing is', () => {
  for (const [one, other, expected] of [
    ['165', '166', true],
    ['166', '165', false],
    ['99', '100', true],
    ['1576495467351506944', '1576495467984846848', true],
    ['1795936209.254000', '1795936209.865000', true],
    ['m1', 'm2', false],
  ] as const)
    assert.equal(isEarlier(one, other), expected, `${one} ${other}`);
});
