// Corpora next to memory: a folder of pages and one that another part adds, their names, and what is wrong with a folder.
import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { systemClock } from '#base/clock.ts';
import { ParleyError } from '#base/errors.ts';
import type { ExtraFolder, FileAudience } from '#memory/types/files.ts';
import type { Corpus, Hit, SearchQuery } from '#memory/types/recall.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { testEmbedder } from './embedder.ts';
import { openFiles, own } from './files/kit.ts';
import { exchange, openMemory } from './open-memory.ts';

const other = { audiences: ['person:per_2'], spaces: [], everyone: false } as const;

/** A memory with a wiki whose pages are these. */
function openWiki(
  t: TestContext,
  pages: Record<string, string | Uint8Array> = {},
  {
    audience = 'person:per_1',
    ...options
  }: { audience?: FileAudience } & Parameters<typeof openFiles>[1] = {},
) {
  const path = join(tempFolder(t), 'wiki');
  const page = (name: string, text: string | Uint8Array): void => {
    mkdirSync(join(path, name, '..'), { recursive: true });
    writeFileSync(join(path, name), text);
  };
  mkdirSync(path);
  for (const [name, text] of Object.entries(pages)) page(name, text);
  const wiki: ExtraFolder = { path, audience, corpus: 'wiki' };
  return { path, wiki, page, ...openFiles(t, { ...options, files: { ...options?.files, extra: [wiki] } }) };
}

const bed = { 'garden/beds.md': '# Beds\n\nThe raised beds are 40 cm deep.\n' };

test('a page is found in its corpus and in all, and neither among memory files nor among conversations', async (t) => {
  const { memory, page } = openWiki(t, bed);
  await memory.archive(exchange('The raised beds need water.'));
  page('garden/hens.md', 'The hens sleep in the shed.\n');
  const texts = async (corpus?: string): Promise<string> =>
    (await memory.search({ text: 'raised beds', scope: own, corpus })).hits.map(({ text }) => text).join('|');
  assert.match(await texts('wiki'), /^Beds\nThe raised beds are 40 cm deep\.$/);
  assert.equal(await texts('memory'), '');
  assert.match(await texts('sessions'), /need water/);
  assert.doesNotMatch(await texts('sessions'), /40 cm/);
  for (const all of [await texts('all'), await texts()])
    assert.match(all, /40 cm.*need water|need water.*40 cm/s);
  const { hits } = await memory.search({ text: 'raised beds', scope: own, corpus: 'wiki' });
  assert.deepEqual(hits[0]?.file, { path: 'wiki/garden/beds.md', from: 3, until: 3 });
  assert.match(
    (await memory.recall({ text: 'How deep are the raised beds?', scope: own })).block,
    /page wiki\/garden\/beds\.md/,
  );
});

test('a search by meaning in one corpus finds nothing of another one', async (t) => {
  const { memory, page } = openWiki(t, bed, { embedder: testEmbedder() });
  page('garden/hens.md', 'The hens sleep in the shed.\n');
  await memory.archive(exchange('The raised beds need water.'));
  await memory.noteFile({
    audience: 'person:per_1',
    text: 'Beds were built.',
    by: { person: 'per_1', sessionID: 's', runID: 'r' },
  });
  for (const corpus of ['wiki', 'memory', 'sessions']) {
    const { hits } = await memory.search({
      text: 'How deep are the raised beds?',
      scope: own,
      corpus,
      limit: 50,
    });
    for (const { file } of hits)
      assert.equal(
        file === undefined ? 'sessions' : file.path.startsWith('wiki/') ? 'wiki' : 'memory',
        corpus,
      );
  }
});

test('pages are read with and without the name of the corpus, and a memory file comes before a page of its name', async (t) => {
  const { memory } = openWiki(t, { ...bed, 'MEMORY.md': 'A page of this name.\n' });
  await memory.editFile({
    audience: 'person:per_1',
    replace: '',
    text: 'The own file.',
    by: { person: 'per_1', sessionID: 's', runID: 'r' },
  });
  const text = async (path: string, corpus?: string): Promise<string> =>
    (await memory.readFile({ scope: own, path, corpus })).text;
  assert.match(await text('wiki/garden/beds.md'), /40 cm/);
  assert.match(await text('garden/beds.md', 'wiki'), /40 cm/);
  assert.match(await text('MEMORY.md'), /The own file/);
  assert.match(await text('MEMORY.md', 'wiki'), /A page of this name/);
  await assert.rejects(text('garden/beds.md', 'memory'), { code: 'file_not_found' });
  for (const path of ['wiki/../outside.md', '../wiki/garden/beds.md'])
    await assert.rejects(text(path), { code: 'file_not_found' });
});

test('pages of the wiki are not exported, and conversations and memory files next to them are', async (t) => {
  const { memory, put } = openWiki(t, bed);
  await memory.archive(exchange('The raised beds need water.'));
  await put('person:per_1', 'MEMORY.md', 'Beds were built in March.\n');
  const { hits } = await memory.search({ text: 'raised beds', scope: own });
  assert.equal(hits.length, 3);
  const lines = await Array.fromAsync(memory.export({ scope: own }));
  const text = JSON.stringify(lines);
  assert.match(text, /need water/);
  assert.match(text, /built in March/);
  assert.doesNotMatch(text, /40 cm|wiki/);
});

test('another audience finds and reads nothing of the wiki and its prompt has no word of it, also after the config names another one', async (t) => {
  const first = openWiki(t, bed);
  const { memory } = first;
  await memory.indexFiles();
  const prompt = async (scope: typeof own | typeof other, of = memory): Promise<string[]> =>
    (await of.filePrompt({ audience: scope.audiences[0] ?? 'person:x', scope })).corpora;
  assert.equal((await prompt(own)).length, 1);
  assert.deepEqual(await prompt(other), []);
  assert.deepEqual(await first.found('raised beds', other), []);
  await assert.rejects(memory.readFile({ scope: other, path: 'wiki/garden/beds.md' }), {
    code: 'file_not_found',
  });
  await memory.close();
  const files = { root: first.root, extra: [{ ...first.wiki, audience: 'person:per_2' as const }] };
  const second = openFiles(t, { files, path: memory.path });
  assert.equal((await second.found('raised beds', other)).length, 1);
  assert.deepEqual(await second.found('raised beds', own), []);
  assert.deepEqual(await prompt(own, second.memory), []);
  await second.memory.close();
  const third = openFiles(t, { files: { root: first.root, extra: [] }, path: memory.path });
  assert.deepEqual(await third.found('raised beds', other), []);
  assert.equal((await third.memory.status()).chunks, 0);
});

test('an extra folder that gets another audience is found by that one only', async (t) => {
  const path = tempFolder(t);
  writeFileSync(join(path, 'beds.md'), bed['garden/beds.md']);
  const first = openFiles(t, { files: { extra: [{ path, audience: 'person:per_1' }] } });
  assert.equal((await first.found('raised beds')).length, 1);
  await first.memory.close();
  const files = { root: first.root, extra: [{ path, audience: 'person:per_2' as const }] };
  const second = openFiles(t, { files, path: first.memory.path });
  assert.equal((await second.found('raised beds', other)).length, 1);
  assert.deepEqual(await second.found('raised beds'), []);
});

test('broken UTF-8, links out of it and huge pages are named, and the other pages are found', async (t) => {
  const { memory, path, found } = openWiki(t, {
    ...bed,
    'bad.md': Buffer.from([0xff, 0xfe, 0xfd]),
    'huge.md': 'x',
  });
  truncateSync(join(path, 'huge.md'), 100 * 1024 * 1024);
  const outside = tempFolder(t);
  writeFileSync(join(outside, 'secret.md'), 'The vault code is narwhal.\n');
  symlinkSync(join(outside, 'secret.md'), join(path, 'link.md'));
  symlinkSync(outside, join(path, 'linked'));
  assert.equal((await found('raised beds')).length, 1);
  assert.deepEqual(await found('narwhal'), []);
  await assert.rejects(memory.readFile({ scope: own, path: 'wiki/linked/secret.md' }), {
    code: 'file_not_found',
  });
  const words =
    (await memory.status()).files?.refused.map((each) => `${each.path} ${each.words}`).join('\n') ?? '';
  assert.match(words, /wiki\/bad\.md is not UTF-8/);
  assert.match(words, /wiki\/huge\.md has 104857600 bytes/);
  assert.match(words, /wiki\/link\.md is a symbolic link/);
  assert.match(words, /wiki\/linked is a symbolic link/);
});

test('a folder that does not exist, is a file, is a link, or holds the memory files is named with its key', async (t) => {
  const folder = tempFolder(t);
  writeFileSync(join(folder, 'file.md'), 'text');
  mkdirSync(join(folder, 'real'));
  symlinkSync(join(folder, 'real'), join(folder, 'link'));
  const root = join(folder, 'home', 'memory');
  const words = async (path: string): Promise<string> => {
    const { memory } = openFiles(t, {
      files: { root, extra: [{ path, audience: 'person:per_2', corpus: 'wiki' }] },
    });
    await memory.noteFile({
      audience: 'person:per_1',
      text: 'The vault code is narwhal.',
      by: { person: 'per_1', sessionID: 's', runID: 'r' },
    });
    assert.deepEqual((await memory.search({ text: 'narwhal', scope: other })).hits, [], path);
    return (await memory.status()).files?.refused[0]?.words ?? '';
  };
  assert.match(await words(join(folder, 'missing')), /does not exist \(memory\.wiki\.path\)/);
  assert.match(await words(join(folder, 'file.md')), /is no folder \(memory\.wiki\.path\)/);
  assert.match(await words(join(folder, 'link')), /is a symbolic link/);
  assert.match(await words(join(folder, 'home')), /holds memory files of other audiences/);
  assert.match(await words(root), /holds memory files/);
});

/** A corpus that another part adds, with its searches. */
function added(name: string, search: Corpus['search']): Corpus {
  return {
    name,
    search,
    read: async ({ path }) => ({ path, from: 1, until: 1, total: 1, text: `The text of ${path}.` }),
    about: (scope) => (scope.audiences.includes('person:per_1') ? `There is ${name}.` : undefined),
  };
}

const hit = (of: number): Hit => ({
  ...{
    id: `book_${of}`,
    tier: 'global',
    source: 'document',
    text: `Chapter ${of} of the handbook.`,
    score: 40 + of,
  },
  ...{ scoreParts: {}, why: { words: [] }, at: 0, speaker: '', platform: 'handbook', chat: 'handbook' },
  ...{ audience: 'person:per_1', sessionID: '', runID: '', messageIDs: [], recordID: undefined },
});

test('a corpus that another part adds is searched by its name and in all, balanced with memory, and read', async (t) => {
  const asked: SearchQuery[] = [];
  const corpus = added('handbook', async (query) => {
    asked.push(query);
    return { hits: [hit(1), hit(2), hit(3), hit(4)], degraded: [] };
  });
  const memory = openMemory(t, { corpora: [corpus] });
  for (const text of ['A boat is blue.', 'A boat is red.', 'A boat is grey.'])
    await memory.archive(exchange(text));
  const { hits } = await memory.search({ text: 'boat', scope: own, limit: 4 });
  assert.deepEqual(
    hits.map(({ platform }) => platform),
    ['discord', 'handbook', 'discord', 'handbook'],
  );
  assert.deepEqual((await memory.search({ text: 'boat', scope: own, corpus: 'handbook' })).hits.length, 4);
  assert.deepEqual(
    asked.map((query) => [query.corpus, query.scope]),
    [
      ['handbook', own],
      ['handbook', own],
    ],
  );
  assert.equal((await memory.search({ text: 'boat', scope: own, corpus: 'sessions' })).hits.length, 3);
  assert.equal(
    (await memory.readFile({ scope: own, path: 'handbook/one.md' })).text,
    'The text of handbook/one.md.',
  );
  assert.deepEqual((await memory.filePrompt({ audience: 'person:per_1', scope: own })).corpora, [
    'There is handbook.',
  ]);
  assert.deepEqual((await memory.filePrompt({ audience: 'person:per_2', scope: other })).corpora, []);
});

test('a corpus that fails or is too slow is left out, and the answer says so', async (t) => {
  const fails = added('broken', async () => {
    throw new Error('its server is down');
  });
  const slow = added('slow', () => new Promise(() => {}));
  const clock = { ...systemClock, sleep: async () => {} };
  const memory = openMemory(t, { corpora: [fails, slow], clock });
  await memory.archive(exchange('A boat is blue.'));
  const { hits, degraded } = await memory.search({ text: 'boat', scope: own });
  assert.equal(hits.length, 1);
  assert.match(degraded.join('\n'), /corpus broken was not searched \(its server is down\)/);
  assert.match(degraded.join('\n'), /corpus slow was not searched \(Searching slow took longer than 2000 ms/);
});

test('an unknown corpus, two corpora with one name and a name with another meaning are refused', async (t) => {
  const { memory } = openWiki(t, bed);
  const unknown = { code: 'unknown_corpus', message: /"wikki": expected one of memory, sessions, wiki, all/ };
  await assert.rejects(memory.search({ text: 'beds', scope: own, corpus: 'wikki' }), unknown);
  await assert.rejects(memory.readFile({ scope: own, path: 'beds.md', corpus: 'wikki' }), unknown);
  const nothing = async () => ({ hits: [], degraded: [] });
  const refused = (...names: string[]): void =>
    assert.throws(
      () => openMemory(t, { corpora: names.map((name) => added(name, nothing)) }),
      (error) => error instanceof ParleyError && error.code === 'invalid_corpus',
      names.join(),
    );
  refused('book', 'book');
  for (const name of ['memory', 'sessions', 'all', 'everyone', '', 'Wiki', 'a-b', '../x', 'x'.repeat(32)])
    refused(name);
});
