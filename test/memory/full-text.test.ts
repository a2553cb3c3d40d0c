// A full text that is lost under a memory that is open, and inside the thread of a large one.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import Database from 'better-sqlite3';
import { exchange, found, mine, openMemory } from './open-memory.ts';

for (const [where, threadAbove] of [
  ['here', undefined],
  ['in a thread', { rows: 0, bytes: 0 }],
] as const)
  test(`a search ${where} over a full text that went away in the meantime finds by LIKE within its scope, and it is made again`, async (t: TestContext) => {
    const memory = openMemory(t, { threadAbove });
    await memory.archive(exchange('The harbour was closed'));
    const other = { audience: 'person:per_2', restricted: true } as const;
    await memory.archive(exchange('The harbour of another', { where: other }));
    assert.deepEqual(await found(memory, 'harbour'), ['The harbour was closed']);
    const file = new Database(memory.path);
    file.unsafeMode(true);
    file.exec('DROP TABLE global_memory_fts');
    file.close();
    const { hits, degraded } = await memory.search({ text: 'closed harbour', scope: mine });
    assert.deepEqual(
      hits.map(({ text }) => text),
      ['you said: The harbour was closed'],
    );
    assert.match(degraded.join(), /full text damaged: searched with LIKE/);
    assert.equal((await memory.archive(exchange('The boat is red'))).status, 'stored');
    const again = await memory.search({ text: 'boat', scope: mine });
    assert.deepEqual([again.hits.length, again.degraded], [1, []]);
    const recalled = await memory.recall({ text: 'Was the harbour closed?', scope: mine });
    assert.equal(recalled.hits.length, 1);
  });
