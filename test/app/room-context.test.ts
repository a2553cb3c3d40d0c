// What was just said in a room, when somebody turns to the assistant there: shown for that answer, and kept nowhere.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { createClient } from '#engine/client/client.ts';
import { found } from '../conformance/platforms.ts';
import { openModelHouse } from './model-house.ts';

const you = { chat: 'room', user: 'you' } as const;
const guest = { chat: 'room', user: 'guest' } as const;
const platforms = ['discord', 'telegram', 'slack'] as const;

test('a message that mentions the assistant goes with what others just said, which nothing keeps', async (t) => {
  const { house, model } = await openModelHouse(t, platforms, {}, { privacy: 'off' });
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
    await server.editSaid(proposal.id, 'let us meet at ten');
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
    const kept = JSON.stringify(await client.sessions.messages(id));
    assert.match(kept, /what do you think|and now/);
    assert.doesNotMatch(kept, /lift/);
  }
  for (const { audience } of (await client.memory.places()).places)
    assert.deepEqual((await client.memory.search('lift broken', { audience })).results, []);
});

test('a room where the operator forbids it, and a direct message, go without', async (t) => {
  const off = { rooms: { context: 0 } };
  const config = { channels: { discord: off, telegram: off, slack: off } };
  const { house, model } = await openModelHouse(t, platforms, config, { privacy: 'off' });
  for (const platform of platforms) {
    const server = house.sandbox[platform];
    await server.say({ ...guest, text: 'The lift is broken' });
    await server.say({ ...you, text: 'what do you think?', mention: true });
    await found(`${platform} answers`, () => house.answers({ platform, ...you })[0]);
    assert.doesNotMatch(JSON.stringify(model.getLastRequest()?.body), /lift/, platform);
  }
});
