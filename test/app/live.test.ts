// The whole way of an answer that is seen while it is written: a draft on Telegram, a stream on Slack, and the program killed in the middle of it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startRaw } from '../engine/support/raw-provider.ts';
import { found } from '../support/found.ts';
import type { Talk } from './house.ts';
import { openStage, type StageOptions } from './stage.ts';

const dm: Talk = { platform: 'telegram', chat: 'dm', user: 'you' };
const room: Talk = { platform: 'slack', chat: 'room', user: 'you' };

function streaming(baseUrl: string | undefined, ...platforms: Talk['platform'][]): StageOptions {
  return {
    platforms,
    variables: { OPENAI_BASE_URL: baseUrl },
    configure: (config) => ({ ...config, model: { ...config.model, name: 'm' } }),
  };
}

test('an answer is seen as a draft on Telegram and as a stream on Slack while the model speaks, and then once on each', async (t) => {
  const model = await startRaw(t);
  const channelSet = await openStage(t, streaming(model.settings.baseUrl, 'telegram', 'slack'));
  const { telegram, slack } = channelSet.sandbox;
  const program = channelSet.start();
  await program.connected('telegram', 'slack');

  await channelSet.say(dm, 'a question');
  const drafted = await model.next();
  drafted.say('The first **half**,');
  const draft = await found('the draft', () => telegram.draft?.('dm', 'you'));
  assert.equal(draft.text, 'The first half,');
  assert.deepEqual(channelSet.answers(dm), [], 'a draft is no message');
  drafted.say(' and the second.');
  await found('its growth', () => telegram.draft?.('dm', 'you')?.text.endsWith('second.') || undefined);
  drafted.finish();
  await channelSet.answered(dm, /second/);
  assert.deepEqual(channelSet.answers(dm), ['The first half, and the second.']);
  assert.equal(telegram.draft?.('dm', 'you'), undefined);

  await channelSet.say(room, 'another question');
  const streamed = await model.next();
  streamed.say('The first **half**,');
  await channelSet.answered(room, /^The first half,$/);
  streamed.say(' and the second.');
  await channelSet.answered(room, /^The first half, and the second\.$/);
  assert.equal(slack.calls().filter(({ name }) => name === 'chat.stopStream').length, 0, 'it is still open');
  streamed.finish();
  await found('its end', () => slack.calls().find(({ name }) => name === 'chat.stopStream'));
  assert.deepEqual(channelSet.answers(room), ['The first half, and the second.']);
  assert.deepEqual(
    slack.calls().filter(({ name }) => name === 'chat.postMessage' || name === 'chat.update'),
    [],
    'the stream is the answer',
  );
  program.signal('SIGTERM');
  assert.equal(await program.ended, 0, program.said());
});

for (const talk of [dm, room]) {
  test(`killed while ${talk.platform} shows half an answer, the next start leaves one answer and nothing next to it (C4, C5)`, async (t) => {
    const model = await startRaw(t);
    const channelSet = await openStage(t, streaming(model.settings.baseUrl, talk.platform));
    const server = channelSet.sandbox[talk.platform];
    const shown = (): string | undefined =>
      server.draft?.(talk.chat, talk.user)?.text ?? channelSet.answers(talk)[0];
    const first = channelSet.start();
    await first.connected(talk.platform);
    await channelSet.say(talk, 'a question');
    (await model.next()).say('Half of an answer,');
    await found('half of it', () => (shown() === 'Half of an answer,' ? true : undefined));
    first.signal('SIGKILL');
    assert.equal(await first.ended, 'SIGKILL');

    const second = channelSet.start();
    const again = await model.next();
    again.say('The whole answer.');
    again.finish();
    await channelSet.answered(talk, /whole/);
    second.signal('SIGTERM');
    assert.equal(await second.ended, 0, second.said());
    assert.deepEqual(channelSet.answers(talk), ['The whole answer.']);
    assert.equal(server.draft?.(talk.chat, talk.user), undefined);
    if (talk.platform !== 'slack') return;
    const count = (method: string) => server.calls().filter(({ name }) => name === method).length;
    assert.deepEqual(
      [count('chat.startStream'), count('chat.stopStream'), count('chat.postMessage')],
      [1, 1, 0],
      'the stream that was left was ended and became the answer',
    );
  });
}
