// Several assistants behind one bot: who answers where, as whom, with which model and tools, over the three platforms.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { readActiveRooms } from '#adapters/gateway/ledger/bindings.ts';
import type { SandboxPlatform } from '#sandbox/contract.ts';
import { png } from '../adapters/uploads/samples.ts';
import { startRaw } from '../engine/support/raw-provider.ts';
import { type House, openHouse } from './house.ts';
import { openModelHouse } from './model-house.ts';

const platforms = ['discord', 'telegram', 'slack'] as const;
const inRoom = { chat: 'room', user: 'you' } as const;
const asGuest = { chat: 'room', user: 'guest' } as const;
const dm = { chat: 'dm', user: 'you' } as const;
const mark = (platform: SandboxPlatform) => (platform === 'slack' ? '!' : '/');

const assistants = {
  clerk: {
    systemPrompt: 'You are the clerk.',
    model: 'clerk-model',
    deniedTools: ['memory_*', 'todo_write'],
    language: 'de',
  },
  counsel: { systemPrompt: 'You are the counsellor.', partition: 'own' },
};

/** The platform's own id of the room, in which something was said. */
const roomOf = ({ home }: House, platform: SandboxPlatform): string => {
  const [room] = readActiveRooms(join(home, 'gateway.sqlite'), { platform });
  assert.ok(room, platform);
  return room.chat;
};

/** A house, and what the model was asked last: its name, its instructions and its tools. */
async function openAssistants(t: TestContext, config: object = {}) {
  const { house, model } = await openModelHouse(t, platforms, config);
  const asked = async (platform: SandboxPlatform, talk: typeof inRoom | typeof asGuest | typeof dm) => {
    const answer = await house.ask({ platform, ...talk }, 'Good morning to you all.');
    const body = model.getLastRequest()?.body as { model?: string; tools?: { function: { name: string } }[] };
    const persona = /You are the (\w+)\./.exec(JSON.stringify(body))?.[1] ?? 'usual';
    return {
      persona,
      body: JSON.stringify(body),
      model: body.model,
      tools: (body.tools ?? []).map((each) => each.function.name),
      answer,
    };
  };
  return { house, model, asked };
}

test('a room that is bound is answered by its assistant, with its model and tools, on each platform and after a restart (R31)', async (t) => {
  const { house, asked } = await openAssistants(t, { assistants });
  for (const platform of platforms) assert.equal((await asked(platform, inRoom)).persona, 'usual');
  const bindings = platforms.map((platform) => ({
    assistant: 'clerk',
    platform,
    room: roomOf(house, platform),
  }));
  await house.restart({ model: { name: 'any' }, assistants, bindings });
  await house.ready(...platforms);
  for (const platform of platforms) {
    const here = await asked(platform, inRoom);
    assert.deepEqual([here.persona, here.model], ['clerk', 'clerk-model'], platform);
    assert.match(here.body, /Answer in German, unless/, platform);
    assert.ok(here.tools.includes('todo_read'), platform);
    assert.ok(!here.tools.some((name) => name.startsWith('memory_') || name === 'todo_write'), platform);
    const direct = await asked(platform, dm);
    assert.deepEqual([direct.persona, direct.model], ['usual', 'any'], platform);
    assert.ok(direct.tools.includes('todo_write'), platform);
    const refused = await house.ask({ platform, ...asGuest }, `${mark(platform)}assistant Parley`);
    // on Slack only the guest sees it, and reads the language of their own app
    assert.match(refused, platform === 'slack' ? /Only owners/ : /Nur Besitzer/, platform);
    assert.equal((await asked(platform, asGuest)).persona, 'clerk', platform);
  }
});

test('/assistant shows who answers, an owner switches in a room for all of it, and /status names the assistant and its model', async (t) => {
  const { house, asked } = await openAssistants(t, { assistants });
  for (const platform of platforms) {
    const say = (text: string) => house.ask({ platform, ...inRoom }, `${mark(platform)}${text}`);
    assert.match(await say('assistant'), /Parley answers here[\s\S]*clerk[\s\S]*counsel/, platform);
    assert.match(await say('assistant clerk'), /clerk answers from your next message on/, platform);
    assert.equal((await asked(platform, asGuest)).persona, 'clerk', platform);
    assert.match(await say('model'), /clerk-model.? answers here/, platform);
    assert.match(await say('status'), /model: clerk-model[\s\S]*assistant: clerk/, platform);
    assert.match(await say('assistant default'), /Parley answers here again/, platform);
    assert.equal((await asked(platform, inRoom)).persona, 'usual', platform);
  }
});

test('what is said to an assistant with its own memory is not found by the others, by search, list or recall, nor the other way', async (t) => {
  const { house, model } = await openModelHouse(t, ['telegram', 'slack'], {
    assistants,
    bindings: [{ assistant: 'counsel', platform: 'telegram' }],
    people: { Robin: { role: 'owner', accounts: ['telegram:you', 'slack:you'] } },
  });
  const said = async (platform: 'telegram' | 'slack', text: string) => {
    await house.ask({ platform, ...dm }, text);
    return JSON.stringify(model.getLastRequest()?.body);
  };
  await said('telegram', 'I dreamt of a red staircase in the harbour.');
  await said('slack', 'The invoice of the harbour is in the green folder.');
  assert.doesNotMatch(await said('slack', 'What of the harbour, and the staircase?'), /red staircase/);
  assert.doesNotMatch(await said('telegram', 'What of the invoice of the harbour?'), /green folder/);
  await house.ask({ platform: 'slack', ...dm }, '!assistant counsel');
  assert.match(await said('slack', 'What did I dream of in the harbour?'), /red staircase/);
  await house.ask({ platform: 'slack', ...dm }, '!assistant default');
  const clerk = await said('slack', 'And what did I say of the harbour?');
  assert.doesNotMatch(clerk, /red staircase/);
  assert.match(clerk, /green folder/);
});

test('a file goes to the model of the assistant that answers, whatever the usual model takes', async (t) => {
  const asked: string[] = [];
  const { settings } = await startRaw(t, ({ body, ...call }) => {
    asked.push(JSON.stringify(body));
    call.answer('A heron.');
  });
  const eyes = { provider: 'openai-compatible', name: 'm', baseUrl: settings.baseUrl };
  const house = await openHouse(t, {
    config: {
      assistants: { eyes: { systemPrompt: 'You see.', model: eyes } },
      bindings: [{ assistant: 'eyes', platform: 'discord' }],
    },
  });
  await house.ready('discord', 'slack');
  const files = [{ name: 'bird.png', mime: 'image/png', bytes: png(3) }];
  const talk = { chat: 'dm', user: 'you' } as const;
  assert.equal(
    (await house.ask({ platform: 'discord', ...talk }, 'what is this?', files)).trim(),
    'A heron.',
  );
  assert.match(asked.at(-1) ?? '', /"image_url"/);
  assert.match(
    await house.ask({ platform: 'slack', ...talk }, 'what is this?', files),
    /cannot look into .?bird\.png/,
    'the usual one is the built-in model',
  );
});
