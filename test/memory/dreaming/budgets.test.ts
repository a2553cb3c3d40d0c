// Exchanges over their budget whose statements short-term memory uses: summarized like others, and what was promoted goes with them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Selection } from '#memory/types/maintenance.ts';
import { ann, openDreams, scopeOf, threeDays } from './kit.ts';

const boat = 'The boat Nelly is laid up in Harlingen until June.';
const shed = 'The neighbour Aukje has the second key of the shed.';
const talk = ' We talked about it at length, with many words that nobody needs later.'.repeat(5);
const questions = ['What is new?', 'What should I know?'] as const;

for (const what of ['its exchange', 'its summary', 'its run'] as const)
  test(`what was promoted stays when its exchange is summarized, and is forgotten with ${what}`, async (t) => {
    const house = openDreams(t, { budgets: { audience: { exchanges: 1 } } });
    const [id = ''] = await house.say(`${boat}${talk}`, { runID: 'run_boat', key: 'run_boat' });
    await threeDays(house, { ids: [id], answer: boat, questions });
    assert.match(house.read('MEMORY.md'), /Harlingen/);
    const [other = ''] = await house.say(`${shed}${talk}`, { runID: 'run_shed', key: 'run_shed' });
    await house.ask({ question: questions[0], answer: shed, ids: [other] });
    const [step] = await house.memory.consolidate();
    assert.deepEqual([step?.step, step?.ids], ['summarize', [id]], 'not what a sweep may still promote');
    assert.match(house.read('MEMORY.md'), /Harlingen/);
    house.goTo(9, 4);
    await house.night();
    assert.match(house.read('MEMORY.md'), /Harlingen/, 'a sweep leaves it');
    const selections: Record<typeof what, Selection> = {
      'its exchange': { ids: [id] },
      'its summary': { ids: [step?.into ?? ''] },
      'its run': { run: 'run_boat' },
    };
    const done = await house.memory.forget({
      scope: scopeOf(ann),
      selection: selections[what],
      mode: 'forget',
    });
    assert.deepEqual([done.entries, done.remains], [1, []]);
    assert.doesNotMatch(house.read('MEMORY.md'), /Harlingen/);
    assert.deepEqual(await house.memory.verify(['Harlingen']), { problems: [], traces: [] });
  });

test('an exchange that a sweep may still promote is summarized before any is evicted', async (t) => {
  const house = openDreams(t, { budgets: { audience: { exchanges: 1 } } });
  for (const [index, text] of [boat, shed].entries()) {
    const ids = await house.say(`${text}${talk}`, { runID: `run_${index}`, key: `run_${index}` });
    await house.ask({ question: questions[0], answer: text, ids });
  }
  const steps = await house.memory.consolidate();
  assert.deepEqual(
    steps.map(({ step }) => step),
    ['summarize'],
  );
});
