// How many entries each audience has: counted as they come and go, so that a list of audiences reads no memories.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { exchange, openMemory } from './open-memory.ts';

const counted = 'SELECT audience, entries FROM memory_audiences ORDER BY audience';
const read =
  'SELECT audience, count(*) AS entries FROM global_memory_chunks GROUP BY audience ORDER BY audience';

test('audiences are listed with their entries, the largest first, and one that is forgotten is not there', async (t) => {
  const memory = openMemory(t);
  const say = (name: string, text: string) =>
    memory.archive(exchange(text, { where: { audience: `person:${name}`, restricted: true } }));
  for (const text of ['The boat is red.', 'The oar is new.', 'The sail is torn.']) await say('ann', text);
  await say('ben', 'The gate is green.');
  assert.deepEqual(await memory.places(), [
    { audience: 'person:ann', entries: 3 },
    { audience: 'person:ben', entries: 1 },
  ]);
  assert.deepEqual(await memory.places(1), [{ audience: 'person:ann', entries: 3 }]);
  const scope = { audiences: ['person:ben' as const], spaces: [], everyone: false };
  await memory.forget({ scope, selection: { words: 'gate' }, mode: 'forget', by: { name: 'test' } });
  assert.deepEqual(await memory.places(), [{ audience: 'person:ann', entries: 3 }]);
  const database = new Database(memory.path, { readonly: true });
  t.after(() => database.close());
  assert.deepEqual(database.prepare(counted).all(), database.prepare(read).all());
});
