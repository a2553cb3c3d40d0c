// What the owner of the file does: old secrets masked, indexes made again, everything taken out. Not forgetting.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { systemClock } from '#base/clock.ts';
import { createIds } from '#base/ids.ts';
import { openStore } from '#memory/store/store.ts';
import type { ExportLine } from '#memory/types/maintenance.ts';
import type { Scope } from '#memory/types/scope.ts';
import { note, withFacts } from './facts.ts';
import { exchange, found, freshPath, mine, openMemory } from './open-memory.ts';

const key = `ghp_${'a1B2c3D4e5F6g7H8i9J0'.repeat(2).slice(0, 36)}`;

/** What a memory may hold that was written before secrets were looked for. */
async function withOldSecrets(t: Parameters<typeof withFacts>[0]) {
  const { memory } = await withFacts(t, [note('The deploy token is placeholderword')]);
  await memory.archive(exchange('Use placeholderword to deploy', { assistantText: 'I will use it.' }));
  await memory.archive(exchange('My bike is green'));
  const file = new Database(memory.path);
  for (const [table, columns] of Object.entries({
    global_memory_chunks: ['content', 'user_text', 'said_terms'],
    memory_records: ['content', 'terms'],
  }))
    for (const column of columns)
      file
        .prepare(
          `UPDATE ${table} SET ${column} = replace(replace(${column}, 'placeholderword', @key), 'placeholderword', @key)`,
        )
        .run({ key });
  file.close();
  return memory;
}

test('a scan finds secrets that were stored before, changes nothing until it is asked to, and then masks them everywhere (M44)', async (t) => {
  const memory = await withOldSecrets(t);
  const look = await memory.scan({ mode: 'look' });
  assert.deepEqual([look.looked, look.found.length, look.fixed], [3, 3, false]);
  assert.ok(look.found.every(({ kinds }) => kinds.join() === 'github token'));
  assert.ok(!JSON.stringify(look).includes(key));
  assert.ok((await memory.verify([key])).traces.length > 0);
  const fixed = await memory.scan({ mode: 'fix' });
  assert.equal(fixed.found.length, 3);
  assert.deepEqual(await memory.verify([key, key.slice(4)]), { problems: [], traces: [] });
  assert.deepEqual((await found(memory, 'deploy')).sort(), [
    'The deploy token is [redacted:github token]',
    'Use [redacted:github token] to deploy\nassistant answered: I will use it.',
  ]);
  assert.deepEqual(await found(memory, key), []);
  const [record] = await memory.records({ text: 'deploy', scope: mine });
  assert.deepEqual([record?.text, record?.redactions], ['The deploy token is [redacted:github token]', 1]);
  const audit = await memory.audit({ of: 'every audience', action: 'redact' });
  assert.equal(audit.length, 3);
  assert.deepEqual((await memory.scan({ mode: 'look' })).found, []);
  assert.deepEqual((await memory.status()).degraded, []);
  await memory.close();
  assert.ok(!readFileSync(memory.path).includes(key));
});

test('what is masked in the own memory of an agent does not count as what others say afterwards', async (t) => {
  const path = freshPath(t);
  const words = `Use ${key} to deploy`;
  const where = { audience: 'person:per_1', restricted: true } as const;
  const store = openStore({ path, clock: systemClock, newId: createIds(systemClock) });
  store.archive([
    { exchange: exchange(words, { key: 'run_own', where: { ...where, partition: 'agt_1' } }), masked: [] },
  ]);
  store.close();
  const memory = openMemory(t, { path });
  assert.equal((await memory.scan({ mode: 'fix' })).found.length, 1);
  assert.equal((await memory.archive(exchange(words))).status, 'stored');
  assert.deepEqual(await found(memory, 'deploy'), ['Use [redacted:github token] to deploy']);
  // and the agent's own is known again as its own
  const again = await memory.archive(
    exchange(words, { key: 'run_2', where: { ...where, partition: 'agt_1' } }),
  );
  assert.equal(again.status, 'duplicate');
});

test('indexes are made again from what is stored, whatever happened to them (M9)', async (t) => {
  const { memory } = await withFacts(t, [note('The boat is red')]);
  await memory.archive(exchange('My bike is green'));
  const file = new Database(memory.path);
  file.exec("UPDATE global_memory_chunks SET said_terms = 'nothing', language = NULL");
  file.exec("INSERT INTO global_memory_fts (global_memory_fts) VALUES ('delete-all')");
  file.close();
  assert.deepEqual(await found(memory, 'bike'), []);
  const told: number[] = [];
  assert.equal(await memory.reindex(({ done }) => told.push(done)), 2);
  assert.deepEqual(told, [2]);
  assert.deepEqual(await found(memory, 'bike'), ['My bike is green']);
  assert.deepEqual(await found(memory, 'boat'), ['The boat is red']);
  assert.deepEqual(await memory.verify(), { problems: [], traces: [] });
  assert.deepEqual((await memory.status()).degraded, []);
});

test('an export holds what the scope may read, each record with its versions, and nothing else (M27)', async (t) => {
  const { memory, ids } = await withFacts(t, [note('The door code is 1111')]);
  await memory.put(note('The door code is 2222', { supersedes: ids[0] }));
  await memory.archive(exchange('My bike is green'));
  await memory.archive(
    exchange('Their boat is red', { where: { audience: 'person:per_2', restricted: true } }),
  );
  const lines = async (scope: Scope) => Array.fromAsync<ExportLine>(memory.export({ scope }));
  assert.deepEqual(
    (await lines(mine)).map((line) => [line.type, 'text' in line ? line.text : '']),
    [
      ['entry', 'you said: My bike is green'],
      ['record', 'The door code is 1111'],
      ['record', 'The door code is 2222'],
    ],
  );
  assert.deepEqual(await lines({ audiences: [], spaces: [], everyone: true }), []);
  await assert.rejects(lines(undefined as unknown as Scope), { code: 'missing_scope' });
});

test('an export holds the summaries of exchanges, and what was made of them, once', async (t) => {
  const { memory, ids } = await withFacts(t, [note('They talked about the kayak', { kind: 'episode' })]);
  await memory.put(note('The kayak leaks', { evidence: ids }));
  await memory.put(note('They talked about the canoe', { kind: 'episode', supersedes: ids[0] }));
  const lines = await Array.fromAsync<ExportLine>(memory.export({ scope: mine }));
  assert.deepEqual(lines.map((line) => ('text' in line ? line.text : '')).sort(), [
    'The kayak leaks',
    'They talked about the canoe',
    'They talked about the kayak',
  ]);
});
