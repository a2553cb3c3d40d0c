// The one ranking on what a chat archives: corrections, repetitions, long exchanges, and questions that ask for nothing.

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { fuse } from '#memory/search/fusion.ts';
import { parseMemoryBlock } from '#memory/types/block.ts';
import { until } from '../support/found.ts';
import { isInPostgres, test } from './each-store.ts';
import { testEmbedder } from './embedder.ts';
import { exchange, found, mine, openMemory, start } from './open-memory.ts';

const minute = 60_000;

/** What the work gives, which may take 50 ms of the processor; in PostgreSQL more, for its client's part of it. */
async function inTime<T>(t: TestContext, name: string, work: () => Promise<T>): Promise<T> {
  const before = process.threadCpuUsage();
  const result = await work();
  const { user, system } = process.threadCpuUsage(before);
  assert.ok(
    (user + system) / 1_000 <= (isInPostgres(t) ? 100 : 50),
    `${name}: ${(user + system) / 1_000} ms`,
  );
  return result;
}

test('a question that asks for nothing gets nothing, in 50 ms of the processor', async (t) => {
  const memory = openMemory(t);
  for (let index = 0; index < 200; index += 1)
    await memory.archive(exchange(`Entry ${index} of the garden: the kayak and the boat`));
  await memory.search({ text: 'kayak', scope: mine }); // what is compiled once is not the question's
  const texts = {
    empty: '',
    blanks: ' \n\t',
    'stop words': 'what is the of and it',
    emoji: '👍🎉👩‍👩‍👧',
    'a lone surrogate': '\ud800',
    '100 KB of one word': 'qwertz '.repeat(15_000),
    '100 KB without a blank': 'ü'.repeat(100_000),
    '100 KB of marks': '"*(){}^:-+'.repeat(10_000),
  };
  for (const [name, text] of Object.entries(texts)) {
    const searched = await inTime(t, `a search for ${name}`, () => memory.search({ text, scope: mine }));
    const recalled = await inTime(t, `a recall for ${name}`, () => memory.recall({ text, scope: mine }));
    assert.equal(recalled.block, '', name);
    // words that mean nothing are still looked for where there is nothing else
    if (name !== 'stop words') assert.deepEqual(searched.hits, [], name);
  }
});

test('a question that was answered with a mere remark never stands in the way of what answers it', async (t) => {
  const memory = openMemory(t);
  const fact = 'My boat is called Tern.';
  await memory.archive(exchange(fact, { at: start, sessionID: 'ses_1' }));
  const question = 'What is my boat called?';
  const remarks = ['(My memory works only in part: there is no embedding model.)', '_(still looking)_'];
  for (const [index, assistantText] of remarks.entries())
    await memory.archive(
      exchange(question, {
        key: `run_q${index}`,
        at: start + (index + 1) * minute,
        sessionID: `ses_q${index}`,
        assistantText,
      }),
    );
  const { hits } = await memory.recall({ text: question, scope: mine });
  assert.equal(hits[0]?.text, `you said: ${fact}`);
});

test('what corrects comes before what it corrects, in whichever language', async (t) => {
  const memory = openMemory(t);
  const pairs = [
    ['The dentist expects me on Monday', 'No, it is Tuesday', 'When does the dentist expect me?'],
    ['Der Zahnarzt erwartet mich am Montag', 'Nein, es ist Dienstag', 'Wann erwartet mich der Zahnarzt?'],
    ['Le dentiste me voit lundi', 'Non, mardi', 'Quand le dentiste me voit-il ?'],
  ] as const;
  for (const [index, [said, corrected, question]] of pairs.entries()) {
    const sessionID = `ses_c${index}`;
    await memory.archive(exchange(said, { at: start, sessionID }));
    await memory.archive(exchange(corrected, { at: start + minute, sessionID }));
    assert.deepEqual((await found(memory, question)).slice(0, 2), [corrected, said]);
    const { hits } = await memory.recall({ text: question, scope: mine });
    assert.deepEqual(
      hits.slice(0, 2).map(({ text }) => text),
      [`you said: ${corrected}`, `you said: ${said}`],
    );
  }
});

test('a run is given what was written in a session oldest first, and the same thing once with all its days', async (t) => {
  const memory = openMemory(t);
  const say = (userText: string, days: number, key: string) =>
    memory.archive(exchange(userText, { key, at: start + days * 24 * 60 * minute, sessionID: 'ses_7' }));
  await say('I read the book Emma', 0, 'a');
  await say('I read the book Momo', 1, 'b');
  await say('Please note that I read the book Emma', 2, 'c');
  const { block } = await memory.recall({ text: 'Which books did I read?', scope: mine });
  const entries = parseMemoryBlock(block);
  assert.deepEqual(
    entries.map(({ text, at, also }) => [text.includes('Emma'), at.slice(0, 10), also]),
    [
      [false, '2026-11-21', undefined],
      [true, '2026-11-22', '2026-11-20'],
    ],
  );
});

test('a list brings many, a fact brings little, and what does not fit ends behind a sentence', async (t) => {
  const memory = openMemory(t, { recallCharacters: 20_000 });
  for (let index = 0; index < 14; index += 1)
    await memory.archive(exchange(`I borrowed book number ${index} from the library`));
  await memory.archive(exchange('My locker is on the second floor'));
  const given = async (text: string) => (await memory.recall({ text, scope: mine })).hits.length;
  assert.ok((await given('Which books did I borrow from the library?')) >= 12);
  assert.equal(await given('On which floor is my locker?'), 1);
  const long = openMemory(t);
  await long.archive(exchange(`The zebra lives here. ${'It eats the green grass. '.repeat(80)}`));
  const { block } = await long.recall({ text: 'zebra', scope: mine, budgetChars: 1_500 });
  assert.match(block, /grass\. \[…\]\n<\/memory>/);
});

test('a long exchange is found as one, with the passages that matched', async (t) => {
  const memory = openMemory(t);
  const filler = 'Then we spoke about something else for quite a while. '.repeat(60);
  await memory.archive(exchange(`The kayak is in the barn. ${filler} The kayak needs new paint.`));
  const { hits } = await memory.search({ text: 'kayak', scope: mine });
  assert.equal(hits.length, 1);
  assert.match(hits[0]?.text ?? '', /barn[\s\S]*\[…\][\s\S]*paint/);
});

test('a hit says why it was found', async (t) => {
  const memory = openMemory(t, { embedder: testEmbedder() });
  await memory.archive(exchange('My bicycle is green'));
  await memory.archive(exchange('The harbour was closed'));
  await until('2 vectors', async () => (await memory.status()).vectors === 2);
  const { hits } = await memory.search({ text: 'Which green cycle?', scope: mine });
  assert.deepEqual(hits[0]?.why.words, ['green']);
  assert.ok((hits[0]?.why.vector ?? 0) > 0.9);
});

test('vectors that agree with the words count, those of noise do not, and none counts for having a vector', () => {
  const places = Array.from({ length: 20 }, (_, place) => place);
  const none = new Int32Array(20).fill(-1);
  const candidates = { entries: places.map(() => ({}) as never), before: none, after: none };
  const words = Float64Array.from(places, (place) => place / 5);
  const order = (scores: Float64Array) => places.toSorted((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0));
  const agreeing = fuse(
    candidates,
    words,
    places.map((place) => (place === 17 ? 0.9 : place / 40)),
  ).scores;
  assert.equal(order(agreeing)[0], 17);
  const noise = fuse(
    candidates,
    words,
    places.map((place) => place % 2),
  ).scores;
  assert.deepEqual(order(noise), order(words));
  // the best by words has no vector yet
  const partly = fuse(
    candidates,
    words,
    places.map((place) => (place === 19 ? undefined : place / 40)),
  ).scores;
  assert.equal(order(partly)[0], 19);
});
