// How many entries each audience has: counted as they come and go, so that a list of audiences reads no memories.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { dropLaterObjects } from './earlier-memory.ts';
import { exchange, freshPath, openMemory } from './open-memory.ts';

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

test('a memory that was made before has the counts of what it holds', async (t) => {
  const path = freshPath(t);
  const before = openMemory(t, { path });
  await before.archive(exchange('The boat is red.'));
  await before.archive(exchange('The oar is new.'));
  await before.close();
  const database = new Database(path);
  dropLaterObjects(database);
  database.exec('DROP TABLE memory_audiences');
  for (const name of ['ad', 'au']) database.exec(`DROP TRIGGER memory_audiences_${name}`);
  const counts = "(SELECT version FROM schema_migrations WHERE name = 'counts of audiences')";
  database.exec(`DELETE FROM schema_migrations WHERE version >= ${counts}`);
  database.close();
  const memory = openMemory(t, { path });
  await memory.archive(exchange('The sail is torn.'));
  assert.deepEqual(await memory.places(), [{ audience: 'person:per_1', entries: 3 }]);
});

test('the trigger that counted in an earlier version is dropped, and each entry counts once', async (t) => {
  const path = freshPath(t);
  const before = openMemory(t, { path });
  await before.archive(exchange('The boat is red.'));
  await before.close();
  const database = new Database(path);
  dropLaterObjects(database);
  database.exec(`CREATE TRIGGER memory_audiences_ai AFTER INSERT ON global_memory_chunks BEGIN
    UPDATE memory_audiences SET entries = entries + 1 WHERE audience = new.audience; END`);
  database.exec(`DELETE FROM schema_migrations WHERE version >=
    (SELECT version FROM schema_migrations WHERE name = 'counts of inserted chunks without a trigger')`);
  database.close();
  const memory = openMemory(t, { path });
  await memory.archive(exchange('The oar is new.'));
  assert.deepEqual(await memory.places(), [{ audience: 'person:per_1', entries: 2 }]);
});
