// Records forgotten by kind, key and tag: what they are now decides, and everything that was made of them goes.
import assert from 'node:assert/strict';
import type { ForgetRequest } from '#memory/types/maintenance.ts';
import { test } from './each-store.ts';
import { note, withFacts } from './facts.ts';
import { mine } from './open-memory.ts';

const apply = { scope: mine, mode: 'forget' as const };
const preview = { scope: mine, mode: 'preview' as const };

test('what has a tag goes with earlier versions, with what was made of it, and with its pin', async (t) => {
  const { memory, ids, texts } = await withFacts(t, [
    note('The harpsichord is in Bergen', { key: 'harpsichord', tags: ['music'] }),
    note('The harpsichord is in Tromso', { key: 'harpsichord', tags: ['Music'], pinned: true }),
    note('The tuner comes in May', { tags: ['garden'] }),
  ]);
  const [, current = ''] = ids;
  await memory.put(note('A harpsichord needs moist air', { evidence: [current] }));
  const ofThat = await memory.records({ scope: mine, text: 'moist' });
  await memory.put(note('Buy a humidifier in Tromso', { evidence: [ofThat[0]?.id ?? ''] }));
  const shown = await memory.forget({ ...preview, selection: { tag: 'music' } });
  assert.deepEqual([shown.entries, shown.pinned, shown.forgotten], [3, 1, false]);
  assert.equal((await texts(undefined)).length, 4, 'a preview changes nothing');
  const done = await memory.forget({ ...apply, selection: { tag: 'MUSIC' }, reason: 'asked' });
  assert.deepEqual([done.entries, done.pinned, done.forgotten, done.remains], [3, 1, true, []]);
  assert.deepEqual(await texts(undefined), ['The tuner comes in May']);
  assert.deepEqual((await memory.recall({ text: 'hello', scope: mine })).hits, [], 'nothing is pinned now');
  const words = ['harpsichord', 'bergen', 'tromso', 'humidifier'];
  assert.deepEqual(await memory.verify(words), { problems: [], traces: [] });
  for (const id of ids.slice(0, 2))
    assert.equal((await memory.forgotten({ id, of: 'person:per_1' }))?.reason, 'asked');
  const again = await memory.put(note('The harpsichord is in Tromso', { key: 'harpsichord' }));
  assert.equal(again.status, 'forgotten');
});

test('a tag or a key that a record no longer has forgets nothing of it', async (t) => {
  const { memory, ids, texts } = await withFacts(t, [
    note('The plan is blue', { key: 'plan', tags: ['draft'] }),
  ]);
  const [first = ''] = ids;
  const now = { key: 'final plan', tags: ['final'], supersedes: first };
  assert.equal((await memory.put(note('The plan is green', now))).status, 'stored');
  for (const selection of [{ tag: 'draft' }, { key: 'plan' }] as const)
    assert.equal((await memory.forget({ ...apply, selection })).entries, 0, JSON.stringify(selection));
  assert.deepEqual(await texts(undefined), ['The plan is green']);
  assert.equal((await memory.forget({ ...apply, selection: { key: 'Final  Plan' } })).entries, 1);
  assert.equal(await memory.show({ id: first, scope: mine }), undefined, 'its earlier version goes too');
});

test('only what the scope reads is meant: no other audience, no other agent, no conversation', async (t) => {
  const partition = 'counsel';
  const { memory, texts } = await withFacts(t, [
    note('mine', { tags: ['t'], kind: 'note' }),
    note('theirs', { tags: ['t'], kind: 'note', where: { audience: 'person:per_2', restricted: true } }),
    note('own', {
      tags: ['t'],
      kind: 'note',
      where: { audience: 'person:per_1', restricted: true, partition },
    }),
    note('a fact', { key: 't' }),
  ]);
  for (const selection of [{ tag: 't' }, { kind: 'note' }] as const)
    assert.equal((await memory.forget({ ...preview, selection })).entries, 1, JSON.stringify(selection));
  assert.equal((await memory.forget({ ...apply, selection: { kind: 'note', tag: 't' } })).entries, 1);
  assert.deepEqual(await texts(undefined), ['a fact']);
  assert.deepEqual(await texts(undefined, { scope: { ...mine, partition } }), ['own']);
  assert.deepEqual(await texts(undefined, { scope: { ...mine, audiences: ['person:per_2'] } }), ['theirs']);
  for (const wrong of [{}, { tag: '' }, { shelf: 't' }])
    await assert.rejects(
      memory.forget({ ...apply, selection: wrong as ForgetRequest['selection'] }),
      { code: 'invalid_selection' },
      JSON.stringify(wrong),
    );
});
