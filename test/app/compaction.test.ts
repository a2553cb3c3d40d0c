// How full a prompt is, from a command to what the chat reads and the model gets: `/compact`, `/context`, and silent conversations.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createForwardClock } from '../support/forward-clock.ts';
import { found } from '../support/found.ts';
import { openScriptedHouse, sent } from './model-house.ts';

const all = ['discord', 'telegram', 'slack'] as const;

test('/compact summarizes now with what is to be kept, says what was kept, and the next prompt has it in place of the messages (R33)', async (t) => {
  const { house, requests } = await openScriptedHouse(t, (call) => {
    const system = sent(call.body);
    if (!system.includes('You keep the notes')) call.answer('Noted.');
    else if (system.includes('keep the numbers')) call.answer('The rent is 940 euros.');
    else call.answer('They talked about a flat.');
  });
  for (const platform of all) {
    const talk = { platform, chat: 'dm', user: 'you' } as const;
    const typed = (words: string): string => `${platform === 'slack' ? '!' : '/'}${words}`;
    assert.match(await house.ask(talk, typed('context')), /There is no conversation here yet/);
    await house.ask(talk, 'Our rent is 940 euros.');
    assert.match(await house.ask(talk, typed('compact')), /nothing to summarize yet/);
    await house.ask(talk, 'The flat has two rooms.');
    const plain = await house.ask(talk, typed('compact'));
    assert.match(plain, /summarized the first 2 messages[\s\S]*They talked about a flat\./, platform);
    const kept = await house.ask(talk, typed('compact keep the numbers'));
    assert.match(kept, /first 2 messages[\s\S]*The rent is 940 euros\./, platform);
    const asked = sent(requests.at(-1));
    assert.match(asked, /Our rent is 940 euros/, 'what an earlier summary left out is read again');
    assert.doesNotMatch(asked, /two rooms/);
    await house.ask(talk, 'And what did it cost?');
    const next = sent(requests.at(-1));
    assert.match(next, /summary of the 2 oldest messages[^"]*\\"The rent is 940 euros\.\\"/);
    assert.doesNotMatch(next, /Our rent is/);
    assert.match(next, /two rooms/);
    const held = await house.ask(talk, typed('context'));
    assert.match(
      held,
      /instructions: \d[\s\S]*tools: \d[\s\S]*summary of older messages: \d+[\s\S]*your message: \d/,
    );
    assert.match(held, /The first 2 messages of this conversation are summarized/);
  }
});

test('where the model gives no summary /compact says so, and the conversation stays whole', async (t) => {
  const { house, requests } = await openScriptedHouse(
    t,
    (call) => {
      if (sent(call.body).includes('You keep the notes')) call.refuse(400, { error: { message: 'no' } });
      else call.answer('Noted.');
    },
    { platforms: ['telegram'] },
  );
  const talk = { platform: 'telegram', chat: 'dm', user: 'you' } as const;
  await house.ask(talk, 'The first word is lamp.');
  await house.ask(talk, 'The second is tide.');
  assert.match(await house.ask(talk, '/compact'), /gave no summary/);
  assert.match(await house.ask(talk, `/compact ${'x'.repeat(501)}`), /at most 500 characters/);
  await house.ask(talk, 'Which words?');
  assert.match(sent(requests.at(-1)), /lamp[\s\S]*tide/);
});

test('a conversation that has been silent for sessions.compactAfter minutes is short when it goes on, also after a restart; a short one is left as it is', async (t) => {
  const clock = createForwardClock();
  const { house, requests } = await openScriptedHouse(
    t,
    (call) => {
      if (sent(call.body).includes('You keep the notes')) call.answer('The tale of the lamp.');
      else call.answer('Noted.');
    },
    { platforms: ['telegram'], clock, config: { sessions: { compactAfter: 30 } } },
  );
  const talk = { platform: 'telegram', chat: 'dm', user: 'you' } as const;
  const other = { platform: 'telegram', chat: 'private', user: 'you' } as const;
  await house.ask(other, 'Short.');
  for (let at = 0; at < 12; at += 1) await house.ask(talk, `Part ${at} of the lamp.`);
  const summaries = () => requests.filter((body) => sent(body).includes('You keep the notes'));
  clock.advance(20 * 60_000);
  await house.restart();
  await house.ready('telegram');
  assert.equal(summaries().length, 0, 'it was written in less than that ago');
  clock.advance(15 * 60_000);
  const request = await found('the summary', () => summaries()[0]);
  assert.match(sent(request), /Part 0 of the lamp/);
  await house.ask(talk, 'Go on.');
  const next = sent(requests.at(-1));
  assert.match(next, /The tale of the lamp/);
  assert.doesNotMatch(next, /Part 0 of/);
  assert.match(next, /Part 11 of/, 'the newest part stays as it was said');
  clock.advance(40 * 60_000);
  assert.match(await house.ask(other, 'And this?'), /Noted/);
  assert.equal(summaries().length, 1, 'nothing is summarized twice, nor what is short');
});

/** A house in which silent conversations are summarized after half an hour, and the requests for summaries in it. */
async function openIdleHouse(t: TestContext, model: object) {
  const clock = createForwardClock();
  const { house, requests } = await openScriptedHouse(
    t,
    (call) =>
      call.answer(sent(call.body).includes('You keep the notes') ? 'The tale of the lamp.' : 'Noted.'),
    { platforms: ['telegram'], clock, config: { model, sessions: { compactAfter: 30 } } },
  );
  const summaries = () => requests.filter((body) => sent(body).includes('You keep the notes')).map(sent);
  return { house, summaries, passed: () => clock.advance(35 * 60_000) };
}

test('a silent conversation is summarized once it is long for the window of its model, small or large', async (t) => {
  const dm = { platform: 'telegram', chat: 'dm', user: 'you' } as const;
  const other = { platform: 'telegram', chat: 'private', user: 'you' } as const;
  // 16,384 characters of history: three messages are more than half of it, one is not
  const small = await openIdleHouse(t, { contextTokens: 8_192 });
  await small.house.ask(other, `One of few. ${'lorem '.repeat(550)}`);
  for (let at = 0; at < 3; at += 1) await small.house.ask(dm, `Part ${at}. ${'lorem '.repeat(550)}`);
  small.passed();
  assert.match(await found('the summary', () => small.summaries()[0]), /Part 0/);
  assert.doesNotMatch(small.summaries().join(), /One of few/);
  // 80 messages: 26 are less than half of them, 50 are more; the one that spoke first is looked at first
  const large = await openIdleHouse(t, { contextTokens: 1_000_000 });
  for (let at = 0; at < 13; at += 1) await large.house.ask(other, `One of few, ${at}.`);
  for (let at = 0; at < 25; at += 1) await large.house.ask(dm, `Part ${at}.`);
  large.passed();
  assert.match(await found('the summary', () => large.summaries()[0]), /Part 0\./);
  assert.doesNotMatch(large.summaries().join(), /One of few/);
});

test('of a large window nothing goes without a place in the summary', async (t) => {
  const dm = { platform: 'telegram', chat: 'dm', user: 'you' } as const;
  const { house, summaries, passed } = await openIdleHouse(t, { contextTokens: 1_000_000 });
  // 124,000 characters: what is summarized of them is more than 60,000
  for (let at = 0; at < 32; at += 1) await house.ask(dm, `Part ${at}. ${'lorem '.repeat(645)}`);
  passed();
  const asked = await found('the summary', () => summaries()[0]);
  assert.match(asked, /Part 0\./);
  assert.doesNotMatch(asked, /are left out/);
});

test('the parts that /context shows add up to its total, and the total is what was sent', async (t) => {
  const { house, requests } = await openScriptedHouse(t, (call) => call.answer('Noted.'), {
    config: { model: { contextTokens: 128_000 } },
  });
  for (const platform of all) {
    const talk = { platform, chat: 'dm', user: 'you' } as const;
    for (let at = 0; at < 4; at += 1)
      await house.ask(talk, `Part ${at} of the lamp ${'and the tide '.repeat(80)}`);
    const held = await house.ask(talk, `${platform === 'slack' ? '!' : '/'}context`);
    const numberOf = (digits = ''): number => Number(digits.replaceAll(',', ''));
    const total = numberOf(/had about ([\d,]+) tokens/.exec(held)?.[1]);
    const parts = [...held.matchAll(/^\W*([a-z ]+): ([\d,]+)$/gm)];
    assert.ok(parts.length >= 4, held);
    assert.equal(
      parts.reduce((sum, [, , tokens]) => sum + numberOf(tokens), 0),
      total,
      held,
    );
    const { messages = [], tools = [] } = Object(requests.at(-1));
    const characters = messages.map(({ content }: { content: unknown }) => String(content)).join('').length;
    const ratio = (characters + JSON.stringify(tools).length) / 4 / total;
    assert.ok(ratio > 0.95 && ratio < 1.1, `${ratio} of what was sent: ${held}`);
  }
});
