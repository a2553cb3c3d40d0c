// Rooms and bots: where the bot talks, whom it answers there, and what is meant for it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChannelAccess } from '#adapters/gateway/terms/access-types.ts';
import { dm, message, room } from '../scripted-channel.ts';
import { codes, from, pairing, rooms, saved, start, stranger, texts } from './stranger-kit.ts';

test('being in a room grants no direct message', async (t) => {
  const h = await start(t);
  const inRoom = { address: room, addressed: 'mention' as const, actor: stranger(1) };
  assert.equal(await h.channel.sink.accept(message('1', 'hi', inRoom)), 'accepted');
  assert.equal(await h.channel.sink.accept(message('2', 'hi', from(1))), 'ignored');
  await h.pass();
  assert.equal(codes(h).length, 1);
});

test('the bot talks only in named spaces and rooms; elsewhere nothing is stored, not even who was there (T3)', async (t) => {
  const access = { ...pairing, rooms: { ...rooms, spaces: ['G1'], include: ['C1', 'C2'] } };
  const h = await start(t, { access });
  const said = (id: string, where: object, addressed: 'mention' | 'none' = 'mention') =>
    h.channel.sink.accept(
      message(id, 'secret', { address: { ...room, ...where }, addressed, actor: stranger(1) }),
    );
  assert.equal(await said('1', { space: 'G2' }), 'ignored');
  assert.equal(await said('2', { chat: 'C9' }), 'ignored');
  assert.equal(await said('3', { chat: 'C9' }, 'none'), 'ignored');
  assert.doesNotMatch(saved(h), /secret|\b(?:s1|C9|G2)\b/); // an id may hold such letters
  assert.equal(await said('4', {}), 'accepted');
  await h.pass();
});

test('a room has its own rules: who may begin an answer there, and what is meant for the bot', async (t) => {
  const access: ChannelAccess = {
    ...pairing,
    rooms: {
      ...rooms,
      overrides: {
        C1: { allow: 'known' },
        C2: { respondTo: 'everything' },
        C3: { respondTo: 'mentions' },
        C4: { allow: 'owners' },
      },
    },
  };
  const people = { ann: ['discord:s1'], boss: { role: 'owner' as const, accounts: ['discord:s2'] } };
  const h = await start(t, { access, people });
  let id = 0;
  const said = (chat: string, who: number, addressed: 'mention' | 'none', thread?: string) => {
    id += 1;
    return h.channel.sink.accept(
      message(`${id}`, 'hi', { address: { ...room, chat, thread }, addressed, actor: stranger(who) }),
    );
  };
  assert.equal(await said('C1', 1, 'mention'), 'accepted');
  assert.equal(await said('C1', 3, 'mention'), 'ignored');
  await h.pass();
  assert.match(texts(h).join('\n'), /only answer people I know/);
  assert.equal(await said('C2', 3, 'none'), 'accepted');
  assert.equal(await said('C3', 3, 'mention', 'T1'), 'accepted');
  assert.equal(
    await said('C3', 3, 'none', 'T1'),
    'ignored',
    'a thread it takes part in, and only mentions count',
  );
  assert.equal(await said('C4', 1, 'mention'), 'ignored');
  assert.equal(await said('C4', 2, 'mention'), 'accepted');
  const before = texts(h).length;
  assert.equal(await said('C1', 1, 'mention', 'T2'), 'accepted');
  assert.equal(await said('C1', 3, 'none', 'T2'), 'ignored');
  await h.pass();
  assert.equal(
    texts(h).filter((text) => /people I know/.test(text)).length,
    1,
    'talk among others is not answered by refusals',
  );
  assert.ok(texts(h).length > before);
});

test('other bots are ignored unless named, and then answered no more often than the budget says (J6)', async (t) => {
  const access = { ...pairing, bots: { allowed: ['b1'], perHour: 3 } };
  const h = await start(t, { access });
  const bot = (id: string, who: string, over: object = {}) =>
    h.channel.sink.accept(
      message(id, 'beep', {
        address: room,
        addressed: 'mention',
        actor: { id: who, name: who, isBot: true },
        ...over,
      }),
    );
  assert.equal(await bot('1', 'b2'), 'ignored');
  assert.equal(await bot('2', 'b1', { addressed: 'none' }), 'ignored');
  assert.equal(await bot('3', 'b1', { address: dm, addressed: 'dm' }), 'ignored', 'never in private');
  const outcomes: string[] = [];
  for (let at = 0; at < 6; at += 1) outcomes.push(await bot(`l${at}`, 'b1'));
  assert.deepEqual(outcomes, ['accepted', 'accepted', 'accepted', 'ignored', 'ignored', 'ignored']);
  await h.clock.advance(61 * 60_000);
  assert.equal(await bot('later', 'b1'), 'accepted');
  await h.pass();
});

test('a person who may not command the bot in a room does not command it by a button either', async (t) => {
  const h = await start(t, {
    access: { ...pairing, rooms: { ...rooms, allow: 'owners' } },
    people: { boss: { role: 'owner', accounts: ['discord:u1'] } },
  });
  const stopped: string[] = [];
  const mission = { missionID: 'mis_1', status: 'active', instances: [] };
  Object.assign(h.engine, {
    missions: async () => [mission],
    cancelMission: async ({ missionID }: { missionID: string }) => void stopped.push(missionID),
  });
  await h.channel.sink.accept(message('1', 'begin', { address: room, addressed: 'mention' }));
  await h.pass();
  await h.channel.sink.accept(
    message('2', 'hello all', { address: room, addressed: 'none', actor: stranger(1) }),
  );
  const press = async (nativeID: string, actor: ReturnType<typeof stranger>): Promise<string | undefined> => {
    let told: string | undefined;
    const settle = (words: string | undefined): void => {
      told = words;
    };
    const choice = 'm:mis_1:stop';
    await h.channel.sink.accept({ type: 'choice', address: room, nativeID, at: 0, actor, choice, settle });
    await h.pass();
    return told;
  };
  assert.match((await press('p1', stranger(1))) ?? '', /only answer my owners/);
  assert.deepEqual(stopped, []);
  assert.equal(await press('p2', { id: 'u1', name: 'you', isBot: false }), undefined);
  assert.deepEqual(stopped, ['mis_1']);
});
