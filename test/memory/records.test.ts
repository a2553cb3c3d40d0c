// Governed records: found by their words, narrowed by tags, versioned and withdrawn.
import assert from 'node:assert/strict';
import type { Note } from '#memory/types/note.ts';
import type { RecordQuery } from '#memory/types/record.ts';
import type { Scope } from '#memory/types/scope.ts';
import { clockOf } from '../support/clock-of.ts';
import { test } from './each-store.ts';
import { by, note, withFacts } from './facts.ts';
import { found, mine, openMemory, start } from './open-memory.ts';

test('the score of a record says how much of the question it meets, in a store of four as in one of four hundred (TAI)', async (t) => {
  const facts = [
    'The blue kayak leaks',
    'The kayak is blue and stored in the barn',
    'Barn doors squeak',
    'Tea at five',
  ];
  const small = await withFacts(
    t,
    facts.map((text) => note(text)),
  );
  const large = await withFacts(t, [
    ...facts.map((text) => note(text)),
    ...Array.from({ length: 400 }, (_, index) => note(`Entry ${index} is about lentils`)),
  ]);
  for (const { memory } of [small, large]) {
    const scores = (await memory.records({ text: 'blue kayak barn', scope: mine })).map(({ score }) => score);
    assert.equal(scores.length, 3);
    assert.equal(scores[0], 1, 'the best holds every word');
    assert.ok((scores[2] ?? 1) < 0.7 && (scores[2] ?? 0) > 0, `the last holds one: ${scores}`);
    assert.deepEqual(
      scores,
      [...scores].sort((a, b) => b - a),
    );
  }
});

test('quotes, operators, letters of any script and wildcards are words and nothing else (TAJ, TAK, TAL, M22, M23, M24)', async (t) => {
  const lines = [
    'Café "Żółw" opens at 日本語 street',
    "The user's rate-limit is 5 GB/s (100%)",
    'a_b is not axb',
  ];
  const { texts } = await withFacts(
    t,
    lines.map((text) => note(text)),
  );
  for (const [query, line] of [
    ['café', 0],
    ['"żółw', 0],
    ['日本', 0],
    ['日', 0],
    ["user's", 1],
    ['rate-limit', 1],
    ['GB/s', 1],
    ['AND OR NOT NEAR( limit', 1],
  ] as const)
    assert.deepEqual(await texts(query), [lines[line]], query);
  assert.deepEqual(
    await texts('opens" OR "limit'),
    [lines[0], lines[1]].sort().reverse(),
    'a quote opens no operator',
  );
  assert.deepEqual(await texts('%'), [lines[1]], 'a wildcard is itself');
  assert.deepEqual(await texts('_'), [lines[2]]);
  assert.deepEqual(await texts('xe%t'), []);
  assert.deepEqual(await texts('imi'), [lines[1]], 'a part of a word is found when no word is');
  assert.deepEqual(await texts('\u0000 "" \''), []);
});

test('a record is found by another form of its word, also where only one of the two is its own English stem', async (t) => {
  const lines = [
    'Les chevaux mangent des pommes dans le jardin',
    'Le cheval est dans le pré avec des moutons',
    'Die Häuser am Hafen werden gestrichen',
  ];
  const { memory } = await withFacts(
    t,
    lines.map((text) => note(text)),
  );
  for (const [query, expected] of [
    ['cheval', [lines[0], lines[1]]],
    ['chevaux', [lines[0], lines[1]]],
    ['haus', [lines[2]]],
  ] as const)
    for (const by of ['text', 'words'] as const)
      assert.deepEqual(
        (await memory.records({ [by]: query, scope: mine })).map(({ text }) => text).sort(),
        expected.toSorted(),
        `${query} ${by}`,
      );
});

test('project, channel, host, person and kind narrow what is found; expired records are not', async (t) => {
  let now = start;
  const clock = clockOf(() => now);
  const memory = openMemory(t, { clock });
  const put = (text: string, more: Partial<Note>) => memory.put(note(text, more));
  await put('kayak one', { projectID: 'boats', channelTag: 'general' });
  await put('kayak two', { hostTag: 'barn', kind: 'solution_capsule' });
  await put('kayak three', { speaker: { person: 'per_9', name: 'Parley' }, expiresAt: start + 1000 });
  const texts = async (more: Partial<RecordQuery>) =>
    (await memory.records({ text: 'kayak', scope: mine, ...more })).map(({ text }) => text);
  assert.deepEqual(await texts({ projectID: 'boats' }), ['kayak one']);
  assert.deepEqual(await texts({ channelTag: 'general' }), ['kayak one']);
  assert.deepEqual(await texts({ hostTag: 'barn' }), ['kayak two']);
  assert.deepEqual(await texts({ kind: 'solution_capsule' }), ['kayak two']);
  assert.deepEqual(await texts({ userID: 'per_9' }), ['kayak three']);
  now = start + 1000;
  assert.deepEqual(await texts({ userID: 'per_9' }), []);
  assert.deepEqual(await found(memory, 'three'), [], 'neither by the one search');
  assert.equal((await memory.list({ scope: mine })).length, 2);
  const gone = await memory.forget({ scope: mine, selection: { words: 'three' }, mode: 'forget' });
  assert.deepEqual([gone.entries, gone.remains], [1, []], 'but it can still be forgotten');
});

test('a new version takes the place of the old one, which stays readable as history (M32)', async (t) => {
  const { memory, ids, texts } = await withFacts(t, [note('The door code is 1111')]);
  const [first = ''] = ids;
  const second = await memory.put(note('The door code is 2222', { supersedes: first }));
  const third = await memory.put(note('The door code is 3333', { supersedes: first }));
  assert.ok('id' in second && 'id' in third);
  assert.deepEqual(await texts('door code'), ['The door code is 3333']);
  assert.deepEqual(await found(memory, 'door code'), ['The door code is 3333']);
  assert.deepEqual(await found(memory, '1111'), []);
  const history = await memory.records({ scope: mine, ids: [first] });
  assert.deepEqual(
    history.map(({ version, state, text }) => [version, state, text]),
    [
      [1, 'superseded', 'The door code is 1111'],
      [2, 'superseded', 'The door code is 2222'],
      [3, 'active', 'The door code is 3333'],
    ],
  );
  const other: Scope = { audiences: ['person:per_2'], spaces: [], everyone: true };
  assert.deepEqual(await memory.records({ scope: other, ids: [first] }), []);
  await assert.rejects(
    memory.put(
      note('Mine now', { supersedes: first, where: { audience: 'person:per_2', restricted: true } }),
    ),
    { code: 'memory_not_found' },
  );
});

test('a single fact is withdrawn: not found, not stored again by itself, still there as history (M31)', async (t) => {
  const { memory, ids, texts } = await withFacts(t, [note('The bike is green'), note('The boat is red')]);
  const [bike = ''] = ids;
  await memory.retract({ id: bike, scope: mine, by, reason: 'it was painted' });
  assert.deepEqual(await texts(undefined), ['The boat is red']);
  assert.deepEqual(await found(memory, 'bike green'), []);
  assert.deepEqual(await memory.put(note('the bike is GREEN')), { status: 'retracted' });
  const [withdrawn] = await memory.records({ scope: mine, ids: [bike] });
  assert.deepEqual([withdrawn?.state, withdrawn?.reason], ['retracted', 'it was painted']);
  await assert.rejects(memory.retract({ id: bike, scope: mine, by }), { code: 'not_active' });
  assert.equal((await memory.put(note('The bike is green', { supersedes: bike }))).status, 'stored');
  assert.deepEqual(await found(memory, 'bike green'), ['The bike is green'], 'on purpose it may come back');
});

test('the same words are one record in one tier of one audience, and another in each other (M36)', async (t) => {
  const { memory, texts } = await withFacts(t, [note('The bike is green')]);
  assert.equal((await memory.put(note('The  bike is GREEN'))).status, 'duplicate');
  const session = note('The bike is green', { tier: 'session' });
  assert.equal((await memory.put(session)).status, 'stored');
  assert.equal((await memory.put(session)).status, 'duplicate');
  assert.equal((await texts('bike')).length, 2);
});

test('words that are put again to last longer, or to be shown with more care, are the next version of their record', async (t) => {
  let now = start;
  const memory = openMemory(t, { clock: clockOf(() => now) });
  const where = { audience: 'room:boats', space: 'discord:1', restricted: false } as const;
  const scope: Scope = { audiences: ['room:boats'], spaces: [], everyone: false };
  const put = async (more: Partial<Note>) =>
    (await memory.put(note('The kayak of Ann leaks', { where, at: now, ...more }))).status;
  const given = async (by: Scope) =>
    (await memory.recall({ text: 'Does the kayak of Ann leak?', scope: by })).hits.length;
  assert.equal(await put({ expiresAt: start + 1_000 }), 'stored');
  assert.equal(await put({ expiresAt: start + 500 }), 'duplicate');
  now += 2_000;
  assert.equal(await given(scope), 0, 'it has expired');
  assert.equal(await put({}), 'stored');
  assert.deepEqual(
    [await given(scope), await put({}), await put({ expiresAt: now + 1 })],
    [1, 'duplicate', 'duplicate'],
  );
  const outside: Scope = { audiences: [], spaces: ['discord:1'], everyone: false };
  assert.equal(await given(outside), 1);
  assert.equal(await put({ sensitivity: 'private' }), 'stored');
  assert.deepEqual([await given(outside), await given(scope)], [0, 1]);
  assert.equal(await put({ sensitivity: 'sensitive' }), 'stored');
  assert.deepEqual([await given(scope), await put({})], [0, 'duplicate']);
  const versions = await memory.records({ scope, limit: 100 });
  assert.deepEqual(
    versions.map(({ version, sensitivity }) => [version, sensitivity]),
    [[4, 'sensitive']],
  );
});
