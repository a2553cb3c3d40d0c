// Names that several people write under, channels with their discussion groups, and groups that move: a gateway over grammy and the sandbox.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openAccess } from '#adapters/gateway/terms/access-types.ts';
import { until } from '../../support/found.ts';
import { telegramStage } from '../gateway/live-stage.ts';
import { createBench } from './bench.ts';

const you = '5000000001';
const boss = { boss: { role: 'owner', accounts: [`telegram:${you}`] } } as const;

test('an anonymous administrator has no rights, even as an owner, and is shown how to say who they are', async (t) => {
  const { sandbox, engine, until } = await telegramStage(t, { people: boss });
  const { places } = sandbox;
  const room = places.addRoom({ space: 'Home', kind: 'private', name: 'Home', members: [you] });
  const texts = () => places.messages(room).map(({ text }) => text);
  const told = (pattern: RegExp) => until(String(pattern), () => pattern.test(texts().at(-1) ?? ''));
  await places.sayAs({ account: you, room, text: '/usage@parley_sandbox_bot' });
  await told(
    /only for members, and you are a guest.*Telegram does not show me who of you writes as “Home”\. Switch to your own name/,
  );
  await places.say({ account: you, room, text: 'book it', mention: true });
  await until('a run', () => engine.runs.length === 1);
  engine.askLeave(engine.runs[0]?.run.runID ?? '', 'per_1', {});
  await told(/1/);
  await places.sayAs({ account: you, room, text: '@parley_sandbox_bot 1' });
  await told(/cannot approve.*Telegram does not show me who of you writes/);
  assert.deepEqual(engine.replies, []);
  await places.say({ account: you, room, text: '1', mention: true });
  await until('the leave', () => engine.replies.length === 1);
});

test('a group that someone named as the account of an owner gives nobody a right', async (t) => {
  const room = '-1001000000002';
  const people = { boss: { role: 'owner', accounts: [`telegram:${room}`] } } as const;
  const { sandbox, until } = await telegramStage(t, { people });
  const { places } = sandbox;
  await places.sayAs({ account: you, room, text: '/usage@parley_sandbox_bot' });
  await until('the refusal', () =>
    /only for members, and you are a guest/.test(places.messages(room).at(-1)?.text ?? ''),
  );
});

test('in a room for known people an anonymous administrator is refused, and told how to say who they are', async (t) => {
  const access = { ...openAccess('guest'), rooms: { ...openAccess('guest').rooms, allow: 'known' as const } };
  const { sandbox, until, engine } = await telegramStage(t, { people: boss, access });
  const { places } = sandbox;
  const room = places.addRoom({ space: 'Home', kind: 'private', name: 'Home', members: [you] });
  await places.sayAs({ account: you, room, text: '@parley_sandbox_bot hello' });
  const last = () => places.messages(room).at(-1)?.text ?? '';
  await until('the refusal', () => /only answer people I know.*who of you writes as “Home”/.test(last()));
  assert.equal(engine.runs.length, 0);
});

test('a post that is copied into the discussion group is answered once, below the copy, and comments know the post', async (t) => {
  const { sandbox, engine, until, pass } = await telegramStage(t, { privacy: 'off' });
  const { places, channels } = sandbox;
  const anna = places.addAccount('Anna');
  const group = places.addRoom({ space: 'News', kind: 'private', name: 'Talk', members: [anna] });
  const news = channels.add({ title: 'News', bot: 'administrator' });
  channels.discuss(news, group);
  channels.post(news, 'The lift is broken.');
  const { copy = '' } = channels.post(news, '@parley_sandbox_bot what is a lift?', 'Ed');
  await until('a run', () => engine.runs.length > 0);
  engine.complete(engine.runs[0]?.run.runID ?? '', 'A cabin that goes up.');
  await until('the answer', () => places.messages(group).some(({ text }) => /cabin/.test(text)));
  await pass(5_000);
  assert.equal(engine.runs.length, 1);
  assert.deepEqual(
    places.messages(news).map(({ text }) => text),
    ['The lift is broken.', '@parley_sandbox_bot what is a lift?'],
    'nothing is posted in the channel',
  );
  const [speaker] = engine.runs.map(({ body }) => body.origin?.speaker?.name);
  assert.equal(speaker, 'News');
  await places.say({ account: anna, room: group, text: 'and this?', mention: true, replyTo: copy });
  await until('the next run', () => engine.runs.length === 2);
  assert.match(JSON.stringify(engine.prompts()[1]), /News.*what is a lift\?/);
  engine.complete(engine.runs[1]?.run.runID ?? '', 'And this is longer. '.repeat(400));
  const below = () =>
    sandbox.channels.comments(group, copy).filter(({ text }) => /And this is longer/.test(text));
  await until('a long answer', () => engine.deliveries.length === 2);
  assert.ok(below().length > 1, 'each part of an answer stands below the post');
});

test('comments below a post are a conversation of their own, also on comments, and all that is said there stands below it', async (t) => {
  const { sandbox, engine, until } = await telegramStage(t);
  const { places, channels } = sandbox;
  const [anna, ben] = [places.addAccount('Anna'), places.addAccount('Ben')];
  const group = places.addRoom({ space: 'News', kind: 'private', name: 'Talk', members: [anna, ben] });
  const news = channels.add({ title: 'News', bot: 'administrator' });
  channels.discuss(news, group);
  const [one, two] = ['The lift is broken.', 'The lift is repaired.'].map(
    (text) => channels.post(news, text).copy,
  );
  const ask = async (text: string, replyTo: string): Promise<string> => {
    const id = await places.say({ account: anna, room: group, text, mention: true, replyTo });
    const runs = engine.runs.length;
    await until('a run', () => engine.runs.length > runs);
    engine.complete(engine.runs.at(-1)?.run.runID ?? '', `an answer to: ${text}`);
    await until('the answer', () => engine.deliveries.length === engine.runs.length);
    return id;
  };
  const first = await ask('since when?', one ?? '');
  await ask('by whom?', two ?? '');
  const nested = await places.say({ account: ben, room: group, text: 'since Monday', replyTo: first });
  await ask('is that so?', nested);
  const sessions = engine.runs.map(({ run }) => run.sessionID);
  assert.equal(sessions[0], sessions[2], 'a comment on a comment belongs to its post');
  assert.notEqual(sessions[0], sessions[1]);
  await places.say({ account: anna, room: group, text: '/whoami@parley_sandbox_bot', replyTo: nested });
  const below = (copy = '') => channels.comments(group, copy).map(({ text }) => text);
  await until('the command', () => /guest/.test(below(one).at(-1) ?? ''));
  assert.equal(below(one).filter((text) => /an answer to/.test(text)).length, 2);
  assert.equal(below(two).filter((text) => /an answer to/.test(text)).length, 1);
  await places.say({ account: anna, room: group, text: 'elsewhere', mention: true });
  await until('a run', () => engine.runs.length === 4);
  assert.ok(
    !sessions.includes(engine.runs[3]?.run.sessionID ?? ''),
    'the group itself is another conversation',
  );
});

test('a post of a channel whose comments the bot does not see is answered in the channel', async (t) => {
  const { sandbox, engine, until } = await telegramStage(t);
  const { places, channels } = sandbox;
  const news = channels.add({ title: 'News', bot: 'administrator' });
  const group = places.addRoom({ space: 'News', kind: 'private', name: 'Talk', members: [] });
  channels.discuss(news, group);
  places.setBot(group, false);
  channels.post(news, '@parley_sandbox_bot what is a lift?');
  await until('a run', () => engine.runs.length > 0);
  engine.complete(engine.runs[0]?.run.runID ?? '', 'A cabin that goes up.');
  await until('the answer', () => places.messages(news).length === 2);
  assert.equal(places.messages(news)[1]?.text, 'A cabin that goes up.');
});

test('a group that becomes a supergroup while an answer is made gets it once, there, and keeps its session and what is asked', async (t) => {
  const { sandbox, engine, until, pass } = await telegramStage(t, { people: boss });
  const { places } = sandbox;
  const old = places.addRoom({ space: 'Home', kind: 'basic group', name: 'Home', members: [you] });
  await places.say({ account: you, room: old, text: 'a long one', mention: true });
  await until('a run', () => engine.runs.length === 1);
  const { runID = '', sessionID } = engine.runs[0]?.run ?? {};
  engine.say(runID, 'It begins so. '.repeat(40));
  await until('something of it', () => places.messages(old).length === 2);
  engine.askLeave(runID, 'per_1', {});
  await until('the request', () => places.messages(old).length === 3);
  const room = places.move?.(old) ?? '';
  assert.notEqual(room, old);
  await pass(5_000);
  await places.say({ account: you, room, text: '1', mention: true });
  await until('the leave', () => engine.replies.length === 1);
  engine.say(runID, 'And ends so. '.repeat(40));
  await pass(5_000);
  engine.complete(runID, `${'It begins so. '.repeat(40)}${'And ends so. '.repeat(40)}`);
  await until('the delivery', () => engine.deliveries.length === 1);
  await pass(10_000);
  const whole = places.messages(room).filter(({ text }) => /And ends so\. $|And ends so\.$/.test(text));
  assert.equal(whole.length, 1, JSON.stringify(places.messages(room)));
  await places.say({ account: you, room, text: 'and now?', mention: true });
  await until('the next run', () => engine.runs.length === 2);
  assert.equal(engine.runs[1]?.run.sessionID, sessionID);
});

test('a press on a button in the group that was left behind still approves, and so does one after an anonymous refusal', async (t) => {
  const { sandbox, engine, until } = await telegramStage(t, { people: boss });
  const { places } = sandbox;
  const old = places.addRoom({ space: 'Home', kind: 'basic group', name: 'Home', members: [you] });
  await places.say({ account: you, room: old, text: 'book it', mention: true });
  await until('a run', () => engine.runs.length === 1);
  const runID = engine.runs[0]?.run.runID ?? '';
  engine.askLeave(runID, 'per_1', {});
  await until('the request', () => places.messages(old).length === 2);
  const [, asked] = places.messages(old);
  const room = places.move?.(old) ?? '';
  await places.sayAs({ account: you, room, text: '@parley_sandbox_bot 1' });
  await until('the refusal', () => /who of you writes/.test(places.messages(room).at(-1)?.text ?? ''));
  sandbox.pressButton({ id: asked?.id ?? '', user: 'you', at: 0 });
  await until('the leave', () => engine.replies.length === 1);
  engine.complete(runID, 'Booked.');
  await until('the answer', () => places.messages(room).at(-1)?.text === 'Booked.');
});

test('anyone who connects the bot to a business account learns once that it is not served, and nothing of those chats is fetched', async (t) => {
  const { sandbox, engine, pass, until } = await telegramStage(t);
  const { places, channels } = sandbox;
  const [owner, customer] = [places.addAccount('Olga'), places.addAccount('Carl')];
  const room = places.direct(owner);
  for (const state of ['enabled', 'disabled', 'enabled'] as const) channels.connectBusiness(owner, state);
  channels.sayToBusiness(owner, customer, 'psst, is the flat still free?');
  await until('the refusal', () => places.messages(room).length > 0);
  await pass(5_000);
  assert.equal(places.messages(room).length, 1);
  assert.match(places.messages(room)[0]?.text ?? '', /do not read or answer its chats.*disconnect me/s);
  assert.equal(sandbox.pendingUpdates(), 0);
  assert.equal(engine.runs.length, 0);
});

test('the doctor names the switch by which people may connect the bot to a business account', async (t) => {
  for (const [businessMode, count] of [
    ['off', 0],
    ['on', 1],
  ] as const) {
    const { channel } = await createBench(t, { businessMode });
    const findings = (await channel.check()).filter(({ what }) => /business accounts/.test(what));
    assert.equal(findings.length, count);
    for (const { hint } of findings) assert.match(hint ?? '', /@BotFather.*Business Mode/);
  }
});

test('a comment that comes while the ledger cannot be read is accepted once it can, in its place', async (t) => {
  const { sandbox, sink, start } = await createBench(t, { privacy: 'off' });
  const { places, channels } = sandbox;
  const anna = places.addAccount('Anna');
  const group = places.addRoom({ space: 'News', kind: 'private', name: 'Talk', members: [anna] });
  const news = channels.add({ title: 'News', bot: 'absent' });
  channels.discuss(news, group);
  const { advance } = sink;
  let refusals = 0;
  sink.advance = async (cursor) => {
    if (cursor.name.startsWith('post:') && refusals++ < 2) throw new Error('the disk is full');
    await advance(cursor);
  };
  const { copy } = channels.post(news, 'The lift is broken.');
  start();
  await until('the copy', () => sink.texts().includes('The lift is broken.'));
  assert.equal(refusals, 3);
  assert.equal(sink.messages()[0]?.address.thread, `below-${copy}`);
});

test('below a post, what was written there before is given, and nothing of other posts', async (t) => {
  const { sandbox, sink, start, channel } = await createBench(t, { privacy: 'off' });
  const { places, channels } = sandbox;
  const anna = places.addAccount('Anna');
  const group = places.addRoom({ space: 'News', kind: 'private', name: 'Talk', members: [anna] });
  const news = channels.add({ title: 'News', bot: 'absent' });
  channels.discuss(news, group);
  start();
  const posts = ['The lift is broken.', 'The lift is repaired.'].map(
    (text) => channels.post(news, text).copy ?? '',
  );
  for (const [index, text] of ['since when?', 'by whom?'].entries())
    await places.say({ account: anna, room: group, text, replyTo: posts[index] ?? '' });
  await until('all', () => sink.texts().includes('by whom?'));
  const { address } = sink.messages().find(({ text }) => text === 'since when?') ?? {};
  assert.ok(address);
  const before = await channel.earlier?.(
    address,
    { nativeID: '9999999', limit: 10 },
    new AbortController().signal,
  );
  assert.deepEqual(
    before?.map(({ text }) => text),
    ['The lift is broken.', 'since when?'],
  );
});
