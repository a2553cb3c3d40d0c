// What disks, clocks and editors do to memory files: said with a message, and nothing is lost.
import assert from 'node:assert/strict';
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { systemClock } from '#base/clock.ts';
import { smallDisk } from '../../support/disk.ts';
import { ann, openFiles, own, settled } from './kit.ts';

const note = { audience: 'person:per_1', by: ann } as const;

test('a MEMORY.md of 50 MB, one with NUL bytes and a folder in its place are named, and become well again', async (t) => {
  const { memory, put, absolute, found } = openFiles(t);
  const path = await put('person:per_1', 'MEMORY.md', Buffer.alloc(50 * 1024 * 1024, 'a'));
  const words = async (): Promise<string> => {
    await memory.indexFiles();
    return (await memory.status()).files?.refused[0]?.words ?? '';
  };
  assert.match(await words(), /52428800 bytes, and at most 4194304/);
  const { block, degraded } = await memory.filePrompt({ audience: 'person:per_1', scope: own });
  assert.deepEqual([block, degraded.length], ['', 1]);
  await assert.rejects(memory.editFile({ ...note, replace: '', text: 'x' }), { code: 'file_refused' });
  await put('person:per_1', 'MEMORY.md', 'One\u0000two\n');
  await settled();
  assert.match(await words(), /NUL bytes/);
  rmSync(absolute(path));
  mkdirSync(absolute(path));
  assert.match(await words(), /is a folder/);
  rmSync(absolute(path), { recursive: true });
  await put('person:per_1', 'MEMORY.md', 'The oak gate is open.\n');
  assert.equal((await found('oak gate')).length, 1);
  assert.equal(await words(), '');
});

test('a file that is deleted while it is read is missing from the answer, and no call fails', async (t) => {
  const { memory, put, absolute, found } = openFiles(t);
  for (let at = 0; at < 20; at += 1)
    await put('person:per_1', `memory/n${at}.md`, `The oak gate ${at} is open.\n`);
  await settled();
  const indexing = memory.indexFiles();
  const { files } = { files: await memory.listFiles({ scope: own }) };
  for (const { path } of files) rmSync(absolute(path));
  await indexing;
  assert.deepEqual(await found('oak gate'), []);
  assert.equal((await memory.readFile({ scope: own, path: 'memory/n1.md' })).text, '');
});

test('a memory file that does not exist yet is read as empty, also whole, and can be written then', async (t) => {
  const { memory, put } = openFiles(t);
  const folder = (await put('person:per_1', 'audience.txt', '')).replace('/audience.txt', '');
  const notes = ['memory/2026-11-20.md', 'memory/x.md', `${folder}/memory/y.md`, 'MEMORY.md'];
  const reports = ['DREAMS.md', `${folder}/DREAMS.md`, 'memory/dreaming/rem/2026-11-20.md'];
  for (const path of [...notes, ...reports]) {
    const nothing = { path, from: 1, until: 0, total: 0, text: '' };
    assert.deepEqual(await memory.readFile({ scope: own, path }), nothing);
    const { text, tag, readOnly } = await memory.readWholeFile({ scope: own, path });
    assert.deepEqual([text, readOnly], ['', reports.includes(path)], path);
    const written = memory.replaceFile({ ...note, scope: own, path, text: 'The oak gate is open.\n', tag });
    if (readOnly) await assert.rejects(written, { code: 'file_refused' });
    else {
      await written;
      assert.equal((await memory.readFile({ scope: own, path })).text, 'The oak gate is open.');
    }
  }
  const others = (await put('person:per_2', 'MEMORY.md', 'x')).replace('/MEMORY.md', '');
  for (const path of [
    ...[
      'memory/../MEMORY.md',
      'other/MEMORY.md',
      'notes.md',
      'memory/.x.md',
      'memory/x.txt',
      'memory/a/b.md',
    ],
    ...['memory/dreaming/../../DREAMS.md', `${others}/memory/x.md`, `${others}/DREAMS.md`],
  ])
    await assert.rejects(memory.readFile({ scope: own, path }), { code: 'file_not_found' }, path);
});

test('a report of dreams that is there is read by people alone, and one name of two files is no empty file', async (t) => {
  const { memory, put } = openFiles(t);
  await put('person:per_1', 'DREAMS.md', '# Dreams\n');
  const dreams = { scope: own, path: 'DREAMS.md' } as const;
  assert.equal((await memory.readFile({ ...dreams, reports: 'too' })).text, '# Dreams');
  assert.equal((await memory.readWholeFile(dreams)).text, '# Dreams\n');
  await assert.rejects(memory.readFile(dreams), { code: 'file_refused', message: /is a report for people/ });
  await put('person:per_1', 'MEMORY.md', 'One.\n');
  await put('everyone', 'MEMORY.md', 'Two.\n');
  const both = { ...own, everyone: true };
  await assert.rejects(memory.readFile({ scope: both, path: 'MEMORY.md' }), /2 memory files are called/);
});

test('a hard link is refused with a message, as a symbolic link is, and a copy in its place is read', async (t) => {
  const { memory, put, absolute, found } = openFiles(t);
  await put('person:per_1', 'MEMORY.md', 'The oak gate is open.\n');
  const outside = join(absolute('.'), '..', 'outside.md');
  writeFileSync(outside, 'The elm gate is shut.\n');
  const path = (await put('person:per_1', 'memory/linked.md', '')).replace(/\/$/, '');
  rmSync(absolute(path));
  linkSync(outside, absolute(path));
  await settled();
  assert.deepEqual(await found('elm'), []);
  assert.match((await memory.status()).files?.refused[0]?.words ?? '', /is a hard link/);
  await assert.rejects(memory.readFile({ scope: own, path }), { code: 'file_refused' });
  rmSync(absolute(path));
  writeFileSync(absolute(path), 'The elm gate is shut.\n');
  await settled();
  assert.equal((await found('elm')).length, 1);
});

test('a file that an editor swaps in by renaming is read whole (N6)', async (t) => {
  const { put, absolute, found } = openFiles(t);
  const path = await put('person:per_1', 'MEMORY.md', 'The oak gate is open.\n');
  assert.equal((await found('oak gate')).length, 1);
  writeFileSync(absolute(`${path}~`), 'The elm gate is shut.\n');
  renameSync(absolute(`${path}~`), absolute(path));
  assert.equal((await found('elm gate')).length, 1);
  assert.deepEqual(await found('oak'), []);
});

test('a full disk refuses a note with a message, and leaves the file as it was', async (t) => {
  const disk = smallDisk(t, 4);
  if (disk === undefined) return;
  const { memory } = openFiles(t, { files: { root: join(disk.path, 'memory') } });
  const { path } = await memory.noteFile({ ...note, text: 'The first line.' });
  const file = join(disk.path, 'memory', path);
  const before = readFileSync(file, 'utf8');
  disk.fill();
  await assert.rejects(
    memory.noteFile({ ...note, text: `A long line. ${'word '.repeat(1_500)}` }),
    /ENOSPC|space/,
  );
  assert.equal(readFileSync(file, 'utf8'), before);
  disk.free();
  assert.equal((await memory.noteFile({ ...note, text: 'The second line.' })).status, 'written');
});

test('a file in the place of a folder refuses a note with a message, and is left as it was', async (t) => {
  const { memory, root, absolute, put } = openFiles(t);
  const folder = join(await put('person:per_1', 'MEMORY.md', 'The oak gate is open.\n'), '..');
  for (const inTheWay of [absolute(join(folder, 'memory')), absolute(folder), root]) {
    rmSync(inTheWay, { recursive: true });
    writeFileSync(inTheWay, 'A file.');
    await assert.rejects(memory.noteFile({ ...note, text: 'The pier is long.' }), {
      code: 'file_refused',
      message: /cannot be written: (ENOTDIR|EEXIST): /,
      hint: 'A file is in the place of a folder: move it away.',
    });
    assert.equal(readFileSync(inTheWay, 'utf8'), 'A file.');
  }
  rmSync(root);
  assert.equal((await memory.noteFile({ ...note, text: 'The pier is long.' })).status, 'written');
});

test('the day of a note is that of the zone that the config names, by the clock that is injected (N14)', async (t) => {
  const at = Date.UTC(2026, 10, 24, 23, 30);
  const clock = { ...systemClock, now: () => at };
  const berlin = openFiles(t, { clock, files: { timeZone: 'Europe/Berlin' } });
  assert.match((await berlin.memory.noteFile({ ...note, text: 'Late.' })).path, /2026-11-25\.md$/);
  const prompt = await berlin.memory.filePrompt({ audience: 'person:per_1', scope: own });
  assert.match(prompt.block, /2026-11-25\.md.*- Late\./s);
  const utc = openFiles(t, { clock });
  assert.match((await utc.memory.noteFile({ ...note, text: 'Late.' })).path, /2026-11-24\.md$/);
});

test('a clock that is set back or on holds up no file', async (t) => {
  let shift = -48 * 3600 * 1000;
  const clock = { ...systemClock, now: () => Date.now() + shift };
  const { put, found, memory } = openFiles(t, { clock });
  await put('person:per_1', 'MEMORY.md', 'The oak gate is open.\n');
  assert.equal((await found('oak gate')).length, 1);
  shift = 48 * 3600 * 1000;
  await put('person:per_1', 'MEMORY.md', 'The elm gate is open.\n');
  assert.equal((await found('elm gate')).length, 1);
  assert.equal((await memory.status()).files?.waiting, 0);
});

test('notes that are written at the same time are all in the file, each once (N13)', async (t) => {
  const { memory, absolute } = openFiles(t);
  const texts = Array.from({ length: 20 }, (_, at) => `Line ${at % 15} of many.`);
  const written = await Promise.all(texts.map((text) => memory.noteFile({ ...note, text })));
  const lines = readFileSync(absolute(written[0]?.path ?? ''), 'utf8').split('\n');
  assert.equal(lines.filter((line) => /^- Line \d+ of many\.$/.test(line)).length, 15);
  assert.equal(written.filter(({ status }) => status === 'duplicate').length, 5);
});

test('a change that no event reported is found by the watcher of a running memory, or by its look', async (t) => {
  const { memory, put } = openFiles(t, { ahead: true });
  await put('person:per_1', 'MEMORY.md', 'The oak gate is open.\n');
  const end = Date.now() + 5_000;
  while ((await memory.status()).chunks === 0 && Date.now() < end) await settled();
  const { chunks, files } = await memory.status();
  assert.deepEqual([chunks, files?.watcher, files?.waiting], [1, 'alive', 0]);
});
