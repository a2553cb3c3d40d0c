// The index of memory files: derived from the files, never ahead of them, and never more than they hold.
import assert from 'node:assert/strict';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { ageIndex } from '../../../bench/harness/age-index.ts';
import { exchange } from '../open-memory.ts';
import { ann, openFiles, own, settled } from './kit.ts';

test('a file that a person wrote is found, with its path and lines', async (t) => {
  const { memory, put } = openFiles(t);
  const path = await put(
    'person:per_1',
    'MEMORY.md',
    '# Boats\n\n- My boat is called Tern.\n- It is blue.\n',
  );
  const { hits, degraded } = await memory.search({ text: 'What is my boat called?', scope: own });
  assert.deepEqual(degraded, []);
  assert.deepEqual(hits[0]?.file, { path, from: 3, until: 4 });
  assert.match(hits[0]?.text ?? '', /Boats\n- My boat is called Tern\./);
});

test('an edited line is found with its new words and never with the old ones (N9)', async (t) => {
  const { put, found } = openFiles(t);
  await put('person:per_1', 'MEMORY.md', '- The door code is on the blue shelf.\n');
  assert.equal((await found('Where is the door code?')).length, 1);
  await put('person:per_1', 'MEMORY.md', '- The door code is under the green carpet.\n');
  assert.match((await found('Where is the door code?')).join(), /green carpet/);
  assert.deepEqual(await found('blue shelf'), []);
});

test('only passages whose words changed are stored again', async (t) => {
  const { memory, put } = openFiles(t);
  const text = (last: string): string =>
    ['one', 'two', 'three', last].map((name) => `## ${name}\n\nThe harbour of ${name} is open.\n`).join('\n');
  await put('person:per_1', 'MEMORY.md', text('four'));
  await settled();
  assert.deepEqual((await memory.indexFiles()).passages, { stored: 4, unchanged: 0, removed: 0 });
  await put('person:per_1', 'MEMORY.md', `A first line.\n\n${text('five')}`);
  await settled();
  assert.deepEqual((await memory.indexFiles()).passages, { stored: 2, unchanged: 3, removed: 1 });
  const { hits } = await memory.search({ text: 'harbour of two', scope: own });
  assert.equal(hits[0]?.file?.from, 9);
});

test('a run says how many files it saw, indexed and refused, and a second run has nothing left (N3)', async (t) => {
  const { memory, put } = openFiles(t);
  await put('person:per_1', 'MEMORY.md', 'A line.\n');
  await put('person:per_1', 'memory/2026-11-20.md', 'Another line.\n');
  await put('person:per_1', 'memory/bad.md', Buffer.from([0xff, 0xfe, 0xfd]));
  await settled();
  const first = await memory.indexFiles();
  assert.deepEqual([first.seen, first.indexed, first.failed, first.waiting], [3, 2, 1, 0]);
  assert.match(first.failures[0]?.words ?? '', /not UTF-8/);
  const second = await memory.indexFiles();
  assert.deepEqual([second.seen, second.indexed, second.failed, second.unchanged], [3, 0, 1, 2]);
  assert.deepEqual(second.failures, first.failures);
});

test('a second run has nothing left of a file that fills a transaction to the last passage (N3)', async (t) => {
  const { put, memory } = openFiles(t);
  const parts = (many: number): string =>
    Array.from({ length: many }, (_, at) => `# Place ${at}\n\nThe gate of place ${at} is open.\n`).join('\n');
  for (const many of [127, 128, 129, 256]) await put('person:per_1', `memory/n${many}.md`, parts(many));
  await settled();
  const first = await memory.indexFiles();
  assert.deepEqual([first.indexed, first.passages.stored], [4, 640]);
  assert.equal((await memory.indexFiles()).indexed, 0);
});

test('only MEMORY.md in capitals, and what is below memory/, is a memory', async (t) => {
  const { put, found } = openFiles(t);
  await put('person:per_1', 'MEMORY.md', 'The pelican sleeps at noon.\n');
  await put('person:per_1', 'memory/2026-11-20-harbour.md', 'The heron sleeps at noon.\n');
  for (const name of ['notes.md', 'README.md', 'SOUL.md'])
    await put('person:per_1', name, 'The albatross sleeps at noon.\n');
  await put('person:per_2', 'memory.md', 'The puffin sleeps at noon.\n');
  assert.equal((await found('pelican')).length, 1);
  assert.equal((await found('heron')).length, 1);
  assert.deepEqual(await found('albatross'), []);
  assert.deepEqual(await found('puffin', { ...own, audiences: ['person:per_2'] }), []);
});

test('reports, journals and hidden files are never indexed (N5)', async (t) => {
  const { put, found } = openFiles(t);
  await put('person:per_1', 'DREAMS.md', 'The albatross flew at night.\n');
  await put('person:per_1', 'memory/dreaming/deep/2026-11-20.md', 'The albatross flew at night.\n');
  await put('person:per_1', 'memory/.state.md', 'The albatross flew at night.\n');
  await put('person:per_1', 'memory/events.jsonl', '{"text":"The albatross flew at night."}\n');
  assert.deepEqual(await found('albatross'), []);
});

test('a file that is being written is indexed once it has settled, and an emptied one is not indexed as empty (N6)', async (t) => {
  const { memory, put, found } = openFiles(t, { files: { searchWaitMs: 1_000 } });
  await put('person:per_1', 'MEMORY.md', 'The ferry leaves at nine.\n');
  await settled();
  await memory.indexFiles();
  await put('person:per_1', 'MEMORY.md', '');
  await settled();
  assert.equal((await memory.indexFiles()).waiting, 1);
  assert.equal((await found('When does the ferry leave?')).length, 1);
  const { degraded } = await memory.search({ text: 'ferry', scope: own });
  assert.deepEqual(degraded, ['1 changed memory files are not indexed yet']);
  await put('person:per_1', 'MEMORY.md', 'The ferry leaves at ten.\n');
  assert.match((await found('When does the ferry leave?')).join(), /at ten/);
});

test('a file that was emptied here is written again at once, and one that an editor has emptied is left to it (N6)', async (t) => {
  const { memory, put } = openFiles(t);
  const edit = (replace: string, text: string): Promise<unknown> =>
    memory.editFile({ audience: 'person:per_1', replace, text, by: ann });
  await put('person:per_1', 'MEMORY.md', 'The ferry leaves at nine.');
  await edit('The ferry leaves at nine.', '');
  await edit('', 'The ferry leaves at ten.');
  await put('person:per_1', 'MEMORY.md', '');
  await assert.rejects(edit('', 'The ferry leaves at noon.'), /is being written by someone else/);
});

test('a file that continues to change holds up no other one (N2)', async (t) => {
  const { put, found, absolute } = openFiles(t, { files: { searchWaitMs: 1_000 } });
  let count = 0;
  const path = await put('person:per_1', 'memory/busy.md', 'The counter is at 0.\n');
  const writer = setInterval(() => {
    count += 1;
    writeFileSync(absolute(path), `The counter is at ${count}.\n`);
  }, 20);
  try {
    await put('person:per_1', 'MEMORY.md', 'The lighthouse is white.\n');
    await settled();
    assert.equal((await found('lighthouse')).length, 1);
  } finally {
    clearInterval(writer); // before its folder goes
  }
});

test('links, devices and folders in the place of a file are refused by name (N7)', async (t) => {
  const { memory, put, absolute, found } = openFiles(t);
  const secret = absolute('outside.md');
  writeFileSync(secret, 'The vault code is narwhal.\n');
  const path = await put('person:per_1', 'memory/ok.md', 'All is well.\n');
  symlinkSync(secret, absolute(path.replace('ok.md', 'link.md')));
  mkdirSync(absolute(path.replace('memory/ok.md', 'MEMORY.md')));
  assert.deepEqual(await found('narwhal'), []);
  const { files } = await memory.status();
  assert.match(files?.refused.map(({ words }) => words).join() ?? '', /folder.*symbolic link/);
  await assert.rejects(memory.readFile({ scope: own, path: '../outside.md' }), { code: 'file_not_found' });
  await assert.rejects(memory.readFile({ scope: own, path: path.replace('ok.md', 'link.md') }), {
    code: 'file_refused',
  });
});

test('the same sentence in two files and an exchange is shown once, with all its places (N8)', async (t) => {
  const { memory, put } = openFiles(t);
  const sentence = 'The spare key hangs in the boathouse.';
  await memory.archive(exchange(sentence, { assistantText: 'Noted.' }));
  await put('person:per_1', 'MEMORY.md', `- ${sentence}\n`);
  await put('person:per_1', 'memory/2026-11-20.md', `- ${sentence}\n`);
  const { hits } = await memory.search({ text: 'Where does the spare key hang?', scope: own });
  assert.equal(hits.length, 1);
  assert.equal((hits[0]?.alsoIn?.length ?? 0) + 1, 3);
});

test('dirtiness is computed from the files, without any event (N1)', async (t) => {
  const { memory, put, absolute } = openFiles(t);
  const path = await put('person:per_1', 'MEMORY.md', 'One.\n');
  await settled();
  await memory.indexFiles();
  assert.equal((await memory.status()).files?.waiting, 0);
  writeFileSync(absolute(path), 'Two, and more.\n');
  assert.equal((await memory.status()).files?.waiting, 1);
  rmSync(absolute(path));
  assert.equal((await memory.status()).files?.waiting, 1);
  await memory.indexFiles();
  assert.deepEqual([(await memory.status()).files?.waiting, (await memory.status()).chunks], [0, 0]);
});

test('a rebuild makes every passage again, and exchanges what is stored in another form (N4)', async (t) => {
  const { memory, put, found } = openFiles(t);
  await put('person:per_1', 'MEMORY.md', 'The ferry leaves at nine.\n');
  await settled();
  await memory.indexFiles();
  const [before] = (await memory.search({ text: 'ferry', scope: own })).hits;
  const same = await memory.indexFiles({ force: true });
  assert.deepEqual([same.indexed, same.passages], [1, { stored: 0, unchanged: 1, removed: 0 }]);
  ageIndex(memory.path);
  const report = await memory.indexFiles({ force: true });
  assert.deepEqual(report.passages, { stored: 1, unchanged: 0, removed: 1 });
  const [after] = (await memory.search({ text: 'ferry', scope: own })).hits;
  assert.notEqual(after?.id, before?.id);
  assert.equal((await found('ferry')).length, 1);
  assert.deepEqual((await memory.verify()).problems, []);
});

test('a search in one corpus finds only what is of it', async (t) => {
  const { memory, put } = openFiles(t);
  await memory.archive(exchange('The regatta was in June.', { assistantText: 'Noted.' }));
  await put('person:per_1', 'MEMORY.md', '- The regatta of next year is in May.\n');
  const sources = async (corpus: 'memory' | 'sessions'): Promise<string[]> =>
    (await memory.search({ text: 'regatta', scope: own, corpus })).hits.map(({ platform }) => platform);
  assert.deepEqual(await sources('memory'), ['file']);
  assert.deepEqual(await sources('sessions'), ['discord']);
});

test('passages of other audiences are found by nobody else', async (t) => {
  const { put, found, memory } = openFiles(t);
  const path = await put('person:per_2', 'MEMORY.md', '- The surprise party is on Friday.\n');
  await put('room:slack:T1:C1', 'MEMORY.md', '- The surprise sale is on Monday.\n');
  await put('space:slack:T1', 'MEMORY.md', '- The surprise audit is on Tuesday.\n');
  await put('everyone', 'MEMORY.md', '- The surprise holiday is on Sunday.\n');
  assert.deepEqual(await found('surprise'), []);
  const room = { audiences: ['room:slack:T1:C1'] as const, spaces: ['slack:T1'], everyone: false };
  assert.equal((await found('surprise', room)).length, 2);
  assert.equal((await found('surprise', { audiences: [], spaces: [], everyone: true })).length, 2);
  await assert.rejects(memory.readFile({ scope: own, path }), { code: 'file_not_found' });
  assert.deepEqual(await memory.listFiles({ scope: own }), []);
  const late = {
    ...own,
    audiences: ['person:per_2'] as const,
    since: { 'person:per_2': Date.now() + 1_000 },
  };
  assert.deepEqual(await found('surprise', late), []);
  await assert.rejects(memory.readFile({ scope: late, path }), { code: 'file_not_found' });
});

test('a note and an edit are in the files without secrets, and are found', async (t) => {
  const { memory, found } = openFiles(t);
  const note = { audience: 'person:per_1', by: ann } as const;
  const first = await memory.noteFile({ ...note, text: 'The mast was repaired.\n# not a heading' });
  assert.equal(first.status, 'written');
  assert.equal(
    (await memory.noteFile({ ...note, text: 'The mast was repaired. # not a heading' })).status,
    'duplicate',
  );
  const secret = await memory.noteFile({ ...note, text: 'My password is hunter2hunter2.' });
  assert.equal(secret.redacted.length, 1);
  await memory.editFile({ ...note, replace: '', text: '- The sail is red.\n- The anchor is red.' });
  await assert.rejects(memory.editFile({ ...note, replace: 'is red', text: 'x' }), {
    code: 'passage_not_unique',
  });
  await assert.rejects(memory.editFile({ ...note, replace: 'is blue', text: 'x' }), {
    code: 'passage_not_found',
  });
  await memory.editFile({ ...note, replace: 'sail is red', text: 'sail is white' });
  assert.match((await found('sail')).join(), /sail is white/);
  const { text, total } = await memory.readFile({ scope: own, path: 'MEMORY.md' });
  assert.deepEqual([text, total], ['- The sail is white.\n- The anchor is red.', 2]);
});
