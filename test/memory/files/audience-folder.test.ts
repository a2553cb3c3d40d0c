// The file that says whose a folder is, while several parts of the program read and write it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ageAudienceFolder, ensureAudienceFolder } from '../../../src/memory/files/audience-folder.ts';
import { clockOf } from '../../support/clock-of.ts';
import { tempFolder } from '../../support/temp-folder.ts';

test('a folder is read while its age is written', async (t) => {
  const root = tempFolder(t);
  const clock = clockOf(() => 1_000);
  const { name } = await ensureAudienceFolder(root, 'person:per_1', clock);
  let isWriting = true;
  const readers = Array.from({ length: 4 }, async () => {
    let youngest = 1_000;
    while (isWriting) {
      const { created } = await ensureAudienceFolder(root, 'person:per_1', clock);
      assert.ok(created <= youngest, `${created} after ${youngest}`);
      youngest = created;
    }
  });
  for (let from = 999; from > 800; from -= 1) await ageAudienceFolder(root, name, from);
  isWriting = false;
  await Promise.all(readers);
  assert.equal((await ensureAudienceFolder(root, 'person:per_1', clock)).created, 801);
});
