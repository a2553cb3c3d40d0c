// An answer that only announces what the model is about to do is none; from a platform's event to what is shown.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openScriptedHouse, sent } from './model-house.ts';

const here = { platform: 'discord', chat: 'dm', user: 'you' } as const;
const one = { platforms: ['discord'] } as const;

for (const words of [
  'Let me check that.',
  'Ich sehe kurz in deinen Notizen nach …',
  'Sure! Let me look that up for you.',
])
  test(`"${words}" alone, without a call, is no answer: the model is asked once more (R9)`, async (t) => {
    const { house, requests } = await openScriptedHouse(
      t,
      (call, index) => call.answer(index === 0 ? words : 'There are none.'),
      one,
    );
    assert.match(await house.ask(here, 'what is on my list?'), /There are none\./);
    assert.equal(requests.length, 2);
    assert.match(sent(requests[1]), /only said what you are about to do/);
    assert.match(sent(requests[1]), new RegExp(words.slice(0, 14)), 'it reads what it said');
    assert.doesNotMatch(await house.ask(here, 'and now?'), /ended without an answer/);
    assert.doesNotMatch(
      sent(requests.at(-1)),
      /only said what you are about to do/,
      'nor is that remembered',
    );
  });

test('an announcement that a model repeats before each of its calls is shown once, on every platform (R9)', async (t) => {
  const { house } = await openScriptedHouse(t, (call, index) => {
    if (index % 5 === 4) return call.answer('There are none.');
    call.say('Let me check your notes.');
    call.callTool('todo_read', {});
  });
  for (const platform of ['discord', 'telegram', 'slack'] as const) {
    const shown = await house.ask({ platform, chat: 'dm', user: 'you' }, 'what is on my list?');
    assert.match(shown, /^Let me check your notes\.\s+There are none\.$/, platform);
  }
});

test('an announcement that is repeated many times in one answer is no answer (R9)', async (t) => {
  const { house, requests } = await openScriptedHouse(
    t,
    (call, index) => call.answer(index === 0 ? 'Let me check that. '.repeat(40) : 'There are none.'),
    one,
  );
  assert.equal((await house.ask(here, 'what is on my list?')).trim(), 'There are none.');
  assert.equal(requests.length, 2);
});

test('a model that announces twice, before and after a tool, is reported to the person (R9)', async (t) => {
  const { house, requests } = await openScriptedHouse(
    t,
    (call, index) => {
      if (index === 0) call.callTool('todo_read', {});
      else call.answer('Let me check your notes.');
    },
    one,
  );
  assert.match(await house.ask(here, 'what is on my list?'), /ended without an answer/);
  assert.equal(requests.length, 3);
});

test('an announcement that is followed by a call, has an answer in it, is asked for or comes where there are no tools is shown, and nothing more is asked', async (t) => {
  for (const [question, answer, config] of [
    ['what is 2+2?', 'Let me check: 2 + 2 is 4.', {}],
    ['what is 2+2?', 'Let me check. Four.', {}],
    ['how do I say „lass mich nachsehen“ in English?', 'Let me check.', {}],
    ['translate “un momento, voy a mirar”', 'Let me have a look.', {}],
    ['will you check on me tomorrow?', 'I will check on you tomorrow.', {}],
    ['what is 2+2?', 'Let me check that.', { model: { tools: false } }],
  ] as const) {
    const { house, requests } = await openScriptedHouse(t, (call) => call.answer(answer), { ...one, config });
    assert.equal((await house.ask(here, question)).trim(), answer);
    assert.equal(requests.length, 1, answer);
    await house.parley.close();
  }
});
