// What each way of finding brings over generated records, without a model: each that is on by default earns its place.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onRecords } from '../../bench/retrieval/on-records.ts';
import { tempFolder } from '../support/temp-folder.ts';

test('records are found by key, tag, kind and pin and nothing else with them, and each way that is on by default brings some', async (t) => {
  const { lookup, ways } = await onRecords(tempFolder(t), { model: 'none', print: () => undefined });
  assert.deepEqual(lookup, { key: 1, tag: 1, kind: 1, pinned: 1 });
  const first = (way: string, about: string): number => ways[way]?.first[about] ?? Number.NaN;
  assert.equal(first('usual', 'same words'), 1);
  assert.ok(first('without words', 'same words') < 0.1);
  assert.ok(first('usual', 'its key') - first('without keys', 'its key') > 0.5);
  assert.ok(first('usual', 'what worked') - first('without procedures', 'what worked') >= 0.4);
  assert.deepEqual([ways.usual?.pinned, ways['without pinned']?.pinned], [1, 0]);
});
