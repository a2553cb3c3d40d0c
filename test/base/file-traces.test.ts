// Words looked for in files: what is found, what is not known, and that it takes no lock of this process away.
import assert from 'node:assert/strict';
import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { tracesOf } from '#base/files/file-traces.ts';
import { tempFolder } from '../support/temp-folder.ts';

const nothing = { traces: [], unread: [] };

test('no words or no files need no search, an empty word is in no file, and a file that does not exist holds nothing', async (t) => {
  const file = join(tempFolder(t), 'a.bin');
  assert.deepEqual(await tracesOf(['word'], [file]), nothing);
  writeFileSync(file, 'word');
  assert.deepEqual(await tracesOf([], [file]), nothing);
  assert.deepEqual(await tracesOf([''], [file]), nothing);
  assert.deepEqual(await tracesOf(['word'], []), nothing);
});

test('words are found by their bytes in any case, also inside of each other and with characters of a regular expression', async (t) => {
  const folder = tempFolder(t);
  const [one, two] = [join(folder, 'one'), join(folder, 'two')];
  writeFileSync(one, Buffer.from([0, 255, ...Buffer.from('a XYLOphonists a.b(c'), 0]));
  writeFileSync(two, 'über alles, a-b-c');
  const words = ['xylophonist', 'phoni', 'Xylo', 'a.b(c', 'über', 'zebra'];
  assert.deepEqual(
    (await tracesOf(words, [one, two])).traces
      .map(({ word, file }) => `${word} ${file === one ? 1 : 2}`)
      .sort(),
    ['Xylo 1', 'a.b(c 1', 'phoni 1', 'xylophonist 1', 'über 2'],
  );
});

test('a word is found where it crosses the border of the pieces that a large file is read in', async (t) => {
  const piece = 1024 * 1024;
  for (const at of [piece - 1, piece - 5, 2 * piece - 10, 2 * piece]) {
    const file = join(tempFolder(t), 'large');
    const bytes = Buffer.alloc(at + 20);
    bytes.write('xylophonist', at);
    writeFileSync(file, bytes);
    assert.deepEqual(await tracesOf(['xylophonist', 'y'], [file]), {
      traces: [
        { word: 'xylophonist', file },
        { word: 'y', file },
      ],
      unread: [],
    });
  }
});

test('what cannot be read, or not in time, is reported and is not taken for clean', async (t) => {
  const folder = tempFolder(t);
  const [readable, unreadable, endless] = ['a', 'b', 'c'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  writeFileSync(readable, 'word');
  mkdirSync(unreadable);
  writeFileSync(endless, '');
  truncateSync(endless, 2 ** 42); // takes no space on the disk, and hours to read
  assert.deepEqual(await tracesOf(['word'], [readable, unreadable]), {
    traces: [{ word: 'word', file: readable }],
    unread: [{ file: unreadable, why: 'it cannot be read (EISDIR)' }],
  });
  assert.deepEqual(await tracesOf(['word'], [readable, endless], { limitMs: 300 }), {
    traces: [],
    unread: [readable, endless].map((file) => ({ file, why: 'the search took longer than 0.3 s' })),
  });
  const stop = new AbortController();
  const stopped = tracesOf(['word'], [endless], { signal: stop.signal });
  stop.abort();
  assert.deepEqual((await stopped).unread, [{ file: endless, why: 'the search was stopped' }]);
});
