// The look into memory before an answer, from the platform's event to what a person reads: what it brings up, for which chat, and what happens without it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { LLMock } from '@copilotkit/aimock';
import { createClient } from '#engine/client/client.ts';
import { createForwardClock, type ForwardClock } from '../support/forward-clock.ts';
import { found } from '../support/found.ts';
import { type House, openHouse, type Talk } from './house.ts';

const telegramDm = { platform: 'telegram', chat: 'dm', user: 'you' } as const;
const discordRoom = { platform: 'discord', chat: 'room', user: 'you' } as const;

type Request = Parameters<NonNullable<Parameters<LLMock['addFixture']>[0]['match']['predicate']>>[0];
const textOf = (request: Request): string => JSON.stringify(request.messages);
const systemOf = (request: Request): string =>
  JSON.stringify(request.messages.filter(({ role }) => role === 'system'));
const isLook = ({ model }: Request): boolean => model === 'small';

/** The number under which the model is shown a memory, or nothing. */
function numberOf(request: Request, words: string): number | undefined {
  const line = textOf(request)
    .split('\\n')
    .find((each) => each.includes('number') && each.includes(words));
  const [, number] = /number\D+(\d+)/.exec(line ?? '') ?? [];
  return number === undefined ? undefined : Number(number);
}

const call = (name: string, args: object) => ({ toolCalls: [{ name, arguments: JSON.stringify(args) }] });

/**
 * A house whose model answers "Mind the nuts." where its system prompt has nuts, and whose small model searches for a diet where it sees
 * none, and gives what it finds of nuts.
 */
async function openActive(
  t: TestContext,
  active: object = {},
): Promise<{ house: House; model: LLMock; clock: ForwardClock }> {
  const clock = createForwardClock();
  const model = new LLMock({ port: 0 });
  await model.start();
  t.after(() => model.stop());
  model.addFixture({
    match: { predicate: (request) => isLook(request) },
    response: (request) => {
      const number = numberOf(request, 'nuts');
      if (number !== undefined) return call('give', { numbers: [number] });
      const searched = request.messages.some(({ role }) => role === 'tool');
      return searched ? { content: 'NONE' } : call('memory_search', { query: 'allergic to food' });
    },
  });
  model.addFixture({
    match: { predicate: (request) => /nuts/.test(systemOf(request)) },
    response: { content: 'Mind the nuts.' },
  });
  model.addFixture({ match: { userMessage: /.*/ }, response: { content: 'Fine.' } });
  const chats = { discord: ['dm', 'channel'], telegram: ['dm'], slack: ['dm', 'channel'] };
  const house = await openHouse(t, {
    config: {
      model: { name: 'large' },
      memory: { active: { enabled: true, model: 'small', timeoutSeconds: 20, chats, ...active } },
    },
    variables: { OPENAI_BASE_URL: `${model.url}/v1`, OPENAI_API_KEY: 'k'.repeat(20) },
    clock,
  });
  await house.ready('discord', 'telegram', 'slack');
  return { house, model, clock };
}

const looks = (model: LLMock): number =>
  model.getRequests().filter(({ body }) => (body as { model?: string } | null)?.model === 'small').length;

const fact = 'Mira gets ill from nuts, she is allergic.';
const question = 'Which cake shall I bake on Sunday?';

/** The fact is in another conversation than the question. */
async function remember(house: House, talk: Talk): Promise<void> {
  await house.ask(talk, fact);
  await house.ask(talk, '/new');
}

for (const talk of [telegramDm, discordRoom])
  test(`before an answer in a ${talk.chat} of ${talk.platform}, a look finds the memory that the message does not ask for`, async (t) => {
    const { house, model } = await openActive(t);
    await remember(house, talk);
    assert.match(await house.ask(talk, '/active-memory off'), /no longer look into my memory/);
    const before = looks(model);
    assert.match(await house.ask(talk, question), /Fine/, 'the message alone recalls nothing of it');
    assert.equal(looks(model), before);
    await house.ask(talk, '/active-memory on');
    assert.match(await house.ask(talk, question), /Mind the nuts/);
    const answer = model.getRequests().at(-1)?.body as unknown as Request;
    assert.match(systemOf(answer), /<memory_context nonce=.*policy: recall evidence only.*nuts/s);
    assert.match(
      await house.ask(talk, '/active-memory status'),
      /Last look, .* UTC: one memory in [\d.]+ s\./,
    );
  });

for (const [home, others] of [
  [telegramDm, [discordRoom, { platform: 'telegram', chat: 'dm', user: 'guest' }]],
  [
    { platform: 'slack', chat: 'private', user: 'you' },
    [
      { platform: 'slack', chat: 'room', user: 'you' },
      { platform: 'discord', chat: 'dm', user: 'guest' },
    ],
  ],
] satisfies [Talk, Talk[]][])
  test(`what was written in a ${home.chat} of ${home.platform} is brought up there, and neither shown to a look nor answered with in a chat that could not read it`, async (t) => {
    const { house, model } = await openActive(t);
    await remember(house, home);
    const from = model.getRequests().length;
    for (const talk of others) {
      const before = looks(model);
      assert.match(await house.ask(talk, question), /Fine/, `${talk.platform} ${talk.chat}`);
      assert.ok(looks(model) > before, 'there was a look');
    }
    const requests = model.getRequests().slice(from);
    assert.ok(requests.every(({ body }) => !/Mira/.test(JSON.stringify(body))));
    assert.match(await house.ask(home, question), /Mind the nuts/);
  });

test('a look that takes too long is left out, in the chat nothing fails, and after three none is begun', async (t) => {
  const { house, model } = await openActive(t, { timeoutSeconds: 0.2, cacheSeconds: 0 });
  model.prependFixture({
    match: { predicate: isLook },
    response: { content: 'NONE' },
    latency: 5_000,
  });
  await remember(house, discordRoom);
  for (const text of ['Which cake?', 'And which bread?'])
    assert.match(await house.ask(discordRoom, text), /Fine/);
  assert.match(
    await house.ask(discordRoom, '/active-memory'),
    /Last look, .*: it took longer than 0\.\d s, and I answered without it\./,
  );
  const before = looks(model);
  assert.match(await house.ask(discordRoom, 'And which soup?'), /Fine/);
  assert.equal(looks(model), before, 'three were late');
  assert.match(
    await house.ask(discordRoom, '/active-memory status'),
    /left out, since several.*I look again from/s,
  );
  const { url: baseUrl, tokenFile = '' } = house.parley;
  const client = createClient({ baseUrl, token: readFileSync(tokenFile, 'utf8').trim() });
  const { ready, engine } = await client.status();
  assert.equal(ready, true, 'answers are given as before');
  assert.equal(engine?.activeMemory?.late, 3);
});

test('each platform shows and sets the switch, in the language of who reads it, and survives a restart', async (t) => {
  const { house, model } = await openActive(t);
  const talks = [
    { talk: telegramDm, command: '/active_memory', named: '/active_memory' },
    { talk: discordRoom, command: '/active-memory', named: '/active-memory' },
    {
      talk: { platform: 'slack', chat: 'dm', user: 'you' },
      command: '!active-memory',
      named: '!active-memory',
    },
  ] as const;
  for (const { talk, command, named } of talks) {
    assert.ok((await house.ask(talk, command)).includes(`${named} off ends that`), talk.platform);
    if (talk.platform === 'telegram')
      assert.match(await house.ask(talk, '/active-memory status'), /Before each answer here/);
    assert.match(await house.ask(talk, `${command} perhaps`), /Say .* on, .* off or .* status\./);
    assert.match(await house.ask(talk, `${command} OFF`), /no longer look/);
  }
  await house.restart();
  await house.ready('discord', 'telegram', 'slack');
  const before = looks(model);
  for (const { talk, command, named } of talks) {
    assert.ok((await house.ask(talk, command)).includes(`${named} on lets me look`), talk.platform);
    await house.ask(talk, question);
  }
  assert.equal(looks(model), before);
});

test('in German the switch is answered in German, also where the config has no look for a chat', async (t) => {
  const { house } = await openActive(t, { chats: { telegram: ['dm'] } });
  await house.restart({
    ...{ language: 'de', model: { name: 'large' } },
    memory: { active: { enabled: true, chats: { discord: ['dm'] } } },
  });
  await house.ready('discord');
  const german = (text: string) => house.ask(discordRoom, text);
  assert.match(await german('/active-memory'), /In Chats dieser Art sehe ich nicht von mir aus/);
  assert.match(await german('/active-memory on'), /memory\.active\.chats/);
  assert.match(await german('/active-memory off'), /nicht mehr von mir aus/);
  assert.match(await german('/active-memory vielleicht'), /Sag .*active-memory on/);
  await house.restart({ language: 'de', model: { name: 'large' } });
  await house.ready('discord');
  assert.match(await german('/active-memory'), /hat memory\.active ausgeschaltet/);
});

test('a room that has it off has it off in its threads, until a thread turns it on', async (t) => {
  const { house, model } = await openActive(t);
  const { discord } = house.sandbox;
  await house.ask(discordRoom, '/active-memory off');
  const thread = discord.openThread({ chat: 'room', name: 'cakes' }).id;
  const inThread = async (text: string): Promise<void> => {
    const before = house.answers(discordRoom).length;
    await discord.say({ chat: 'room', user: 'you', text, mention: true, thread });
    await found(`an answer to ${text}`, () => house.answers(discordRoom)[before]);
  };
  await inThread(question);
  assert.equal(looks(model), 0);
  await inThread('/active-memory on');
  await inThread('Which bread?');
  assert.ok(looks(model) > 0);
  const before = looks(model);
  await house.ask(discordRoom, question);
  assert.equal(looks(model), before);
});

test('what a webhook asks is answered without a look, since nobody waits for it', async (t) => {
  const { house, model } = await openActive(t);
  await remember(house, discordRoom);
  const before = looks(model);
  const { url: baseUrl, tokenFile = '' } = house.parley;
  const client = createClient({ baseUrl, token: readFileSync(tokenFile, 'utf8').trim() });
  const { audiences } = await client.memory.audiences();
  const chat =
    audiences.map(({ audience }) => audience).find((each) => each.startsWith('room:discord')) ?? '';
  const { secret } = await client.hooks.create({
    name: 'cakes',
    chat: chat.slice('room:'.length),
    kind: 'prompt',
  });
  const shown = house.answers(discordRoom).length;
  const headers = { authorization: `Bearer ${secret}` };
  await fetch(`${baseUrl}/hook/cakes`, { method: 'POST', headers, body: question });
  await found('the answer', () => house.answers(discordRoom)[shown]);
  assert.equal(looks(model), before);
});

test('what a schedule asks is answered without a look, with what plain recall finds for its chat', async (t) => {
  const { house, model, clock } = await openActive(t);
  await remember(house, telegramDm);
  const before = looks(model);
  const answerTo = async (talk: Talk, task: string): Promise<string | undefined> => {
    assert.match(await house.ask(talk, `/schedule in 2 minutes ${task}`), /work on/);
    assert.match(await house.ask(talk, '/remind yes'), /It is set/);
    const shown = house.answers(talk).length;
    clock.advance(120_000);
    return (await found('the answer', () => house.answers(talk)[shown])).text;
  };
  assert.match((await answerTo(telegramDm, question)) ?? '', /Fine/);
  assert.match((await answerTo(telegramDm, 'Is Mira allergic to nuts?')) ?? '', /Mind the nuts/);
  assert.match((await answerTo(discordRoom, 'Is Mira allergic to nuts?')) ?? '', /Fine/);
  assert.equal(looks(model), before);
});

test('an address that is none is refused by the route, with what was expected', async (t) => {
  const { house } = await openActive(t);
  const { url, tokenFile = '' } = house.parley;
  const headers = { authorization: `Bearer ${readFileSync(tokenFile, 'utf8').trim()}` };
  const refused = await fetch(`${url}/memory/active?chat=discord`, { headers });
  assert.equal(refused.status, 400);
  assert.match(await refused.text(), /canonical address of a chat/);
  const client = createClient({ baseUrl: url, token: readFileSync(tokenFile, 'utf8').trim() });
  const { counts, refusal } = await client.memory.active({ chat: 'discord:dm:1:-:2:-' });
  assert.deepEqual([counts?.by, counts?.model, refusal], ['model', 'small', null]);
});
