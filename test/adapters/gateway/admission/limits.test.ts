// What people and rooms may use within a day: counted over all accounts of a person, said when it is reached.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { openAccess } from '#adapters/gateway/terms/access-types.ts';
import { type Harness, type HarnessOptions, startHarness } from '../harness.ts';
import { createScriptedChannel, dm, message, room } from '../scripted-channel.ts';
import { createScriptedEngine } from '../scripted-engine.ts';

const people = {
  boss: { role: 'owner' as const, accounts: ['discord:u9'] },
  ann: { role: 'member' as const, accounts: ['discord:u1', 'discord:u2'] },
};
const as = (id: string) => ({ actor: { id, name: id, isBot: false }, address: { ...dm, chat: `D-${id}` } });
const inRoom = (id: string) => ({ ...as(id), address: room, addressed: 'mention' as const });

const start = (t: TestContext, options: HarnessOptions): Promise<Harness> =>
  startHarness(t, {
    channel: createScriptedChannel({ partLimit: 4_000 }),
    engine: createScriptedEngine(() => 'ok'),
    access: openAccess('guest'),
    people,
    ...options,
  });
const assistants = {
  all: [
    { name: 'Parley', choosableBy: 'guest' },
    { name: 'Ada 100%', choosableBy: 'guest' },
    { name: 'clerk', choosableBy: 'guest' },
  ],
  bindings: [{ assistant: 'Ada 100%', platform: 'discord', room: room.chat }],
} as const;
const said = (h: Harness, wanted: RegExp) =>
  h.channel.messages.filter(({ text }) => wanted.test(text)).length;

test('messages of a person count on all of their accounts; commands do not, owners have no limit, and the day goes by (TAB)', async (t) => {
  const h = await start(t, { limits: { person: { messages: 2 }, room: {} } });
  const say = (id: string, text: string, who: object) => h.channel.sink.accept(message(id, text, who));
  assert.equal(await say('1', 'one', as('u1')), 'accepted');
  assert.equal(await say('2', '/whoami', as('u1')), 'accepted');
  assert.equal(await say('3', 'two', as('u2')), 'accepted');
  assert.equal(await say('4', 'three', as('u1')), 'ignored');
  assert.equal(await say('5', 'four', as('u1')), 'ignored');
  assert.equal(await say('6', '/help', as('u1')), 'accepted');
  await h.pass(500);
  assert.equal(said(h, /reached your limit of 2 messages in 24 hours/), 1, 'told once an hour');
  assert.equal(await say('7', 'hi', as('u3')), 'accepted', 'each person has their own');
  for (const id of ['b1', 'b2', 'b3']) assert.equal(await say(id, 'hi', as('u9')), 'accepted');
  await h.pass(500);
  assert.deepEqual(h.engine.prompts().flat().includes('three'), false);
  await h.clock.advance(24 * 60 * 60_000);
  assert.equal(await say('8', 'five', as('u1')), 'accepted');
  await h.pass(500);
});

test('tokens and cost count once an answer stands, and across a restart', async (t) => {
  const h = await start(t, {
    engine: createScriptedEngine(),
    limits: { person: { tokens: 1_000 }, room: { costUSD: 0.5 } },
  });
  const use = (runID: string, outputTokens: number, costUSD: number): void => {
    const run = h.engine.runs.find((one) => one.run.runID === runID)?.run;
    const usage = {
      calls: 1,
      inputTokens: 100,
      cachedInputTokens: 0,
      outputTokens,
      reasoningTokens: 0,
      costUSD,
    };
    if (run !== undefined) run.usage = usage;
    h.engine.complete(runID, 'ok');
  };
  await h.channel.sink.accept(message('1', 'long please', as('u1')));
  await h.pass();
  use('run_1', 900, 0.1);
  await h.pass(1_000);
  await h.restart();
  assert.equal(await h.channel.sink.accept(message('2', 'more', as('u1'))), 'ignored');
  await h.pass();
  assert.equal(said(h, /limit of 1,000 tokens/), 1);
  await h.channel.sink.accept(message('3', 'hi', inRoom('u3')));
  await h.pass();
  use('run_2', 10, 0.5);
  await h.pass(1_000);
  assert.equal(await h.channel.sink.accept(message('4', 'hi', inRoom('u4'))), 'ignored');
  await h.pass();
  assert.equal(said(h, /This chat has reached its limit of \$0\.50 in 24 hours/), 1);
  assert.equal(
    await h.channel.sink.accept(message('5', 'hi', as('u4'))),
    'accepted',
    'in private there is no room',
  );
  await h.pass();
});

test('a message that was taken is not refused when the platform reports it again', async (t) => {
  const h = await start(t, { limits: { person: { messages: 1 }, room: {} } });
  assert.equal(await h.channel.sink.accept(message('1', 'one', as('u1'))), 'accepted');
  assert.equal(await h.channel.sink.accept(message('1', 'one', as('u1'))), 'duplicate');
  await h.pass(500);
  assert.equal(said(h, /limit of/), 0);
});

test('what is written in a room counts there for everyone, commands and other rooms do not (TAB)', async (t) => {
  const h = await start(t, { limits: { person: {}, room: { messages: 2 } } });
  const say = (id: string, text: string, who: object) => h.channel.sink.accept(message(id, text, who));
  for (const id of ['c1', 'c2', 'c3']) assert.equal(await say(id, '/whoami', inRoom('u3')), 'accepted');
  assert.equal(await say('1', 'one', inRoom('u3')), 'accepted');
  assert.equal(await say('2', 'two', { ...inRoom('u3'), address: { ...room, chat: 'C2' } }), 'accepted');
  assert.equal(await say('3', 'three', inRoom('u4')), 'accepted');
  assert.equal(await say('4', 'four', inRoom('u5')), 'ignored');
  await h.pass(500);
});

test('a retry is a message as any other: a person who has used what they may is refused one', async (t) => {
  const h = await start(t, { limits: { person: { messages: 2 }, room: {} } });
  const say = async (id: string, text: string): Promise<void> => {
    await h.channel.sink.accept(message(id, text, as('u1')));
    await h.pass(500);
  };
  await say('1', 'one');
  await say('2', '/retry');
  assert.equal(h.engine.runs.length, 2);
  for (const id of ['3', '4', '5']) await say(id, '/retry');
  assert.equal(h.engine.runs.length, 2);
  assert.equal(said(h, /reached your limit of 2 messages in 24 hours/), 3, 'each command is answered');
});

test('what an assistant may answer counts for everyone who writes to it, wherever; another one answers on, and so does it tomorrow', async (t) => {
  const limits = {
    ...{ person: {}, room: {}, assistant: { messages: 3 } },
    assistants: { 'Ada 100%': { messages: 2 } },
  };
  const h = await start(t, { limits, assistants });
  const say = (id: string, text: string, who: object) => h.channel.sink.accept(message(id, text, who));
  assert.equal(await say('1', 'one', inRoom('u3')), 'accepted');
  assert.equal(await say('2', '/assistant Ada 100%', as('u4')), 'accepted');
  await h.pass(500);
  assert.equal(await say('3', 'two', as('u4')), 'accepted');
  assert.equal(await say('4', 'three', as('u4')), 'ignored', 'in private, where it was chosen');
  assert.equal(await say('5', 'four', inRoom('u6')), 'ignored', 'from one who was never met, in the room');
  await h.pass(500);
  assert.equal(said(h, /Ada 100% has reached the limit of 2 messages in 24 hours/), 2);
  for (const [id, taken] of [
    ['6', 'accepted'],
    ['7', 'accepted'],
    ['8', 'accepted'],
    ['9', 'ignored'],
  ] as const)
    assert.equal(
      await say(id, 'hi', as(`p${id}`)),
      taken,
      `${id}, to the usual one, which has the limit of all`,
    );
  await h.pass(500);
  assert.equal(said(h, /Parley has reached the limit of 3 messages/), 1);
  assert.equal(await say('10', 'hi', as('u9')), 'accepted', 'owners are not refused');
  assert.equal(await say('11', '/assistant clerk', as('u4')), 'accepted');
  await h.pass(500);
  assert.equal(await say('12', 'hi', as('u4')), 'accepted', 'another one has used nothing');
  await h.pass(500);
  await h.restart();
  assert.equal(await say('13', 'five', inRoom('u7')), 'ignored', 'also after a restart');
  await h.clock.advance(24 * 60 * 60_000);
  assert.equal(await say('14', 'six', inRoom('u3')), 'accepted');
  await h.pass(500);
});

test('tokens and cost of an assistant count together for all who ask it, and a retry is refused as a message is', async (t) => {
  const limits = {
    person: {},
    room: {},
    assistants: { 'Ada 100%': { tokens: 1_000 }, clerk: { costUSD: 1 } },
  };
  const h = await start(t, { limits, assistants, engine: createScriptedEngine() });
  const use = async (runID: string, outputTokens: number): Promise<void> => {
    await h.pass(500);
    const run = h.engine.runs.find((one) => one.run.runID === runID)?.run;
    assert.ok(run);
    const counts = { calls: 1, inputTokens: 100, cachedInputTokens: 0, reasoningTokens: 0 };
    run.usage = { ...counts, outputTokens, costUSD: 5 };
    h.engine.complete(runID, 'ok');
    await h.pass(1_000);
  };
  await h.channel.sink.accept(message('1', 'one', inRoom('u3')));
  await use('run_1', 800);
  assert.equal(await h.channel.sink.accept(message('2', 'two', inRoom('u4'))), 'accepted', '900 of 1,000');
  await use('run_2', 100);
  assert.equal(await h.channel.sink.accept(message('3', 'three', inRoom('u5'))), 'ignored');
  await h.channel.sink.accept(message('4', '/retry', inRoom('u4')));
  await h.pass(500);
  assert.equal(h.engine.runs.length, 2);
  assert.equal(said(h, /Ada 100% has reached the limit of 1,000 tokens/), 2);
  await h.channel.sink.accept(message('5', '/assistant clerk', as('u4')));
  await h.pass(500);
  await h.channel.sink.accept(message('6', 'hi', as('u4')));
  await use('run_3', 1);
  assert.equal(await h.channel.sink.accept(message('7', 'hi', as('u4'))), 'ignored');
  await h.pass(500);
  assert.equal(said(h, /clerk has reached the limit of \$1\.00/), 1);
  assert.equal(
    await h.channel.sink.accept(message('8', 'hi', as('u3'))),
    'accepted',
    'the usual one has none',
  );
  await h.pass(500);
});
