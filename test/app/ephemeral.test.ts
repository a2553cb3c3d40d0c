// Who sees the answer to a command in a room, on Slack and Telegram: only the asker, everyone, or the asker in private.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { SandboxPlatform, SandboxUser } from '#sandbox/contract.ts';
import type { SlackSandbox } from '#sandbox/slack/server.ts';
import { found } from '../support/found.ts';
import { type House, openHouse } from './house.ts';

async function houseOf(t: TestContext, platform: SandboxPlatform, own: object = {}): Promise<House> {
  const others = ['discord', 'telegram', 'slack'].filter((each) => each !== platform);
  const channels = {
    ...Object.fromEntries(others.map((each) => [each, { enabled: false }])),
    [platform]: own,
  };
  const house = await openHouse(t, { config: { channels } });
  await house.ready(platform);
  return house;
}

/** What the bot shows someone in the room; what they alone see is in brackets. */
function roomTexts(house: House, platform: SandboxPlatform, user: SandboxUser): string[] {
  const shown = house.answers({ platform, chat: 'room', user });
  return shown.map(({ text, onlyYou }) => (onlyYou === true ? `(${text})` : text));
}

const seen = (house: House, platform: SandboxPlatform, wanted: RegExp, user: SandboxUser = 'you') =>
  found(`${wanted}`, () => roomTexts(house, platform, user).find((text) => wanted.test(text)));

test('Slack: after a mention the asker alone sees what is theirs, and everyone what concerns all', async (t) => {
  const house = await houseOf(t, 'slack');
  const { slack } = house.sandbox;
  const { id } = await slack.say({ chat: 'room', user: 'you', mention: true, text: '!whoami' });
  assert.match(
    await seen(house, 'slack', /I know you as|You are an owner/),
    /^\(I know you as Robin, an owner\. Your accounts are .*\)$/,
  );
  await slack.say({ chat: 'room', user: 'you', mention: true, thread: id, text: '!usage' });
  await seen(house, 'slack', /^\(.*this conversation/);
  await slack.say({ chat: 'room', user: 'you', mention: true, thread: id, text: '!rename' });
  await seen(house, 'slack', /^\(What should this conversation be called/);
  assert.deepEqual(roomTexts(house, 'slack', 'guest'), []);
  await slack.say({ chat: 'room', user: 'you', mention: true, thread: id, text: '!new Trip' });
  await seen(house, 'slack', /^This is a new conversation called Trip/, 'guest');
  // in a thread of nothing but the command itself an ephemeral message is not shown
  const all = slack.shown('room', 'you').filter(({ onlyYou }) => onlyYou === true);
  assert.deepEqual(
    all.map(({ thread }) => thread),
    [undefined, id, id],
  );
});

test('Slack: a slash command is answered by its URL to the asker alone', async (t) => {
  const house = await houseOf(t, 'slack');
  const slack = house.sandbox.slack as SlackSandbox;
  slack.slash({ chat: 'room', user: 'you', command: '/parley', text: 'status' });
  await seen(house, 'slack', /^\([\s\S]*Parley .*: everything works/);
  slack.slash({ chat: 'room', user: 'guest', command: '/parley', text: 'usage' });
  await seen(house, 'slack', /^\(.*is only for members, and you are a guest/, 'guest');
  slack.slash({ chat: 'room', user: 'you', command: '/parley', text: 'new' });
  await seen(house, 'slack', /^This is a new conversation/, 'guest');
  assert.equal(roomTexts(house, 'slack', 'guest').length, 2);
  const names = slack.calls().map(({ name }) => name);
  assert.deepEqual(
    [names.filter((name) => name === 'response_url').length, names.includes('chat.postEphemeral')],
    [2, false],
  );
});

test('Slack: a slash command in a room where the bot may not answer is refused to its sender alone', async (t) => {
  const house = await houseOf(t, 'slack', { rooms: { include: ['C0ELSEWHERE'] } });
  const { slack } = house.sandbox;
  slack.slash({ chat: 'room', user: 'you', command: '/parley', text: 'status' });
  await seen(house, 'slack', /^\(\(?I do not answer here\. Ask the person who runs me to allow it\.\)?\)$/);
  await slack.say({ chat: 'room', user: 'you', mention: true, text: '!new' });
  slack.slash({ chat: 'dm', user: 'you', command: '/parley', text: 'new' });
  await found('an answer in private', () =>
    house
      .answers({ platform: 'slack', chat: 'dm', user: 'you' })
      .find(({ text }) => /new conversation/.test(text)),
  );
  assert.equal(roomTexts(house, 'slack', 'you').length, 1);
  assert.deepEqual(roomTexts(house, 'slack', 'guest'), []);
});

test('Slack: between two people, and where the bot is no member, only the asker is answered', async (t) => {
  const house = await houseOf(t, 'slack');
  const slack = house.sandbox.slack as SlackSandbox;
  const channel = slack.places.addRoom({
    space: '',
    kind: 'public',
    name: 'elsewhere',
    members: [slack.userID('you')],
  });
  slack.places.leaveRoom('U0PARLEY0', channel, 'kicked');
  for (const room of ['D0BETWEEN', channel]) {
    const said = () => slack.places.messages(room).filter(({ author }) => author.endsWith('U0PARLEY0'));
    const run = async (text: string, wanted: RegExp) => {
      const before = said().length;
      slack.slash({ chat: 'dm', user: 'you', command: '/parley', text, room });
      const answer = await found(`${text} in ${room}`, () => said()[before]);
      assert.match(answer.text, wanted);
      assert.equal(answer.onlyTo, slack.userID('you'));
    };
    await run('whoami', /I know you as Robin/);
    await run('new', /I am not a member of this conversation/);
    await run('what is the time?', /I am not a member of this conversation/);
  }
  assert.deepEqual(house.answers({ platform: 'slack', chat: 'dm', user: 'you' }), []);
  assert.ok(!slack.calls().some(({ name }) => name === 'chat.postMessage'));
});

test('Slack: an answer that was lost on the way is shown once more, marked, to the asker alone', async (t) => {
  const house = await houseOf(t, 'slack');
  const slack = house.sandbox.slack as SlackSandbox;
  slack.inject({ kind: 'lost_response', target: 'send', times: 1 });
  slack.slash({ chat: 'room', user: 'you', command: '/parley', text: 'whoami' });
  await found('it is there again', () => roomTexts(house, 'slack', 'you')[1]);
  const [first = '', again = ''] = roomTexts(house, 'slack', 'you');
  assert.match(first, /^\(I know you as Robin/);
  assert.match(again, /^\(I know you as Robin[\s\S]*This may be a repeat/);
  assert.deepEqual(roomTexts(house, 'slack', 'guest'), []);
});

test('Telegram, which does not promise that an ephemeral message arrives: what is private is sent in private, and the room sees its own', async (t) => {
  const house = await houseOf(t, 'telegram');
  const { telegram } = house.sandbox;
  const room = { platform: 'telegram', chat: 'room', user: 'you' } as const;
  const dm = { platform: 'telegram', chat: 'dm', user: 'you' } as const;
  assert.match(
    await house.ask(room, '/whoami'),
    /^You are an owner\. Send me/,
    'there is no direct message yet',
  );
  const single = await house.ask(room, '/usage');
  assert.match(single, /this conversation/);
  assert.doesNotMatch(single, /all chats/);
  await house.ask(dm, 'my bike is red');
  const before = house.answers(dm).length;
  await telegram.say({ chat: 'room', user: 'you', mention: true, text: '/usage' });
  await seen(house, 'telegram', /^\(I answered you in a private message\.\)$/);
  const told = await found('the answer in private', () => house.answers(dm)[before]);
  assert.match(told.text, /all chats: /);
  assert.match(await house.ask(room, '/memory recent'), /remember nothing from this chat/);
  assert.doesNotMatch(await house.ask(room, '/status'), /telegram: connected/);
  assert.ok(roomTexts(house, 'telegram', 'guest').every((text) => !/Robin|bike|everywhere/.test(text)));
});
