// Reactions to answers on each platform: stored with the run, or a command, or told to the model; also to what an earlier process posted.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { createClient } from '#engine/client/client.ts';
import type { SandboxPlatform } from '#sandbox/contract.ts';
import { startRaw } from '../engine/support/raw-provider.ts';
import { found } from '../support/found.ts';
import { type House, openHouse, type Talk } from './house.ts';

const all = ['discord', 'telegram', 'slack'] as const;
const directOf = (platform: SandboxPlatform): Talk => ({ platform, chat: 'dm', user: 'you' });

/** Telegram's people have no 🔁, ❌ and ⏹, so that its operator names others. */
const telegram = { reactions: { retry: ['🤔'], delete: ['💩'], stop: ['😴'] } };
/** The room of Telegram's sandbox. */
const telegramRoom = '-1001000000001';
const signs: Readonly<
  Record<SandboxPlatform, Record<'good' | 'bad' | 'retry' | 'delete' | 'stop' | 'other', string>>
> = {
  discord: { good: '👍🏽', bad: '👎', retry: '🔁', delete: '❌', stop: '⏹️', other: '🎉' },
  telegram: { good: '👍', bad: '👎', retry: '🤔', delete: '💩', stop: '😴', other: '🎉' },
  slack: {
    good: '+1::skin-tone-4',
    bad: '-1',
    retry: 'repeat',
    delete: 'x',
    stop: 'black_square_for_stop',
    other: 'tada',
  },
};

/** The id of the newest answer there. */
function newest(house: House, talk: Talk): string {
  const answer = house.answers(talk).at(-1);
  assert.ok(answer, talk.platform);
  return answer.id;
}

const settled = (house: House) =>
  found('nothing left to do', () =>
    house.parley.gateway.lanes().changes === 0 && house.parley.gateway.lanes().active === 0
      ? true
      : undefined,
  );

test('a thumb under an answer is stored with its run, also after a restart, and is gone when it is taken back (R29)', async (t) => {
  const house = await openHouse(t, { config: { channels: { telegram } }, sandbox: 'stored' });
  await house.ready(...all);
  for (const platform of all) await house.ask(directOf(platform), 'Hello');
  const before = new Map(all.map((platform) => [platform, newest(house, directOf(platform))]));
  await house.restart({ channels: { telegram } });
  await house.ready(...all);
  const token = readFileSync(house.parley.tokenFile ?? '', 'utf8').trim();
  const client = createClient({ baseUrl: house.parley.url, token });
  const feedback = async () =>
    (await client.runs.list()).flatMap(({ feedback: given = [] }) =>
      given.map(({ rating, emoji, name }) => `${rating} ${emoji} ${name}`),
    );
  for (const platform of all) {
    const id = before.get(platform) ?? '';
    house.sandbox[platform].react({ id, user: 'you', emoji: signs[platform].good });
  }
  await found('three thumbs', async () => ((await feedback()).length === 3 ? true : undefined));
  assert.deepEqual(await feedback(), ['good 👍 Robin', 'good 👍 Robin', 'good 👍 Robin']);
  for (const platform of all) {
    const id = before.get(platform) ?? '';
    house.sandbox[platform].react({ id, user: 'you', emoji: signs[platform].good, taken: 'back' });
    house.sandbox[platform].react({ id, user: 'you', emoji: signs[platform].bad });
  }
  await found('three others', async () =>
    (await feedback()).every((line) => line.startsWith('bad')) && (await feedback()).length === 3
      ? true
      : undefined,
  );
  assert.deepEqual(await feedback(), ['bad 👎 Robin', 'bad 👎 Robin', 'bad 👎 Robin']);
  for (const { runID } of await client.runs.list()) {
    const events = (await client.runs.events(runID)).flatMap(({ type, properties }) =>
      type === 'session.run.feedback' ? [`${properties.emoji} ${properties.withdrawn ?? 'given'}`] : [],
    );
    assert.deepEqual(events, ['👍 given', '👍 true', '👎 given']);
    const replay = await client.runs.replay(runID);
    assert.doesNotMatch(JSON.stringify(replay), /"(?:mismatch|drifted)":true/);
  }
  for (const platform of all)
    assert.equal(house.answers(directOf(platform)).length, 1, `${platform}: no words`);
});

test('other reactions to answers reach the model with the next message, once', async (t) => {
  const prompts: string[] = [];
  const { settings } = await startRaw(t, ({ body, ...call }) => {
    prompts.push(JSON.stringify(body.messages.at(-1)));
    call.answer('Certainly.');
  });
  const house = await openHouse(t, {
    config: { model: { name: 'm' } },
    variables: { OPENAI_BASE_URL: settings.baseUrl, OPENAI_API_KEY: 'k'.repeat(20) },
  });
  await house.ready(...all);
  for (const platform of all) {
    const talk = directOf(platform);
    await house.ask(talk, 'First');
    const server = house.sandbox[platform];
    server.react({ id: newest(house, talk), user: 'you', emoji: signs[platform].other });
    prompts.length = 0;
    await house.ask(talk, 'Next');
    assert.match(prompts.join('\n'), /\[reaction: Robin reacted with 🎉 to your last answer\]/, platform);
    prompts.length = 0;
    await house.ask(talk, 'Once more');
    assert.doesNotMatch(prompts.join('\n'), /\[reaction: /, `${platform}: said once`);
  }
});

test('the reactions that retry, delete and stop do what the commands do, for whom was answered alone; someone else is told so once (R29)', async (t) => {
  let answers = 0;
  const asked: string[] = [];
  const { settings } = await startRaw(t, ({ body, ...call }) => {
    asked.push(JSON.stringify(body.messages));
    answers += 1;
    call.answer(`Answer ${answers}.`);
  });
  const house = await openHouse(t, {
    config: { model: { name: 'm' }, channels: { telegram } },
    variables: { OPENAI_BASE_URL: settings.baseUrl, OPENAI_API_KEY: 'k'.repeat(20) },
  });
  await house.ready(...all);
  // in groups Telegram reports reactions to administrators alone
  house.sandbox.telegram.places.setAdministrator(telegramRoom, true);
  for (const platform of all) {
    const talk: Talk = { platform, chat: 'room', user: 'you' };
    const server = house.sandbox[platform];
    const sign = signs[platform];
    await house.ask(talk, 'Which way?');
    const first = newest(house, talk);
    const said = house.answers(talk).at(-1)?.text ?? '';
    for (const each of ['retry', 'delete', 'stop'] as const)
      server.react({ id: first, user: 'guest', emoji: sign[each] });
    const refusal = await found(`${platform}: the guest is told`, () =>
      house.answers(talk).find(({ id }) => id !== first),
    );
    assert.match(
      refusal.text,
      /^\(?Only the person whom I answered can have that answered again\.\)?$/,
      platform,
    );
    // what comes after it shows that the guest's were taken in, and did nothing
    server.react({ id: first, user: 'you', emoji: sign.retry });
    const second = await found(`${platform}: another answer`, () =>
      house.answers(talk).find(({ id, text }) => id !== first && text.startsWith('Answer')),
    );
    await settled(house);
    server.react({ id: second.id, user: 'guest', emoji: sign.delete });
    server.react({ id: second.id, user: 'you', emoji: sign.good });
    await settled(house);
    assert.equal(house.answers(talk).length, 3, `${platform}: no more words about it`);
    server.react({ id: second.id, user: 'you', emoji: sign.delete });
    await found(`${platform}: it is gone`, () =>
      house.answers(talk).some(({ id }) => id === second.id) ? undefined : true,
    );
    await settled(house);
    assert.deepEqual(
      house.answers(talk).map(({ id }) => id),
      [first, refusal.id],
      `${platform}: nothing else`,
    );
    asked.length = 0;
    await house.ask(talk, 'And now?');
    assert.ok(!asked.join('\n').includes(second.text.trim()), `${platform}: the model does not have it`);
    assert.ok(!asked.join('\n').includes(said.trim()), `${platform}: nor the one that was answered again`);
  }
});

test('stopping by a reaction ends the answer that is written, and nothing else', async (t) => {
  const { settings } = await startRaw(t, (call) => {
    call.open();
    call.say('It begins and goes on for a while, as long stories do. ');
  });
  const house = await openHouse(t, {
    config: { model: { name: 'm' }, channels: { telegram } },
    variables: { OPENAI_BASE_URL: settings.baseUrl, OPENAI_API_KEY: 'k'.repeat(20) },
  });
  await house.ready(...all);
  house.sandbox.telegram.places.setAdministrator(telegramRoom, true);
  for (const platform of all) {
    const talk: Talk = { platform, chat: 'room', user: 'you' };
    const server = house.sandbox[platform];
    await server.say({ chat: 'room', user: 'you', text: 'Tell me a story', mention: true });
    const live = await found(`${platform}: the preview`, () =>
      house.answers(talk).find(({ text }) => text.includes('It begins')),
    );
    server.react({ id: live.id, user: 'you', emoji: signs[platform].stop });
    const end = await found(`${platform}: the end`, () =>
      house.answers(talk).find(({ text }) => /stopped/i.test(text)),
    );
    assert.equal(end.id, live.id, platform);
    await settled(house);
    assert.equal(house.answers(talk).length, 1, `${platform}: what was done shows itself`);
  }
});

test('someone else who deletes an answer by a reaction is told once who may, in the language of the room, and the answer stays, also after a restart (R29)', async (t) => {
  const config = { language: 'de', channels: { telegram } };
  const house = await openHouse(t, { config, sandbox: 'stored' });
  await house.ready(...all);
  house.sandbox.telegram.places.setAdministrator(telegramRoom, true);
  const ids = new Map<SandboxPlatform, string>();
  for (const platform of all) {
    const talk: Talk = { platform, chat: 'room', user: 'you' };
    await house.ask(talk, 'Which way?');
    const id = newest(house, talk);
    ids.set(platform, id);
    house.sandbox[platform].react({ id, user: 'guest', emoji: signs[platform].delete });
    const told = await found(`${platform}: the guest is told`, () =>
      house.answers(talk).find((message) => message.id !== id),
    );
    assert.match(told.text, /Meine Antwort löschen kann nur die Person, der ich geantwortet habe/, platform);
    if (platform !== 'slack') assert.equal(told.replyTo, id, platform);
    house.sandbox[platform].react({ id, user: 'guest', emoji: signs[platform].delete, taken: 'back' });
  }
  await house.restart(config);
  await house.ready(...all);
  house.sandbox.telegram.places.setAdministrator(telegramRoom, true);
  for (const platform of all) {
    const talk: Talk = { platform, chat: 'room', user: 'you' };
    const id = ids.get(platform) ?? '';
    house.sandbox[platform].react({ id, user: 'guest', emoji: signs[platform].delete });
    house.sandbox[platform].react({ id, user: 'you', emoji: signs[platform].delete });
    await found(`${platform}: it is gone`, () =>
      house.answers(talk).some((message) => message.id === id) ? undefined : true,
    );
    await settled(house);
    assert.equal(house.answers(talk).length, 1, `${platform}: it is said once`);
  }
});
