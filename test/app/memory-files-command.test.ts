// `parley memory` on memory files: listed, read, searched, indexed, named by status and doctor, in a backup.
import assert from 'node:assert/strict';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import Database from 'better-sqlite3';
import { folderNameOf } from '#memory/types/folder-name.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { openTerminal } from './terminal.ts';

const audience = 'person:per_ann';

function open(t: TestContext) {
  const terminal = openTerminal(t);
  const folder = join(terminal.home, 'memory', folderNameOf(audience));
  mkdirSync(join(folder, 'memory'), { recursive: true });
  writeFileSync(join(folder, 'audience.json'), JSON.stringify({ audience, created: 1 }));
  const put = (name: string, text: string | Uint8Array): void => writeFileSync(join(folder, name), text);
  const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 130));
  return { ...terminal, folder, put, settled };
}

test('status and index name a refused file within 80 columns, each word of it', async (t) => {
  const { call, put, settled } = open(t);
  const name = `memory/2026-11-01-${'a-long-name-'.repeat(4)}.md`;
  put(name, 'a\0b\n');
  await settled();
  for (const action of ['index', 'status']) {
    const { out } = await call('memory', action);
    for (const line of out.split('\n')) assert.ok(line.length <= 80, line);
    assert.match(out.replace(/\s+/g, ''), /a-long-name-\.mdhasNULbytes,soitisnotext/);
  }
});

test('files and the explanation of a search are within 80 columns, each word of them', async (t) => {
  const { call, put, settled } = open(t);
  const name = `memory/2026-11-01-${'a-long-name-'.repeat(5)}.md`;
  put(name, 'The cellar key hangs behind the clock.\n');
  put(`memory/bad-${'a-long-name-'.repeat(5)}.md`, 'a\0b\n');
  await settled();
  for (const [words, shown] of [
    [['files'], /a-long-name-\.md.*a-long-name-\.mdrefused:hasNULbytes/],
    [['search', 'cellar key', '--explain'], /session.*a-long-name-\.md/],
  ] as const) {
    const { out } = await call('memory', ...words);
    // but for a path that stands whole in a line of its own, to be copied
    for (const line of out.split('\n')) assert.ok(line.length <= 80 || existsSync(line.trim()), line);
    assert.match(out.replace(/\s+/g, ''), shown);
  }
});

test('files are listed, read by lines, searched and indexed from the command line', async (t) => {
  const { call, folder, put, settled } = open(t);
  assert.equal((await call('memory', 'files')).out, 'There are no memory files yet.\n');
  put('MEMORY.md', '# House\n\nThe cellar key hangs behind the clock.\n');
  put('memory/2026-11-20.md', '- It rained.\n');
  await settled();
  const { code, out } = await call('memory', 'files');
  assert.equal(code, 0);
  const [whose, path = '', about, ...others] = out.split('\n');
  assert.deepEqual([whose, about], ['person:per_ann', '    indexed: 48 bytes, 1 passage']);
  const paths = [path, others[0] ?? ''].map((line) => line.trim());
  assert.deepEqual(paths, [join(folder, 'MEMORY.md'), join(folder, 'memory', '2026-11-20.md')]);
  for (const line of out.split('\n')) assert.ok(line.length <= 80 || paths.includes(line.trim()), line);
  assert.equal((await call('memory', 'get', paths[1] ?? '')).out, '- It rained.\n');
  const { files } = JSON.parse((await call('memory', 'files', '--json')).out);
  assert.deepEqual(
    files.map(({ state }: { state: string }) => state),
    ['indexed', 'indexed'],
  );
  assert.equal(
    (await call('memory', 'get', 'MEMORY.md', '--lines', '1')).out,
    '# House\n[lines 1 to 1 of 3; --line 2 continues]\n',
  );
  assert.equal(JSON.parse((await call('memory', 'get', 'MEMORY.md', '--json')).out).total, 3);
  const beyond = await call('memory', 'get', 'MEMORY.md', '--line', '99');
  assert.deepEqual([beyond.code, beyond.out], [2, '']);
  assert.match(beyond.err, /--line: expected a line of \S*MEMORY\.md, which has 3 lines, got 99\.\n/);
  assert.match((await call('memory', 'search', 'cellar key', '--corpus', 'memory')).out, /behind the clock/);
  assert.equal(
    (await call('memory', 'search', 'cellar key', '--corpus', 'sessions')).out,
    'Nothing was found.\n',
  );
  assert.match((await call('memory', 'index')).out, /^2 files: 0 indexed, 2 unchanged/);
  assert.equal(JSON.parse((await call('memory', 'index', '--force', '--json')).out).indexed, 2);
});

test('notes in UTF-16 and Latin-1 are refused until --fix makes them UTF-8, with what they were beside them', async (t) => {
  const { call, folder, put, settled } = open(t);
  const marked = Buffer.concat([
    Buffer.from([0xff, 0xfe]),
    Buffer.from('The cellar key is blue.\n', 'utf16le'),
  ]);
  const latin = Buffer.from('Grüße aus München, schöne Tage am Fluß, viele Äpfel übrig.\n', 'latin1');
  const plain = Buffer.from('The ladder is in the shed.\n', 'utf16le');
  put('MEMORY.md', marked);
  put('memory/2026-11-20.md', latin);
  put('memory/2026-11-21.md', plain);
  put('memory/2026-11-22.md', 'a\0b\n');
  put('memory/2026-11-22.md.before-utf-8', 'of another time');
  put('memory/2026-11-23.md', Buffer.from([0x61, 0x81, 0x8d, 0xff, 0x90, 0x0a]));
  await settled();
  const before = await call('memory', 'files');
  assert.equal(before.code, 1);
  assert.equal(before.out.replace(/\s+/g, ' ').match(/--fix" do it/g)?.length, 4, before.out);
  const { code, out } = await call('memory', 'files', '--fix');
  assert.equal(code, 1, 'two are still refused');
  for (const line of out.split('\n')) assert.ok(line.length <= 80 || existsSync(line.trim()), line);
  const words = out.replace(/\s+/g, ' ');
  assert.match(
    words,
    /MEMORY\.md was utf-16le and is UTF-8 now; .* as MEMORY\.md\.before-utf-8, which nothing/,
  );
  assert.match(words, /2026-11-20\.md was (?:iso-8859-1|windows-1252) and is UTF-8 now/);
  assert.match(words, /2026-11-21\.md was utf-16le and is UTF-8 now/);
  assert.match(words, /2026-11-23\.md is in an encoding that is not clear: save it as UTF-8 in an editor/);
  assert.match(words, /2026-11-22\.md refused: has NUL bytes/);
  assert.equal(readFileSync(join(folder, 'memory/2026-11-20.md'), 'utf8'), latin.toString('latin1'));
  for (const [name, bytes] of [
    ['MEMORY.md', marked],
    ['memory/2026-11-20.md', latin],
    ['memory/2026-11-21.md', plain],
  ] as const)
    assert.deepEqual(readFileSync(join(folder, `${name}.before-utf-8`)), bytes);
  assert.equal(readFileSync(join(folder, 'memory/2026-11-22.md.before-utf-8'), 'utf8'), 'of another time');
  await settled();
  await call('memory', 'index');
  assert.match((await call('memory', 'search', 'cellar key')).out, /The cellar key is blue/);
  assert.match((await call('memory', 'search', 'München')).out, /Grüße aus München/);
  const again = JSON.parse((await call('memory', 'files', '--fix', '--json')).out);
  assert.deepEqual(
    again.converted.map(({ status }: { status: string }) => status),
    ['left', 'left'],
  );
  assert.equal(again.files.length, 5, 'copies are no memory');
});

test('a memory file that does not exist yet is read as empty, and a file with another name outside is refused', async (t) => {
  const { call, folder, put, settled } = open(t);
  for (const path of ['MEMORY.md', 'memory/plans.md', 'DREAMS.md']) {
    const read = await call('memory', 'get', path, '--audience', audience, '--json');
    assert.deepEqual([read.code, JSON.parse(read.out).text, JSON.parse(read.out).total], [0, '', 0]);
  }
  assert.equal((await call('memory', 'get', 'plans.md', '--audience', audience)).code, 1);
  writeFileSync(join(folder, '..', '..', 'outside.md'), 'The ladder is in the shed.\n');
  linkSync(join(folder, '..', '..', 'outside.md'), join(folder, 'memory', '2026-11-20.md'));
  put('MEMORY.md', 'The cellar key is blue.\n');
  await settled();
  const { out } = await call('memory', 'files', '--fix');
  assert.match(
    out.replace(/\s+/g, ' '),
    /2026-11-20\.md refused: is a hard link: the same file has another name/,
  );
  const searched = await call('memory', 'search', 'ladder');
  assert.doesNotMatch(searched.out, /shed/);
  assert.equal((await call('memory', 'get', 'memory/2026-11-20.md', '--audience', audience)).code, 1);
});

test('a line is noted from the command line, once, in the folder of the audience that is named', async (t) => {
  const { call, folder, put, settled } = open(t);
  put('MEMORY.md', 'The cellar is dry.\n');
  await settled();
  await call('memory', 'index');
  const note = ['memory', 'note', 'The boat', 'is laid up.', '--audience', 'person:per_ann'];
  const { out } = await call(...note);
  const [, file = ''] =
    /^Noted: line 3 of\n(\/.*\/person-per-ann-\w+\/memory\/[\d-]+\.md)\n$/.exec(out) ?? [];
  assert.match(readFileSync(file, 'utf8').split('\n')[2] ?? '', /The boat is laid up/);
  assert.match((await call(...note)).out, /^It was noted before: line 3 of\n/);
  const done = JSON.parse((await call(...note, '--json')).out);
  assert.equal(done.status, 'duplicate');
  assert.match(
    readFileSync(join(folder, done.path.split('/').slice(1).join('/')), 'utf8'),
    /\n- The boat is laid up\.\n$/,
  );
  assert.match((await call('memory', 'note')).err, /a line to note/);
  assert.match(
    (await call('memory', 'note', 'x', '--audience', 'person:per_bob')).err,
    /There is no person:per_bob/,
  );
});

test('a wiki is searched, read and counted, and status and doctor say when it is missing or read by no chat', async (t) => {
  const path = join(tempFolder(t), 'wiki');
  const terminal = openTerminal(t, { memory: { wiki: { path, audience: 'everyone' } } });
  const { call } = terminal;
  assert.match((await call('memory', 'status')).out, /wiki does not exist\s+\(memory\.wiki\.path\)/);
  const doctor = (await call('doctor')).out.replace(/\s+/g, ' ');
  assert.match(doctor, /wiki does not exist\s+\(memory\.wiki\.path\)/);
  assert.match(doctor, /No chat reads .*wiki: it is for everyone, and `memory\.sharing` is space/);
  mkdirSync(path);
  writeFileSync(join(path, 'beds.md'), 'The raised beds are 40 cm deep.\n');
  await new Promise((resolve) => setTimeout(resolve, 130));
  const { out } = await call('memory', 'status', '--index');
  assert.match(out, /^wiki {7}1 page with 1 passage\n {11}for everyone$/m);
  assert.match((await call('memory', 'search', 'raised beds', '--corpus', 'wiki')).out, /40 cm deep/);
  assert.equal(
    (await call('memory', 'search', 'raised beds', '--corpus', 'memory')).out,
    'Nothing was found.\n',
  );
  assert.match((await call('memory', 'get', 'wiki/beds.md')).out, /40 cm deep/);
  const unknown = await call('memory', 'search', 'raised beds', '--corpus', 'wikki');
  assert.equal(unknown.code, 1);
  assert.match(unknown.err, /No corpus is called "wikki": expected one of memory, sessions, wiki, all/);
});

test('status and doctor name a file that cannot be read and one that is too long', async (t) => {
  const { call, put, settled } = open(t);
  put('MEMORY.md', `${'A line of words.\n'.repeat(1_000)}`);
  put('memory/bad.md', Buffer.from([0xff, 0xfe, 0xfd]));
  await settled();
  assert.equal((await call('memory', 'index')).code, 1);
  const again = await call('memory', 'index', '--json');
  const { failed, failures } = JSON.parse(again.out);
  assert.deepEqual([again.code, failed, failures.length], [1, 1, 1], again.out);
  const { out } = await call('memory', 'status');
  assert.match(out, /files +2 with \d+ passages/);
  assert.match(out, /bad\.md is not UTF-8 text/);
  assert.match(out, /MEMORY\.md has 17000\s+characters,\s+and\s+a\s+prompt\s+is\s+given\s+10000/);
  const doctor = (await call('doctor')).out.replace(/\s+/g, ' ');
  assert.match(doctor, /bad\.md is not UTF-8 text/);
  assert.match(doctor, /17000 characters/);
  put('MEMORY.md', 'Short.\n');
  assert.match(
    (await call('doctor')).out.replace(/\s+/g, ' '),
    /1 memory files are not indexed as they are now/,
  );
});

test('a backup holds the files, and what was forgotten after it does not come back with them', async (t) => {
  const { call, folder, home, put, settled } = open(t);
  put('MEMORY.md', '- The walrus gate is 4711.\n- The oak gate is open.\n');
  await settled();
  await call('memory', 'index');
  const backup = join(home, '..', 'backup');
  assert.equal((await call('backup', backup)).code, 0);
  const gone = await call('memory', 'forget', '--contains', 'walrus', '--apply');
  assert.equal(gone.code, 0, gone.out);
  assert.equal(readFileSync(join(folder, 'MEMORY.md'), 'utf8'), '- The oak gate is open.\n');
  assert.equal((await call('memory', 'verify', 'walrus')).code, 0);
  mkdirSync(join(home, 'qmd'));
  writeFileSync(join(home, 'qmd', 'index.sqlite'), 'texts of the files that go');
  const restored = await call('restore', backup, '--replace');
  assert.equal(restored.code, 0, restored.err);
  assert.equal(existsSync(join(folder, 'MEMORY.md')), true);
  assert.equal(existsSync(join(home, 'qmd')), false, 'the index of qmd is made again from what came back');
  assert.doesNotMatch((await call('memory', 'search', 'gate')).out, /walrus/);
  assert.doesNotMatch((await call('memory', 'get', 'MEMORY.md')).out, /walrus/);
  rmSync(backup, { recursive: true });
});

test('an export has the files whole, and a rebuild that was left is named and removed', async (t) => {
  const { call, put, settled, home } = open(t);
  put('MEMORY.md', '# House\n\nThe cellar key hangs behind the clock.\n');
  put('DREAMS.md', '# Dreams\n');
  await settled();
  await call('memory', 'index');
  const lines = (await call('memory', 'export', '--audience', audience)).out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const files = lines.filter(({ type }) => type === 'file');
  assert.deepEqual(files.map(({ path }) => path.split('/').at(-1)).sort(), ['DREAMS.md', 'MEMORY.md']);
  assert.match(JSON.stringify(files), /# House\\n\\nThe cellar key hangs behind the clock\./);
  const database = new Database(join(home, 'memory.sqlite'));
  database.prepare('DELETE FROM memory_files').run();
  database
    .prepare("UPDATE global_memory_chunks SET source_key = 'memory-file:left' WHERE platform = 'file'")
    .run();
  database.close();
  assert.match(
    (await call('memory', 'status')).out,
    /a rebuild left 1 file in the index: "parley memory index"/,
  );
  assert.match(
    (await call('doctor')).out.replace(/\s+/g, ' '),
    /A rebuild left 1 files in the index that are not there\./,
  );
  assert.equal((await call('memory', 'index')).code, 0);
  assert.doesNotMatch((await call('memory', 'status')).out, /a rebuild left/);
  assert.match((await call('memory', 'search', 'cellar key')).out, /behind the clock/);
});

test('a page of a corpus is listed by its full path too, and read by it', async (t) => {
  const path = join(tempFolder(t), 'wiki');
  mkdirSync(path);
  writeFileSync(join(path, 'beds.md'), 'The raised beds are 40 cm deep.\n');
  const { call } = openTerminal(t, { memory: { wiki: { path, audience: 'everyone' } } });
  const { out } = await call('memory', 'files');
  assert.ok(out.split('\n').includes(`  ${join(path, 'beds.md')}`), out);
  assert.match((await call('memory', 'get', join(path, 'beds.md'))).out, /40 cm deep/);
});
