// A large memory is searched and imported into by threads: with the same answers, and again when one dies.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { momentOf } from '#base/clock.ts';
import { ParleyError } from '#base/errors.ts';
import { createAsk } from '#memory/ask.ts';
import type { Wanted } from '#memory/search/find.ts';
import { rehearse } from '#memory/search/rehearse.ts';
import { openStoreReader } from '#memory/store/store.ts';
import { createThread, type Thread } from '#memory/thread.ts';
import { exchange, found, freshPath, mine, openMemory, start } from './open-memory.ts';

test('M6, M8: a thread finds what was written a moment ago, as the program itself does', async (t) => {
  const path = freshPath(t);
  const folder = join(dirname(path), 'files');
  mkdirSync(folder);
  for (const name of ['a', 'b', 'c'])
    writeFileSync(join(folder, `${name}.md`), `The ${name} kayak is in the shed.\n`);
  const memory = openMemory(t, { path, threadAbove: { rows: 0, bytes: 0 } });
  const beside = openMemory(t, { path });
  const seen: string[] = [];
  const report = await memory.importPath({
    path: folder,
    format: 'directory',
    where: { audience: 'person:per_1', restricted: true },
    onFile: ({ done, total }) => void seen.push(`${done}/${total}`),
  });
  assert.deepEqual([report.files.stored, report.chunks.stored, seen], [3, 3, ['1/3', '2/3', '3/3']]);
  assert.equal((await found(memory, 'kayak')).length, 3);
  await memory.archive(exchange('My new kayak is O’Brien’s, model GB/s 東京'));
  for (const text of ['kayak', 'O’Brien', 'GB/s', '東京', 'shed'])
    assert.deepEqual(await found(memory, text), await found(beside, text), text);
  await memory.forget({ scope: mine, selection: { words: 'shed' }, mode: 'forget' });
  assert.deepEqual(await found(memory, 'shed'), []);
  const { hits } = await memory.recall({ text: 'my new kayak', scope: mine });
  assert.equal(hits.length, 1);
});

test('what is small is imported by a thread that is up for what was large, and is unchanged afterwards', async (t) => {
  const path = freshPath(t);
  const folder = dirname(path);
  const memory = openMemory(t, { path, threadAbove: { rows: 8_000, bytes: 100 } });
  const where = {
    audience: mine.audiences[0] ?? 'person:none',
    space: undefined,
    restricted: false,
  } as const;
  const take = (name: string, text: string) => {
    const file = join(folder, name);
    writeFileSync(file, text);
    return memory.importPath({ path: file, format: 'directory', where });
  };
  const texts = { large: `${'The tent is torn. '.repeat(20)}\n`, small: 'The kayak is in the shed.\n' };
  for (const again of [false, true]) {
    for (const [name, text] of Object.entries(texts)) {
      const { files } = await take(`${name}.md`, text);
      assert.deepEqual([files.stored, files.unchanged], again ? [0, 1] : [1, 0], name);
    }
  }
  assert.equal((await found(memory, 'kayak')).length, 1);
  assert.equal((await found(memory, 'tent')).length > 0, true);
});

test('a question whose thread dies is asked once more, then here, and the answer says so', async () => {
  const result = { hits: [], degraded: [] };
  const ask = (deaths: number) => {
    let asked = 0;
    const thread: Thread = {
      async call() {
        asked += 1;
        if (asked <= deaths)
          throw new ParleyError('thread_ended', 'A thread of the memory ended: exit code 1.');
        // only searches are asked here
        return result as never;
      },
      isUp: () => true,
      end: async () => {},
    };
    return createAsk({
      thread,
      isLarge: async () => true,
      questions: undefined,
      here: { search: async () => result, recall: async () => ({ ...result, block: '', omitted: 0 }) },
    }).search({ text: 'x', scope: mine });
  };
  assert.deepEqual((await ask(1)).degraded, []);
  assert.deepEqual((await ask(2)).degraded, ['search thread failed']);
});

test('a thread that dies ends its calls in words, and the next call has a new one', async (t) => {
  // it cannot start without a path
  const thread = createThread({ path: undefined as never, identity: undefined });
  t.after(() => thread.end());
  for (const text of ['first', 'second']) {
    assert.equal(thread.isUp(), false);
    const asked = thread.call('search', { text, scope: mine });
    assert.equal(thread.isUp(), true);
    await assert.rejects(asked, { code: 'thread_ended' });
  }
});

test('a thread rehearses with what it finds, in rooms of one person too, until a person asks or the memory is closed', async (t) => {
  const path = freshPath(t);
  const slept: number[] = [];
  let passed = (): void => {};
  const ready = new Promise<void>((resolve) => {
    passed = resolve;
  });
  const clock = {
    now: () => start,
    monotonic: () => momentOf(start),
    sleep: async (ms: number): Promise<void> => {
      slept.push(ms);
      await ready;
    },
  };
  const memory = openMemory(t, { path, clock, ahead: true, threadAbove: { rows: 0, bytes: 0 } });
  for (const text of ['My kayak is green', 'My boat is red', 'The harbour was closed'])
    await memory.archive(exchange(text));
  assert.deepEqual(slept, [2_000], 'the program starts first');
  const thread = createThread({ path, identity: undefined });
  t.after(() => thread.end());
  assert.equal(await thread.call('prepare', {}), 3);
  assert.equal((await thread.call('search', { text: 'kayak', scope: mine })).hits.length, 1);
  passed();
  assert.equal((await found(memory, 'kayak')).length, 1);
  await memory.close();
});

test('a rehearsal stops before the next question when somebody asks', async (t) => {
  const memory = openMemory(t);
  for (const text of ['My kayak is green', 'My boat is red', 'The harbour was closed'])
    await memory.archive(exchange(text));
  const store = openStoreReader(memory.path, undefined);
  t.after(() => store.close());
  const asked: Wanted[] = [];
  const find = async (wanted: Wanted) => {
    asked.push(wanted);
    return { ranked: [], degraded: [] };
  };
  const parts = { find, chunks: store.chunks, dimensions: 4 };
  assert.equal(await rehearse(parts, () => asked.length < 2), 2);
  assert.deepEqual(
    asked.map(({ text, scope, vector }) => [text, scope.everyone, Math.hypot(...(vector ?? [])).toFixed(3)]),
    [
      ['you said: My kayak is green', false, '1.000'],
      ['you said: My boat is red', true, '1.000'],
    ],
  );
});

test('a rehearsal looks up common words afterwards, but not those of a very large memory', async (t) => {
  const memory = openMemory(t);
  for (const text of ['My kayak is green', 'My kayak is lost']) await memory.archive(exchange(text));
  const store = openStoreReader(memory.path, undefined);
  t.after(() => store.close());
  const find = async () => ({ ranked: [], degraded: [] });
  const lookedUp = async (newest: number): Promise<string[]> => {
    const words: string[] = [];
    const postings: typeof store.chunks.postings = (...asked) => {
      const { rowsOf, ...rest } = store.chunks.postings(...asked);
      const noted = (word: string) => {
        words.push(word);
        return rowsOf(word);
      };
      return { ...rest, rowsOf: noted };
    };
    const chunks = { ...store.chunks, postings, newest: () => newest };
    await rehearse({ find, chunks, dimensions: undefined }, () => true);
    return words;
  };
  const words = await lookedUp(2);
  assert.ok(words.indexOf('kayak') < words.indexOf('green'), words.join(' '));
  assert.ok(words.includes('kayak') && words.includes('green'), words.join(' '));
  assert.deepEqual(await lookedUp(20_001), []);
});
