// Folders that are imported again and again while their files are renamed, copied, edited and deleted: what is found is what is on disk.
import assert from 'node:assert/strict';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import type { ImportRequest } from '#memory/types/import.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { freshPath, mine, openMemory } from './open-memory.ts';

const where = { audience: 'person:per_1', restricted: true } as const;

/** A memory and a folder whose files are imported, with deletions, unless set otherwise. */
function stage(t: TestContext, files: Record<string, string>) {
  const root = tempFolder(t);
  const memory = openMemory(t);
  const put = (name: string, content: string): void => {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), content);
  };
  for (const [name, content] of Object.entries(files)) put(name, content);
  const run = (more: Partial<ImportRequest> = {}) =>
    memory.importPath({ path: root, format: 'directory', where, syncDeletes: true, ...more });
  const texts = async (): Promise<string[]> =>
    (await memory.list({ scope: mine, limit: 100 })).map(({ text }) => text).sort();
  return { memory, root, put, run, texts };
}

test('a renamed file is found under its new name, with its id', async (t) => {
  const { memory, root, put, run, texts } = stage(t, { 'a.md': '# Bees\n\nThe hive is green.' });
  await run();
  const [before] = (await memory.search({ text: 'hive', scope: mine })).hits;
  rmSync(join(root, 'a.md'));
  put('b.md', '# Bees\n\nThe hive is green.');
  const report = await run();
  assert.deepEqual([report.files.stored, report.deleted, report.chunks.removed], [1, 1, 0]);
  const { hits } = await memory.search({ text: 'hive', scope: mine });
  assert.deepEqual(
    hits.map(({ id, sessionID }) => [id, sessionID]),
    [[before?.id, join(root, 'b.md')]],
  );
  assert.equal((await memory.search({ text: 'b', scope: mine })).hits.length, 1, 'found by the new name');
  assert.deepEqual(await texts(), ['Bees\nThe hive is green.']);
  assert.deepEqual((await memory.verify()).problems, []);
});

/** Sentences of which a file is made; each is a passage. */
const sentences = Array.from({ length: 24 }, (_, at) => `The number ${at} of the hives is green.`);
const contentOf = (of: readonly number[]): string =>
  of.map((at) => `## Hive ${at}\n\n${sentences[at] ?? ''}\n`).join('\n');
const passagesOf = (of: readonly number[]): string[] => of.map((at) => `Hive ${at}\n${sentences[at] ?? ''}`);

const roots = ['first', 'second'] as const;
type Root = (typeof roots)[number];
const names = ['a.md', 'b.md', 'c.md', 'deep/a.md', 'deep/d.md'] as const;
const place = fc.record({ root: fc.constantFrom(...roots), name: fc.constantFrom(...names) });
const sections = fc.array(fc.nat(sentences.length - 1), { minLength: 1, maxLength: 12 });

const step = fc.oneof(
  fc.record({ type: fc.constant('write' as const), at: place, of: sections }),
  fc.record({ type: fc.constant('rename' as const), at: place, to: place }),
  fc.record({ type: fc.constant('copy' as const), at: place, to: place }),
  fc.record({ type: fc.constant('delete' as const), at: place }),
  fc.record({ type: fc.constant('forget' as const), of: fc.nat(sentences.length - 1) }),
  fc.record({
    type: fc.constant('import' as const),
    root: fc.constantFrom(...roots),
    syncDeletes: fc.boolean(),
    /** After which file the program is killed, if it is. */
    killedAfter: fc.option(fc.nat(4), { nil: undefined }),
  }),
);

type Tree = Map<string, readonly number[]>;

test('whatever happens to the files of two folders, what is found is what is on disk', async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 24 }), async (steps) => {
      const folder = tempFolder(t);
      const path = freshPath(t);
      const disk: Record<Root, Tree> = { first: new Map(), second: new Map() };
      const known: Record<Root, Tree> = { first: new Map(), second: new Map() };
      for (const root of roots) mkdirSync(join(folder, root));
      const forgotten = new Set<string>();
      let memory = openMemory(t, { path });
      const write = (at: { root: Root; name: string }, of: readonly number[]): void => {
        const file = join(folder, at.root, at.name);
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, contentOf(of));
        disk[at.root].set(at.name, of);
      };
      const remove = (at: { root: Root; name: string }): void => {
        rmSync(join(folder, at.root, at.name));
        disk[at.root].delete(at.name);
      };
      const importRoot = (root: Root, syncDeletes: boolean, onFile?: ImportRequest['onFile']) =>
        memory.importPath({
          path: join(folder, root),
          format: 'directory',
          where,
          syncDeletes,
          allowEmpty: syncDeletes,
          onFile,
        });
      /** As the files of the database were when the program was killed: a commit is in them, what was not committed is not. */
      const killedImport = async (root: Root, syncDeletes: boolean, after: number): Promise<void> => {
        const copies = ['', '-wal'].map((end) => [`${path}${end}`, `${path}.killed${end}`] as const);
        const keep = ({ done }: { done: number }): void => {
          if (done !== after + 1) return;
          for (const [from, to] of copies) if (existsSync(from)) copyFileSync(from, to);
        };
        await importRoot(root, syncDeletes, keep);
        if (!existsSync(`${path}.killed`)) return;
        await memory.close();
        for (const end of ['-shm', '-wal']) rmSync(`${path}${end}`, { force: true });
        for (const [from, to] of copies) if (existsSync(to)) copyFileSync(to, from);
        for (const [, to] of copies) rmSync(to, { force: true });
        memory = openMemory(t, { path });
      };
      const expectedNow = (): Set<string> => {
        const inFiles = roots.flatMap((root) => [...known[root].values()].flatMap(passagesOf));
        return new Set(inFiles.filter((text) => !forgotten.has(text)));
      };
      const isWhole = async (): Promise<void> => {
        const expected = expectedNow();
        const found = (await memory.list({ scope: mine, limit: 100 })).map(({ text }) => text);
        assert.deepEqual(found.sort(), [...expected].sort());
        assert.deepEqual((await memory.verify()).problems, []);
        const some = [...expected][0];
        if (some === undefined) return;
        const { hits } = await memory.search({ text: some, scope: mine, limit: 30 });
        assert.ok(
          hits.some(({ text }) => text === some),
          `${some} is found`,
        );
        for (const { sessionID } of hits) {
          const [root = '', ...rest] = sessionID.slice(folder.length + 1).split('/');
          assert.ok(known[root as Root].has(rest.join('/')), `${sessionID} is where it is found`);
        }
      };
      for (const each of steps) {
        switch (each.type) {
          case 'write':
            write(each.at, each.of);
            break;
          case 'delete':
            if (disk[each.at.root].has(each.at.name)) remove(each.at);
            break;
          case 'forget': {
            const [text = ''] = passagesOf([each.of]);
            if (!expectedNow().has(text)) break;
            const selection = { words: `number ${each.of} of` };
            await memory.forget({ scope: mine, selection, mode: 'forget', proof: 'none' });
            forgotten.add(text);
            await isWhole();
            break;
          }
          case 'copy':
          case 'rename': {
            const of = disk[each.at.root].get(each.at.name);
            if (of === undefined) break;
            if (each.type === 'rename') remove(each.at);
            write(each.to, of);
            break;
          }
          case 'import': {
            const { root, syncDeletes, killedAfter } = each;
            if (killedAfter !== undefined) await killedImport(root, syncDeletes, killedAfter);
            await importRoot(root, syncDeletes);
            if (syncDeletes) known[root] = new Map(disk[root]);
            else for (const [name, of] of disk[root]) known[root].set(name, of);
            await isWhole();
          }
        }
      }
      for (const root of roots) {
        await importRoot(root, true);
        known[root] = new Map(disk[root]);
      }
      await isWhole();
      await memory.close();
    }),
    { numRuns: 40, ...seedOfEnvironment() },
  );
});

/** `SEED=1 node --test …` runs another set of trees. */
function seedOfEnvironment(): { seed?: number; numRuns?: number } {
  const { SEED, RUNS } = process.env;
  return {
    ...(SEED === undefined ? {} : { seed: Number(SEED) }),
    ...(RUNS === undefined ? {} : { numRuns: Number(RUNS) }),
  };
}

test('files are found by their headings where these have nothing below them', async (t) => {
  const { run, texts, memory } = stage(t, {
    'outline.md': '# Hive plan\n\n## Buy frames\n\n## Paint lids\n',
    'mixed.md': '## Sugar\n\nTwo bags are left.\n\n### Ask Mia for honey jars\n\n## Smoke\n\nUse straw.\n',
    'card.md': '---\ntitle: Queen ledger\ntags: [wintering]\n---\n',
    'both.md': '---\ntitle: x\n---\n# Varroa count',
    'nothing.md': '---\n---\n\n#\n\n## \n',
  });
  assert.deepEqual((await run()).files, { stored: 4, unchanged: 0, empty: 1, failed: 0 });
  assert.deepEqual(await texts(), [
    'Hive plan\nBuy frames\nPaint lids',
    'Smoke\nUse straw.',
    'Sugar\nAsk Mia for honey jars',
    'Sugar\nTwo bags are left.',
    'Varroa count',
    'title: Queen ledger\ntags: [wintering]',
  ]);
  for (const word of ['frames', 'lids', 'jars', 'wintering', 'varroa'])
    assert.equal((await memory.search({ text: word, scope: mine })).hits.length, 1, word);
});

test('a file that is forgotten takes the passages with it that another one stored', async (t) => {
  const { memory, root, run, texts, put } = stage(t, {
    'a.md': 'One.\n\n# Two\n\nTwo.',
    'b.md': '# Two\n\nTwo.',
  });
  await run();
  const selection = { source: join(root, 'b.md') };
  await memory.forget({ scope: mine, selection, mode: 'forget', proof: 'none' });
  assert.deepEqual(await texts(), ['One.']);
  put('c.md', '# Two\n\nTwo.');
  assert.equal((await run()).entries.skipped.forgotten, 2);
  assert.deepEqual(await texts(), ['One.']);
  assert.deepEqual((await memory.verify()).problems, []);
});

test('what a file says in the open is open, whichever file said it first', async (t) => {
  const { memory, run, root, put } = stage(t, { 'a.md': 'The hive is green.' });
  const open = { ...where, restricted: false, space: 'discord:1:2' };
  const readers = { audiences: [], spaces: ['discord:1:2'], everyone: false };
  const seen = async (): Promise<number> =>
    (await memory.search({ text: 'hive', scope: readers })).hits.length;
  await run();
  assert.equal(await seen(), 0);
  put('b.md', 'The hive is green.');
  await run({ path: join(root, 'b.md'), where: open });
  assert.equal(await seen(), 1);
  rmSync(join(root, 'b.md'));
  await run({ allowEmpty: true });
  assert.equal(await seen(), 0);
  assert.equal((await memory.search({ text: 'hive', scope: mine })).hits.length, 1);
});

test('a file that is imported for two projects is found in both', async (t) => {
  const { memory, run } = stage(t, { 'a.md': 'The hive is green.' });
  await run({ projectID: 'one' });
  await run({ projectID: 'two' });
  for (const projectID of ['one', 'two'])
    assert.equal((await memory.search({ text: 'hive', scope: mine, projectID })).hits.length, 1, projectID);
});

test('a file that is imported again for the same project in another case is the same file', async (t) => {
  const { memory, run, root } = stage(t, { 'a.md': 'The hive is green.' });
  await run({ projectID: 'Bees' });
  assert.deepEqual((await run({ projectID: 'BEES' })).files, {
    stored: 0,
    unchanged: 1,
    empty: 0,
    failed: 0,
  });
  assert.equal((await memory.search({ text: 'hive', scope: mine, projectID: 'bees' })).hits.length, 1);
  rmSync(join(root, 'a.md'));
  const gone = await run({ projectID: 'bees', syncDeletes: true, allowEmpty: true });
  assert.equal(gone.deleted, 1);
  assert.deepEqual((await memory.search({ text: 'hive', scope: mine })).hits, []);
});

test('files that say one word hundreds of times leave nothing of it when they are renamed and deleted', async (t) => {
  const said = (at: number): string => `kw${at}z ${'zebra of it '.repeat(184)}`;
  const files = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`${at}.md`, said(at)]));
  const { memory, run, root, put } = stage(t, files);
  await run();
  for (let round = 1; round <= 3; round += 1) {
    for (const name of readdirSync(root).filter((_, at) => at % 3 === 0)) {
      put(`${round}-${name}`, readFileSync(join(root, name), 'utf8'));
      rmSync(join(root, name));
    }
    await run();
  }
  assert.deepEqual((await memory.verify()).problems, []);
  await memory.forget({ scope: mine, selection: { words: 'zebra' }, mode: 'forget' });
  const { problems, traces } = await memory.verify(['zebra']);
  assert.deepEqual([problems, traces], [[], []]);
});
