// What Parley speaks and draws, on each platform through its real client library and a real model protocol.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LLMock } from '@copilotkit/aimock';
import type { SandboxPlatform } from '#sandbox/contract.ts';
import { ogg, png } from '../adapters/uploads/samples.ts';
import { found } from '../support/found.ts';
import type { House } from './house.ts';
import { openModelHouse } from './model-house.ts';

const all = ['discord', 'telegram', 'slack'] as const;
const dm = { chat: 'dm', user: 'you' } as const;
const hosted = { provider: 'openai-compatible', model: 'any' };

/** A program with models that speak and draw. */
async function openMediaHouse(t: Parameters<typeof openModelHouse>[0]) {
  const opened = await openModelHouse(t, all, {
    tools: { speech: { ...hosted, voice: 'alloy' }, image: hosted },
  });
  const { model } = opened;
  model.onSpeech(/.*/, { audio: Buffer.from(ogg).toString('base64'), format: 'opus' });
  model.onImage(/.*/, { image: { b64Json: png().toString('base64') } });
  return opened;
}

/** The files of the bot's messages in the direct message. */
function filesIn(house: House, platform: SandboxPlatform) {
  const talk = { platform, ...dm };
  return house.answers(talk).flatMap(({ files = [] }) => files);
}

const calls = (model: LLMock, path: string): number =>
  model.getRequests().filter((request) => request.path.includes(path)).length;

test('what a person asks to hear comes as a voice message on Telegram, and as an audio file on Discord and Slack', async (t) => {
  const { house, model } = await openMediaHouse(t);
  for (const platform of all) {
    model.prependFixture({
      match: { userMessage: `say good night on ${platform}`, sequenceIndex: 0 },
      response: { toolCalls: [{ name: 'speak', arguments: JSON.stringify({ text: 'Good night' }) }] },
    });
    const answer = await house.ask({ platform, ...dm }, `say good night on ${platform}`);
    assert.match(answer, /Seen\./, platform);
    const file = await found(`${platform}: the audio`, () =>
      filesIn(house, platform).find(({ mime }) => mime.startsWith('audio/')),
    );
    assert.deepEqual(new Uint8Array(file.bytes), new Uint8Array(ogg), platform);
    assert.equal(file.voice === true, platform === 'telegram', platform);
  }
  assert.equal(calls(model, '/audio/speech'), 3);
});

test('a picture comes with its prompt as the caption, which mentions nobody', async (t) => {
  const { house, model } = await openMediaHouse(t);
  for (const platform of all) {
    const prompt = 'A heron at dawn <!channel> @everyone *bold*';
    model.prependFixture({
      match: { userMessage: `draw on ${platform}`, sequenceIndex: 0 },
      response: { toolCalls: [{ name: 'image', arguments: JSON.stringify({ prompt, shape: 'wide' }) }] },
    });
    await house.ask({ platform, ...dm }, `draw on ${platform}`);
    const shown = await found(`${platform}: the picture`, () =>
      house.answers({ platform, ...dm }).find(({ files = [] }) => files.length > 0),
    );
    assert.match(shown.text, /A heron at dawn <!channel> @.?everyone \*bold\*/, platform);
  }
  assert.equal(calls(model, '/images/generations'), 3);
});

test('after /voice on each answer is spoken too, until /voice off', async (t) => {
  const { house, model } = await openMediaHouse(t);
  const talk = { platform: 'telegram', ...dm } as const;
  assert.match(await house.ask(talk, '/voice'), /in writing here/);
  assert.match(await house.ask(talk, '/voice loud'), /Say on or off/);
  assert.match(await house.ask(talk, '/voice on'), /comes with a voice message/);
  await house.ask(talk, 'hello');
  await found('the spoken answer', () => filesIn(house, 'telegram').find(({ voice }) => voice === true));
  assert.match(await house.ask(talk, '/voice off'), /in writing again/);
  await house.ask(talk, 'hello again');
  assert.equal(calls(model, '/audio/speech'), 1);
});

test('without a speech model /voice says what is missing, and the model has neither tool', async (t) => {
  const { house, model } = await openModelHouse(t, all);
  assert.match(await house.ask({ platform: 'slack', ...dm }, '!voice on'), /tools\.speech/);
  await house.ask({ platform: 'slack', ...dm }, 'hello');
  assert.doesNotMatch(JSON.stringify(model.getLastRequest()?.body), /"(speak|image)"/);
});

test('a speech model that fails costs no answer: the text comes, with what went wrong', async (t) => {
  const { house } = await openModelHouse(t, ['telegram'], {
    tools: { speech: { ...hosted, baseUrl: 'http://127.0.0.1:9/v1' } },
  });
  const talk = { platform: 'telegram', ...dm } as const;
  await house.ask(talk, '/voice on');
  const answer = await house.ask(talk, 'hello');
  assert.match(answer, /Seen\./);
  assert.match(answer, /model provider cannot be reached/);
});
