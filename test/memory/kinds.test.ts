// The kinds of what is remembered: facts with keys, procedures with reports, pins, tags, and how careful one must be with them.
import assert from 'node:assert/strict';
import type { Note } from '#memory/types/note.ts';
import type { Scope } from '#memory/types/scope.ts';
import { test } from './each-store.ts';
import { by, note, withFacts } from './facts.ts';
import { found, mine, openMemory } from './open-memory.ts';

const room = 'room:discord:channel:1:2:3:-' as const;
const inRoom: Pick<Note, 'where'> = { where: { audience: room, space: 'discord:1:2', restricted: false } };
const ofSpace: Scope = { audiences: ['person:per_9'], spaces: ['discord:1:2'], everyone: false };

test('another value of a key supersedes the fact, both with source and confidence, and the newer is given (P15)', async (t) => {
  const { memory, ids } = await withFacts(t, [
    note('The office is in Lisbon', {
      key: 'Office city',
      confidence: 0.6,
      metadata: { source: 'a letter' },
    }),
    note('The office is in Porto', { key: 'office  CITY', confidence: 0.9, metadata: { source: 'Ann' } }),
  ]);
  assert.deepEqual(await found(memory, 'Where is the office?'), ['The office is in Porto']);
  const [current, ...others] = await memory.records({ scope: mine, key: 'OFFICE city' });
  assert.deepEqual([current?.text, others.length], ['The office is in Porto', 0]);
  const versions = await memory.records({ scope: mine, ids: [ids[1] ?? ''] });
  assert.deepEqual(
    versions.map(({ text, state, confidence, metadata }) => [text, state, confidence, metadata.source]),
    [
      ['The office is in Lisbon', 'superseded', 0.6, 'a letter'],
      ['The office is in Porto', 'active', 0.9, 'Ann'],
    ],
  );
  const back = await memory.put(note('The office is in Lisbon', { key: 'office city' }));
  assert.equal(back.status, 'stored', 'an earlier value may hold again');
});

test('a key is superseded only inside its audience, its agent and its tier', async (t) => {
  const { memory } = await withFacts(t, [
    note('blue', { key: 'color' }),
    note('red', { key: 'color', where: { audience: 'person:per_2', restricted: true } }),
    note('green', {
      key: 'color',
      where: { audience: 'person:per_1', restricted: true, partition: 'counsel' },
    }),
    note('gray', { key: 'color', tier: 'session' }),
    note('blue', { key: 'sky' }),
  ]);
  const texts = async (scope: Scope, key = 'color') =>
    (await memory.records({ scope, key })).map(({ text }) => text).sort();
  assert.deepEqual(await texts(mine), ['blue', 'gray']);
  assert.deepEqual(await texts(mine, 'sky'), ['blue'], 'the same value under two keys is two facts');
  assert.deepEqual(await texts({ ...mine, partition: 'counsel' }), ['green']);
  assert.deepEqual(await texts({ ...mine, audiences: ['person:per_2'] }), ['red']);
});

test('a procedure that failed three times ranks below one that works, and its failures are readable (P19)', async (t) => {
  const text = (how: string) => `Restart the till printer: ${how}`;
  const procedure = { kind: 'procedure' as const };
  const { memory, ids } = await withFacts(t, [
    note(text('hold the feed key while you switch it on'), procedure),
    note(text('press the red button for ten seconds'), procedure),
  ]);
  const question = 'How do I restart the till printer?';
  assert.match((await found(memory, question))[0] ?? '', /red button/);
  const [other = '', id = ''] = ids;
  for (const run of ['run_a', 'run_b', 'run_c']) {
    const failed = { id, scope: mine, by: { ...by, runID: run }, outcome: 'failure' as const };
    await memory.signal({ ...failed, note: `it jammed again in ${run}` });
    await memory.signal({ ...failed, note: `it jammed again in ${run}` });
  }
  await memory.signal({ id: other, scope: mine, by: { ...by, runID: 'run_d' }, outcome: 'success' });
  assert.match((await found(memory, question))[0] ?? '', /feed key/);
  const { successes, failures, latest } = await memory.signals({ id, scope: mine });
  assert.deepEqual([successes, failures], [0, 3], 'a run counts once');
  assert.equal(latest.filter(({ note: why }) => why?.startsWith('it jammed again')).length, 3);
  const stranger = { audiences: ['person:per_2' as const], spaces: [], everyone: false };
  await assert.rejects(memory.signals({ id, scope: stranger }), { code: 'memory_not_found' });
  await assert.rejects(memory.signal({ id, scope: stranger, by, outcome: 'failure' }), {
    code: 'memory_not_found',
  });
});

test('only procedures and solutions are reported on, and a secret in a report is masked', async (t) => {
  const { memory, ids } = await withFacts(t, [note('Tea at five'), note('Boil it', { kind: 'procedure' })]);
  await assert.rejects(memory.signal({ id: ids[0] ?? '', scope: mine, by, outcome: 'success' }), {
    code: 'not_a_procedure',
  });
  await assert.rejects(memory.signal({ id: ids[1] ?? '', scope: mine, by, outcome: 'maybe' as 'success' }), {
    code: 'invalid_signal',
    message: /outcome/,
  });
  await memory.signal({
    id: ids[1] ?? '',
    scope: mine,
    by,
    outcome: 'failure',
    note: 'password is hunter2xyz',
  });
  const { latest } = await memory.signals({ id: ids[1] ?? '', scope: mine });
  assert.doesNotMatch(latest[0]?.note ?? '', /hunter2xyz/);
});

test('a preference is pinned into every prompt, unless it is sensitive or is unpinned', async (t) => {
  const { memory, ids } = await withFacts(t, [
    note('Answers in metric units, please', { kind: 'preference' }),
    note('She takes pills for her heart', { kind: 'preference', sensitivity: 'sensitive' }),
    note('The bike is green'),
  ]);
  const given = async (): Promise<string> => (await memory.recall({ text: 'hello', scope: mine })).block;
  assert.match(await given(), /metric units/);
  assert.doesNotMatch(await given(), /pills|bike/);
  await memory.pin({ id: ids[0] ?? '', scope: mine, by, pinned: false });
  assert.equal(await given(), '');
  await memory.pin({ id: ids[2] ?? '', scope: mine, by, pinned: true });
  assert.match(await given(), /bike is green/);
  await memory.put(note('The room speaks Dutch', { ...inRoom, pinned: true }));
  assert.equal((await memory.recall({ text: 'hello', scope: ofSpace })).block, '', 'only in that room');
  const actions = (await memory.audit({ of: 'person:per_1' })).map(({ action }) => action);
  assert.equal(actions.filter((action) => action === 'pin').length, 2);
});

test('private and sensitive narrow a note of an open room to the room, and a later version does not widen it', async (t) => {
  const memory = openMemory(t);
  const put = async (text: string, more: Partial<Note>) => {
    const saved = await memory.put(note(text, { ...inRoom, ...more }));
    return 'id' in saved ? saved.id : '';
  };
  await put('The harbour gate is open', {});
  const id = await put('The harbour gate code is with Ann', { sensitivity: 'private' });
  const texts = async (scope: Scope) => (await memory.records({ scope })).map(({ text }) => text);
  assert.deepEqual(await texts(ofSpace), ['The harbour gate is open']);
  assert.equal((await texts({ ...ofSpace, audiences: [room] })).length, 2);
  await put('The harbour gate code is with Bo', { sensitivity: 'public', supersedes: id });
  assert.deepEqual(await texts(ofSpace), ['The harbour gate is open']);
});

test('records are looked up by key, tag, kind and pin, and forgotten by them', async (t) => {
  const { memory } = await withFacts(t, [
    note('Nuts make Ann ill', { tags: ['#Health', 'ann'], key: 'ann allergy' }),
    note('Ann runs on Sundays', { tags: ['health'], pinned: true }),
    note('Boil for ten minutes', { kind: 'procedure', tags: ['tea'] }),
  ]);
  const texts = async (query: object) =>
    (await memory.records({ scope: mine, ...query })).map(({ text }) => text).sort();
  assert.deepEqual(await texts({ tag: 'HEALTH' }), ['Ann runs on Sundays', 'Nuts make Ann ill']);
  assert.deepEqual(await texts({ kind: 'procedure' }), ['Boil for ten minutes']);
  assert.deepEqual(await texts({ pinned: true }), ['Ann runs on Sundays']);
  assert.match((await found(memory, 'What about the ann allergy?'))[0] ?? '', /Nuts/);
  for (const [selection, entries] of [
    [{ key: 'Ann  Allergy' }, 1],
    [{ tag: '#health' }, 2],
    [{ kind: 'procedure' as const }, 1],
  ] as const)
    assert.equal((await memory.forget({ scope: mine, selection, mode: 'preview' })).entries, entries);
  await memory.forget({ scope: mine, selection: { tag: 'health' }, mode: 'forget' });
  assert.deepEqual(await texts({}), ['Boil for ten minutes']);
});

test('each way of finding can be switched off, and association is off unless it is switched on', async (t) => {
  const facts = [
    note('The kayak is in the barn', { tags: ['boat'], pinned: true, key: 'kayak place' }),
    note('Paddles hang behind the shed', { tags: ['boat'] }),
  ];
  const open = async (ways: object) => {
    const memory = openMemory(t, { ways });
    for (const fact of facts) await memory.put(fact);
    return memory;
  };
  const usual = await open({});
  assert.deepEqual(await found(usual, 'Where is the kayak?'), ['The kayak is in the barn']);
  const wider = await open({ association: true });
  assert.deepEqual(await found(wider, 'Where is the kayak?'), [
    'The kayak is in the barn',
    'Paddles hang behind the shed',
  ]);
  const none = await open({ words: false, pinned: false, keys: false });
  assert.deepEqual(await found(none, 'Where is the kayak?'), []);
  assert.equal((await none.recall({ text: 'hello', scope: mine })).block, '');
});

test('association follows as many links by tag as the budget of edges allows, newest first, inside the scope', async (t) => {
  const boat = { tags: ['boat'], runID: '' };
  const facts = [
    note('The kayak is in the barn', boat),
    note('Paddles hang behind the shed', boat),
    note('Vests dry on the line', boat),
    note('The yacht of Cem is blue', {
      ...boat,
      where: { audience: 'person:per_2', restricted: true },
    }),
  ];
  const linked = async (budgets: object, scope: Scope = mine): Promise<string[]> => {
    const memory = openMemory(t, { ways: { association: true }, budgets });
    for (const fact of facts) await memory.put(fact);
    const { hits } = await memory.search({ text: 'Where is the kayak?', scope });
    return hits.map(({ text }) => text).slice(1);
  };
  assert.deepEqual((await linked({})).sort(), ['Paddles hang behind the shed', 'Vests dry on the line']);
  assert.deepEqual(
    await linked({ audience: { edges: 1 } }),
    ['Vests dry on the line'],
    'a link that may not be read takes no place',
  );
  assert.deepEqual(await linked({ agent: { edges: 1 }, agents: { poet: { edges: 5 } } }), [
    'Vests dry on the line',
  ]);
});

test('a promoted value of a key is the next version of the one that holds where it comes to, and one is left', async (t) => {
  const { memory, ids } = await withFacts(t, [
    note('The car is turquoise', { key: 'car', tags: ['garage'], sensitivity: 'private' }),
    note('The car of the project is yellow', { key: 'car', tier: 'project', projectID: 'boats' }),
    note('The car is violet', { key: 'car', tier: 'session' }),
  ]);
  const [global = '', project = '', session = ''] = ids;
  await memory.promoteKnowledge({ id: global, scope: mine, by, subject: 'The car' });
  await memory.put(note('The car is crimson', { tier: 'session', supersedes: session }));
  const { record } = await memory.promote({ id: session, scope: mine, by, toTier: 'global' });
  assert.deepEqual(
    [record.text, record.version, record.tags, record.sensitivity],
    ['The car is crimson', 3, ['garage'], 'private'],
  );
  const values = async () =>
    (await memory.records({ scope: mine, key: 'car', limit: 100 })).map(({ text }) => text).sort();
  assert.deepEqual(await values(), ['The car is crimson', 'The car of the project is yellow']);
  assert.deepEqual((await memory.search({ text: 'turquoise violet', scope: mine })).hits, []);
  const known = await memory.preflight({ scope: mine, subject: 'the car' });
  assert.deepEqual(
    known.items.map((item) => item.record.text),
    ['The car is crimson'],
  );
  await memory.put(note('The car is indigo', { key: 'car' }));
  assert.deepEqual(await values(), ['The car is indigo', 'The car of the project is yellow']);
  await memory.forget({ scope: mine, selection: { ids: [session] }, mode: 'forget' });
  assert.deepEqual(await memory.verify(['turquoise', 'violet', 'crimson', 'indigo']), {
    problems: [],
    traces: [],
  });
  assert.equal((await memory.records({ scope: mine, ids: [project] })).length, 1);
});
