// What memory does when a part of it is missing, damaged, foreign or closed.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { exchange, found, freshPath, mine, openMemory } from './open-memory.ts';

test('a file that is no database is refused with a message and left as it was', (t) => {
  const path = freshPath(t);
  writeFileSync(path, 'these are not the tables you look for, '.repeat(100));
  const before = readFileSync(path);
  assert.throws(() => openMemory(t, { path }), { code: 'database_unusable' });
  assert.deepEqual(readFileSync(path), before);
});

test('a database damaged in the middle is refused with a message, by the call that meets it, and wiped by none (TAS)', async (t) => {
  const path = freshPath(t);
  const memory = openMemory(t, { path });
  for (let index = 0; index < 200; index += 1) await memory.archive(exchange(`entry ${index} of the garden`));
  await memory.close();
  const damaged = readFileSync(path);
  damaged.fill(0x5a, 8192, damaged.length - 4096);
  writeFileSync(path, damaged);
  await assert.rejects(
    async () => {
      const opened = openMemory(t, { path });
      await opened.search({ text: 'garden', scope: mine });
    },
    { name: 'ParleyError', code: /^(database|memory)_unusable$/ },
  );
  assert.equal(readFileSync(path).length, damaged.length);
});

test('a closed memory answers every call with a message', async (t) => {
  const memory = openMemory(t);
  await memory.close();
  await memory.close();
  await assert.rejects(memory.archive(exchange('bike')), { code: 'memory_closed' });
  await assert.rejects(memory.search({ text: 'bike', scope: mine }), { code: 'memory_closed' });
  await assert.rejects(memory.recall({ text: 'bike', scope: mine }), { code: 'memory_closed' });
  await assert.rejects(memory.status(), { code: 'memory_closed' });
});

test('a deleted chunk leaves neither full text nor a readable word in the closed file (M29)', async (t) => {
  const path = freshPath(t);
  const memory = openMemory(t, { path });
  await memory.archive(exchange('The word is xylophonesecret'));
  for (let index = 0; index < 50; index += 1) await memory.archive(exchange(`entry ${index}`));
  await memory.close();
  assert.ok(readFileSync(path).includes('xylophonesecret'));
  const file = new Database(path);
  file.pragma('secure_delete = ON');
  file.exec("DELETE FROM global_memory_chunks WHERE content LIKE '%xylophone%'");
  file.exec("INSERT INTO global_memory_fts (global_memory_fts, rank) VALUES ('integrity-check', 1)");
  file.pragma('wal_checkpoint(TRUNCATE)');
  file.close();
  const bytes = readFileSync(path);
  assert.ok(!bytes.includes('xylophonesecret') && !bytes.includes('ylophonesecret'));
});

test('a row that is indexed again is found only by its new words', async (t) => {
  const memory = openMemory(t);
  await memory.archive(exchange('My bike is green'));
  const file = new Database(memory.path);
  t.after(() => file.close());
  file.exec("UPDATE global_memory_chunks SET said_terms = 'my boat is green'");
  file.exec("INSERT INTO global_memory_fts (global_memory_fts, rank) VALUES ('integrity-check', 1)");
  assert.deepEqual(await found(memory, 'bike'), []);
  assert.equal((await found(memory, 'boat')).length, 1);
});
