// Status and doctor on the looks into memory before answers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lookRemarks } from '#app/doctor/running.ts';
import { lookFacts } from '#app/screen/look-words.ts';
import type { ActiveMemoryCounts } from '#engine/wire/memory/active-memory.ts';

const counts: ActiveMemoryCounts = {
  ...{ by: 'model', model: 'small-model-of-a-rather-long-name', timeoutMs: 1_500 },
  ...{ given: 3, nothing: 9, late: 0, failed: 0, paused: 0, cached: 1, pausedUntilMs: null },
};

test('the doctor warns of looks that are paused or mostly late, and of no others', () => {
  assert.deepEqual(lookRemarks(undefined), []);
  assert.deepEqual(lookRemarks({ ...counts, late: 2, failed: 1 }), []);
  const [mostly] = lookRemarks({ ...counts, late: 20 });
  assert.equal(mostly?.level, 'warning');
  assert.match(mostly?.what ?? '', /20 of 32 looks into memory took longer than 1\.5 s, and 0 failed/);
  assert.match(JSON.stringify(mostly), /memory\.active\.model.*memory\.active\.timeoutSeconds/);
  const [paused] = lookRemarks({ ...counts, by: 'ranking', model: null, late: 3, pausedUntilMs: 60_000 });
  assert.match(paused?.what ?? '', /are paused/);
  assert.doesNotMatch(JSON.stringify(paused), /memory\.active\.model/);
});

test('the status shows how looks ended within 70 columns behind their name', () => {
  assert.deepEqual(lookFacts(counts, 0), [
    ['looks', '3 of 12 looks gave a memory, by small-model-of-a-rather-long-name'],
  ]);
  const bad = {
    ...counts,
    by: 'ranking' as const,
    model: null,
    late: 2,
    failed: 1,
    paused: 4,
    pausedUntilMs: 30_500,
  };
  assert.deepEqual(
    lookFacts(bad, 0).map(([, words]) => words),
    ['3 of 12 looks gave a memory, by ranking', '2 late, 1 failed, 4 left out', 'PAUSED for 31 s'],
  );
  for (const [, words] of [...lookFacts(counts, 0), ...lookFacts(bad, 0)])
    assert.ok(words.length <= 70, words);
});
