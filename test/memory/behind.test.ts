// Indexes that are behind, made again or broken: searches continue with what is there, and change nothing.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { testEmbedder } from './embedder.ts';
import { note, withFacts } from './facts.ts';
import { exchange, found, freshPath, mine, openMemory } from './open-memory.ts';

test('a search over an index that is behind says so, finds what there is, and schedules no work (M5)', async (t) => {
  const path = freshPath(t);
  const before = openMemory(t, { path });
  await before.archive(exchange('My bike is green'));
  await before.close();
  const memory = openMemory(t, { path, embedder: testEmbedder(), embed: 'questions only' });
  const file = new Database(path);
  t.after(() => file.close());
  const version = () => file.pragma('data_version', { simple: true });
  const seen = version();
  for (let round = 0; round < 3; round += 1) {
    const { hits, degraded } = await memory.search({ text: 'bike', scope: mine });
    assert.deepEqual([hits.length, degraded], [1, ['index behind by 1']]);
    await memory.recall({ text: 'bike', scope: mine });
    await memory.records({ text: 'bike', scope: mine });
  }
  assert.equal(version(), seen, 'nobody wrote to the file');
});

test('a search does not wait for a reindex (M6)', async (t) => {
  const { memory } = await withFacts(t, []);
  for (let index = 0; index < 150; index += 1) await memory.archive(exchange(`Entry ${index} of the garden`));
  let ended = false;
  const indexing = memory.reindex().then((count) => {
    ended = true;
    return count;
  });
  assert.equal((await found(memory, 'garden')).length, 10);
  assert.equal(ended, false);
  assert.equal(await indexing, 150);
  assert.equal((await found(memory, 'garden')).length, 10);
});

test('what many rows leave behind when they go is cleared with them, in one step (M33)', async (t) => {
  const { memory } = await withFacts(t, [note('The boat is red')]);
  for (let index = 0; index < 120; index += 1)
    await memory.archive(exchange(`Entry ${index} of the garden`, { sessionID: 'ses_7' }));
  const gone = await memory.forget({ scope: mine, selection: { session: 'ses_7' }, mode: 'forget' });
  assert.deepEqual([gone.entries, gone.remains], [120, []]);
  assert.deepEqual(await memory.verify(['garden']), { problems: [], traces: [] });
  assert.equal((await memory.status()).chunks, 1);
});

test('what does not fit into a prompt is counted there (M41)', async (t) => {
  const rooms = ['attic', 'barn', 'cellar', 'den', 'entrance', 'foyer'];
  const { memory } = await withFacts(
    t,
    rooms.map((room) =>
      note(`The key of the ${room} hangs in the ${room}, ${'as we said, '.repeat(20)}always`),
    ),
  );
  const { block, hits, omitted } = await memory.recall({
    text: 'Where is the key?',
    scope: mine,
    budgetChars: 1500,
  });
  assert.ok(hits.length > 0 && omitted > 0);
  assert.match(block, new RegExp(`^left out: ${omitted}$`, 'm'));
});
