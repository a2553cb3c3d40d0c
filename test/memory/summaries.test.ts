// Summaries that a budget makes of several exchanges: each line is read and forgotten as its exchange was.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Provenance, Scope } from '#memory/types/scope.ts';
import { exchange, mine, openMemory, start } from './open-memory.ts';

/** A memory whose only summary is of all of these exchanges, said one millisecond after the other, but of the last one. */
async function summaryOf(t: TestContext, names: readonly string[], where?: Provenance) {
  const memory = openMemory(t, { budgets: { audience: { exchanges: 1 } } });
  for (const [index, name] of names.entries()) {
    const text = `The ${name} is in box ${index}. ${'We talked about it at length, with many words. '.repeat(8)}`;
    await memory.archive(
      exchange(text, { at: start + index + 1, runID: `run_${index}`, ...(where !== undefined && { where }) }),
    );
  }
  assert.deepEqual(
    (await memory.consolidate()).map(({ step }) => step),
    ['summarize'],
  );
  return memory;
}

for (const [how, selection, left] of [
  ['words', { words: 'cello' }, /kayak[\s\S]*orchid/],
  ['a time before', { until: start + 3 }, /orchid/],
  ['a time after', { from: start + 2 }, /kayak/],
] as const)
  test(`of a summary only the lines that fit are forgotten by ${how}, and the others stay (P21)`, async (t) => {
    const memory = await summaryOf(t, ['kayak', 'cello', 'orchid', 'stove']);
    const { remains } = await memory.forget({ scope: mine, selection, mode: 'forget' });
    assert.deepEqual(remains, []);
    const texts = (await memory.records({ scope: mine, kind: 'episode' })).map(({ text }) => text).join();
    assert.match(texts, left);
    assert.doesNotMatch(texts, /cello/);
    assert.deepEqual((await memory.verify(['cello'])).traces, []);
  });

test('who came into a room between two exchanges is not shown the summary of both', async (t) => {
  const room = 'room:telegram:group:1:-';
  const where = { audience: room, restricted: true } as const;
  const memory = await summaryOf(t, ['kayak', 'cello', 'orchid', 'stove'], where);
  const shownTo = async (since: number): Promise<string> => {
    const scope: Scope = { audiences: [room], since: { [room]: since }, spaces: [], everyone: false };
    const { hits } = await memory.search({ text: 'In which box is the kayak?', scope });
    const records = await memory.records({ scope });
    return [...hits, ...records].map(({ text }) => text).join('\n');
  };
  assert.doesNotMatch(await shownTo(start + 1), /kayak/);
  assert.match(await shownTo(start), /kayak/);
});
