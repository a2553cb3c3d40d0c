// The gateway's delivery over each real client library and its sandbox: limits, previews and indicators as a person would see them.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createGateway, type Gateway } from '#adapters/gateway/gateway.ts';
import { createLimiter } from '#adapters/gateway/pace/limiter.ts';
import { openAccess } from '#adapters/gateway/terms/access-types.ts';
import type { ChatKind } from '#adapters/gateway/terms/address.ts';
import type { CallType } from '#adapters/gateway/terms/channel.ts';
import { systemClock } from '#base/clock.ts';
import { createIds } from '#base/ids.ts';
import type { SandboxChat, SandboxServer, SandboxUser, ShownMessage } from '#sandbox/contract.ts';
import { createScriptedEngine, type ScriptedEngine } from '../adapters/gateway/scripted-engine.ts';
import { clockOf } from '../support/clock-of.ts';
import { found } from '../support/found.ts';
import { quietLog } from '../support/quiet-log.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { type Platform, platforms } from './platforms.ts';

interface Running {
  server: SandboxServer;
  engine: ScriptedEngine;
  gateway: Gateway;
  answers(chat: SandboxChat, user: SandboxUser): ShownMessage[];
}

async function running(t: TestContext, platform: Platform, engine: ScriptedEngine): Promise<Running> {
  const server = await platform.sandbox();
  t.after(() => server.close());
  const clock = systemClock;
  const gateway = createGateway({
    path: join(tempFolder(t), 'gateway.sqlite'),
    engine,
    channels: [
      { channel: platform.channel(server), talk: () => ({ sessions: 'room', access: openAccess('guest') }) },
    ],
    people: {},
    settings: () => ({ agent: 'Parley', debounceMs: 0 }),
    clock,
    newId: createIds(clock),
    log: quietLog().log,
  });
  gateway.start();
  t.after(() => gateway.close(0));
  await found('ready', () => (gateway.status()[0]?.state === 'ready' ? true : undefined));
  const answers: Running['answers'] = (chat, user) =>
    server.shown(chat, user).filter(({ author }) => author === 'bot');
  return { server, engine, gateway, answers };
}

/** A chat where answers in progress are posted and edited. */
const editedIn: Readonly<Record<Platform['name'], SandboxChat>> = {
  discord: 'dm',
  telegram: 'room',
  slack: 'dm',
};

const runStarted = (engine: ScriptedEngine): Promise<true> =>
  found('a run', () => (engine.runs.length > 0 ? true : undefined));

for (const platform of platforms) {
  test(`${platform.name}: a refusal in one chat silences that chat, and the others are answered in the meantime (D4)`, async (t) => {
    const { server, answers } = await running(
      t,
      platform,
      createScriptedEngine(() => 'the answer'),
    );
    server.inject({ kind: 'rate_limit', target: 'send', times: 1, retryAfterMs: 3_600_000 });
    await server.say({ chat: 'dm', user: 'you', text: 'hello' });
    await found('the refusal', () => server.calls().find(({ status }) => status === 429));
    for (const text of ['one', 'two']) {
      const before = answers('dm', 'guest').length;
      await server.say({ chat: 'dm', user: 'guest', text });
      await found('the other answer', () => (answers('dm', 'guest').length > before ? true : undefined));
    }
    assert.deepEqual(answers('dm', 'you'), []);
    assert.equal(
      server.calls().filter(({ status }) => status === 429).length,
      1,
      'and nobody tried it again',
    );
  });

  test(`${platform.name}: a preview whose last edit is refused for a while becomes the answer, in the same message (D1, D2)`, async (t) => {
    const engine = createScriptedEngine();
    const { server, answers } = await running(t, platform, engine);
    const chat = editedIn[platform.name];
    await server.say({ chat, user: 'you', text: 'hello', mention: chat !== 'dm' });
    await runStarted(engine);
    engine.say('run_1', 'This is **half');
    const preview = await found('the preview', () => answers(chat, 'you')[0]);
    assert.equal(preview.text.trim(), 'This is half');
    assert.equal(engine.deliveries.length, 0);
    server.inject({ kind: 'rate_limit', target: 'edit', times: 1, retryAfterMs: 1_000 });
    engine.complete('run_1', 'This is **half** and this the rest.');
    await found('the hand-over', () => engine.deliveries[0]);
    assert.deepEqual(
      answers(chat, 'you').map(({ id, text }) => [id, text.trim()]),
      [[preview.id, 'This is half and this the rest.']],
    );
    const refusal = server.calls().findIndex(({ status }) => status === 429);
    const [refused, ...after] = server.calls().slice(refusal);
    const again = after.find(({ name, status }) => name === refused?.name && status === 200);
    assert.ok(refused && again && again.at - refused.at >= 1_000, 'not before the time was over');
  });
}

const minGaps: Readonly<Record<Platform['name'], Record<'dm' | 'group' | 'channel', number>>> = {
  discord: { dm: 3_000, group: 3_000, channel: 3_000 },
  slack: { dm: 3_000, group: 3_000, channel: 3_000 },
  telegram: { dm: 3_000, group: 3_000, channel: 3_000 },
};

/** Calls that the documented rates let pass within a time when as many as possible are made; more than 1000 is no limit. */
const most: Readonly<Record<Platform['name'], Record<string, number>>> = {
  // 50 a second in all
  discord: { 'edit in a dm in 1 s': 50, 'send in a group in 1 s': 50 },
  // chat.postMessage about one a second in a channel; chat.update tier 3, chat.appendStream tier 4, for the workspace
  slack: { 'send in a dm in 60 s': 60, 'edit in a group in 60 s': 50, 'live in a group in 60 s': 100 },
  // about one a second in a chat, 20 a minute in a group, edits counted
  telegram: { 'send in a dm in 60 s': 60, 'edit in a dm in 60 s': 60, 'edit in a group in 60 s': 20 },
};

for (const platform of platforms) {
  test(`${platform.name}: steps of a preview and all calls together stay below the platform's documented rates (D5)`, async (t) => {
    const server = await platform.sandbox();
    t.after(() => server.close());
    const { caps } = platform.channel(server);
    for (const kind of ['dm', 'group', 'channel'] as const)
      assert.ok(caps.editGapMs[kind] >= minGaps[platform.name][kind], `${kind}: ${caps.editGapMs[kind]} ms`);
    for (const [what, limit] of Object.entries(most[platform.name])) {
      const [act, , , kind, , seconds] = what.split(' ') as [
        CallType,
        string,
        string,
        ChatKind,
        string,
        string,
      ];
      let now = 0;
      const limiter = createLimiter({
        clock: clockOf(() => now, systemClock.sleep),
        capsOf: () => caps,
      });
      const address = { platform: platform.name, account: 'bot', chat: 'C', kind };
      let calls = 0;
      for (; now < Number(seconds) * 1_000 && calls <= 1_000; now += 10)
        while (limiter.tryTake({ address, act, urgency: 'final' })) calls += 1;
      assert.ok(calls > 0 && calls <= limit, `${what}: ${calls} calls`);
    }
  });
}

const [discord, , slack] = platforms as readonly [Platform, Platform, Platform];

test('discord: an answer that outgrows its message while it is written continues in the next, and stands whole (D9, C2)', async (t) => {
  const engine = createScriptedEngine();
  const { server, answers } = await running(t, discord, engine);
  await server.say({ chat: 'dm', user: 'you', text: 'hello' });
  await runStarted(engine);
  const words = Array.from({ length: 700 }, (_, at) => `word${at}`);
  engine.say('run_1', words.slice(0, 500).join(' '));
  await found('the second message', () => answers('dm', 'you')[1]);
  engine.complete('run_1', words.join(' '));
  await found('the hand-over', () => engine.deliveries[0]);
  const shown = answers('dm', 'you');
  assert.ok(shown.length >= 3);
  assert.deepEqual(
    shown
      .map(({ text }) => text)
      .join(' ')
      .split(/\s+/),
    words,
  );
  assert.deepEqual(
    engine.deliveries[0]?.nativeIDs,
    shown.map(({ id }) => id),
  );
  assert.ok(server.calls().every(({ status }) => status < 400));
});

test('slack: thinking is set again after a post in its thread, and is gone with the answer (I2, I3)', async (t) => {
  const engine = createScriptedEngine();
  const { server, answers } = await running(t, slack, engine);
  const { id } = await server.say({ chat: 'room', user: 'you', text: 'hello', mention: true });
  await runStarted(engine);
  await found('thinking', () => (server.typing('room', 'you') ? true : undefined));
  await server.say({ chat: 'room', user: 'you', text: '/help', mention: true, thread: id });
  await found('the help', () => answers('room', 'you')[0]);
  await found('thinking again', () => (server.typing('room', 'you') ? true : undefined));
  engine.complete('run_1', 'done');
  await found('the answer', () => answers('room', 'you').find(({ text }) => text.trim() === 'done'));
  await found('the hand-over', () => engine.deliveries[0]);
  assert.equal(server.typing('room', 'you'), false);
  const names = server.calls().map(({ name }) => name);
  const status = names.flatMap((name, at) => (name === 'assistant.threads.setStatus' ? [at] : []));
  assert.ok(
    status.every((at) => at < names.lastIndexOf('chat.postMessage')),
    'no sign after the answer',
  );
});
