// What is chosen in a room holds in its threads, until a thread chooses for itself: on each platform, from the command to the model.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SandboxPlatform } from '#sandbox/contract.ts';
import { ogg } from '../adapters/uploads/samples.ts';
import { found } from '../support/found.ts';
import { openThread } from './house.ts';
import { openModelHouse } from './model-house.ts';

const all = ['discord', 'telegram', 'slack'] as const;
const room = { chat: 'room', user: 'you' } as const;

test('a thread answers with the model, the agent and the voice of its room, until it chooses for itself, and afterwards follows again (R31)', async (t) => {
  const { house, model } = await openModelHouse(t, all, {
    assistants: { poet: { systemPrompt: 'You are the poet.' } },
    channels: {
      discord: { rooms: { respondTo: 'everything' } },
      telegram: { rooms: { respondTo: 'everything' } },
      slack: { rooms: { respondTo: 'everything' } },
    },
    tools: { speech: { provider: 'openai-compatible', model: 'any' } },
  });
  model.onSpeech(/.*/, { audio: Buffer.from(ogg).toString('base64'), format: 'opus' });
  for (const platform of all) {
    const mark = platform === 'slack' ? '!' : '/';
    const thread = await openThread(house, platform);
    const say = (text: string) => sayIn(house, platform, text, thread);
    const last = () =>
      JSON.stringify(model.getRequests().findLast(({ path }) => path.includes('chat'))?.body);
    const spoken = (): number => model.getRequests().filter(({ path }) => path.includes('speech')).length;

    const modelOf = () => /"model":"([^"]*)"/.exec(last())?.[1];
    await say('hello');
    assert.equal(modelOf(), 'any', platform);
    const before = spoken();

    await house.ask({ platform, ...room }, `${mark}model gpt-4o`);
    await house.ask({ platform, ...room }, `${mark}assistant poet`);
    assert.match(await house.ask({ platform, ...room }, `${mark}voice on`), /comes with a voice message/);
    await say('hello again');
    assert.equal(modelOf(), 'gpt-4o', platform);
    assert.ok(last().includes('You are the poet'), platform);
    await found(`${platform}: spoken`, () => (spoken() > before ? true : undefined));

    assert.match(await say(`${mark}model gpt-4`), /gpt-4 answers/);
    assert.match(await say(`${mark}assistant Parley`), /Parley answers/);
    assert.match(await say(`${mark}voice off`), /in writing again/);
    const silent = spoken();
    await say('and now');
    assert.equal(modelOf(), 'gpt-4', platform);
    assert.ok(!last().includes('You are the poet'), platform);
    assert.equal(spoken(), silent, platform);

    assert.match(await say(`${mark}model default`), /gpt-4o answers/, 'what the room has');
    assert.match(await say(`${mark}assistant default`), /poet answers/);
    await say('once more');
    assert.equal(modelOf(), 'gpt-4o', platform);
    assert.ok(last().includes('You are the poet'), platform);

    await house.ask({ platform, ...room }, 'hello in the room');
    assert.equal(modelOf(), 'gpt-4o', `${platform}: the room has its own choice still`);
    await house.ask({ platform, chat: 'dm', user: 'you' }, 'hello elsewhere');
    assert.equal(modelOf(), 'any', `${platform}: no other chat has it`);
  }
});

/** Says it in the thread, and resolves with the next answer there. */
async function sayIn(
  house: Parameters<typeof openThread>[0],
  platform: SandboxPlatform,
  text: string,
  thread: string,
): Promise<string> {
  const texts = () =>
    house
      .answers({ platform, ...room })
      .filter((answer) => answer.thread === thread)
      .map((answer) => answer.text);
  const before = texts().length;
  await house.sandbox[platform].say({ ...room, text, thread, mention: true });
  return found(`${platform}: an answer to ${text}`, () => {
    const settled = house.parley.gateway
      .status()
      .every((status) => status.inboxBacklog + status.outboxBacklog === 0);
    return settled && texts().length > before ? texts().slice(before).join('\n') : undefined;
  });
}
