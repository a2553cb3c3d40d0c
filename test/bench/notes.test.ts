// What operators put and forgot, judged in the end over made-up databases: each thing that can go wrong is seen.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countsOf, createNotes, faultsOf, type Note } from '../../bench/chaos/notes.ts';
import { createRandom } from '../../bench/harness/random.ts';

const note = (put: Note['put'], forget: Note['forget']): Note => ({
  ...{ word: 'quoabc', text: 'quoabc', id: undefined },
  ...{ put, forget },
});
const faults = (one: Note, count: number, traced: string[] = []): string[] =>
  faultsOf([one], { entries: () => count, traced: new Set(traced) });

test('what was acknowledged is there once, and what was forgotten is neither there nor in a file', () => {
  assert.deepEqual(faults(note('acknowledged', 'never asked'), 1, ['quoabc']), []);
  assert.deepEqual(faults(note('acknowledged', 'never asked'), 0), [
    'the note quoabc was acknowledged and is not there',
  ]);
  assert.deepEqual(faults(note('acknowledged', 'never asked'), 2), ['the note quoabc is there 2 times']);
  assert.deepEqual(faults(note('acknowledged', 'acknowledged'), 0), []);
  assert.deepEqual(faults(note('acknowledged', 'acknowledged'), 1), [
    'the note quoabc is there, though forgotten',
  ]);
  assert.deepEqual(faults(note('acknowledged', 'acknowledged'), 0, ['quoabc']), [
    'the word quoabc is still in a file, though its note is forgotten',
  ]);
});

test('what was asked and never acknowledged may have happened or not, but not twice', () => {
  for (const one of [note('asked', 'never asked'), note('acknowledged', 'asked')]) {
    assert.deepEqual(faults(one, 0), []);
    assert.deepEqual(faults(one, 1, ['quoabc']), []);
    assert.deepEqual(faults(one, 2), ['the note quoabc is there 2 times']);
  }
});

test('a reader has to find what was there all the time that it read, and nothing that was forgotten before', () => {
  const notes = createNotes(createRandom(1));
  const [stays, goes, gone] = [notes.next(), notes.next(), notes.next()];
  for (const one of [stays, goes, gone]) one.put = 'acknowledged';
  gone.forget = 'acknowledged';
  const seen = notes.seenFromNow();
  goes.forget = 'asked';
  notes.next().put = 'acknowledged';
  assert.deepEqual(seen.of(), { there: [stays], gone: [gone] });
  assert.equal(new Set(notes.all.map(({ word }) => word)).size, 4);
  assert.deepEqual(countsOf(notes.all), { put: 4, forgotten: 1, unknown: 1 });
});
