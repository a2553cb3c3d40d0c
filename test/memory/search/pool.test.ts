// What is kept between questions is bounded by its size, and nothing of a question is lost by that.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPools } from '#memory/search/pool.ts';
import { readableBy } from '#memory/store/audience.ts';
import type { FoundChunk } from '#memory/store/chunk-row.ts';
import type { Chunks } from '#memory/store/chunks.ts';

const readable = readableBy({ audiences: ['person:per_1'], spaces: [], everyone: false });

/** Chunks of so many characters, and which rows of them were read from the file. */
function fileOf(characters: number): { chunks: Chunks; asked: number[] } {
  const asked: number[] = [];
  const content = 'x'.repeat(characters);
  const one = { source: 'exchange', lastSaidAt: 1, content, saidTerms: content, answeredTerms: '' } as const;
  const chunks = {
    removals: () => 0,
    byRows(rows: readonly number[]) {
      asked.push(...rows);
      // a pool looks at nothing else of a chunk
      return rows.map((row) => ({ ...one, row }) as FoundChunk);
    },
    readableRows: (rows: readonly number[]) => rows.map((row) => ({ row, lastSaidAt: 1 })),
  };
  return { chunks: chunks as unknown as Chunks, asked };
}

const rowsTo = (last: number): number[] => Array.from({ length: last }, (_, at) => at + 1);

test('long chunks are not kept by the thousand: what was read first is read again, what was read last is not', () => {
  const { chunks, asked } = fileOf(2_000);
  const reader = createPools(chunks)(readable);
  for (const row of rowsTo(2_500)) assert.equal(reader.read([row]).size, 1);
  asked.length = 0;
  reader.read([2_499, 2_500]);
  assert.deepEqual(asked, []);
  reader.read([1]);
  assert.deepEqual(asked, [1], 'some 19 MB of chunks were kept');
});

test('a question that reads more than is kept has all of it', () => {
  const { chunks } = fileOf(20_000);
  assert.equal(createPools(chunks)(readable).read(rowsTo(300)).size, 300);
});

test('short chunks are kept by the thousand', () => {
  const { chunks, asked } = fileOf(200);
  const reader = createPools(chunks)(readable);
  reader.read(rowsTo(3_000));
  reader.read(rowsTo(3_000));
  assert.equal(asked.length, 3_000);
});
