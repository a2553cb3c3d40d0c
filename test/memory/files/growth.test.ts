// What one file costs, counted: the same among few files and among many.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import Database from 'better-sqlite3';
import { ageIndex } from '../../../bench/harness/age-index.ts';
import { openFiles, settled } from './kit.ts';

const text = (file: number): string =>
  Array.from({ length: 8 }, (_, at) => `## Gate ${at}\n\nThe oak gate ${at} of yard ${file} is open.\n`).join(
    '\n',
  );

/** Counts how often any statement runs while the work does, and how many rows the statements give. */
async function counted(work: () => Promise<unknown>): Promise<{ runs: number; rows: number }> {
  const database = new Database(':memory:');
  const statement = Object.getPrototypeOf(database.prepare('SELECT 1'));
  database.close();
  const count = { runs: 0, rows: 0 };
  const names = ['run', 'get', 'all'] as const;
  const before = names.map((name) => statement[name]);
  for (const [at, name] of names.entries())
    statement[name] = function (...values: unknown[]) {
      const result = before[at].apply(this, values);
      count.runs += 1;
      count.rows += Array.isArray(result) ? result.length : 0;
      return result;
    };
  try {
    await work();
  } finally {
    for (const [at, name] of names.entries()) statement[name] = before[at];
  }
  return count;
}

/** The counts of an edit, and of a rebuild that changes nothing, among so many files. */
async function counts(t: TestContext, files: number) {
  const { memory, put, found } = openFiles(t);
  for (let at = 0; at < files; at += 1) await put('person:per_1', `memory/n${at}.md`, text(at));
  await settled();
  await memory.indexFiles();
  await put('person:per_1', 'memory/n3.md', `${text(3)}\nThe heron is at the pier.\n`);
  await settled();
  const edit = await counted(() => memory.indexFiles());
  assert.equal((await found('heron pier')).length, 1);
  const rebuild = await counted(() => memory.indexFiles({ force: true }));
  return { edit, rebuild };
}

test('an edited file takes as many statements among 80 files as among 8, and a rebuild as many for each file', async (t) => {
  const [few, many] = [await counts(t, 8), await counts(t, 80)];
  assert.ok(few.edit.runs > 8, 'the statements are counted');
  assert.equal(many.edit.runs, few.edit.runs);
  // the list of all files is one row each
  assert.equal(many.edit.rows - few.edit.rows, 72);
  assert.ok(many.rebuild.runs <= few.rebuild.runs * 10, `${many.rebuild.runs} and ${few.rebuild.runs}`);
});

test('a rebuild of many passages leaves few empty pages in full text, over which each later removal would walk', async (t) => {
  const { memory, put } = openFiles(t);
  const line = (file: number, at: number): string =>
    `## Gate ${at}\n\n${'The oak gate is open. '.repeat(20)}${file}\n`;
  for (let file = 0; file < 150; file += 1)
    await put(
      'person:per_1',
      `memory/n${file}.md`,
      Array.from({ length: 40 }, (_, at) => line(file, at)).join('\n'),
    );
  await settled();
  await memory.indexFiles();
  ageIndex(memory.path);
  const { passages } = await memory.indexFiles({ force: true });
  assert.deepEqual(passages, { stored: 6_000, unchanged: 0, removed: 6_000 });
  const database = new Database(memory.path, { readonly: true });
  const pages = database
    .prepare(
      'SELECT count(*) AS all_of, total(length(block) <= 4) AS empty FROM global_memory_fts_data WHERE id > 10',
    )
    .get() as { all_of: number; empty: number };
  database.close();
  assert.ok(pages.empty < pages.all_of / 10, `${pages.empty} of ${pages.all_of} pages are empty`);
  assert.deepEqual((await memory.verify()).problems, []);
});
