// What people and rooms may use within a day: counted over all accounts of a person, said when it is reached.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { openAccess } from '#adapters/gateway/access/access-types.ts';
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
