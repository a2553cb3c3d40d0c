// Two people in a thread with the bot, over each real client library: it answers one person alone, and waits for its name among others.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { SandboxServer, SandboxUser } from '#sandbox/contract.ts';
import type { DiscordSandbox } from '#sandbox/discord/server.ts';
import type { TelegramSandbox } from '#sandbox/telegram/server.ts';
import { type Platform, platforms, stageOn } from './platforms.ts';

/** Opens a thread in the room, where the bot sees what is written without its name. */
const opened: Readonly<Record<Platform['name'], (sandbox: SandboxServer) => Promise<string>>> = {
  discord: async (sandbox) => (sandbox as DiscordSandbox).openThread({ chat: 'room', name: 'plans' }).id, // made by the platform of that name
  slack: async (sandbox) => (await sandbox.say({ chat: 'room', user: 'you', text: 'plans' })).id,
  async telegram(sandbox) {
    const telegram = sandbox as TelegramSandbox; // made by the platform of that name
    telegram.setPrivacy('off');
    return telegram.createTopic('plans');
  },
};
/** How another person is called by name. */
const callsGuest: Readonly<Record<Platform['name'], (sandbox: SandboxServer) => string>> = {
  discord: (sandbox) => `<@${sandbox.userID('guest')}> look`,
  slack: () => '@guest look',
  telegram: () => '@somebody_else look',
};

for (const platform of platforms) {
  const onStage = async (t: TestContext) => {
    const on = await stageOn(t, platform, 'room');
    const { sandbox, engine, until } = on;
    const thread = await opened[platform.name](sandbox);
    const said = async (user: SandboxUser, text: string, over: { mention?: true; replyTo?: string } = {}) =>
      (await sandbox.say({ chat: 'room', user, text, thread, ...over })).id;
    /** Says it by name and waits for the answer: what was written before it has been looked at then. */
    const requestedByName = async (user: SandboxUser, text: string): Promise<void> => {
      await said(user, text, { mention: true });
      await until(text, () => engine.prompts().at(-1)?.at(-1)?.includes(text) === true);
      engine.complete(engine.runs.at(-1)?.run.runID ?? '', 'Yes.');
      await until(`the answer to ${text}`, () => engine.deliveries.length === engine.runs.length);
    };
    return { ...on, said, requestedByName };
  };

  test(`${platform.name}: a thread between one person and the bot is answered without its name, until someone else talks there`, async (t) => {
    const { engine, until, said, requestedByName } = await onStage(t);
    await requestedByName('you', 'first');
    await said('you', 'second');
    await until('an answer without the name', () => engine.runs.length === 2);
    engine.complete('run_2', 'Yes.');
    await until('the answer', () => engine.deliveries.length === 2);
    await said('guest', 'I see it otherwise');
    await said('you', 'do you');
    await requestedByName('guest', 'and you?');
    assert.equal(engine.runs.length, 3, JSON.stringify(engine.prompts()));
  });

  test(`${platform.name}: someone who calls someone else in a thread does not talk to the bot`, async (t) => {
    const { engine, sandbox, said, requestedByName } = await onStage(t);
    await requestedByName('you', 'first');
    await said('you', callsGuest[platform.name](sandbox));
    await said('you', 'at this');
    await requestedByName('you', 'third');
    assert.equal(engine.runs.length, 2, JSON.stringify(engine.prompts()));
  });

  test(`${platform.name}: a bot that is called into someone else's thread is not alone with the person who called`, async (t) => {
    const { engine, said, requestedByName } = await onStage(t);
    await said('guest', 'shall we?');
    await requestedByName('you', 'first');
    await said('you', 'well');
    await requestedByName('you', 'second');
    assert.equal(engine.runs.length, 2, JSON.stringify(engine.prompts()));
  });
}
