// Answers that a room does not take, over each real client library: told in private, seen in the status, and in nobody's way.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { SandboxServer, ShownMessage } from '#sandbox/contract.ts';
import type { DiscordSandbox } from '#sandbox/discord/server.ts';
import { permissionBits } from '#sandbox/discord/world/permission-bits.ts';
import type { SlackSandbox } from '#sandbox/slack/server.ts';
import type { TelegramSandbox } from '#sandbox/telegram/server.ts';
import { type Platform, platforms, stageOn } from './platforms.ts';

const onStage = async (t: TestContext, platform: Platform) => {
  const on = await stageOn(t, platform, 'room');
  const { sandbox, engine, until } = on;
  const direct = (): ShownMessage[] => sandbox.shown('dm', 'you').filter(({ author }) => author === 'bot');
  /** An exchange in the direct message. */
  const askInPrivate = async (): Promise<void> => {
    const [runs, shown] = [engine.runs.length, direct().length];
    await sandbox.say({ chat: 'dm', user: 'you', text: 'hello' });
    await until('a run in private', () => engine.runs.length > runs);
    engine.complete(engine.runs.at(-1)?.run.runID ?? '', 'Hello.');
    await until('an answer in private', () => direct().length > shown);
  };
  return { ...on, direct, askInPrivate };
};

const deny = (sandbox: DiscordSandbox, bits: bigint): void =>
  sandbox.places.admin.setOverwrite(sandbox.channelID('room', 'you'), {
    id: sandbox.botID,
    of: 'member',
    deny: bits,
  });

/** Takes from the bot what it needs to write in the room, and the click that gives it back. */
const closed: Readonly<Record<Platform['name'], { close(sandbox: SandboxServer): void; hint: RegExp }>> = {
  discord: {
    close: (sandbox) => deny(sandbox as DiscordSandbox, permissionBits.sendMessages), // each is made by the platform of that name
    hint: /Missing Permissions.*Edit Channel, Permissions/,
  },
  slack: { close: (sandbox) => (sandbox as SlackSandbox).archive(), hint: /is_archived.*Unarchive/ },
  telegram: {
    close: (sandbox) => (sandbox as TelegramSandbox).setReadOnly('room'),
    hint: /not enough rights.*Permissions/,
  },
};

for (const platform of platforms)
  test(`${platform.name}: an answer that the room refuses is reported in private with the hint, once, and the chat continues`, async (t) => {
    const { sandbox, engine, ask, until, answers, direct, askInPrivate, gateway, pass } = await onStage(
      t,
      platform,
    );
    await askInPrivate();
    for (const round of [1, 2]) {
      const run = await ask(`question ${round}`);
      closed[platform.name].close(sandbox);
      engine.complete(run, 'For the room alone.');
      await until('the refusal', () => gateway.status()[0]?.refused.length === 1);
      await pass(2_000);
    }
    await until('the words', () => direct().length === 2);
    const told = direct()[1]?.text.replace(/\s+/g, ' ') ?? '';
    assert.match(told, /could not post my answer to you in /);
    assert.match(told, closed[platform.name].hint);
    assert.doesNotMatch(told, /For the room/);
    assert.match(gateway.status()[0]?.refused[0] ?? '', closed[platform.name].hint);
    assert.deepEqual(answers(), []);
    assert.equal(engine.deliveries.length, 1, 'no more than the one in private');
    await askInPrivate();
    assert.equal(direct().length, 3);
  });

const [discord] = platforms as readonly [Platform, ...Platform[]];

/** Telegram's bots may not begin to write to a person. */
for (const platform of platforms.filter(({ name }) => name !== 'telegram'))
  test(`${platform.name}: anyone who never wrote in private gets the note there all the same`, async (t) => {
    const { sandbox, engine, ask, until, direct } = await onStage(t, platform);
    const run = await ask('question');
    closed[platform.name].close(sandbox);
    engine.complete(run, 'For the room only.');
    await until('the words', () => direct().length === 1);
    assert.match(direct()[0]?.text ?? '', /could not post my answer to you in /);
  });

test('discord: without "Read Message History" the answer is there once, and is no reply', async (t) => {
  const { sandbox, engine, ask, until, answers } = await onStage(t, discord);
  const run = await ask('question');
  deny(sandbox as DiscordSandbox, permissionBits.readMessageHistory);
  engine.complete(run, 'The answer.');
  await until('the answer', () => engine.deliveries.length === 1);
  assert.deepEqual(
    answers().map(({ text, replyTo }) => [text.trim(), replyTo]),
    [['The answer.', undefined]],
  );
});

test('discord: an answer into a thread that was locked in the meantime is reported in private, with the way to open it', async (t) => {
  const { sandbox, engine, until, direct, gateway } = await onStage(t, discord);
  const server = sandbox as DiscordSandbox;
  const { id } = server.openThread({ chat: 'room', name: 'plans' });
  await server.say({ chat: 'room', user: 'you', text: 'well?', mention: true, thread: id });
  await until('a run', () => engine.runs.length === 1);
  server.lockThread(id);
  engine.complete('run_1', 'For the thread.');
  await until('the words', () => direct().length === 1);
  assert.match(direct()[0]?.text ?? '', /Thread is archived.*Unlock Thread/s);
  assert.match(gateway.status()[0]?.refused[0] ?? '', /Unlock Thread/);
});
