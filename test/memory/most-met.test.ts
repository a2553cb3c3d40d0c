// Recall looks at no pieces where none can meet enough of the question: what it gives is what it would give if it looked.
import assert from 'node:assert/strict';
import { test as once, type TestContext } from 'node:test';
import fc from 'fast-check';
import { createIds } from '#base/ids.ts';
import { finish } from '#base/sql/work.ts';
import { createMemory } from '#memory/memory.ts';
import { lookAt } from '#memory/search/find.ts';
import { mostMet } from '#memory/search/query/weights.ts';
import { openStore } from '#memory/store/store.ts';
import { readableBy } from '#memory/tables/audience.ts';
import { clockOf } from '../support/clock-of.ts';
import { note } from './facts.ts';
import { exchange, freshPath, mine, openMemory, start } from './open-memory.ts';

const clock = clockOf(() => start);

const english =
  'bike bikes green locker lockers 4417 piano Oslo Saturday november the my what where is in of'.split(' ');
/** In German a word may stand at the end of another one. */
const german =
  'das boot hausboot liegt im garten schlüssel kellerschlüssel ist nicht und wir haben einen'.split(' ');
const sentenceOf = (words: readonly string[]) =>
  fc
    .tuple(
      fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 9 }),
      fc.constantFrom('.', '?', '!', ''),
    )
    .map(([of, end]) => `${of.join(' ')}${end}`);
const sentence = fc.oneof(sentenceOf(english), sentenceOf(german));
const said = fc.record({ user: sentence, assistant: fc.option(sentence, { nil: '' }) });

once('no piece meets more of a question than the rows of its words allow', async (t) => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(said, { minLength: 1, maxLength: 14 }),
      fc.array(sentence, { minLength: 1, maxLength: 6 }),
      async (history, questions) => {
        const path = await storedAt(t, history);
        const store = openStore({ path, clock, newId: createIds(clock) });
        try {
          for (const text of questions) {
            const look = finish(lookAt(store.searched, { text, readable: readableBy(mine), limit: 0 }));
            assert.ok(look, 'candidates are looked at where nothing has to be met');
            const most = mostMet(look.terms);
            for (const { meets } of look.evidence.matches)
              assert.ok(meets <= most + 1e-9, `"${text}" is met ${meets}, at most ${most} was said`);
          }
        } finally {
          store.close();
        }
      },
    ),
    { numRuns: 25 },
  );
});

/** A memory with these exchanges, closed. */
async function storedAt(
  t: TestContext,
  history: readonly { user: string; assistant: string }[],
): Promise<string> {
  const path = freshPath(t);
  const memory = createMemory({ path, clock, newId: createIds(clock) });
  for (const [index, { user, assistant }] of history.entries())
    await memory.archive(
      exchange(user, { key: `run_${index}`, assistantText: assistant, sessionID: `ses_${index % 3}` }),
    );
  await memory.close();
  return path;
}

once(
  'a message of many words is given the fact whose exact key it names, however little of it that meets',
  async (t) => {
    const memory = openMemory(t);
    await memory.archive(exchange('My bike is green'));
    await memory.put(note('It hangs behind the stove.', { key: 'pantry key' }));
    const rambling =
      'Seventeen travellers brought umbrellas, violins and marmalade yesterday, therefore somebody wants the pantry key';
    const { hits } = await memory.recall({ text: rambling, scope: mine });
    assert.deepEqual(
      hits.map(({ text }) => text.includes('behind the stove')),
      [true],
    );
    const without = await memory.recall({ text: rambling.replace('pantry key', 'bike'), scope: mine });
    assert.deepEqual([without.block, without.hits], ['', []]);
  },
);
