// What is done to a memory piece by piece: nothing is left out between two pieces, none is done twice, and progress is reported.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import Database from 'better-sqlite3';
import type { ExportLine } from '#memory/types/maintenance.ts';
import { by, note, withFacts } from './facts.ts';
import { exchange, found, mine, openMemory, start } from './open-memory.ts';

const key = `ghp_${'a1B2c3D4e5F6g7H8i9J0'.repeat(2).slice(0, 36)}`;

/** A memory with so many exchanges, a second apart, `text` in each of them. */
async function filled(t: TestContext, count: number, text = 'boat') {
  const memory = openMemory(t);
  const each = (n: number) => exchange(`${text} number ${n}`, { at: start + n * 1_000 });
  await Promise.all(Array.from({ length: count }, (_, n) => memory.archive(each(n))));
  return memory;
}

/** Puts other words in the place of a word, as they were before secrets were looked for. */
function overwrite(path: string, word: string, by: string): void {
  const file = new Database(path);
  for (const [table, columns] of Object.entries({
    global_memory_chunks: ['content', 'user_text', 'assistant_text', 'said_terms'],
    memory_records: ['content', 'terms'],
  }))
    for (const column of columns)
      file.prepare(`UPDATE ${table} SET ${column} = replace(${column}, ?, ?)`).run(word, by);
  file.close();
}

test('an export of more than one piece has every entry once, newest first', async (t) => {
  const memory = await filled(t, 503);
  const lines = await Array.fromAsync<ExportLine>(memory.export({ scope: mine }));
  const numbers = lines.map((line) => Number(/\d+$/.exec('text' in line ? line.text : '')?.[0]));
  assert.deepEqual(
    numbers,
    Array.from({ length: 503 }, (_, n) => 502 - n),
  );
});

test('indexes are made again a hundred rows at a time, with the rows that are done so far', async (t) => {
  for (const [count, expected] of [
    [0, []],
    [100, [100]],
    [230, [100, 200, 230]],
  ] as const) {
    const memory = await filled(t, count);
    const told: { done: number; total: number }[] = [];
    assert.equal(await memory.reindex((at) => told.push(at)), count);
    assert.deepEqual(
      told,
      expected.map((done) => ({ done, total: count })),
    );
    if (count > 0) assert.deepEqual(await found(memory, 'boat number 0', 1), ['boat number 0']);
  }
});

test('a scan looks through two hundred rows at a time, and says how far it is; what it finds is masked only when it is asked to', async (t) => {
  const memory = await filled(t, 201, 'placeholderword');
  overwrite(memory.path, 'placeholderword number 7', `${key} number 7`);
  overwrite(memory.path, 'placeholderword number 200', `${key} number 200`);
  for (const mode of ['look', 'fix', 'look'] as const) {
    const told: { done: number; total: number }[] = [];
    const isFixed = mode === 'look' && (await memory.verify([key])).traces.length === 0;
    const scan = await memory.scan({ mode, onProgress: (at) => told.push(at) });
    assert.deepEqual(told, [
      { done: 200, total: 201 },
      { done: 201, total: 201 },
    ]);
    assert.deepEqual([scan.looked, scan.fixed], [201, mode === 'fix']);
    assert.equal(
      scan.found.length,
      isFixed || (mode === 'look' && scan.found.length === 0) ? 0 : scan.found.length,
    );
    if (mode === 'fix') assert.ok(scan.found.length > 0);
  }
  assert.deepEqual((await memory.verify([key])).traces, []);
  assert.deepEqual((await memory.scan({ mode: 'look' })).found, []);
});

test('a secret in an answer, in an older version or in a withdrawn record is found with its kind, and masked with the rest', async (t) => {
  const { memory, ids } = await withFacts(t, [note('The old code is placeholderword')]);
  await memory.put(note('The code is another one', { supersedes: ids[0] }));
  const [, gone] = (await withIds(memory, ['The gate says placeholderword'])) as [undefined, string];
  await memory.retract({ id: gone, scope: mine, by, reason: 'wrong' });
  await memory.archive(exchange('What opens it?', { assistantText: 'It is placeholderword.' }));
  overwrite(memory.path, 'placeholderword', key);
  const stored = { key: 'k', audience: 'person:per_1', sessionID: 's', model: 'm', most: 9 } as const;
  await memory.keepResponse({ ...stored, text: 'an answer' });
  const look = await memory.scan({ mode: 'look' });
  assert.deepEqual(
    look.found.map(({ kinds, audience }) => [kinds.join(), audience]),
    Array.from({ length: look.found.length }, () => ['github token', 'person:per_1']),
  );
  assert.ok(look.found.length >= 3);
  assert.equal((await memory.status()).responses, 1, 'a look drops no cached answer');
  assert.equal((await memory.scan({ mode: 'fix' })).found.length, look.found.length);
  assert.deepEqual((await memory.verify([key])).traces, []);
  assert.equal((await memory.status()).responses, 0, 'a cached answer may hold what was found');
  await memory.keepResponse({ ...stored, text: 'another answer' });
  assert.deepEqual((await memory.scan({ mode: 'fix' })).found, []);
  assert.equal((await memory.status()).responses, 1, 'nothing was found');
});

/** Stores facts; undefined, then their ids. */
async function withIds(memory: Awaited<ReturnType<typeof withFacts>>['memory'], texts: readonly string[]) {
  const ids: (string | undefined)[] = [undefined];
  for (const text of texts) {
    const saved = await memory.put(note(text));
    ids.push('id' in saved ? saved.id : '');
  }
  return ids;
}

test('a list is in pages: fifty unless set otherwise, a thousand at most, the newest first, those before a time', async (t) => {
  const memory = await filled(t, 60);
  const list = async (query: object) =>
    (await memory.list({ scope: mine, ...query })).map(({ text }) => Number(/\d+$/.exec(text)?.[0]));
  const from = (newest: number, count: number) => Array.from({ length: count }, (_, n) => newest - n);
  assert.deepEqual(await list({}), from(59, 50));
  assert.deepEqual(await list({ limit: 1 }), [59]);
  assert.deepEqual(await list({ limit: 1_000 }), from(59, 60));
  assert.deepEqual(await list({ limit: 3, offset: 2 }), from(57, 3));
  assert.deepEqual(await list({ limit: 2, before: start + 10_000 }), [9, 8]);
  for (const limit of [0, -1, 1_001, 1.5])
    await assert.rejects(list({ limit }), { code: 'invalid_limit' }, String(limit));
  const [entry] = await memory.list({ scope: mine });
  assert.equal((await memory.show({ id: entry?.id ?? '', scope: mine }))?.id, entry?.id);
  assert.equal(await memory.show({ id: 'mem_none', scope: mine }), undefined);
  const other = { audiences: ['person:per_2' as const], spaces: [], everyone: false };
  assert.equal(await memory.show({ id: entry?.id ?? '', scope: other }), undefined);
});

test('an answer is cached without a secret only, and caches are dropped with their count', async (t) => {
  const memory = openMemory(t);
  const stored = { key: 'k', audience: 'person:per_1', sessionID: 's', model: 'm', most: 9 } as const;
  assert.equal(await memory.keepResponse({ ...stored, text: `Use ${key}.` }), false);
  assert.equal((await memory.status()).responses, 0);
  assert.equal(await memory.keepResponse({ ...stored, text: 'Use the gate.' }), true);
  assert.equal((await memory.status()).responses, 1);
  assert.deepEqual(await memory.dropCaches(), { responses: 1, embeddings: 0 });
  assert.deepEqual(await memory.dropCaches(), { responses: 0, embeddings: 0 });
});

test('a cached answer is given to those who could read it when it was given, not to who came later', async (t) => {
  const memory = openMemory(t);
  const answer = { key: 'k', audience: 'person:per_1', sessionID: 's', model: 'm', most: 9 } as const;
  await memory.keepResponse({ ...answer, text: 'Use the gate.' });
  const given = (since: number) =>
    memory.response({
      ...{ key: 'k', sessionID: 'other', since: 0 },
      scope: { ...mine, since: { 'person:per_1': since } },
    });
  assert.deepEqual([await given(start - 1), await given(start)], ['Use the gate.', undefined]);
});

test('words of six letters and more of what is forgotten are looked for in the files, and at most the fifty longest', async (t) => {
  const six = 'violas';
  const five = 'cello';
  // no search and no selection reads what is in the metadata of a record
  const { memory } = await withFacts(t, [note('The sign is blue', { metadata: { of: [six, five] } })]);
  const forget = async (words: string) => {
    await memory.archive(exchange(words));
    return (await memory.forget({ scope: mine, selection: { words }, mode: 'forget' })).remains;
  };
  const remains = await forget(`${six} ${five}`);
  assert.equal(remains.length > 0, true);
  assert.ok(
    remains.every((line) => line.startsWith(`"${six}" is in `)),
    remains.join('\n'),
  );
  const longer = Array.from({ length: 50 }, (_, n) => `instrument${String.fromCharCode(97 + (n % 26))}${n}`);
  assert.deepEqual(await forget([...longer, six].join(' ')), [], 'fifty longer ones are looked for instead');
  assert.ok((await forget([...longer.slice(1), six].join(' '))).length > 0);
});
