// Forgetting in files: what goes, what stays, and that a kill in between changes nothing of that.

import assert from 'node:assert/strict';
import { chmodSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { systemClock } from '#base/clock.ts';
import type { Scope } from '#memory/types/scope.ts';
import { lineHash } from '../../../src/memory/files/lines.ts';
import { fastClock } from '../../support/fast-clock.ts';
import { until } from '../../support/found.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { exchange } from '../open-memory.ts';
import { ann, openFiles, own } from './kit.ts';

test('a forgotten line goes from the file and the index at once, and no scan brings it back (N10)', async (t) => {
  const { memory, put, found, absolute } = openFiles(t);
  const path = await put(
    'person:per_1',
    'MEMORY.md',
    '# Codes\n\n- The walrus gate is 4711.\n- The oak gate is open.\n',
  );
  await put('person:per_1', 'memory/2026-11-20.md', '- The walrus gate is 4711.\n- It rained.\n');
  const done = await memory.forget({ scope: own, selection: { words: 'walrus' }, mode: 'forget' });
  assert.deepEqual([done.entries, done.remains], [2, []]);
  assert.equal(readFileSync(absolute(path), 'utf8'), '# Codes\n\n- The oak gate is open.\n');
  assert.deepEqual(await found('walrus'), []);
  assert.equal((await found('oak gate')).length, 1);
  await memory.indexFiles({ force: true });
  assert.deepEqual(await found('walrus'), []);
  const { problems, traces } = await memory.verify(['walrus']);
  assert.deepEqual([problems, traces], [[], []]);
});

test('a passage is forgotten by its id, and what a run noted goes with its exchange', async (t) => {
  const { memory, put, found } = openFiles(t);
  await put('person:per_1', 'MEMORY.md', 'The heron nests by the lock.\n\nThe lock is old.\n');
  const { hits } = await memory.search({ text: 'heron', scope: own });
  const id = hits[0]?.id ?? '';
  await memory.forget({ scope: own, selection: { ids: [id] }, mode: 'forget' });
  assert.deepEqual(await found('heron'), []);
  await memory.archive(exchange('We sail to Texel.', { runID: 'run_1', assistantText: 'Noted.' }));
  await memory.noteFile({ audience: 'person:per_1', text: 'The plan is to sail to Texel.', by: ann });
  const entries = await memory.list({ scope: own, words: 'sail' });
  const said = entries.find(({ platform }) => platform === 'discord');
  await memory.forget({ scope: own, selection: { ids: [said?.id ?? ''] }, mode: 'forget' });
  assert.deepEqual(await found('Texel'), []);
});

test('forgetting that was killed half way is finished by the next start, and shows nothing until then', async (t) => {
  const folder = tempFolder(t);
  const root = join(folder, 'memory');
  const path = join(folder, 'memory.sqlite');
  const first = openFiles(t, { files: { root }, path });
  const file = await first.put(
    'person:per_1',
    'MEMORY.md',
    '- The walrus gate is 4711.\n- The oak gate is open.\n',
  );
  await first.memory.indexFiles();
  await first.memory.close();
  // as a kill leaves it behind the commit: noted as forgotten, and still in the file
  const database = new Database(path);
  const name = file.split('/')[0] ?? '';
  database
    .prepare('INSERT INTO memory_file_forgetting (folder, hash, asked_at_ms) VALUES (?, ?, 1)')
    .run(name, lineHash(name, '- The walrus gate is 4711.'));
  database.close();
  writeFileSync(join(root, file), '- The walrus gate is 4711.\n- The oak gate is open.\n- A third.\n');
  const second = openFiles(t, { files: { root }, path });
  assert.doesNotMatch((await second.found('gate')).join(), /walrus/);
  const prompt = await second.memory.filePrompt({ audience: 'person:per_1', scope: own });
  assert.doesNotMatch(prompt.block, /walrus/);
  assert.doesNotMatch((await second.memory.readFile({ scope: own, path: file })).text, /walrus/);
  await second.memory.close();
  const third = openFiles(t, { files: { root }, path, ahead: true });
  await until('the end of forgetting', () => !/walrus/.test(readFileSync(join(root, file), 'utf8')));
  assert.equal(readFileSync(join(root, file), 'utf8'), '- The oak gate is open.\n- A third.\n');
  await third.memory.close();
});

test('a line in a folder that is never written is not found any more, and the answer says where it still is', async (t) => {
  const vault = tempFolder(t);
  writeFileSync(join(vault, 'Plans.md'), '- The walrus plan is secret.\n- The oak plan is open.\n');
  const extra = [{ path: vault, audience: 'person:per_1' }] as const;
  const { memory, found } = openFiles(t, { files: { extra } });
  assert.equal((await found('walrus plan')).length > 0, true);
  const done = await memory.forget({ scope: own, selection: { words: 'walrus' }, mode: 'forget' });
  assert.match(done.remains.join(), /Plans\.md, which Parley never writes/);
  assert.match(readFileSync(join(vault, 'Plans.md'), 'utf8'), /walrus/);
  assert.doesNotMatch((await found('plan')).join(), /walrus/);
  await memory.indexFiles({ force: true });
  assert.doesNotMatch((await found('plan')).join(), /walrus/);
});

test('a forgotten line with a secret is shown by no reader of a folder that is never written, and its neighbour is masked', async (t) => {
  const vault = tempFolder(t);
  const key = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`;
  writeFileSync(join(vault, 'Plans.md'), `- The walrus key is ${key}.\n- The oak key is ${key}.\n`);
  const extra = [{ path: vault, audience: 'person:per_1' }] as const;
  const { memory } = openFiles(t, { files: { extra } });
  await memory.forget({ scope: own, selection: { words: 'walrus' }, mode: 'forget' });
  const request = { scope: own, path: 'Plans.md' };
  for (const { text } of [await memory.readFile(request), await memory.readWholeFile(request)])
    assert.equal(text.trimEnd(), '\n- The oak key is [redacted:github token].');
});

test('of a secret of several lines, some of which are forgotten, nothing is shown or found', async (t) => {
  const vault = tempFolder(t);
  const body = Array.from({ length: 12 }, (_, n) => `MIIEowIBAAKCAQEAwalrus${n}`.padEnd(64, 'Qx7'));
  const name = 'RSA PRIVATE KEY';
  const text = [
    '# Keys',
    `-----BEGIN ${name}-----`,
    ...body,
    `-----END ${name}-----`,
    '',
    'The oak is green.',
  ];
  writeFileSync(join(vault, 'Keys.md'), text.join('\n'));
  const extra = [{ path: vault, audience: 'person:per_1' }] as const;
  const { memory, found } = openFiles(t, { files: { extra } });
  const request = { scope: own, path: 'Keys.md' };
  assert.match((await memory.readFile(request)).text, /redacted:private key/);
  await memory.forget({ scope: own, selection: { words: 'private key' }, mode: 'forget' });
  for (const { text: shown } of [await memory.readFile(request), await memory.readWholeFile(request)]) {
    assert.match(shown, /The oak is green/);
    assert.doesNotMatch(shown, /MIIE/);
  }
  assert.doesNotMatch((await found('keys oak green')).join(), /MIIE/);
});

test('nobody forgets lines of another audience', async (t) => {
  const { memory, put, absolute } = openFiles(t);
  const path = await put('person:per_2', 'MEMORY.md', '- The walrus gate is 4711.\n');
  await memory.indexFiles();
  await memory.forget({ scope: own, selection: { words: 'walrus' }, mode: 'forget' });
  await memory.forget({ scope: own, selection: { person: 'per_2' }, mode: 'forget' });
  assert.match(readFileSync(absolute(path), 'utf8'), /walrus/);
});

test('a file without permission is named, and readable again once it has it', async (t) => {
  if (process.getuid?.() === 0) return t.skip('root reads every file');
  const { memory, put, absolute, found } = openFiles(t);
  const path = await put('person:per_1', 'MEMORY.md', '- The oak gate is open.\n');
  chmodSync(absolute(path), 0o000);
  assert.deepEqual(await found('oak gate'), []);
  assert.match((await memory.status()).files?.refused[0]?.words ?? '', /no permission/);
  chmodSync(absolute(path), 0o600);
  assert.equal((await found('oak gate')).length, 1);
});

for (const ends of ['after some time', 'never'] as const)
  test(`a line of a file that another program writes, which ends ${ends}, is never found again, and the answer says where it still is`, async (t) => {
    let [isWriting, waits] = [true, 0];
    const fast = fastClock(20);
    const sleep: typeof systemClock.sleep = (ms, signal) => {
      if (ms === 50) waits += 1; // the first of each file that is being written
      if (waits === 2 && ends !== 'never') isWriting = false;
      return fast.sleep(ms, signal);
    };
    // files have the times of the disk, and what is waited for passes fast
    const clock = { ...fast, now: systemClock.now, sleep };
    const { memory, put, absolute, found } = openFiles(t, { clock });
    const path = await put(
      'person:per_1',
      'MEMORY.md',
      '# Gates\n\n- The walrus gate is 4711.\n- The oak gate is open.\n',
    );
    assert.equal((await found('walrus')).length > 0, true);
    const write = (at: number): void => {
      if (!isWriting) return;
      utimesSync(absolute(path), at, at);
      setImmediate(write, at + 1);
    };
    write(1_700_000_000);
    const { remains, entries } = await memory.forget({
      scope: own,
      selection: { words: 'walrus' },
      mode: 'forget',
    });
    isWriting = false;
    assert.deepEqual([entries, remains.length], [1, ends === 'never' ? 1 : 0], remains.join());
    if (ends === 'never') assert.match(remains[0] ?? '', /MEMORY\.md is being written/);
    else assert.equal(readFileSync(absolute(path), 'utf8'), '# Gates\n\n- The oak gate is open.\n');
    await memory.indexFiles({ force: true });
    assert.deepEqual(await found('walrus'), []);
    assert.equal((await found('oak gate')).length, 1);
  });

test('of a person or a session only the lines with the given words go, and no hand-written file', async (t) => {
  for (const by of [{ person: 'per_1' }, { session: 'ses_1' }]) {
    const { memory, put, absolute } = openFiles(t);
    const room = 'room:telegram:group:1:-';
    const scope: Scope = { audiences: ['person:per_1', room], spaces: [], everyone: false };
    const paths: string[] = [];
    for (const audience of ['person:per_1', room] as const) {
      await memory.noteFile({ audience, text: 'The walrus gate is 4711.', by: ann });
      const { path } = await memory.noteFile({ audience, text: 'The oak gate is open.', by: ann });
      paths.push(path, await put(audience, 'MEMORY.md', '- The elm gate is shut.\n'));
    }
    await memory.forget({ scope, selection: { ...by, words: 'walrus' }, mode: 'forget' });
    const texts = paths.map((path) => readFileSync(absolute(path), 'utf8'));
    assert.doesNotMatch(texts.join(), /walrus/);
    for (const text of texts) assert.match(text, /The (?:oak gate is open|elm gate is shut)/);
    await memory.close();
  }
});

test('what a person wrote in one chat is forgotten there, and the files of the person and of the chat stay', async (t) => {
  const { memory, put, absolute } = openFiles(t);
  const room = 'room:telegram:group:1:-';
  const paths = [
    await put('person:per_1', 'MEMORY.md', '- The walrus gate is 4711.\n'),
    await put(room, 'MEMORY.md', '- The oak gate is open.\n'),
  ];
  const { path } = await memory.noteFile({ audience: room, text: 'The elm gate is shut.', by: ann });
  const scope: Scope = { audiences: ['person:per_1', room], spaces: [], everyone: false };
  const selection = { person: 'per_1', chat: room.slice('room:'.length) };
  await memory.forget({ scope, selection, mode: 'forget' });
  assert.deepEqual(
    paths.map((each) => readFileSync(absolute(each), 'utf8')),
    ['- The walrus gate is 4711.\n', '- The oak gate is open.\n'],
  );
  assert.doesNotMatch(readFileSync(absolute(path), 'utf8'), /elm/);
});
