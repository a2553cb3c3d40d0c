// What was just said in a room, when someone turns to the assistant there: shown for that answer, and kept nowhere.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { createClient } from '#engine/client/client.ts';
import { found } from '../support/found.ts';
import { openModelHouse } from './model-house.ts';

const you = { chat: 'room', user: 'you' } as const;
const guest = { chat: 'room', user: 'guest' } as const;
const platforms = ['discord', 'telegram', 'slack'] as const;

test('a message that mentions the assistant goes with what others just said, which nothing stores', async (t) => {
  const { house, model } = await openModelHouse(t, platforms, {}, { telegram: { privacy: 'off' } });
  const request = (): string => JSON.stringify(model.getLastRequest()?.body);
  for (const platform of platforms) {
    const server = house.sandbox[platform];
    await server.say({ ...guest, text: 'The lift is broken' });
    const proposal = await server.say({ ...guest, text: 'let us meet at nine' });
    await server.say({ ...you, text: 'what do you think?', mention: true });
    await found(`${platform} answers`, () => house.answers({ platform, ...you })[0]);
    assert.match(
      request(),
      /said in this room, [0-9-]+ [0-9:]+ UTC, [Gg]uest: .{1,4}The lift is broken.*let us meet at nine.*what do you think/,
      platform,
    );
    await server.editMessage(proposal.id, 'let us meet at ten');
    await server.say({ ...you, text: 'and now?', mention: true });
    await found(`${platform} answers again`, () => house.answers({ platform, ...you })[1]);
    assert.match(request(), /let us meet at ten.*and now/, platform);
    assert.doesNotMatch(
      request(),
      /meet at nine/,
      `${platform}: what was shown for one answer is not in the next`,
    );
    assert.equal(request().split('The lift is broken').length, 2, `${platform}: it is shown once`);
  }
  const { url: baseUrl, tokenFile = '' } = house.parley;
  const client = createClient({ baseUrl, token: readFileSync(tokenFile, 'utf8').trim() });
  const made = await client.sessions.list();
  assert.equal(made.length >= platforms.length, true);
  for (const { id } of made) {
    const saved = JSON.stringify(await client.sessions.messages(id));
    assert.match(saved, /what do you think|and now/);
    assert.doesNotMatch(saved, /lift/);
  }
  for (const { audience } of (await client.memory.audiences()).audiences)
    assert.deepEqual((await client.memory.search('lift broken', { audience })).results, []);
});

test('a picture that was posted without words is named once, as a file, in the room and in a thread', async (t) => {
  const { house, model } = await openModelHouse(t, ['discord'], {});
  const { discord } = house.sandbox;
  const files = [{ name: 'lift.png', mime: 'image/png', bytes: new Uint8Array([1, 2, 3]) }];
  const thread = discord.openThread({ chat: 'room', name: 'lift' }).id;
  for (const where of [{}, { thread }]) {
    await discord.say({ ...guest, ...where, text: '', files });
    await discord.say({ ...you, ...where, text: 'what do you think?', mention: true });
    const count = 'thread' in where ? 2 : 1;
    await found('an answer', () => house.answers({ platform: 'discord', ...you })[count - 1]);
    const [line = ''] =
      /[Gg]uest: [^\n]*?lift\.png[^\n]*?what do you/.exec(JSON.stringify(model.getLastRequest()?.body)) ?? [];
    assert.match(line, /\[file lift\.png\]/);
    assert.equal(line.split('[file').length - 1, 1, line);
    assert.doesNotMatch(line.replaceAll('[file lift.png]', ''), /^[Gg]uest: .{0,6}lift\.png/, line);
  }
});

test('a room where the operator forbids it, and a direct message, go without', async (t) => {
  const off = { rooms: { context: 0 } };
  const config = { channels: { discord: off, telegram: off, slack: off } };
  const { house, model } = await openModelHouse(t, platforms, config, { telegram: { privacy: 'off' } });
  for (const platform of platforms) {
    const server = house.sandbox[platform];
    await server.say({ ...guest, text: 'The lift is broken' });
    await server.say({ ...you, text: 'what do you think?', mention: true });
    await found(`${platform} answers`, () => house.answers({ platform, ...you })[0]);
    assert.doesNotMatch(JSON.stringify(model.getLastRequest()?.body), /lift/, platform);
  }
});

test('what was written in a room goes with its author: deleted and edited messages are not quoted as they were', async (t) => {
  const config = { channels: { slack: { replyInThread: false } } };
  const { house, model } = await openModelHouse(t, platforms, config);
  // in privacy mode Telegram gives the bot nothing but what is addressed to it
  house.sandbox.telegram.setPrivacy('off');
  for (const platform of platforms) {
    const server = house.sandbox[platform];
    const changed = await server.say({ ...guest, text: 'the plover is late' });
    const gone = await server.say({ ...guest, text: 'the bittern is late' });
    await server.editMessage(changed.id, 'the plover is early');
    if (platform !== 'telegram') await server.deleteMessage(gone.id);
    await server.say({ ...you, text: 'what do you think?', mention: true });
    await found(`${platform} answers`, () => house.answers({ platform, ...you })[0]);
    const request = JSON.stringify(model.getLastRequest()?.body);
    assert.match(request, /the plover is early/, platform);
    assert.doesNotMatch(request, /the plover is late/, platform);
    // Telegram tells bots of no deletion
    if (platform !== 'telegram') assert.doesNotMatch(request, /the bittern/, platform);
  }
});

test('an operator bounds what goes along, or forbids it', async (t) => {
  const context = (messages: number) => ({ rooms: { context: messages } });
  const channels = {
    discord: context(1),
    telegram: context(0),
    slack: { ...context(0), replyInThread: false },
  };
  const { house, model } = await openModelHouse(t, platforms, { channels });
  house.sandbox.telegram.setPrivacy('off');
  for (const platform of platforms) {
    const server = house.sandbox[platform];
    await server.say({ ...guest, text: 'the first heron' });
    await server.say({ ...guest, text: 'the second heron' });
    await server.say({ ...you, text: 'what do you think?', mention: true });
    await found(`${platform} answers`, () => house.answers({ platform, ...you })[0]);
    const request = JSON.stringify(model.getLastRequest()?.body);
    assert.doesNotMatch(request, /the first heron/, platform);
    assert.equal(/the second heron/.test(request), platform === 'discord', platform);
  }
});

test('a room whose history is refused or slow is answered without it, silently and in time', async (t) => {
  const config = { channels: { slack: { replyInThread: false } } };
  const { house } = await openModelHouse(t, ['discord', 'slack'], config);
  for (const platform of ['discord', 'slack'] as const) {
    const server = house.sandbox[platform];
    server.inject({ kind: 'slow', target: 'receive', times: 1, delayMs: 60_000 });
    const begun = Date.now();
    await server.say({ ...you, text: 'what do you think?', mention: true });
    const answer = await found(`${platform} answers`, () => house.answers({ platform, ...you })[0]);
    assert.equal(answer.text.trim(), 'Seen.', platform);
    assert.ok(Date.now() - begun < 10_000, platform);
  }
});
