// What was made of words that their author has taken back is in no prompt of another chat: the answer to them, and later answers that repeat them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ogg } from '../adapters/uploads/samples.ts';
import { found, until } from '../support/found.ts';
import type { House } from './house.ts';
import { openModelHouse } from './model-house.ts';

const platforms = ['discord', 'telegram', 'slack'] as const;
type Platform = (typeof platforms)[number];

const settled = ({ parley }: House): Promise<true> =>
  found('rest', () => {
    const { active, waiting, changes } = parley.gateway.lanes();
    return active + waiting + changes === 0 ? true : undefined;
  });

/** A house whose model repeats what it is told in its own words; `tell` resolves with the id of the message, once it is answered. */
async function openRepeatingHouse(t: Parameters<typeof openModelHouse>[0], platform: Platform) {
  const { house, model } = await openModelHouse(t, [platform], {}, { telegram: { privacy: 'off' } });
  model.prependFixture({
    match: { userMessage: /door code is/ },
    response: { content: 'Noted, code is OLD-7431.' },
  });
  model.prependFixture({
    match: { userMessage: /once more/ },
    response: { content: 'You gave me OLD-7431 for it, so keep that safe.' },
  });
  model.prependFixture({
    match: { userMessage: /both codes/ },
    response: { content: 'The gate opens with GATE-5512 since Monday.\nThe lock beside it: OLD-7431.' },
  });
  const room = { platform, chat: 'room', user: 'you' } as const;
  const tell = async (text: string): Promise<string> => {
    const before = house.answers(room).length;
    const { id } = await house.sandbox[platform].say({ chat: 'room', user: 'you', text, mention: true });
    await found('an answer', () => (house.answers(room).length > before ? true : undefined));
    await settled(house);
    return id;
  };
  const promptElsewhere = async (question = 'Which door code did I give you in the room?') => {
    await house.ask({ platform, chat: 'dm', user: 'you' }, question);
    return JSON.stringify(model.getLastRequest()?.body);
  };
  return { house, tell, promptElsewhere, server: house.sandbox[platform] };
}

for (const platform of platforms) {
  test(`words that were edited away are recalled nowhere else on ${platform}, in no answer to them and in none that repeats them`, async (t) => {
    const { house, tell, promptElsewhere, server } = await openRepeatingHouse(t, platform);
    const id = await tell('The door code is OLD-7431.');
    await tell('What was that, once more?');
    await tell('My heron lives near Oslo.');
    assert.match(await promptElsewhere(), /OLD-7431/, 'the room is open: it is recalled before');
    await house.ask({ platform, chat: 'dm', user: 'you' }, platform === 'slack' ? '!new' : '/new');
    await server.editMessage(id, 'Sorry, wrong chat about a door code.');
    await tell('My owl lives near Rome.');
    const prompt = await promptElsewhere();
    assert.match(prompt, /wrong chat/);
    assert.doesNotMatch(prompt, /OLD-7431/);
  });
}

for (const platform of platforms)
  test(`words that are edited forth and back on ${platform} are recalled elsewhere as they are now, each time`, async (t) => {
    const { house, tell, promptElsewhere, server } = await openRepeatingHouse(t, platform);
    const [coded, plain] = ['The door code is OLD-7431.', 'The door code is of another chat.'];
    const id = await tell(coded);
    for (const [now, other] of [
      [plain, /OLD-7431/],
      [coded, /of another chat/],
      [plain, /OLD-7431/],
    ] as const) {
      await server.editMessage(id, now);
      await settled(house);
      await house.ask({ platform, chat: 'dm', user: 'you' }, platform === 'slack' ? '!new' : '/new');
      const prompt = await promptElsewhere();
      assert.ok(prompt.includes(now), `${now} is in ${prompt}`);
      assert.doesNotMatch(prompt, other);
    }
  });

const door = 'The door code is OLD-7431.';
const gate = 'The gate opens with GATE-5512 since Monday.';
for (const [what, messages] of [
  // memory has the first line already, and stores the second one only
  ['with the words of neither', [gate, door]],
  ['as its question alone, also where a message named who asks', [door, `Robin said: ${gate}`]],
] as const)
  test(`one answer that repeats two messages is recalled ${what}, once both were edited away`, async (t) => {
    const { house, tell, promptElsewhere, server } = await openRepeatingHouse(t, 'discord');
    const [first, second] = messages;
    const ids = [await tell(first)];
    await tell('/new');
    ids.push(await tell(second));
    await tell('With what does the gate open since Monday? And the door: tell both codes.');
    await tell('/new');
    for (const [index, id] of ids.entries()) {
      await server.editMessage(id, `Sorry, wrong chat, number ${index}.`);
      await settled(house);
    }
    const prompt = await promptElsewhere('Which codes of the gate and the door did I give you in the room?');
    assert.match(prompt, /tell both codes/, 'the question is remembered');
    assert.doesNotMatch(prompt, /OLD-7431|GATE-5512/);
  });

const garden = Array.from({ length: 60 }, (_, bed) => `Bed ${bed + 1} of the garden grows kale and dill.`);
const walrus = 'My walrus naps in the bathtub.';
for (const [what, end, isCut] of [
  ['stays without the answer that repeats what was taken back', 'What was that, once more?', false],
  ['of which the end is edited away stays up to there', 'Was it OLD-7431, once more?', true],
] as const)
  test(`a long message ${what}`, async (t) => {
    const { house, tell, promptElsewhere, server } = await openRepeatingHouse(t, 'telegram');
    const code = await tell(door);
    const long = await tell([walrus, ...garden, end].join(' '));
    await until('it is in memory', async () =>
      (await promptElsewhere('Where does my walrus nap?')).includes(walrus),
    );
    await house.ask({ platform: 'telegram', chat: 'dm', user: 'you' }, '/new');
    if (isCut) await server.editMessage(long, [walrus, ...garden].join(' '));
    await server.editMessage(code, 'Sorry, wrong chat about a door code.');
    await settled(house);
    const prompt = await promptElsewhere('Where does my walrus nap?');
    assert.match(prompt, /walrus naps in the bathtub/);
    assert.doesNotMatch(prompt, /OLD-7431/);
  });

test('words that were deleted are recalled in no later answer that repeats them', async (t) => {
  const { tell, promptElsewhere, server } = await openRepeatingHouse(t, 'discord');
  const id = await tell('The door code is OLD-7431.');
  await tell('The shed door is green. What was its code, once more?');
  await server.deleteMessage(id);
  await tell('My owl lives near Rome.');
  const prompt = await promptElsewhere('Is the shed door green, and what is its code?');
  assert.match(prompt, /shed door is green/, 'the question is remembered');
  assert.doesNotMatch(prompt, /OLD-7431/);
});

for (const [what, file] of [
  ['spoken in a voice message', { name: 'voice-message.ogg', mime: 'audio/ogg', bytes: ogg, voice: true }],
  [
    'in a text file',
    { name: 'code.txt', mime: 'text/plain', bytes: Buffer.from('The door code is OLD-7431.') },
  ],
] as const)
  test(`words ${what} that is deleted are recalled in no later answer that repeats them`, async (t) => {
    const { house, model } = await openModelHouse(t, ['discord'], {
      channels: { voice: { provider: 'openai-compatible', model: 'whisper' } },
    });
    model.onTranscription({ transcription: { text: 'The door code is OLD-7431.' } });
    model.prependFixture({
      match: { userMessage: /its code, once more/ },
      response: { content: 'You gave me OLD-7431 for it.' },
    });
    const room = { platform: 'discord', chat: 'room', user: 'you' } as const;
    const { discord } = house.sandbox;
    const { id } = await discord.say({
      ...{ chat: 'room', user: 'you', text: 'Listen.', mention: true, files: [file] },
    });
    await found('an answer', () => house.answers(room)[0]);
    await settled(house);
    await house.ask(room, 'The shed door is green. What was its code, once more?');
    await settled(house);
    const promptElsewhere = async (): Promise<string> => {
      await house.ask(
        { platform: 'discord', chat: 'dm', user: 'you' },
        'Is the shed door green, and what is its code?',
      );
      return JSON.stringify(model.getLastRequest()?.body);
    };
    assert.match(await promptElsewhere(), /OLD-7431/, 'the room is open: it is recalled before');
    await house.ask({ platform: 'discord', chat: 'dm', user: 'you' }, '/new');
    await discord.deleteMessage(id);
    await settled(house);
    await house.ask(room, 'My owl lives near Rome.');
    const prompt = await promptElsewhere();
    assert.match(prompt, /shed door is green/, 'the question is remembered');
    assert.doesNotMatch(prompt, /OLD-7431/);
  });

test('words that another message quoted, and that are deleted, stand in no answer to that message', async (t) => {
  const { house, model } = await openModelHouse(t, ['discord']);
  model.prependFixture({
    match: { userMessage: /is that so/ },
    response: { content: 'It is OLD-7431, yes.' },
  });
  const room = { platform: 'discord', chat: 'room', user: 'you' } as const;
  const { discord } = house.sandbox;
  const quoted = await discord.say({ chat: 'room', user: 'guest', text: 'The door code is OLD-7431.' });
  await discord.say({
    chat: 'room',
    user: 'you',
    text: 'Our shed: is that so?',
    mention: true,
    replyTo: quoted.id,
  });
  await found('an answer', () => house.answers(room)[0]);
  await settled(house);
  await discord.deleteMessage(quoted.id);
  await house.ask(room, 'My owl lives near Rome.');
  await house.ask(
    { platform: 'discord', chat: 'dm', user: 'you' },
    'What is the code of the door of our shed?',
  );
  assert.doesNotMatch(JSON.stringify(model.getLastRequest()?.body), /OLD-7431/);
});
