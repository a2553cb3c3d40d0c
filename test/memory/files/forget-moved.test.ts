// Forgetting in a file that a person edits after the index has looked at it: the lines that the passage held go, at whatever number.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import Database from 'better-sqlite3';
import { systemClock } from '#base/clock.ts';
import { type FoundChunk, foundColumns } from '#memory/chunks/chunk-row.ts';
import type { FileRows, IndexedFile } from '#memory/chunks/file-rows.ts';
import { createRedact } from '#memory/secrets/redact.ts';
import { createLineForgetting } from '../../../src/memory/files/forget-lines.ts';
import { lineHash } from '../../../src/memory/files/lines.ts';
import { openFiles, settled } from './kit.ts';

/** Which of these lines are forgotten with the passage of `word`, when the file is `after` by the time that it is read. */
async function forgottenOf(
  t: TestContext,
  { before, after, word }: { before: string; after: string; word: string },
): Promise<string[]> {
  const { memory, root, put, absolute } = openFiles(t);
  const path = await put('person:per_1', 'MEMORY.md', before);
  await settled();
  await memory.indexFiles();
  const database = new Database(memory.path, { readonly: true });
  const chunks = database
    .prepare<[string], FoundChunk>(
      `SELECT ${foundColumns} FROM global_memory_chunks WHERE instr(content, ?) > 0`,
    )
    .all(word);
  const indexed = database
    .prepare<[], IndexedFile>('SELECT *, mtime_ms AS mtimeMs, ctime_ms AS ctimeMs FROM memory_files')
    .all();
  database.close();
  await memory.close();
  assert.equal(chunks.length, 1);
  writeFileSync(absolute(path), after);
  const noted = new Set<string>();
  const rows: Pick<FileRows, 'indexed' | 'forgetting' | 'linesOf' | 'forgetLines'> = {
    indexed: (key) => indexed.find((file) => file.key === key),
    forgetting: () => [],
    linesOf: () => [],
    forgetLines(lines) {
      for (const { hash } of lines) noted.add(hash);
    },
  };
  const forgetting = createLineForgetting({
    options: { root },
    rows: rows as FileRows,
    atOnce: async (work) => work(),
    forgetDerived: () => ({ lines: [], ids: [] }),
    redact: createRedact(),
    reindex: async () => undefined,
    clock: systemClock,
  });
  const scope = { audiences: ['person:per_1' as const], spaces: [], everyone: false };
  const selection = { ids: chunks.map(({ id }) => id) };
  forgetting.note(await forgetting.prepare(), chunks, { selection, scope, claims: [] });
  const folder = path.split('/')[0] ?? '';
  return after.split('\n').filter((line) => line.trim() !== '' && noted.has(lineHash(folder, line)));
}

const codes = '# Codes\n\n- The walrus gate is 4711.\n- The heron gate is 12.\n';

test('lines that a person wrote above a passage stay, and the passage goes from where it is now', async (t) => {
  const after = `- The elm gate is shut.\n- The fir gate is new.\n- The ash gate is old.\n- A new one.\n\n${codes}`;
  assert.deepEqual(await forgottenOf(t, { before: codes, after, word: 'walrus' }), [
    '- The walrus gate is 4711.',
    '- The heron gate is 12.',
  ]);
});

test('of a passage that a person changed, the lines that are as it held them go, and no heading or other line', async (t) => {
  const after = 'Codes\n\n# Codes\n\n- A new one.\n- The heron gate is shut.\n- The walrus gate is 4711.\n';
  assert.deepEqual(await forgottenOf(t, { before: codes, after, word: 'walrus' }), [
    '- The walrus gate is 4711.',
  ]);
});

test('a part of a line that is longer than a passage takes the whole line with it', async (t) => {
  const long = `The walrus ${'sleeps on the ice and '.repeat(90)}wakes.`;
  const after = `A new one.\n\nAnother one.\n\n${long}\n`;
  assert.deepEqual(await forgottenOf(t, { before: `${long}\n`, after, word: 'walrus' }), [long]);
});

test('a line with a secret, of which the index has other words, goes with its passage where it is now', async (t) => {
  const secret = `- The walrus key is ghp_${'a1B2c3D4e5F6'.repeat(3)}.`;
  const before = `${secret}\n- The heron gate is 12.\n`;
  const after = `A new one.\n\nAnother one.\n\n${secret}\n- The heron gate is shut.\n`;
  assert.deepEqual(await forgottenOf(t, { before, after, word: 'walrus' }), [secret]);
});
