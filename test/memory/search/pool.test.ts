// What is kept between questions is bounded by its size, and nothing of a question is lost by that.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPools } from '#memory/search/pool.ts';
import { readableBy } from '#memory/store/audience.ts';
import type { FoundChunk } from '#memory/store/chunk-row.ts';
import type { Chunks } from '#memory/store/chunks.ts';

const readable = readableBy({ audiences: ['person:per_1'], spaces: [], everyone: false });

const now = { removals: 0, repeats: 0, newest: 3_000, otherCommits: 1 };

/** Chunks of so many characters, and which rows of them were read from the file. */
function fileOf(characters: number): { chunks: Chunks; asked: number[] } {
  const asked: number[] = [];
  const content = 'x'.repeat(characters);
  const texts = { content, saidTerms: content, answeredTerms: '' };
  const one = { source: 'exchange', lastSaidAt: 1, expiresAt: null, ...texts } as const;
  const chunks = {
    byRows(rows: readonly number[]) {
      asked.push(...rows);
      // a pool looks at nothing else of a chunk
      return rows.map((row) => ({ ...one, row }) as FoundChunk);
    },
    readableRows: (rows: readonly number[]) => rows.map((row) => ({ row, lastSaidAt: 1, expiresAt: null })),
  };
  return { chunks: chunks as unknown as Chunks, asked };
}

const rowsTo = (last: number): number[] => Array.from({ length: last }, (_, at) => at + 1);

test('long chunks are not kept by the thousand: what was read first is read again, what was read last is not', () => {
  const { chunks, asked } = fileOf(2_000);
  const reader = createPools(chunks)(readable, now);
  for (const row of rowsTo(2_500)) assert.equal(reader.read([row]).size, 1);
  asked.length = 0;
  reader.read([2_499, 2_500]);
  assert.deepEqual(asked, []);
  reader.read([1]);
  assert.deepEqual(asked, [1], 'some 19 MB of chunks were kept');
});

test('a question that reads more than is kept has all of it', () => {
  const { chunks } = fileOf(20_000);
  assert.equal(createPools(chunks)(readable, now).read(rowsTo(300)).size, 300);
});

test('short chunks are kept by the thousand', () => {
  const { chunks, asked } = fileOf(200);
  const reader = createPools(chunks)(readable, now);
  reader.read(rowsTo(3_000));
  reader.read(rowsTo(3_000));
  assert.equal(asked.length, 3_000);
});

test('who may read which rows is kept for as many scopes as there is room: of a large memory for few', () => {
  const { chunks } = fileOf(20);
  const pools = createPools(chunks);
  const asked: number[] = [];
  const { readableRows } = chunks;
  chunks.readableRows = (rows, reader) => {
    asked.push(...rows);
    return readableRows(rows, reader);
  };
  const readBy = (person: number, newest: number): void => {
    const scope = { audiences: [`person:per_${person}` as const], spaces: [], everyone: false };
    pools(readableBy(scope), { ...now, newest }).read([1]);
  };
  for (const person of [1, 2, 3, 1, 2, 3]) readBy(person, 10_000_000);
  assert.deepEqual(asked, [1, 1], 'three times ten million bits are kept');
  for (const person of [4, 1, 4]) readBy(person, 20_000_000);
  assert.deepEqual(asked, [1, 1, 1, 1, 1], 'twice twenty million are not');
});
