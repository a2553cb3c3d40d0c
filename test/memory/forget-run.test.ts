// What a run noted is forgotten with its message; what others noted of the same thing before and after it stays.
import assert from 'node:assert/strict';
import { test } from './each-store.ts';
import { note, withFacts } from './facts.ts';
import { exchange, found, mine } from './open-memory.ts';

const key = 'heron';
const forgetting = (run: string) => ({ scope: mine, selection: { run }, mode: 'forget' as const });

test('a note that a later run changed is there again once that run is forgotten, and is found', async (t) => {
  const { memory, ids, texts } = await withFacts(t, [
    note('The heron lives near Oslo', { key }),
    note('The heron moved to Bergen', { key, runID: 'run_2' }),
  ]);
  const [first = '', second = ''] = ids;
  const made = note('Bergen has herons', { evidence: [second], runID: 'run_9' });
  await memory.put(made);
  const { entries, remains } = await memory.forget(forgetting('run_2'));
  assert.deepEqual([entries, remains], [2, []]);
  assert.deepEqual(await texts(undefined), ['The heron lives near Oslo']);
  assert.deepEqual(await found(memory, 'heron'), ['The heron lives near Oslo']);
  assert.deepEqual(await memory.verify(['bergen']), { problems: [], traces: [] });
  const [left] = await memory.records({ scope: mine, ids: [first] });
  assert.deepEqual([left?.id, left?.state, left?.version], [first, 'active', 1]);
  for (const each of [made, note('The heron moved to Bergen', { key, runID: 'run_2' })])
    assert.equal((await memory.put(each)).status, 'forgotten');
  assert.equal((await memory.put(note('The heron is back', { key, runID: 'run_3' }))).status, 'stored');
  assert.deepEqual(await texts(undefined), ['The heron is back']);
});

test('a run that said again what a note says takes only its own version, and the words may stay', async (t) => {
  const { memory, ids, texts } = await withFacts(t, [note('The heron lives near Oslo', { key })]);
  await memory.put(note('The heron lives near Oslo', { key, supersedes: ids[0], runID: 'run_2' }));
  await memory.forget(forgetting('run_2'));
  assert.deepEqual(await texts(undefined), ['The heron lives near Oslo']);
  assert.equal((await memory.put(note('The heron lives near Oslo', { key }))).status, 'duplicate');
});

test('a later version stays where its own message says its words, and goes where it repeats what is forgotten', async (t) => {
  for (const [said, left] of [
    ['My heron has a nest in Bergen now', ['The heron has a nest in Bergen']],
    ['Yes, in Bergen now', ['The heron lives near Oslo']],
  ] as const) {
    const { memory, ids, texts } = await withFacts(t, [
      note('The heron lives near Oslo', { key }),
      note('The heron has a nest in Tromso', { key, runID: 'run_2' }),
      note('The heron has a nest in Bergen', { key, runID: 'run_3' }),
    ]);
    await memory.put(note('Tromso is cold', { evidence: [ids[1] ?? ''], runID: 'run_9' }));
    await memory.archive(exchange(said, { runID: 'run_3' }));
    await memory.forget(forgetting('run_2'));
    assert.deepEqual(await texts(undefined), left, said);
    assert.deepEqual(await memory.verify(['tromso']), { problems: [], traces: [] });
  }
});

test('by its id, its words, its key or its person a note is forgotten with all of its versions', async (t) => {
  for (const selection of [{ words: 'moved' }, { key }, { person: 'per_2' }, 'id'] as const) {
    const { memory, ids, texts } = await withFacts(t, [
      note('The heron lives near Oslo', { key }),
      note('The heron moved to Bergen', {
        key,
        runID: 'run_2',
        speaker: { person: 'per_2', name: 'Parley' },
      }),
    ]);
    const what = selection === 'id' ? { ids: [ids[1] ?? ''] } : selection;
    await memory.forget({ scope: mine, selection: what, mode: 'forget' });
    assert.deepEqual(await texts(undefined), []);
    assert.equal(await memory.show({ id: ids[0] ?? '', scope: mine }), undefined);
  }
});
