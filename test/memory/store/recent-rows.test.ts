// The words of the rows that were added last are bounded, by rows and by words.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRecentRows, type RecentRows } from '#memory/store/recent-rows.ts';

function filled(count: number, wordsOf: (row: number) => string[]): RecentRows {
  const recent = createRecentRows();
  for (let row = 1; row <= count; row += 1)
    recent.add(row, { words: new Set(['boat', ...wordsOf(row)]), scope: 'room' });
  return recent;
}

test('rows of many words are kept by the hundred, rows of few by the thousand; what is kept is found, newest first', () => {
  const many = filled(300, (row) => Array.from({ length: 200 }, (_, at) => `w${row}x${at}`));
  assert.equal(many.covers(0, 300), false, '60,000 words were kept');
  assert.equal(many.covers(250, 300), true);
  assert.deepEqual(many.holding('boat', 297), [300, 299, 298]);
  assert.deepEqual(many.holding('w300x7', 250), [300]);
  assert.deepEqual(many.holding('w1x7', 0), []);
  assert.equal(filled(900, (row) => [`w${row}`]).covers(0, 900), true);
});
