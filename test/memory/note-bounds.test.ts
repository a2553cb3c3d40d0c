// What a note, a report and the audit take: at the bound they are stored, one beyond it they are refused with what was expected.
import assert from 'node:assert/strict';
import { test } from './each-store.ts';
import { by, note, withFacts } from './facts.ts';
import { mine } from './open-memory.ts';

test('a note is stored for a session or a project that it names, with fields within their bounds, and refused otherwise', async (t) => {
  const { memory } = await withFacts(t, []);
  let count = 0;
  const put = (more: object) => {
    count += 1;
    return memory.put(note(`Fact number ${count}`, more));
  };
  for (const fits of [
    {},
    { tier: 'session' },
    { tier: 'project', projectID: 'p' },
    { confidence: 0 },
    { confidence: 1 },
    { key: 'k' },
    { key: 'k'.repeat(200) },
    { tags: [] },
    { tags: Array.from({ length: 20 }, (_, n) => `tag ${n}`) },
    { tags: ['t'.repeat(60)] },
    { expiresAt: 9e12 },
    { metadata: { deep: [1, { a: null }] } },
  ])
    assert.equal((await put(fits)).status, 'stored', JSON.stringify(fits).slice(0, 80));
  for (const wrong of [
    { tier: 'session', sessionID: '' },
    { tier: 'project', projectID: undefined },
    { tier: 'project', projectID: '' },
    { tier: 'team' },
    { confidence: -0.01 },
    { confidence: 1.01 },
    { key: ' ' },
    { key: 'k'.repeat(201) },
    { tags: Array.from({ length: 21 }, (_, n) => `tag ${n}`) },
    { tags: ['t'.repeat(61)] },
    { tags: [''] },
    { expiresAt: Number.POSITIVE_INFINITY },
    { metadata: { at: new Date() } },
  ])
    await assert.rejects(put(wrong), { code: 'invalid_note' }, JSON.stringify(wrong).slice(0, 80));
});

test('secrets in the tags, the key, the channel and the metadata of a note are masked before it is stored', async (t) => {
  const { memory } = await withFacts(t, []);
  const key = `ghp_${'a1B2c3D4e5F6g7H8i9J0'.repeat(2).slice(0, 36)}`;
  await memory.put(
    note('The deploy key', {
      tags: [`of ${key}`],
      key: `k ${key}`,
      channelTag: key,
      hostTag: key,
      metadata: { is: key, n: 1 },
    }),
  );
  assert.deepEqual((await memory.verify([key])).traces, []);
  const [record] = await memory.records({ scope: mine });
  assert.deepEqual(record?.metadata.n, 1);
  assert.match(String(record?.metadata.is), /^\[redacted:/);
});

test('secrets in why a record is promoted or withdrawn, and in what it refers to, are masked before they are stored', async (t) => {
  const key = `ghp_${'a1B2c3D4e5F6g7H8i9J0'.repeat(2).slice(0, 36)}`;
  const { memory, ids } = await withFacts(t, [
    note('The deploy key is new', { artifactRefs: ['report.pdf', `https://ci.example/?token=${key}`] }),
    note('The old one is void', { tier: 'session' }),
    note('Nobody has it'),
  ]);
  const [first = '', second = '', third = ''] = ids;
  const reason = `it was ${key}`;
  await memory.demote({ id: first, scope: mine, by, reason });
  await memory.promote({ id: second, scope: mine, by, toTier: 'global', reason });
  await memory.retract({ id: third, scope: mine, by, reason });
  assert.deepEqual((await memory.verify([key])).traces, []);
  const [record, ...others] = await memory.records({ scope: mine, ids });
  assert.equal(record?.artifactRefs[0], 'report.pdf');
  for (const each of [record, ...others]) assert.match(each?.reason ?? '', /^it was \[redacted:/);
});

test('how a procedure went is a success or a failure with at most two thousand characters, and the twenty newest reports are shown', async (t) => {
  const { memory, ids } = await withFacts(t, [note('Shake the printer', { kind: 'procedure' })]);
  const id = ids[0] ?? '';
  const signal = (more: object) =>
    memory.signal({
      id,
      scope: mine,
      by: { ...by, runID: `run_${Math.random()}` },
      outcome: 'success',
      ...more,
    });
  for (const wrong of [{ outcome: 'maybe' }, { note: 'x'.repeat(2_001) }])
    await assert.rejects(signal(wrong as object), { code: 'invalid_signal' });
  for (let n = 0; n < 22; n += 1) await signal({ note: n === 21 ? 'x'.repeat(2_000) : `report ${n}` });
  const summary = await memory.signals({ id, scope: mine });
  assert.equal(summary.latest.length, 20);
  assert.equal(summary.latest[0]?.note?.length, 2_000);
});

test('the audit says whose it is of, in pages of one to a thousand lines, a hundred unless set otherwise', async (t) => {
  const { memory } = await withFacts(
    t,
    Array.from({ length: 103 }, (_, n) => note(`Fact number ${n}`)),
  );
  const of = 'person:per_1' as const;
  assert.equal((await memory.audit({ of })).length, 100);
  assert.equal((await memory.audit({ of, limit: 1 })).length, 1);
  assert.equal((await memory.audit({ of, limit: 1_000 })).length, 103);
  assert.equal((await memory.audit({ of, limit: 1_000, offset: 100 })).length, 3);
  assert.equal((await memory.audit({ of: 'every audience', limit: 1_000 })).length, 103);
  for (const wrong of [{ of: 'nobody' }, { of, limit: 0 }, { of, limit: 1_001 }, { of, offset: -1 }, {}])
    await assert.rejects(
      async () => memory.audit(wrong as never),
      { code: 'invalid_audit' },
      JSON.stringify(wrong),
    );
});
