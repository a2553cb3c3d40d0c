// Copies of artifacts next to channels that run apart: fetched once, whole, under safe names, and not for ever.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { codeOf } from '#base/errors.ts';
import { createArtifactCopies } from '#engine/remote/artifact-copies.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const artifact = (id: string, runID: string) => ({
  id,
  runID,
  name: 'list.txt',
  mediaType: 'text/plain',
  size: 3,
  path: `artifacts/${runID}/${id}`,
});

test('a copy is fetched once, again when it is torn, and goes with its run or when nothing has to bring it', async (t) => {
  const folder = join(tempFolder(t), 'copies');
  const copies = createArtifactCopies(folder);
  copies.keepOnly([]);
  let fetched = 0;
  const fetch = async (part: string) => {
    fetched += 1;
    writeFileSync(part, 'one');
    return true;
  };
  const path = await copies.of(artifact('art_1', 'run_1'), fetch);
  assert.equal(await copies.of(artifact('art_1', 'run_1'), fetch), path);
  assert.deepEqual([readFileSync(path, 'utf8'), fetched], ['one', 1]);
  writeFileSync(path, 'o');
  await copies.of(artifact('art_1', 'run_1'), fetch);
  assert.deepEqual([readFileSync(path, 'utf8'), fetched], ['one', 2]);
  const other = await copies.of(artifact('art_2', 'run_2'), fetch);
  const third = await copies.of(artifact('art_3', 'run_3'), fetch);
  copies.keepOnly([path, other]);
  assert.deepEqual([path, other, third].map(existsSync), [true, true, false]);
  await copies.drop('run_1');
  await copies.drop('run_1');
  assert.deepEqual([path, other].map(existsSync), [false, true]);
});

test('an id that is no plain name is refused, and nothing that is gone is made up (T27)', async (t) => {
  const copies = createArtifactCopies(tempFolder(t));
  for (const wrong of [artifact('../x', 'run_1'), artifact('art_1', '../run_1'), artifact('', 'run_1')])
    await assert.rejects(
      copies.of(wrong, async () => true),
      (error) => codeOf(error) === 'invalid_id',
    );
  assert.equal(existsSync(await copies.of(artifact('art_1', 'run_1'), async () => false)), false);
});
