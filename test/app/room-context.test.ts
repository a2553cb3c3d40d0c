// What was just said in a room when the assistant is called there: told for that answer, and kept nowhere.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { found } from '../conformance/platforms.ts';
import { openModelHouse } from './model-house.ts';

const all = ['discord', 'telegram', 'slack'] as const;
const asGuest = { chat: 'room', user: 'guest' } as const;
const asYou = { chat: 'room', user: 'you' } as const;

/** Every file below the folder that holds these words. */
function holding(folder: string, words: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => readFileSync(path).includes(words));
}

test('called in a room, the assistant is told what was just said there, and of nothing that its session holds', async (t) => {
  const config = { channels: { slack: { mentionOpens: 'no thread' } } };
  const { house, model } = await openModelHouse(t, all, config);
  // in privacy mode Telegram gives the bot nothing but what is addressed to it
  house.sandbox.telegram.setPrivacy('off');
  for (const platform of all) {
    const server = house.sandbox[platform];
    await server.say({ ...asGuest, text: `the green heron of ${platform} is late` });
    await server.say({ ...asYou, text: 'what do you think?', mention: true });
    await found(`${platform} answers`, () => house.answers({ platform, ...asYou })[0]);
    const first = JSON.stringify(model.getLastRequest()?.body);
    assert.match(
      first,
      new RegExp(`said in this room at [-0-9: ]+ UTC, Guest: .{1,4}the green heron of ${platform} is late`),
    );
    assert.match(first, /what others said here shortly before.*what do you think\?/, platform);
    await server.say({ ...asGuest, text: 'it came' });
    await server.say({ ...asYou, text: 'and now?', mention: true });
    await found(`${platform} answers again`, () => house.answers({ platform, ...asYou })[1]);
    const second = JSON.stringify(model.getLastRequest()?.body);
    assert.match(second, /UTC, Guest: .{1,4}it came/, platform);
    assert.equal(
      second.split('what do you think?').length,
      2,
      `${platform}: what the session holds comes once`,
    );
    assert.equal(second.split('green heron').length, 2, `${platform}: once more, for this answer`);
    assert.doesNotMatch(second, /UTC, you: /, platform);
  }
  assert.deepEqual(holding(house.home, 'green heron'), []);
  assert.notDeepEqual(holding(house.home, 'what do you think?'), []);
});

test('what was said in a room goes with its author: deleted and edited messages are not told as they were', async (t) => {
  const config = { channels: { slack: { mentionOpens: 'no thread' } } };
  const { house, model } = await openModelHouse(t, all, config);
  // in privacy mode Telegram gives the bot nothing but what is addressed to it
  house.sandbox.telegram.setPrivacy('off');
  for (const platform of all) {
    const server = house.sandbox[platform];
    const changed = await server.say({ ...asGuest, text: 'the plover is late' });
    const gone = await server.say({ ...asGuest, text: 'the bittern is late' });
    await server.editSaid(changed.id, 'the plover is early');
    if (platform !== 'telegram') await server.deleteSaid(gone.id);
    await server.say({ ...asYou, text: 'what do you think?', mention: true });
    await found(`${platform} answers`, () => house.answers({ platform, ...asYou })[0]);
    const request = JSON.stringify(model.getLastRequest()?.body);
    assert.match(request, /the plover is early/, platform);
    assert.doesNotMatch(request, /the plover is late/, platform);
    // Telegram tells bots of no deletion
    if (platform !== 'telegram') assert.doesNotMatch(request, /the bittern/, platform);
  }
});

test('an operator bounds what goes along, or forbids it', async (t) => {
  const context = (messages: number) => ({ rooms: { context: { messages } } });
  const channels = {
    discord: context(1),
    telegram: context(0),
    slack: { ...context(0), mentionOpens: 'no thread' },
  };
  const { house, model } = await openModelHouse(t, all, { channels });
  house.sandbox.telegram.setPrivacy('off');
  for (const platform of all) {
    const server = house.sandbox[platform];
    await server.say({ ...asGuest, text: 'the first heron' });
    await server.say({ ...asGuest, text: 'the second heron' });
    await server.say({ ...asYou, text: 'what do you think?', mention: true });
    await found(`${platform} answers`, () => house.answers({ platform, ...asYou })[0]);
    const request = JSON.stringify(model.getLastRequest()?.body);
    assert.doesNotMatch(request, /the first heron/, platform);
    assert.equal(/the second heron/.test(request), platform === 'discord', platform);
  }
});

test('a room whose history is refused or slow is answered without it, without a word and in time', async (t) => {
  const config = { channels: { slack: { mentionOpens: 'no thread' } } };
  const { house } = await openModelHouse(t, ['discord', 'slack'], config);
  for (const platform of ['discord', 'slack'] as const) {
    const server = house.sandbox[platform];
    server.inject({ kind: 'slow', target: 'receive', times: 1, delayMs: 60_000 });
    const begun = Date.now();
    await server.say({ ...asYou, text: 'what do you think?', mention: true });
    const answer = await found(`${platform} answers`, () => house.answers({ platform, ...asYou })[0]);
    assert.equal(answer.text.trim(), 'Seen.', platform);
    assert.ok(Date.now() - begun < 10_000, platform);
  }
});
