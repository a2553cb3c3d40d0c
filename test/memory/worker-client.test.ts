// A large memory is searched and imported into by threads: with the same answers, and again when one dies.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { ParleyError } from '#base/errors.ts';
import { createAsk } from '#memory/query-router.ts';
import { createMemoryWorker, type MemoryWorker } from '#memory/worker-client.ts';
import { exchange, found, freshPath, mine, openMemory } from './open-memory.ts';

test('a thread finds what was written a moment ago, as the program itself does (M6, M8)', async (t) => {
  const path = freshPath(t);
  const folder = join(dirname(path), 'files');
  mkdirSync(folder);
  for (const name of ['a', 'b', 'c'])
    writeFileSync(join(folder, `${name}.md`), `The ${name} kayak is in the shed.\n`);
  const memory = openMemory(t, { path, threadAbove: { rows: 0, bytes: 0 } });
  const others = openMemory(t, { path });
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
    assert.deepEqual(await found(memory, text), await found(others, text), text);
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
    const thread: MemoryWorker = {
      bytesOutside: async () => 0,
      cpuMs: async () => 0,
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

test('a thread that dies ends its calls with a message, and the next call has a new one', async (t) => {
  // it cannot start without a path
  const thread = createMemoryWorker({ path: undefined as never, identity: undefined });
  t.after(() => thread.end());
  for (const text of ['first', 'second']) {
    assert.equal(thread.isUp(), false);
    const asked = thread.call('search', { text, scope: mine });
    assert.equal(thread.isUp(), true);
    await assert.rejects(asked, { code: 'thread_ended' });
  }
});
