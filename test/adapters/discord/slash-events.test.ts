// What the gateway is told of slash commands, and when Discord is told that they arrived: discord.js against the sandbox's server.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createDiscordChannel } from '#adapters/discord/channel.ts';
import { isWhereTheBotIs, slashPayload } from '#adapters/discord/events/read-interaction.ts';
import type { MessageEvent } from '#adapters/gateway/terms/inbound.ts';
import { systemClock } from '#base/clock.ts';
import { createDiscordSandbox, type DiscordSandbox } from '#sandbox/discord/server.ts';
import { until } from '../../support/found.ts';
import { createManualClock, type ManualClock } from '../../support/manual-clock.ts';
import { quietLog } from '../../support/quiet-log.ts';
import { connect, type MemorySink, memorySink, openSandbox } from './harness.ts';

const callback = 'POST /interactions/:id/:token/callback';
const acknowledged = (sandbox: DiscordSandbox) => sandbox.calls().filter(({ name }) => name === callback);

interface Standing {
  sandbox: DiscordSandbox;
  sink: MemorySink;
  clock: ManualClock;
  /** How often an event was handed in, also while it is held. */
  handedIn(): number;
  lines: string[];
}

/** A connected channel whose time, and Discord's, stands still until the test moves it. */
async function standing(t: TestContext): Promise<Standing> {
  const clock = createManualClock();
  const sandbox = await createDiscordSandbox({ clock });
  t.after(() => sandbox.close());
  const { log, lines } = quietLog();
  const channel = createDiscordChannel({ token: sandbox.tokens.bot, apiUrl: sandbox.url, clock, log });
  const sink = memorySink();
  let handedIn = 0;
  const over = new AbortController();
  const accept: MemorySink['accept'] = (event, cursor) => {
    handedIn += 1;
    return sink.accept(event, cursor);
  };
  const running = channel.run({ ...sink, accept }, over.signal);
  t.after(async () => {
    over.abort();
    await running;
  });
  await until('the commands are registered', () => sandbox.commands().length > 0);
  return { sandbox, sink, clock, handedIn: () => handedIn, lines };
}

/** The first event of a slash command. */
async function eventOf(sink: MemorySink, id: string): Promise<MessageEvent> {
  await until(`the command ${id} came`, () => sink.messages().some(({ nativeID }) => nativeID === id));
  const event = sink.messages().find(({ nativeID }) => nativeID === id);
  assert.ok(event);
  return event;
}

test('a command is deferred when it is stored, and within a second although storing it hangs (I4)', async (t) => {
  const { sandbox, sink, clock, handedIn } = await standing(t);
  sandbox.slash({ chat: 'dm', user: 'you', name: 'help' });
  await until('the first is deferred', () => acknowledged(sandbox).length === 1);
  const release = sink.hold();
  let id = '';
  const requestedAt = clock.now();
  try {
    ({ id } = sandbox.slash({ chat: 'dm', user: 'you', name: 'help' }));
    await until('it is handed in', () => handedIn() === 2);
    await clock.advance(400);
    assert.equal(acknowledged(sandbox).length, 1, 'what is not stored is not acknowledged yet');
    await clock.advance(200);
    await until('the second is deferred', () => acknowledged(sandbox).length === 2);
    const [, second] = acknowledged(sandbox);
    assert.equal(second?.status, 204);
    assert.ok(second.at - requestedAt < 1_000, `${second.at - requestedAt} ms`);
    assert.equal(sink.messages().length, 1);
  } finally {
    release();
  }
  await eventOf(sink, id);
});

test('a command that is never stored before the connection ends is not deferred (I4)', async (t) => {
  const clock = createManualClock();
  const sandbox = await createDiscordSandbox({ clock });
  t.after(() => sandbox.close());
  const { log } = quietLog();
  const channel = createDiscordChannel({ token: sandbox.tokens.bot, apiUrl: sandbox.url, clock, log });
  const over = new AbortController();
  let handedIn = 0;
  const accept: MemorySink['accept'] = () => {
    handedIn += 1;
    return new Promise((_, reject) =>
      over.signal.addEventListener('abort', () => reject(over.signal.reason)),
    );
  };
  const running = channel.run({ ...memorySink(), accept }, over.signal);
  await until('the commands are registered', () => sandbox.commands().length > 0);
  sandbox.slash({ chat: 'dm', user: 'you', name: 'help' });
  await until('it is handed in', () => handedIn === 1);
  over.abort();
  await running;
  assert.deepEqual(acknowledged(sandbox), []);
});

test('a slash command is the typed command, of its person in its place', async () => {
  await using opened = await openSandbox();
  const { sandbox } = opened;
  await using connected = await connect({ sandbox });
  const { sink } = connected;
  await until('the commands are registered', () => sandbox.commands().length > 0);
  const direct = await eventOf(sink, sandbox.slash({ chat: 'dm', user: 'guest', name: 'new' }).id);
  const { placeholder, at, ...rest } = direct;
  assert.ok(placeholder);
  assert.ok(Math.abs(at - systemClock.now()) < 60_000);
  assert.deepEqual(rest, {
    type: 'message',
    address: {
      platform: 'discord',
      account: sandbox.botID,
      chat: sandbox.channelID('dm', 'guest'),
      kind: 'dm',
    },
    nativeID: direct.nativeID,
    actor: { id: sandbox.userID('guest'), name: 'Guest', isBot: false, locale: 'en-US' },
    addressed: 'dm',
    text: '/new',
    files: [],
  });
  const room = await eventOf(sink, sandbox.slash({ chat: 'private', user: 'you', name: 'stop' }).id);
  assert.deepEqual(
    [room.addressed, room.room, room.address.space, room.address.thread],
    [
      'mention',
      { names: { space: 'Sandbox', channel: 'private' }, restricted: true },
      sandbox.guildID,
      undefined,
    ],
  );
  const thread = sandbox.openThread({ chat: 'room', name: 'talk' }).id;
  const inThread = await eventOf(sink, sandbox.slash({ chat: 'room', user: 'you', thread, name: 'stop' }).id);
  assert.equal(inThread.address.chat, sandbox.channelID('room', 'you'));
  assert.equal(inThread.address.thread, thread);
});

test('a command of another version is neither taken nor acknowledged', async (t) => {
  const { sandbox, sink, lines } = await standing(t);
  await fetch(`${sandbox.url}/v10/applications/${sandbox.botID}/commands`, {
    method: 'PUT',
    headers: { Authorization: `Bot ${sandbox.tokens.bot}` },
    body: JSON.stringify(['fly', 'help'].map((name) => ({ name, description: 'x' }))),
  });
  sandbox.slash({ chat: 'dm', user: 'you', name: 'fly' });
  const { id } = sandbox.slash({ chat: 'dm', user: 'you', name: 'help' });
  await eventOf(sink, id);
  await until('it is deferred', () => acknowledged(sandbox).length === 1);
  assert.deepEqual(sink.texts(), ['/help']);
  assert.ok(lines.some((line) => line.includes('slash command not taken')));
});

test('a command that was run where the bot is not is not taken: nobody knows who reads along there', () => {
  const base = { id: '1', application_id: '2', token: 't', channel_id: '3', data: { name: 'memory' } };
  const isTaken = (more: object): boolean => isWhereTheBotIs(slashPayload.parse({ ...base, ...more }));
  const [guildInstall, userInstall] = [{ 0: '9' }, { 1: '5' }];
  const [inGuild, withBot, between] = [{ context: 0, guild_id: '9' }, { context: 1 }, { context: 2 }];
  assert.ok(isTaken({ ...inGuild, authorizing_integration_owners: guildInstall }));
  assert.ok(isTaken({ ...withBot, authorizing_integration_owners: { 0: '0' } }));
  assert.ok(!isTaken({ ...inGuild, authorizing_integration_owners: userInstall }));
  assert.ok(!isTaken({ ...between, authorizing_integration_owners: userInstall }));
  assert.ok(!isTaken({ ...between, authorizing_integration_owners: guildInstall }));
});
