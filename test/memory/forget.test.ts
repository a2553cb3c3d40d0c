// Forgetting: shown before it is done, done over everything derived, provable, and not undone by an import.
import assert from 'node:assert/strict';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import Database from 'better-sqlite3';
import type { ForgetRequest, Selection } from '#memory/types/maintenance.ts';
import type { Scope } from '#memory/types/scope.ts';
import { exchange, found, freshPath, mine, openMemory, start } from './open-memory.ts';

const secret = 'xylophonist';
const said = [`My neighbour is a ${secret} from Zanzibar`, 'My bike is green', 'The bike shed is locked'];

async function filled(t: Parameters<typeof openMemory>[0]) {
  const memory = openMemory(t);
  for (const [index, text] of said.entries())
    await memory.archive(exchange(text, { at: start + index * 1000 }));
  const forget = (selection: Selection, more: Partial<ForgetRequest> = {}) =>
    memory.forget({ scope: mine, selection, mode: 'forget', ...more });
  return { memory, forget };
}

test('a selection that names nothing, or a scope that is missing, is refused and forgets nothing', async (t) => {
  const { memory, forget } = await filled(t);
  // what a caller without types could pass
  for (const wrong of [{}, { ids: [] }, { person: '' }, { everything: true } as Selection])
    await assert.rejects(forget(wrong), { code: 'invalid_selection' }, JSON.stringify(wrong));
  await assert.rejects(forget({ words: 'bike' }, { scope: undefined as unknown as Scope }), {
    code: 'missing_scope',
  });
  for (const mode of ['preview', 'forget'] as const)
    await assert.rejects(
      forget({ from: start + 1, until: start }, { mode }),
      /begins before it ends, received one from /,
    );
  assert.equal((await memory.status()).chunks, 3);
});

test('a preview says what is meant and changes nothing (M31)', async (t) => {
  const { memory, forget } = await filled(t);
  const preview = await forget({ words: 'bike' }, { mode: 'preview' });
  assert.deepEqual([preview.entries, preview.forgotten], [2, false]);
  assert.deepEqual(
    preview.samples.map((entry) => entry.text),
    ['you said: The bike shed is locked', 'you said: My bike is green'],
  );
  assert.equal((await memory.status()).chunks, 3);
  for (let at = 0; at < 9; at += 1) await memory.archive(exchange(`The bike of ${at} is blue`));
  const many = await forget({ words: 'bike' }, { mode: 'preview' });
  assert.deepEqual([many.entries, many.samples.length], [11, 10]);
  assert.ok(statSync(`${memory.path}-wal`).size > 0, 'not even the log is emptied, as forgetting does');
});

test('what is forgotten is deleted from rows, words, vectors and the bytes of every file (M19, M29, M30)', async (t) => {
  const { memory, forget } = await filled(t);
  assert.ok((await memory.verify([secret])).traces.length > 0, 'its bytes are there before');
  const result = await forget({ words: secret });
  assert.deepEqual([result.entries, result.forgotten, result.remains], [1, true, []]);
  assert.deepEqual(await found(memory, secret), []);
  assert.deepEqual(await memory.verify([secret, 'zanzibar']), { problems: [], traces: [] });
  await memory.close();
  assert.ok(!readFileSync(memory.path).toString('latin1').toLowerCase().includes(secret));
  const file = new Database(memory.path);
  t.after(() => file.close());
  const count = (table: string): unknown => file.prepare(`SELECT count(*) FROM ${table}`).pluck().get();
  assert.equal(count('global_memory_chunks'), 2);
});

test('nobody forgets what they could not read (M26, M27)', async (t) => {
  const { memory, forget } = await filled(t);
  const other: Scope = { audiences: ['person:per_2'], spaces: [], everyone: true };
  assert.equal((await forget({ person: 'per_1' }, { scope: other })).entries, 0);
  assert.equal((await memory.status()).chunks, 3);
});

test('it is selected by id, person, chat, session, project and time, and all that is given must fit', async (t) => {
  const { memory, forget } = await filled(t);
  const entries = async (selection: Selection) => (await forget(selection, { mode: 'preview' })).entries;
  const [newest] = await memory.list({ scope: mine, limit: 1 });
  assert.equal(await entries({ ids: [newest?.id ?? ''] }), 1);
  assert.equal(await entries({ person: 'per_1' }), 3);
  assert.equal(await entries({ person: 'per_1', words: 'bike' }), 2);
  assert.equal(await entries({ chat: 'discord:dm:1:-:2:-' }), 3);
  assert.equal(await entries({ session: 'ses_2' }), 0);
  assert.equal(await entries({ project: 'prj_1' }), 3);
  assert.equal(await entries({ from: start + 500, until: start + 1500 }), 1);
});

test('a forgotten exchange is not archived again, and a forgotten file does not come back', async (t) => {
  const { memory, forget } = await filled(t);
  await forget({ words: 'green' });
  const again = await memory.archive(exchange('My bike is green', { key: 'another run' }));
  assert.deepEqual(again, { status: 'nothing to store' });
  const path = join(dirname(freshPath(t)), 'note.md');
  writeFileSync(path, 'The safe is behind the piano.');
  const load = () =>
    memory.importPath({ path, format: 'directory', where: { audience: 'person:per_1', restricted: true } });
  await load();
  assert.equal((await forget({ source: path })).entries, 1);
  assert.equal((await load()).chunks.stored, 0);
  assert.deepEqual(await found(memory, 'piano'), []);
});

test('what is forgotten without a mark may be stored again, what is forgotten with one may not', async (t) => {
  const memory = openMemory(t);
  const kayak = exchange('The kayak is blue');
  const forget = (marks?: 'none') =>
    memory.forget({ scope: mine, selection: { words: 'kayak' }, mode: 'forget', proof: 'none', marks });
  await memory.archive(kayak);
  assert.equal((await forget('none')).entries, 1);
  assert.equal((await memory.archive(kayak)).status, 'stored');
  await forget();
  assert.equal((await memory.archive(kayak)).status, 'nothing to store');
});

test('an entry is listed newest first and shown by its id, inside the scope alone', async (t) => {
  const { memory } = await filled(t);
  const entries = await memory.list({ scope: mine, limit: 2 });
  assert.deepEqual(
    entries.map((entry) => entry.at),
    [start + 2000, start + 1000],
  );
  const older = await memory.list({ scope: mine, before: start + 1000 });
  assert.equal(older.length, 1);
  const id = entries[0]?.id ?? '';
  assert.equal((await memory.show({ id, scope: mine }))?.text, 'you said: The bike shed is locked');
  const other: Scope = { audiences: ['person:per_2'], spaces: [], everyone: true };
  assert.equal(await memory.show({ id, scope: other }), undefined);
  assert.deepEqual(await memory.list({ scope: other }), []);
  await assert.rejects(memory.list({ scope: undefined as unknown as Scope }), { code: 'missing_scope' });
  await assert.rejects(memory.list({ scope: mine, limit: 0 }), { code: 'invalid_limit' });
  assert.deepEqual(await memory.places(), [{ audience: 'person:per_1', entries: 3 }]);
});

/** Reads the file in a thread for so many milliseconds. */
async function readFor(path: string, ms: number): Promise<void> {
  const reader = new Worker(
    `import Database from 'better-sqlite3';
    import { parentPort, workerData } from 'node:worker_threads';
    const file = new Database(workerData.path);
    file.exec('BEGIN');
    file.prepare('SELECT count(*) FROM global_memory_chunks').get();
    parentPort.postMessage('reading');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, workerData.ms);
    file.exec('COMMIT');
    file.close();`,
    { eval: true, workerData: { path, ms }, execArgv: ['--input-type=module'] },
  );
  await new Promise((resolve) => reader.once('message', resolve));
}

test('what is forgotten while someone reads for a moment is in no file either (M29, M30)', async (t) => {
  const { memory, forget } = await filled(t);
  await readFor(memory.path, 80);
  const result = await forget({ words: secret });
  assert.deepEqual([result.entries, result.forgotten, result.remains], [1, true, []]);
  assert.deepEqual((await memory.verify([secret])).traces, []);
});

test('what is left of a forgotten entry says when it was forgotten, who did it and why, and holds no word and no secret', async (t) => {
  const { memory, forget } = await filled(t);
  const [entry] = await memory.list({ scope: mine, words: secret });
  const id = entry?.id ?? '';
  assert.equal(await memory.forgotten({ id, of: 'every audience' }), undefined);
  const reason = 'asked by letter; my password is hunter2';
  await forget({ ids: [id] }, { by: { name: 'ann' }, reason });
  const left = await memory.forgotten({ id, of: 'person:per_1' });
  assert.deepEqual(left, {
    id,
    audience: 'person:per_1',
    at: left?.at,
    by: 'ann',
    reason: 'asked by letter; my password is [redacted:password]',
  });
  assert.ok(Math.abs((left?.at ?? 0) - start) < 60_000, String(left?.at));
  assert.equal(await memory.forgotten({ id, of: 'person:per_2' }), undefined);
  const [line] = await memory.audit({ of: 'every audience', action: 'forget' });
  assert.equal(line?.detail.reason, left?.reason);
  assert.deepEqual((await memory.verify([secret, 'hunter2'])).traces, []);
});

test('a person means what they said and what belongs to their own audience; a room means what belongs to it', async (t) => {
  const { memory, forget } = await filled(t);
  const path = join(dirname(freshPath(t)), 'diary.md');
  writeFileSync(path, 'The diary lies in the attic.');
  const into = (audience: 'person:per_1' | 'room:discord:channel:1:2:3:-') =>
    memory.importPath({ path, format: 'directory', where: { audience, restricted: true } });
  await into('person:per_1');
  const entries = async (selection: Selection, scope = mine) =>
    (await forget(selection, { mode: 'preview', scope })).entries;
  assert.equal(await entries({ person: 'per_1' }), 4);
  assert.equal(await entries({ person: ['per_9', 'per_1'], words: 'attic' }), 1);
  assert.equal(await entries({ person: 'per_9' }), 0);
  await into('room:discord:channel:1:2:3:-');
  const there: Scope = { audiences: ['room:discord:channel:1:2:3:-'], spaces: [], everyone: false };
  assert.equal(await entries({ chat: ['discord:channel:1:2:3:-'] }, there), 1);
  assert.equal(await entries({ session: ['ses_1', 'ses_2'] }), 3);
  await assert.rejects(forget({ person: [] }), { code: 'invalid_selection' });
});
