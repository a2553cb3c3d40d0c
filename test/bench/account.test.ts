// The account that chaos and soak give of every message, over made-up books: each thing that can go wrong is seen.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accountFor, type Outcome, type Sent, type Stood } from '../../bench/harness/account.ts';
import type { Said } from '../../bench/harness/echo-model.ts';

type Platform = Sent['platform'];

const said = (token: string, platform: Platform = 'telegram', lane = 'room'): Sent => ({
  token,
  platform,
  lane,
});
const exists = (text: string, platform: Platform = 'telegram', lane = 'room'): Stood => ({
  platform,
  lane,
  text,
});
const meant = (id: number, tokens: string[], words: number): [number, Said] => [id, { id, tokens, words }];

/** Two messages in one lane, each with an answer of three words, as the model meant them. */
const sent = [said('tok1x1'), said('tok2x2')];
const book = new Map([meant(1, ['tok1x1'], 3), meant(2, ['tok2x2'], 3)]);
const first = exists('a1w1 tok1x1 a1w2 a1w3');
const second = exists('a2w1 tok2x2 a2w2 a2w3');
const archives = ['Please answer tok1x1', 'Please answer tok2x2'];
const good = { sent, book, archives, existed: [first, second] };

const counted = (facts: Parameters<typeof accountFor>[0]) => {
  const { faults, ...counts } = accountFor(facts);
  return { counts, faults };
};
const clean: Omit<Outcome, 'faults'> = {
  sent: 2,
  answered: 2,
  lost: 0,
  duplicated: { discord: 0, slack: 0, telegram: 0 },
  outOfOrder: 0,
  archived: 2,
  archivedTwice: 0,
  unlabelled: 0,
  astray: 0,
};

test('a book in which everything was answered once and archived once has no fault', () => {
  assert.deepEqual(counted(good), { counts: clean, faults: [] });
});

test('a message without an answer is lost', () => {
  const { counts, faults } = counted({ ...good, existed: [first] });
  assert.deepEqual(counts, { ...clean, answered: 1, lost: 1 });
  assert.deepEqual(faults, ['telegram room: no whole answer to tok2x2']);
});

test('a message of whose answer only a part stands is lost, and the part is too much', () => {
  const { counts } = counted({ ...good, existed: [first, exists('a2w1 tok2x2 a2w2')] });
  assert.deepEqual(counts, {
    ...clean,
    answered: 1,
    lost: 1,
    duplicated: { discord: 0, slack: 0, telegram: 1 },
    unlabelled: 1,
  });
});

for (const platform of ['discord', 'slack'] as const)
  test(`an answer that stands twice on ${platform} is a fault, whatever it says of itself`, () => {
    const on = (existed: Stood): Stood => ({ ...existed, platform });
    const { counts, faults } = counted({
      ...good,
      sent: sent.map((one) => ({ ...one, platform })),
      existed: [on(first), on({ ...first, text: `(This may be a repeat.)\n${first.text}` }), on(second)],
    });
    assert.equal(counts.duplicated[platform], 1);
    assert.equal(faults.length, 1);
  });

test('a repeat on Telegram is counted, and no fault when it says that it may be one', () => {
  const repeat = exists(`(This may be a repeat.)\n${first.text}`);
  const { counts, faults } = counted({ ...good, existed: [first, repeat, second] });
  assert.deepEqual(counts, { ...clean, duplicated: { ...clean.duplicated, telegram: 1 } });
  assert.deepEqual(faults, []);
});

test('a repeat on Telegram that does not say so is a fault', () => {
  const { counts, faults } = counted({ ...good, existed: [first, first, second] });
  assert.equal(counts.unlabelled, 1);
  assert.equal(faults.length, 1);
});

test('the label of one part does not excuse the repeat of another', () => {
  const longBook = new Map([meant(1, ['tok1x1'], 6), meant(2, ['tok2x2'], 3)]);
  const [head, tail] = [exists('a1w1 tok1x1 a1w2 a1w3'), exists('a1w4 a1w5 a1w6')];
  const labelledHead = exists(`(This may be a repeat.)\n${head.text}`);
  const facts = { ...good, book: longBook };
  assert.equal(counted({ ...facts, existed: [labelledHead, tail, tail, second] }).counts.unlabelled, 1);
  assert.equal(counted({ ...facts, existed: [head, labelledHead, tail, second] }).counts.unlabelled, 0);
});

test('a preview of an answer that was begun again is too much, and recognized by the label of the new one', () => {
  const twice = new Map([...book, meant(3, ['tok1x1'], 3)]);
  const preview = exists('a1w1 tok1x1 a1w2');
  const again = exists('a3w1 tok1x1 a3w2 a3w3');
  const facts = { ...good, book: twice };
  const untold = counted({ ...facts, existed: [preview, again, second] });
  assert.deepEqual([untold.counts.duplicated.telegram, untold.counts.unlabelled], [1, 1]);
  const told = counted({
    ...facts,
    existed: [preview, { ...again, text: `(This may be a repeat.)\n${again.text}` }, second],
  });
  assert.deepEqual([told.counts.duplicated.telegram, told.counts.unlabelled], [1, 0]);
  assert.deepEqual(told.faults, []);
});

test('answers in another order than their messages are out of order, and the fault names both', () => {
  const { counts, faults } = counted({ ...good, existed: [second, first] });
  assert.equal(counts.outOfOrder, 1);
  assert.match(faults.join(), /tok2x2 .* tok1x1/);
});

test('parts of one answer in the wrong order are out of order', () => {
  const longBook = new Map([meant(1, ['tok1x1'], 6), meant(2, ['tok2x2'], 3)]);
  const existed = [exists('a1w4 a1w5 a1w6'), exists('a1w1 tok1x1 a1w2 a1w3'), second];
  assert.equal(counted({ ...good, book: longBook, existed }).counts.outOfOrder, 1);
});

test('answers of different lanes have no order among them', () => {
  const lanes = [said('tok1x1', 'telegram', 'dm'), said('tok2x2')];
  const existed = [second, exists(first.text, 'telegram', 'dm')];
  assert.deepEqual(counted({ ...good, sent: lanes, existed }).faults, []);
});

test('an exchange that is archived twice, or not at all, is a fault', () => {
  const twice = counted({ ...good, archives: [...archives, 'Please answer tok1x1'] });
  assert.deepEqual([twice.counts.archived, twice.counts.archivedTwice, twice.faults.length], [1, 1, 1]);
  const missing = counted({ ...good, archives: ['Please answer tok1x1'] });
  assert.deepEqual([missing.counts.archived, missing.counts.archivedTwice, missing.faults.length], [1, 0, 1]);
});

test('an answer in a chat where its message was not said is a fault', () => {
  const { counts, faults } = counted({
    ...good,
    existed: [exists(first.text, 'telegram', 'dm of guest'), second],
  });
  assert.equal(counts.astray, 1);
  assert.equal(faults.length, 1);
});

test('words of the bot that answer nothing are a fault', () => {
  const { faults } = counted({ ...good, existed: [first, second, exists('Something went wrong.')] });
  assert.match(faults.join(), /something else/);
});

test('messages that are answered together, and then once more one at a time, are answered twice', () => {
  const together = new Map([meant(1, ['tok1x1', 'tok2x2'], 3), meant(2, ['tok2x2'], 3)]);
  const { counts, faults } = counted({ ...good, book: together });
  assert.equal(counts.duplicated.telegram, 1);
  assert.equal(faults.length, 1);
});
