// Search in files by qmd: a program of the test that speaks its command line, and, where PARLEY_TEST_QMD names it, the real one.

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { ExtraFolder, QmdOptions } from '#memory/types/files.ts';
import type { Scope } from '#memory/types/scope.ts';
import { until } from '../support/found.ts';
import { qmdProgram } from '../support/qmd-program.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { ann, openFiles, own } from './files/kit.ts';
import { exchange } from './open-memory.ts';

function openQmd(
  t: TestContext,
  more: { extra?: ExtraFolder[] } & Partial<QmdOptions> = {},
  how: { ahead?: boolean } = {},
) {
  const { extra = [], ...options } = more;
  const folder = join(tempFolder(t), 'qmd');
  mkdirSync(folder);
  const command = qmdProgram(t);
  const qmd: QmdOptions = {
    ...{ command, mode: 'search', timeoutMs: 20_000, updateMs: 60_000, folder },
    environment: { PATH: process.env.PATH ?? '' },
    ...options,
  };
  const house = openFiles(t, { files: { extra, qmd }, ...how });
  const calls = (): { command: string; rest: string[]; env: string[] }[] =>
    readFileSync(join(folder, 'calls.jsonl'), { encoding: 'utf8', flag: 'a+' })
      .trim()
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
  const ask = (text: string, scope: Scope = own, corpus?: string) =>
    house.memory.search({ text, scope, corpus });
  return {
    ...house,
    folder,
    calls,
    ask,
    fault: (name: string) => writeFileSync(join(folder, 'fault'), name),
  };
}

const other: Scope = { audiences: ['person:per_2'], spaces: [], everyone: false };

test('a search in files is answered by qmd, each hit with its lines, and with conversations in turn', async (t) => {
  const { put, ask, memory, calls } = openQmd(t);
  const path = await put(
    'person:per_1',
    'MEMORY.md',
    '# Boats\n\nTern is blue.\n\n## Moor\n\nTern lies in Harlingen.\n',
  );
  await memory.archive(exchange('Tern needs a new sail.'));
  const { hits, degraded } = await ask('Where does Tern lie?');
  assert.deepEqual(degraded, []);
  assert.deepEqual(
    hits.map(({ file, platform }) => file?.path ?? platform),
    [path, 'discord'],
  );
  assert.equal(hits[0]?.scoreParts.qmd, 3);
  const query = calls().at(-1);
  assert.deepEqual(query?.rest, [
    ...[
      'lex: tern lie\nlex: tern\nlex: lie',
      '--format',
      'json',
      '--full-path',
      '-n',
      '8',
      '--no-rerank',
      '-c',
    ],
    path.split('/')[0],
  ]);
  assert.deepEqual(
    (await ask('Tern sail', own, 'sessions')).hits.map(({ platform }) => platform),
    ['discord'],
  );
  assert.deepEqual(
    (await ask('Tern', own, 'memory')).hits.map(({ platform }) => platform),
    ['file'],
  );
  assert.equal((await memory.status()).files?.backend?.state, 'answers');
});

test('a file that changed is found as it is now, and one that did not is not indexed again', async (t) => {
  const { put, ask, calls } = openQmd(t);
  await put('person:per_1', 'MEMORY.md', 'Tern is blue.\n');
  assert.match((await ask('Tern', own, 'memory')).hits[0]?.text ?? '', /blue/);
  await ask('blue', own, 'memory');
  assert.equal(calls().filter(({ command }) => command === 'update').length, 1);
  await put('person:per_1', 'MEMORY.md', 'Tern is green now.\n');
  assert.match((await ask('Tern', own, 'memory')).hits[0]?.text ?? '', /green/);
  assert.deepEqual((await ask('blue', own, 'memory')).hits, []);
});

test('qmd searches only collections that the scope may read, and what it reports of others is shown to nobody', async (t) => {
  const wiki = tempFolder(t);
  writeFileSync(join(wiki, 'birds.md'), 'Tern is also a bird.\n');
  const { put, ask, fault, calls, memory } = openQmd(t, {
    extra: [{ path: wiki, audience: 'person:per_2', corpus: 'wiki' }],
  });
  await put('person:per_1', 'MEMORY.md', 'Tern is blue.\n');
  assert.match((await ask('Tern', other, 'wiki')).hits[0]?.text ?? '', /bird/);
  assert.deepEqual(
    calls()
      .at(-1)
      ?.rest.filter((_, at, all) => all[at - 1] === '-c')
      .map((name) => name.split('-')[0]),
    ['wiki'],
  );
  fault('leaks');
  assert.deepEqual(
    (await ask('Tern', own)).hits.map(({ text }) => text),
    ['Tern is blue.'],
  );
  assert.deepEqual((await ask('Tern', { ...own, audiences: [] })).hits, []);
  assert.equal((await memory.status()).files?.backend?.state, 'answers');
});

test('where qmd is missing, ends, hangs, floods or prints no JSON, the built-in index answers and says why', async (t) => {
  const missing = openQmd(t, { command: '/nowhere/qmd' });
  await missing.put('person:per_1', 'MEMORY.md', 'Tern is blue.\n');
  const said = async ({ ask }: typeof missing): Promise<string> => {
    const { hits, degraded } = await ask('Tern');
    assert.equal(hits.length, 1);
    return degraded.join();
  };
  assert.match(await said(missing), /the built-in index answers \(qmd was not found: \/nowhere\/qmd\)/);
  assert.deepEqual((await missing.memory.status()).files?.backend, {
    ...{ name: 'qmd', state: 'failed', words: 'qmd was not found: /nowhere/qmd' },
  });
  for (const [fault, words] of [
    ['ends', /qmd ended with 3 \(the index is broken\)/],
    ['garbage', /gave an answer that is not the JSON that was expected\)/],
    ['floods', /printed more than 4194304 bytes/],
  ] as const) {
    const house = openQmd(t);
    house.fault(fault);
    await house.put('person:per_1', 'MEMORY.md', 'Tern is blue.\n');
    assert.match(await said(house), words);
    const before = house.calls().length;
    assert.match(await said(house), words, 'for a minute it is not asked again');
    assert.equal(house.calls().length, before);
  }
  const hangs = openQmd(t, { timeoutMs: 300 });
  hangs.fault('hangs');
  await hangs.put('person:per_1', 'MEMORY.md', 'Tern is blue.\n');
  assert.match(await said(hangs), /qmd with its update took longer than 300 ms/);
  assert.match(await said(hangs), /qmd indexes changed files just now/);
});

test('qmd sees no token of the environment, and its folder is closed to other users', async (t) => {
  const { put, ask, calls, folder } = openQmd(t);
  await put('person:per_1', 'MEMORY.md', 'Tern is blue.\n');
  await ask('Tern');
  for (const name of calls()[0]?.env ?? [])
    assert.match(name, /^(?:PATH|PWD|NO_COLOR|INDEX_PATH|QMD_CONFIG_DIR|NODE_V8_COVERAGE|__CF.*)$/);
  assert.ok(existsSync(join(folder, 'parley.yml')));
});

test('what is forgotten is in no file of qmd, and is not found through it', async (t) => {
  const { put, ask, memory, folder } = openQmd(t);
  await put('person:per_1', 'MEMORY.md', '- The narwhal swims at noon.\n- Tern is blue.\n');
  assert.equal((await ask('narwhal')).hits.length, 1);
  assert.match(readFileSync(join(folder, 'index.sqlite'), 'utf8'), /narwhal/);
  const request = { scope: own, selection: { words: 'narwhal' }, mode: 'forget' } as const;
  assert.equal((await memory.forget(request)).forgotten, true);
  assert.equal(existsSync(join(folder, 'index.sqlite')), false);
  assert.deepEqual((await ask('narwhal')).hits, []);
  assert.equal((await ask('Tern')).hits.length, 1);
  for (const name of ['index.sqlite', 'parley.yml'])
    assert.doesNotMatch(readFileSync(join(folder, name), 'utf8'), /narwhal/);
});

test('a prompt recalls what qmd finds near in meaning, of no other audience, and nothing that was forgotten', async (t) => {
  const { put, memory, calls, fault } = openQmd(t, { mode: 'vsearch' });
  const recalled = async (text: string, scope: Scope = own): Promise<string> =>
    (await memory.recall({ text, scope })).block;
  await put('person:per_1', 'MEMORY.md', 'The automobile is parked behind the mill.\n');
  await put('person:per_2', 'MEMORY.md', 'The automobile of Cem is parked at the lake.\n');
  const question = 'In which garage was the car left?';
  assert.match(await recalled(question), /behind the mill/);
  assert.ok(calls().at(-1)?.rest.includes('--explain'));
  assert.match(await recalled(question, other), /at the lake/);
  fault('leaks');
  assert.doesNotMatch(await recalled(question), /at the lake/);
  assert.equal(await recalled('How tall is the church?'), '', 'what is not near is no answer');
  const before = calls().length;
  assert.equal(await recalled(question, { ...own, audiences: [], partition: 'poet' }), '');
  assert.equal(calls().length, before, 'where no file may be read qmd is not asked');
  await memory.forget({ scope: own, selection: { words: 'automobile' }, mode: 'forget' });
  assert.equal(await recalled(question), '');
});

test('a prompt is recalled by the built-in index where qmd fails or is late, at once for a minute, and the status says why', async (t) => {
  const hangs = openQmd(t, { mode: 'vsearch', timeoutMs: 300 });
  await hangs.put('person:per_1', 'MEMORY.md', 'Tern lies in Harlingen.\n');
  hangs.fault('hangs');
  const recalled = async (): Promise<string> =>
    (await hangs.memory.recall({ text: 'Where does Tern lie?', scope: own })).block;
  assert.match(await recalled(), /Harlingen/);
  const backend = (await hangs.memory.status()).files?.backend;
  assert.match(backend?.unrecalled ?? '', /qmd with its update took longer than 300 ms/);
  const before = hangs.calls().length;
  assert.match(await recalled(), /Harlingen/);
  assert.equal(hangs.calls().length, before);
});

test('each mode asks in its form, and vectors are made on the schedule, never by a search', async (t) => {
  for (const [mode, form] of [
    ['vsearch', /^vec: Where does Tern lie\?\nlex: tern lie\nlex: tern\nlex: lie$/],
    ['query', /^expand: Where does Tern lie\?$/],
  ] as const) {
    const { put, ask, calls } = openQmd(t, { mode });
    await put('person:per_1', 'MEMORY.md', 'Tern is blue.\n');
    await ask('Where does Tern lie?', own, 'memory');
    assert.match(calls().at(-1)?.rest[0] ?? '', form);
    assert.equal(calls().at(-1)?.rest.includes('--no-rerank'), mode === 'vsearch');
    assert.equal(
      calls().some(({ command }) => command === 'embed'),
      false,
    );
  }
  const { put, calls } = openQmd(t, { mode: 'vsearch', updateMs: 50 }, { ahead: true });
  await put('person:per_1', 'MEMORY.md', 'Tern is blue.\n');
  await until('the vectors', () => calls().some(({ command }) => command === 'embed'));
});

test('a text of options, quotes and operators is asked as words', async (t) => {
  const { put, ask, calls } = openQmd(t);
  await put('person:per_1', 'MEMORY.md', 'Tern is blue.\n');
  for (const text of ['--index other "Tern', '-Tern', 'lex: Tern\nvec: x', 'expand: Tern', ''])
    await ask(text, own, 'memory');
  for (const { rest } of calls().filter(({ command }) => command === 'query'))
    assert.match(rest[0] ?? '', /^lex: [\p{L}\p{N} ]+(?:\nlex: [\p{L}\p{N} ]+)*$/u);
});

test('the real qmd finds a passage by its words', {
  skip: process.env.PARLEY_TEST_QMD === undefined && 'PARLEY_TEST_QMD does not name it',
}, async (t) => {
  const command = process.env.PARLEY_TEST_QMD ?? '';
  const wiki = tempFolder(t);
  mkdirSync(join(wiki, 'sub dir'));
  writeFileSync(join(wiki, 'sub dir', 'My Page (2).md'), '# Hens\n\nThe hens sleep in the boathouse.\n');
  const { put, ask, memory, folder } = openQmd(t, {
    command,
    extra: [{ path: wiki, audience: 'person:per_1', corpus: 'wiki' }],
  });
  const path = await put(
    'person:per_1',
    'MEMORY.md',
    '# Boats\n\nTern is blue.\n\n## Moor\n\nTern lies in Harlingen.\n',
  );
  await put('person:per_2', 'MEMORY.md', 'Tern is the boat of another person.\n');
  await put('person:per_1', 'DREAMS.md', 'Tern flew at night.\n');
  await new Promise((resolve) => setTimeout(resolve, 130));
  await memory.indexFiles();
  const found = await ask('Where does Tern lie?', own, 'memory');
  assert.deepEqual(found.degraded, []);
  assert.deepEqual(
    found.hits.map(({ file }) => file?.path),
    [path],
  );
  assert.match(
    (await ask('Where do the hens sleep?', own)).hits[0]?.text ?? '',
    /hens sleep in the boathouse/,
  );
  assert.deepEqual((await ask('Where do the hens sleep?', other)).hits, []);
  await put('person:per_1', 'MEMORY.md', 'Tern was sold, to a narwhal.\n');
  assert.match((await ask('Tern', own, 'memory')).hits[0]?.text ?? '', /was sold/);
  const note = await memory.noteFile({ audience: 'person:per_1', text: 'The albatross is back.', by: ann });
  assert.equal((await ask('albatross', own, 'memory')).hits[0]?.file?.path, note.path);
  await memory.forget({ scope: own, selection: { words: 'narwhal' }, mode: 'forget' });
  assert.deepEqual((await ask('narwhal')).hits, []);
  for (const name of readdirSync(folder))
    assert.doesNotMatch(readFileSync(join(folder, name), 'latin1'), /narwhal/);
});
