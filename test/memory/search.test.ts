// Finding what was written: any script, any punctuation, the answer before the question. Through the memory's interface.
import assert from 'node:assert/strict';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { anyCharacter } from '../support/any-character.ts';
import { looksIntoFile, test } from './each-store.ts';
import { exchange, found, mine, openMemory, start } from './open-memory.ts';

test('a limit outside 1 to 100 is refused with a message', async (t) => {
  const memory = openMemory(t);
  for (const limit of [0, 101, 1.5, Number.NaN]) {
    await assert.rejects(memory.search({ text: 'bike', scope: mine, limit }), { code: 'invalid_limit' });
  }
});

test('no text is a syntax error, and search throws for none (M22, M23, M24, TAJ)', async (t) => {
  const memory = openMemory(t);
  await memory.archive(exchange('My bike is green'));
  const nasty = [
    '"',
    '""',
    "'",
    'AND',
    'bike OR',
    'NEAR(',
    'col:x',
    'a -b',
    '*',
    '^',
    '(',
    '\u0000bike\u0000',
    '"\u0000',
    '\u0301',
    '%',
    '_',
    'scope_terms : 0everyone',
    '{',
    ')) OR ((',
    '\ud800',
  ];
  for (const text of nasty) await memory.search({ text, scope: mine });
  assert.deepEqual(await found(memory, '\u0000bike\u0000'), ['My bike is green']);
  assert.deepEqual(await found(memory, '\u0301 scope_terms:0everyone'), []);
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(fc.string({ unit: anyCharacter }), fc.string({ unit: 'grapheme' }), fc.string()),
      async (text) => {
        const { hits } = await memory.search({ text, scope: mine });
        assert.ok(hits.every((hit) => hit.score >= 0 && hit.score <= 1));
      },
    ),
    { numRuns: 60 },
  );
});

test('any text is found by its own words as soon as it is archived (M8)', async (t) => {
  const memory = openMemory(t);
  const word = fc.stringMatching(/^[\p{L}\p{N}]{1,12}$/u);
  let count = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(word, { minLength: 1, maxLength: 5 }), async (words) => {
      count += 1;
      const text = words.join(' ');
      const { status } = await memory.archive(exchange(text, { key: `k${count}` }));
      if (status === 'nothing to store') return;
      const { hits } = await memory.search({ text, scope: mine, limit: 100 });
      assert.ok(hits.length > 0, text);
    }),
    { numRuns: 25 },
  );
});

test('a two-character CJK query finds its text (M20)', async (t) => {
  const memory = openMemory(t);
  const texts = ['我们的数据库很慢', '東京で会いましょう', '스크립트를 실행합니다', 'ฉันกินข้าวแล้ว'];
  for (const text of texts) await memory.archive(exchange(text));
  for (const [query, index] of [
    ['数据', 0],
    ['慢', 0],
    ['東京', 1],
    ['스크', 2],
    ['ข้าว', 3],
  ] as const) {
    assert.equal((await found(memory, query))[0], texts[index], query);
  }
});

test('"使用Redis缓存来加速" is found by Redis, and by either side of it (M21)', async (t) => {
  const memory = openMemory(t);
  await memory.archive(exchange('我们使用Redis缓存来加速'));
  for (const query of ['Redis', 'redis', '缓存', '使用Redis']) {
    assert.equal((await found(memory, query)).length, 1, query);
  }
});

test('apostrophes, slashes and hyphens find the right text (M22, M23, M24)', async (t) => {
  const memory = openMemory(t);
  const texts = [
    "O'Brien's rate-limit is 10 GB/s",
    'The build of getUserName and user_name fails on C++',
    'Version 1.2.3 runs at 14:30',
  ];
  for (const text of texts) await memory.archive(exchange(text));
  const cases = [
    ["O'Brien", 0],
    ['obrien', 0],
    ['rate-limit', 0],
    ['rate limit', 0],
    ['GB/s', 0],
    ['GetUserName', 1],
    ['username', 1],
    ['user name', 1],
    ['c++', 1],
    ['1.2.3', 2],
    ['14:30', 2],
    ["what's the version's time 14:30?", 2],
  ] as const;
  for (const [query, index] of cases) assert.equal((await found(memory, query))[0], texts[index], query);
});

test('words with accents are found with and without them (TAK)', async (t) => {
  const memory = openMemory(t);
  const texts = [
    'Wir treffen uns im Café an der Straße',
    'Żółw jest powolny',
    'Ο Σίσυφος ανεβαίνει',
    'Ёлка стоит в углу',
  ];
  for (const text of texts) await memory.archive(exchange(text));
  const cases = [
    ['cafe', 0],
    ['café', 0],
    ['CAFÉ', 0],
    ['strasse', 0],
    ['straße', 0],
    ['zolw', 1],
    ['żółw', 1],
    ['Σίσυφος', 2],
    ['елка', 3],
    ['ёлка', 3],
  ] as const;
  for (const [query, index] of cases) assert.deepEqual(await found(memory, query), [texts[index]], query);
});

test('partial CJK results are filled by the same search, not by a second one when it is empty (M25)', async (t) => {
  const memory = openMemory(t);
  for (let index = 0; index < 16; index += 1) await memory.archive(exchange(`第${index}个数据库连接失败`));
  assert.equal((await found(memory, '数据库', 50)).length, 16);
});

test('inflected, irregular and closely related words are found', async (t) => {
  const memory = openMemory(t);
  await memory.archive(exchange('My mum went running with the children in her favourite colour'));
  for (const query of ['mother', 'run', 'go', 'child', 'favorite color']) {
    assert.equal((await found(memory, query)).length, 1, query);
  }
});

test('a misspelt word finds what it meant, at less than full score', async (t) => {
  const memory = openMemory(t);
  await memory.archive(exchange('My bicycle needs a new saddle'));
  const right = await memory.search({ text: 'saddle', scope: mine });
  for (const query of ['sadle', 'sadddle', 'saddel', 'bicylce', 'bycicle', 'bycycle']) {
    const { hits } = await memory.search({ text: query, scope: mine });
    assert.equal(hits.length, 1, query);
    assert.ok((hits[0]?.score ?? 1) < (right.hits[0]?.score ?? 0), query);
  }
  assert.deepEqual(await found(memory, 'giraffe'), []);
});

test('words run together are found by their parts, as a last resort', async (t) => {
  const memory = openMemory(t);
  await memory.archive(exchange('locker code'));
  await memory.archive(exchange('The weather in Oslo was fine'));
  const { hits } = await memory.search({ text: 'lockercode', scope: mine });
  assert.deepEqual(
    hits.map((hit) => [hit.text, hit.score < 0.6]),
    [['you said: locker code', true]],
  );
});

test('the statement that answers comes before the question that was only asked', async (t) => {
  const memory = openMemory(t);
  await memory.archive(exchange('My locker code is 4417', { at: start }));
  for (const [index, question] of [
    'What is my locker code?',
    'tell me what my locker code is',
    'locker code???',
  ].entries()) {
    await memory.archive(exchange(question, { at: start + index + 1 }));
  }
  assert.equal((await found(memory, 'What is my locker code?'))[0], 'My locker code is 4417');
});

test('recency decides only between equals', async (t) => {
  const memory = openMemory(t);
  await memory.archive(exchange('My bike is green', { at: start }));
  await memory.archive(exchange('My bike is blue', { at: start + 1000 }));
  await memory.archive(exchange('My boat has a flag on it and a bike', { at: start + 2000 }));
  assert.deepEqual((await found(memory, 'which color is my green bike')).slice(0, 2), [
    'My bike is green',
    'My bike is blue',
  ]);
  assert.equal((await found(memory, 'bike'))[0], 'My bike is blue');
});

test('the speaker and the date of a memory are words to find it by', async (t) => {
  const memory = openMemory(t);
  const guest = { person: 'per_2', name: 'Guest' };
  await memory.archive(exchange('The heating is broken', { speaker: guest, at: Date.UTC(2025, 2, 4) }));
  await memory.archive(exchange('The heating is broken here too', { at: Date.UTC(2026, 6, 4) }));
  const ask = async (text: string) => (await memory.search({ text, scope: mine })).hits[0]?.speaker;
  assert.equal(await ask('What did Guest say about the heating?'), 'Guest');
  assert.equal(await ask('heating in march 2025'), 'Guest');
  assert.equal(await ask('heating in july'), 'you');
});

test('the same thing said often is shown once, and what contradicts it stays (L6)', async (t) => {
  const memory = openMemory(t);
  const said = [
    'My bike is green',
    'My bike is green!',
    'Well, my bike is really green, thanks',
    'Please remember that my bike is green',
    'My bike is not green',
    'My bike is blue',
    'My bike was green',
    'My 2 bikes are green',
    'Is my bike green?',
    'My bike is green on Tuesday',
    'My bike is green on Thursday',
  ];
  for (const [index, text] of said.entries()) {
    await memory.archive(
      exchange(text, { key: `k${index}`, assistantText: index % 2 === 0 ? '' : 'Noted.' }),
    );
  }
  const texts = (await found(memory, 'green bike', 50)).map((text) => text.split('\n')[0]);
  assert.equal(texts.filter((text) => said.slice(0, 4).includes(text ?? '')).length, 1);
  for (const text of said.slice(4)) assert.ok(texts.includes(text), text);
});

test('scores differ, lie between 0 and 1, and mean the same in a store of four and of two hundred (TAI)', async (t) => {
  const memory = openMemory(t);
  for (const text of ['My locker code is 4417', 'The bike is green', 'A code review is due', 'Lunch at noon'])
    await memory.archive(exchange(text));
  const before = await memory.search({ text: 'locker code', scope: mine });
  assert.ok((before.hits[0]?.score ?? 0) > 0.9, 'all words present');
  assert.ok((before.hits[1]?.score ?? 1) < 0.6, 'one of two words present');
  for (let index = 0; index < 200; index += 1)
    await memory.archive(exchange(`Entry ${index} about gardening and code`));
  const after = await memory.search({ text: 'locker code', scope: mine });
  assert.ok(Math.abs((after.hits[0]?.score ?? 0) - (before.hits[0]?.score ?? 0)) < 0.02);
  const common = await memory.search({ text: 'gardening', scope: mine });
  assert.ok((common.hits[0]?.score ?? 0) > 0.9, 'a word in nearly every row still scores');
});

test('stop words are searched for when they stand alone, and not next to other words', async (t) => {
  const memory = openMemory(t);
  await memory.archive(exchange('to be or not to be'));
  await memory.archive(exchange('the bike'));
  assert.deepEqual(await found(memory, 'to be or not to be'), ['to be or not to be']);
  assert.deepEqual(await found(memory, 'not the bike'), ['the bike']);
});

test('percent and underscore are no wildcards (TAL)', async (t) => {
  const memory = openMemory(t);
  await memory.archive(exchange('My bike is green'));
  for (const text of ['%', '_', 'b%', 'bik_', '%ike']) assert.deepEqual(await found(memory, text), [], text);
});

test('a search writes nothing, whatever it finds (M4)', async (t) => {
  if (looksIntoFile(t)) return;
  const memory = openMemory(t);
  await memory.archive(exchange('My bike is green'));
  const other = new Database(memory.path);
  t.after(() => other.close());
  const version = () => other.pragma('data_version', { simple: true });
  const before = version();
  for (const text of ['bike', 'nothing like it', 'bycicle', '', 'bikegreen']) {
    await memory.search({ text, scope: mine });
    await memory.recall({ text, scope: mine });
  }
  assert.equal(version(), before);
  await memory.archive(exchange('My boat is red'));
  assert.notEqual(version(), before);
});

test('a very long text is searched by its most telling words', async (t) => {
  const memory = openMemory(t);
  await memory.archive(exchange('The invoice XR-2291 was paid'));
  const long = `${'please look at this and tell me about it '.repeat(2000)} and now invoice XR-2291`;
  await memory.search({ text: long, scope: mine });
  await memory.search({ text: '.'.repeat(200_000), scope: mine });
  await memory.archive(
    exchange('.'.repeat(200_000) + '\u0301'.repeat(100_000) + '<memory_context '.repeat(5000)),
  );
  assert.equal((await found(memory, `invoice XR-2291 ${'and this is all of it '.repeat(50)}`)).length, 1);
});
