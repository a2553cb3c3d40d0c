// Commands on Slack as people can really give them: behind "!", after a mention, in threads, in private; named so wherever one is named.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { found } from '../support/found.ts';
import { type House, openHouse } from './house.ts';

const dm = { platform: 'slack', chat: 'dm', user: 'you' } as const;
const room = { platform: 'slack', chat: 'room', user: 'you' } as const;

async function slackHouse(t: Parameters<typeof openHouse>[0]): Promise<House> {
  const house = await openHouse(t, {
    config: { channels: { telegram: { enabled: false }, discord: { enabled: false } } },
  });
  await house.ready('slack');
  return house;
}

test('a command may begin with "!" in private, after a mention and in a thread', async (t) => {
  const house = await slackHouse(t);
  const { slack } = house.sandbox;
  assert.match(await house.ask(dm, '!new Trip'), /new conversation called Trip/);
  assert.match(await house.ask(dm, ' /whoami'), /I know you as Robin/);
  const before = house.answers(room).length;
  const { id } = await slack.say({ ...room, text: '!new Garden', mention: true });
  const opened = await found('the answer in its thread', () => house.answers(room)[before]);
  assert.equal(opened.thread, id);
  assert.match(opened.text, /new conversation called Garden/);
  await slack.say({ ...room, text: '!sessions', thread: id });
  const listed = await found('the list', () => house.answers(room)[before + 1]);
  assert.match(listed.text, /Garden .*this one/);
});

test('an exclamation mark before any other word reaches the assistant', async (t) => {
  const house = await slackHouse(t);
  for (const text of ['!important: my bike is red', '!now', '!newer', '! new'])
    assert.match(await house.ask(dm, text), /offline/i, text);
});

test('every command is named as Slack takes it', async (t) => {
  const house = await slackHouse(t);
  for (const text of [
    '!help',
    '!memory',
    '!forget',
    '!resume',
    '!rename',
    '!sessions',
    '!link',
    '!export x',
    '!model nope',
  ]) {
    const answer = await house.ask(dm, text);
    assert.doesNotMatch(
      answer.replace(/`?\/[a-z]+[^(]*\(on Slack/g, ''),
      /(?:^|[\s`(])\/[a-z]/,
      `${text}: ${answer}`,
    );
  }
  assert.match(await house.ask(dm, '!help'), /!rename TITLE/);
});
