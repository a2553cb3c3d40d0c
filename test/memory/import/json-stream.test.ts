// JSON read as a stream: one value at a time, with exact ids, and words for what cannot be read.
import assert from 'node:assert/strict';
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { type JsonValue, jsonValues } from '#memory/import/items/json-stream.ts';

const sourceOf = (...pieces: (string | Uint8Array)[]) => ({
  path: '/x/result.json',
  open: async () => Readable.from(pieces.map((piece) => Buffer.from(piece))),
});
const all = (source: ReturnType<typeof sourceOf>, ...selectors: string[]): Promise<JsonValue[]> =>
  Array.fromAsync(jsonValues(source, selectors));

test('the values at the selectors come in their order with their paths, across pieces and behind a byte order mark', async () => {
  const source = sourceOf(
    '\ufeff{"a": {"list": [{"id": 1, "te',
    'xt": "ä',
    '🦢"}, {"id": 2}]}, "b": [3',
    '4]}',
  );
  assert.deepEqual(await all(source, '$.a.list.*', '$.b.*'), [
    { path: ['a', 'list', 0], value: { id: 1, text: 'ä🦢' } },
    { path: ['a', 'list', 1], value: { id: 2 } },
    { path: ['b', 0], value: 34 },
  ]);
});

test('a whole number that a double cannot hold comes as text, any other as a number', async () => {
  const values = await all(
    sourceOf('[1419422247004934226, -9007199254740993, 9007199254740991, 1e300, 0.5]'),
    '$.*',
  );
  assert.deepEqual(
    values.map(({ value }) => value),
    ['1419422247004934226', '-9007199254740993', 9007199254740991, 1e300, 0.5],
  );
});

test('a value is there before the rest of the file is read', async () => {
  let read = 0;
  const endless = async function* () {
    yield Buffer.from('{"messages": [');
    for (;;) {
      read += 1;
      yield Buffer.from(`{"id": ${read}},`);
    }
  };
  const source = { path: '/x', open: async () => Readable.from(endless(), { highWaterMark: 1 }) };
  for await (const { value } of jsonValues(source, ['$.messages.*']))
    if ((value as { id: number }).id === 100) break;
  assert.ok(read < 150, String(read));
});

test('what is no JSON, no UTF-8, cut off or followed by something else is refused with a message', async () => {
  const wrong = [
    [sourceOf(''), /it is empty/],
    [sourceOf('{"a": [1,'), /it ends before it is complete/],
    [sourceOf('<html>'), /Unexpected "<"/],
    [sourceOf('{"a": "', new Uint8Array([0xff, 0xfe]), '"}'), /it is not UTF-8 text/],
    [sourceOf('{"a": "', new Uint8Array([0xc3])), /it is not UTF-8 text|ends before/],
    [sourceOf('{"a": 1} {"b": 2}'), /Unexpected/],
  ] as const;
  for (const [source, words] of wrong)
    await assert.rejects(all(source, '$.a'), (error: Error & { code?: string }) => {
      assert.equal(error.code, 'invalid_json');
      assert.match(error.message, /^\/x\/result\.json cannot be read as JSON: /);
      assert.match(error.message, words);
      return true;
    });
});

test('a file that the system does not give is not taken for broken JSON', async () => {
  const source = { path: '/x', open: async () => createReadStream('/nowhere/result.json') };
  await assert.rejects(Array.fromAsync(jsonValues(source, ['$.a'])), {
    code: 'nothing_to_import',
    message: /^\/x cannot be read: ENOENT/,
  });
});

test('a text that has no end is refused before it fills the memory', async () => {
  const megabyte = Buffer.alloc(1024 * 1024, 'x');
  let read = 0;
  const endless = async function* () {
    yield Buffer.from('{"a": "');
    for (;;) {
      read += 1;
      yield megabyte;
    }
  };
  const source = { path: '/x', open: async () => Readable.from(endless(), { highWaterMark: 1 }) };
  await assert.rejects(
    Array.fromAsync(jsonValues(source, ['$.a'])),
    /a value of it has more than 67108864 bytes/,
  );
  assert.ok(read < 70);
});

test('a signal that has aborted ends the reading with its reason', async () => {
  const values = jsonValues(sourceOf('[1, 2]'), ['$.*'], AbortSignal.abort());
  await assert.rejects(values.next(), { name: 'AbortError' });
});
