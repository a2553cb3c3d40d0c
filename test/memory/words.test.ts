// Words and sentences as they are indexed: stems, questions, borders.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { splitExchange } from '#memory/chunks/split-exchange.ts';
import { fold } from '#memory/words/fold.ts';
import { isQuestion, sentencesOf } from '#memory/words/sentences.ts';
import { stem } from '#memory/words/stem.ts';
import { indexText, plainWords } from '#memory/words/tokens.ts';

test("the stemmer gives the Porter algorithm's published examples", () => {
  const examples = {
    caresses: 'caress',
    ponies: 'poni',
    cats: 'cat',
    agreed: 'agre',
    plastered: 'plaster',
    motoring: 'motor',
    sing: 'sing',
    conflated: 'conflat',
    hopping: 'hop',
    falling: 'fall',
    hissing: 'hiss',
    filing: 'file',
    happy: 'happi',
    sky: 'sky',
    relational: 'relat',
    conditional: 'condit',
    vietnamization: 'vietnam',
    operator: 'oper',
    feudalism: 'feudal',
    decisiveness: 'decis',
    hopefulness: 'hope',
    formality: 'formal',
    sensitivity: 'sensit',
    triplicate: 'triplic',
    electrical: 'electr',
    revival: 'reviv',
    adjustment: 'adjust',
    adoption: 'adopt',
    effective: 'effect',
    probate: 'probat',
    rate: 'rate',
    cease: 'ceas',
    controlling: 'control',
    rolling: 'roll',
  };
  for (const [word, expected] of Object.entries(examples)) assert.equal(stem(word), expected, word);
});

test('sentences joined again are the text, and URLs and decimals stay whole (TAT)', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => assert.equal(sentencesOf(text).join(''), text)),
  );
  assert.deepEqual(sentencesOf('See https://a.b/c?d=1.5! It costs 1.50. "Really?" Yes…'), [
    'See https://a.b/c?d=1.5! ',
    'It costs 1.50. ',
    '"Really?" ',
    'Yes…',
  ]);
  assert.deepEqual(sentencesOf('今日は。明日も？はい'), ['今日は。', '明日も？', 'はい']);
});

test('a question is distinguished from a statement, with and without a question mark', () => {
  const asks = [
    'Is it?',
    'what is my locker code',
    'tell me where I live',
    'hey, do you remember my name',
    '本当？',
    'Who was there',
  ];
  const statements = [
    'When I was in Oslo I saw it.',
    'What a day!',
    'My code is 4417',
    'I know where it is',
    'Remember that I moved',
    'Will Smith is here',
  ];
  for (const text of asks) assert.ok(isQuestion(text), text);
  for (const text of statements) assert.ok(!isQuestion(text), text);
});

test('an indexed text has one line a sentence and marks the ones that ask', () => {
  assert.equal(
    indexText('My bikes were running. Is it getUserName?\n\nそう。'),
    'my bicycl were run\nis it get user name getusernam ?\nそう そ う',
  );
});

test('pieces of any text hold every word of it and stay in their size (TAT, TAZ)', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }), { maxLength: 300 }),
      (words) => {
        const text = words.join(' ');
        const pieces = splitExchange({ userText: '', assistantText: text });
        const joined = pieces.map((piece) => piece.assistantText).join('\n');
        for (const word of words) if (/^\p{L}+$/u.test(word)) assert.ok(joined.includes(word));
        assert.ok(pieces.every((piece) => piece.tokens <= 512));
      },
    ),
    { numRuns: 50 },
  );
});

test('plain text has the same words by the short way as next to a letter that needs the long one', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary-ascii' }), (text) => {
      const plain = text.replaceAll('\u0000', ' ');
      assert.deepEqual(plainWords(plain), plainWords(`${plain} 東京`).slice(0, -1));
    }),
  );
});

test('plain text is indexed the same by the short way as next to a letter that needs the long one', () => {
  const difficult =
    `getUserName user_name O'Brien don't C++ c# f# 1.5 12:30 1,000. 3.a .5 1. . ... ?! ." .'_ " # + _ ' \n \r\n
    What is my code Is it?`.split(/(?<=[^ ])/);
  const words = fc.array(fc.constantFrom(...difficult, ' ', '\n', 'word'.repeat(20)), { maxLength: 30 });
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: 'binary-ascii' }),
        words.map((list) => list.join('')),
      ),
      (text) => {
        const plain = indexText(text);
        assert.equal(indexText(`${text}\n東京`), `${plain}${plain === '' ? '' : '\n'}東京 東 京`);
      },
    ),
    { numRuns: 500 },
  );
});

test('a word without marks is compared as it is next to one with a mark', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary-ascii' }), (word) => {
      assert.equal(`${fold(word)}e`, fold(`${word}é`));
    }),
  );
});
