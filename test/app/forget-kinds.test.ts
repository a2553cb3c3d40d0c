// Forgetting by kind, key and tag in chats, next to records that an assistant stored over MCP: shown first, confirmed, and proven.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openHouse, type Talk } from './house.ts';
import { call, overHttp, tokenFor } from './mcp-kit.ts';

const all = ['discord', 'telegram', 'slack'] as const;

test('records with a tag or a key are shown, and forgotten when that is confirmed, on each platform', async (t) => {
  const house = await openHouse(t);
  await house.ready(...all);
  for (const platform of all) await house.ask({ platform, chat: 'dm', user: 'you' }, 'Hello.');
  const client = await overHttp(house.parley.url, (await tokenFor(house, '--person', 'Robin')).secret);
  t.after(() => client.close());
  const store = (content: string, more: object) => call(client, 'memory_create', { content, ...more });
  for (const platform of all) {
    const say = (text: string): Promise<string> =>
      house.ask({ platform, chat: 'dm', user: 'you' }, `${platform === 'slack' ? '!' : '/'}${text}`);
    await store(`The piccolo of ${platform} is in the attic`, { tags: ['band room'], pinned: true });
    await store(`The bassoon of ${platform} is lent`, { tags: ['band room'] });
    await store(`The gate of ${platform} is green`, { kind: 'fact', key: `gate of ${platform}` });
    const shown = await say('memory forget tag band room');
    assert.match(shown, /deletes 2 memories.*1 of them is pinned/);
    assert.match(shown, new RegExp(`piccolo of ${platform}`));
    assert.match(shown, /memory forget yes tag band room/);
    assert.match(await say('memory tag band room'), /piccolo/, 'nothing was deleted yet');
    assert.match(await say('memory forget yes tag band room'), /deleted 2 memories\. I checked again/);
    assert.match(await say('memory forget tag band room'), /Nothing like that is saved/);
    assert.match(await say(`memory key gate of ${platform}`), /gate of/, 'what has no such tag stays');
    assert.match(await say(`memory forget key gate of ${platform}`), /deletes 1 memory/);
    assert.match(await say(`memory forget yes key GATE of ${platform}`), /deleted 1 memory/);
    assert.match(await say(`memory key gate of ${platform}`), /remember nothing/);
    assert.match(await say('memory forget kind diary'), /no such kind\. There are note, fact/);
    assert.match(await say('memory forget yes tag'), /Which memory\?/);
  }
});

test('in a room only owners forget by kind, and what people have in private stays', async (t) => {
  const house = await openHouse(t);
  await house.ready('discord');
  const dm: Talk = { platform: 'discord', chat: 'dm', user: 'you' };
  const room: Talk = { ...dm, chat: 'room' };
  await house.ask(dm, '/memory save The shed code is twelve.');
  await house.ask(room, '/memory save The meeting is on Monday.');
  const guest: Talk = { ...room, user: 'guest' };
  for (const words of ['kind note', 'yes kind note'])
    assert.match(await house.ask(guest, `/memory forget ${words}`), /only owners can delete it/);
  assert.match(await house.ask(room, '/memory forget kind note'), /deletes 1 memory[\s\S]*on Monday/);
  assert.match(await house.ask(room, '/memory forget yes kind note'), /deleted 1 memory/);
  assert.match(await house.ask(room, '/memory search meeting'), /remember nothing/);
  assert.match(await house.ask(dm, '/memory search shed'), /twelve/);
});
