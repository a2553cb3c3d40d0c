// The three channels, each with its real client library, its sandbox server and a sink that keeps what came.
import type { TestContext } from 'node:test';
import { createDiscordChannel } from '#adapters/discord/channel.ts';
import { passingRefused } from '#adapters/gateway/intake/refused-events.ts';
import { isBehind } from '#adapters/gateway/ledger/cursors.ts';
import type { Channel } from '#adapters/gateway/terms/channel.ts';
import type { Cursor, InboundEvent, MessageEvent, Sink } from '#adapters/gateway/terms/inbound.ts';
import { createSlackChannel } from '#adapters/slack/channel.ts';
import { createTelegramChannel } from '#adapters/telegram/channel.ts';
import { type Clock, systemClock } from '#base/clock.ts';
import type { SandboxChat, SandboxServer } from '#sandbox/contract.ts';
import { createDiscordSandbox } from '#sandbox/discord/server.ts';
import { createSlackSandbox } from '#sandbox/slack/server.ts';
import { createTelegramSandbox } from '#sandbox/telegram/server.ts';
import { type LiveStage, stage } from '../adapters/gateway/live-stage.ts';
import { found } from '../support/found.ts';
import { quietLog } from '../support/quiet-log.ts';

const clock = systemClock;

export interface Platform {
  name: 'discord' | 'telegram' | 'slack';
  /** On the clock of this machine unless set otherwise. */
  sandbox(other?: { clock: Clock }): Promise<SandboxServer>;
  /** With the token and the clock of this machine unless set otherwise. */
  channel(server: SandboxServer, other?: { token?: string; clock?: Clock }): Channel;
}

export const platforms: readonly Platform[] = [
  {
    name: 'discord',
    sandbox: (other) => createDiscordSandbox({ clock, ...other }),
    channel: ({ url, tokens }, other) =>
      createDiscordChannel({ token: tokens.bot, clock, ...other, apiUrl: url, log: quietLog().log }),
  },
  {
    name: 'telegram',
    sandbox: (other) => createTelegramSandbox({ clock, ...other }),
    channel: ({ url, tokens }, other) =>
      createTelegramChannel({ token: tokens.bot, clock, ...other, apiUrl: url, log: quietLog().log }),
  },
  {
    name: 'slack',
    sandbox: (other) => createSlackSandbox({ clock, ...other }),
    channel: ({ url, tokens }, { token = tokens.bot, ...other } = {}) =>
      createSlackChannel({
        botToken: token,
        appToken: tokens.app,
        clock,
        ...other,
        apiUrl: url,
        log: quietLog().log,
      }),
  },
];

/** A gateway over this platform's library and sandbox, in a chat of `you`, on one clock that the test moves. */
export function stageOn(
  t: Pick<TestContext, 'after'>,
  { sandbox: started, channel }: Platform,
  chat: SandboxChat,
): Promise<LiveStage<SandboxServer>> {
  return stage(t, {
    chat,
    async open(clock) {
      const sandbox = await started({ clock });
      return { sandbox, channel: channel(sandbox, { clock }) };
    },
  });
}

export interface Connected {
  server: SandboxServer;
  channel: Channel;
  /** Messages in the order in which they were accepted. */
  messages: MessageEvent[];
  events: InboundEvent[];
  /** How many of the next `accept` calls fail, as a full disk would make them. */
  refuse(times: number): void;
  /** Breaks the next thing that the platform brings, before it is accepted and each time; gives how often that was. */
  breakNext(): () => number;
  /** Why things were passed by. */
  passed: string[];
  /** Resolves with the message once it was accepted. */
  received(id: string): Promise<MessageEvent>;
  disconnect(): Promise<void>;
}

/** One message or update, as adapters call it. */
const broken = /^(?:discord message|telegram update|slack \S+ \d)/;

/** Connects a channel to a server and waits until it is ready. */
export async function connect(platform: Platform, server: SandboxServer, clock?: Clock): Promise<Connected> {
  const channel = platform.channel(server, clock && { clock });
  const ended = new AbortController();
  const events: InboundEvent[] = [];
  const cursors = new Map<string, string>();
  let refusals = 0;
  let ready = false;
  const advance = ({ name, value }: Cursor): void => {
    const current = cursors.get(name);
    if (current === undefined || !isBehind(value, current)) cursors.set(name, value);
  };
  let breaking: { key: string | undefined; times: number } | undefined;
  const passed: string[] = [];
  const accept: Sink['accept'] = async (event, cursor) => {
    if (refusals > 0) {
      refusals -= 1;
      throw new Error('the disk is full');
    }
    if (cursor !== undefined) advance(cursor);
    const known = event.type === 'message' && messages().some(({ nativeID }) => nativeID === event.nativeID);
    if (!known) events.push(event);
    return known ? 'duplicate' : 'accepted';
  };
  const bounded = passingRefused({
    ...{ accept, pass: advance, explain: channel.explain },
    ...{ clock: clock ?? systemClock, log: quietLog().log, giveUpMs: () => 600_000 },
    passedBy: (why) => passed.push(why),
  });
  const sink: Sink = {
    accept,
    take: (what, work) =>
      bounded.take(what, async () => {
        if (breaking !== undefined && broken.test(what.key)) breaking.key ??= what.key;
        if (breaking?.key !== what.key) return work();
        breaking.times += 1;
        throw new TypeError('it has no place');
      }),
    advance: async (cursor) => advance(cursor),
    pass: advance,
    cursor: async (name) => cursors.get(name),
    chats: async () => messages().map(({ address }) => address),
    accepted: async () => [],
    unanswered: async () => [],
    disown: async () => undefined,
    reportBacklog: () => {},
    report: (state) => {
      ready = state === 'ready';
    },
    alive: () => {},
  };
  const messages = (): MessageEvent[] => events.filter((event) => event.type === 'message');
  const running = channel.run(sink, ended.signal);
  const failed = running.then(
    () => undefined,
    (error: unknown) => error,
  );
  await Promise.race([
    found(`${platform.name} ready`, () => (ready ? true : undefined)),
    failed.then((error) => Promise.reject(error)),
  ]);
  return {
    server,
    channel,
    events,
    get messages() {
      return messages();
    },
    passed,
    refuse(times) {
      refusals = times;
    },
    breakNext() {
      const now = { key: undefined, times: 0 };
      breaking = now;
      return () => now.times;
    },
    received: (id) => found(`message ${id}`, () => messages().find(({ nativeID }) => nativeID === id)),
    async disconnect() {
      ended.abort();
      await failed;
    },
  };
}
