// What was forgotten after a backup was taken is forgotten in the backup too, when it comes back: by its content, in its audience, once.
import assert from 'node:assert/strict';
import { copyFileSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import Database from 'better-sqlite3';
import { createIds } from '#base/ids.ts';
import { forgetAgain } from '#memory/memory.ts';
import { clockOf } from '../support/clock-of.ts';
import { by, note, withFacts } from './facts.ts';
import { exchange, mine, openMemory, start } from './open-memory.ts';

const clock = clockOf(() => start);

/** A memory with an exchange, two facts and what another person said, as it is now and as it was in a backup. */
async function backedUp(t: TestContext) {
  const { memory, ids } = await withFacts(t, [note('The kayak is blue'), note('The canoe is green')]);
  await memory.archive(exchange('My neighbour is a xylophonist'));
  await memory.archive(
    exchange('My neighbour is a xylophonist', {
      key: 'run_of_another',
      where: { audience: 'person:per_2', restricted: true },
    }),
  );
  const backup = join(dirname(memory.path), 'backup.sqlite');
  new Database(memory.path).exec(`VACUUM INTO '${backup}'`).close();
  const forget = (words: string) => memory.forget({ scope: mine, selection: { words }, mode: 'forget' });
  const again = () => forgetAgain({ from: memory.path, to: backup, clock, newId: createIds(clock) });
  const left = async (audience: 'person:per_1' | 'person:per_2' = 'person:per_1'): Promise<string[]> => {
    const path = join(dirname(memory.path), `looked-${Math.random()}.sqlite`);
    copyFileSync(backup, path);
    const restored = openMemory(t, { path });
    const entries = await restored.list({ scope: { audiences: [audience], spaces: [], everyone: false } });
    await restored.close();
    return entries.map(({ text }) => text.replace('you said: ', '')).sort();
  };
  return { memory, ids, backup, forget, again, left };
}

test('a fact and an exchange that were forgotten go from the backup, with their bytes; the same words of another person stay', async (t) => {
  const { forget, again, left, backup } = await backedUp(t);
  await forget('kayak');
  assert.equal(await again(), 1);
  assert.deepEqual(await left(), ['My neighbour is a xylophonist', 'The canoe is green']);
  assert.doesNotMatch(readFileSync(backup, 'latin1'), /kayak/i);
  await forget('xylophonist');
  assert.equal(await again(), 1);
  assert.deepEqual(await left(), ['The canoe is green']);
  assert.deepEqual(await left('person:per_2'), ['My neighbour is a xylophonist']);
  assert.equal(await again(), 0, 'there is nothing more to forget');
});

test('what is left of a forgotten entry says who forgot it and why, in the backup too', async (t) => {
  const { memory, again, backup } = await backedUp(t);
  const [entry] = await memory.list({ scope: mine, words: 'kayak' });
  const id = entry?.id ?? '';
  const selection = { ids: [id] };
  await memory.forget({ scope: mine, selection, mode: 'forget', by: { name: 'ann' }, reason: 'it was sold' });
  const there = await memory.forgotten({ id, of: 'person:per_1' });
  assert.deepEqual([there?.by, there?.reason], ['ann', 'it was sold']);
  await again();
  const restored = openMemory(t, { path: backup });
  assert.deepEqual(await restored.forgotten({ id, of: 'person:per_1' }), there);
});

test('what is only in a summary of the backup goes from the summary, and the rest of it stays', async (t) => {
  const memory = openMemory(t, { budgets: { audience: { exchanges: 1 } } });
  const ids: string[] = [];
  for (const [n, name] of ['kayak', 'cello', 'orchid', 'stove'].entries()) {
    const text = `The ${name} is in box ${n}. ${'We talked about it with many words that nobody needs. '.repeat(6)}`;
    const saved = await memory.archive(exchange(text, { at: start + n }));
    ids.push(...('chunkIDs' in saved ? saved.chunkIDs : []));
  }
  await memory.consolidate();
  const backup = join(dirname(memory.path), 'backup.sqlite');
  new Database(memory.path).exec(`VACUUM INTO '${backup}'`).close();
  await memory.forget({ scope: mine, selection: { ids: [ids[1] ?? ''] }, mode: 'forget' });
  const again = () => forgetAgain({ from: memory.path, to: backup, clock, newId: createIds(clock) });
  assert.deepEqual([await again(), await again()], [1, 0]);
  assert.doesNotMatch(readFileSync(backup, 'latin1'), /cello/i);
  const restored = openMemory(t, { path: backup });
  const [summary] = await restored.records({ scope: mine, kind: 'episode' });
  assert.match(summary?.text ?? '', /kayak[\s\S]*orchid/);
});

test('where nothing was forgotten since, or nothing of it is in the backup, the backup stays as it is', async (t) => {
  const { memory, forget, again, left } = await backedUp(t);
  assert.equal(await again(), 0);
  await memory.archive(exchange('My sail is red'));
  await forget('sail');
  assert.equal(await again(), 0);
  assert.equal((await left()).length, 3);
});

test('knowledge whose record is gone is named by verify', async (t) => {
  const { memory, ids } = await backedUp(t);
  await memory.promoteKnowledge({ id: ids[0] ?? '', scope: mine, by, subject: 'Boats' });
  assert.deepEqual((await memory.verify()).problems, []);
  const file = new Database(memory.path);
  file.pragma('foreign_keys = OFF');
  file.exec(`UPDATE memory_knowledge SET of_lineage = 'lost'`);
  file.close();
  assert.deepEqual((await memory.verify()).problems, ['1 items of knowledge have no record']);
});
