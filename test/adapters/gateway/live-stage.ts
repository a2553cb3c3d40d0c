// A gateway over a real client library and its sandbox, with a scripted engine and one clock that the test moves. No test.
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { createGateway, type Gateway } from '#adapters/gateway/gateway.ts';
import { type ChannelAccess, type NamedPerson, openAccess } from '#adapters/gateway/terms/access-types.ts';
import type { Channel } from '#adapters/gateway/terms/channel.ts';
import { createSlackChannel } from '#adapters/slack/channel.ts';
import { createTelegramChannel } from '#adapters/telegram/channel.ts';
import type { ActiveProblems } from '#base/active-problems.ts';
import { createIds } from '#base/ids.ts';
import type { SandboxChat, SandboxServer, ShownMessage } from '#sandbox/contract.ts';
import { createSlackSandbox, type SlackSandbox } from '#sandbox/slack/server.ts';
import {
  createTelegramSandbox,
  type TelegramSandbox,
  type TelegramSandboxOptions,
} from '#sandbox/telegram/server.ts';
import { createManualClock, type ManualClock } from '../../support/manual-clock.ts';
import { quietLog } from '../../support/quiet-log.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { createScriptedEngine, type ScriptedEngine } from './scripted-engine.ts';

export interface LiveStage<Server extends SandboxServer> {
  sandbox: Server;
  engine: ScriptedEngine;
  clock: ManualClock;
  gateway: Gateway;
  /** Path of gateway.sqlite. */
  path: string;
  /** Says something and resolves with the run that it begins. */
  ask(text: string): Promise<string>;
  /** Moves time on in small steps, with time for sockets in between, until the condition holds. */
  until(what: string, condition: () => boolean): Promise<void>;
  /** Moves so many whole seconds on. */
  pass(ms: number): Promise<void>;
  /** The bot's messages, oldest first. */
  answers(): ShownMessage[];
  texts(): string[];
  /** How often each method was called. */
  count(method: string): number;
}

const stepMs = 100;
const longStepMs = 1_000;
/** Steps before a condition is given up: a minute of the clock. */
const maxSteps = 600;

interface StageOptions {
  chat?: SandboxChat | undefined;
  people?: Readonly<Record<string, NamedPerson>> | undefined;
  access?: ChannelAccess | undefined;
  problems?: ActiveProblems | undefined;
}

export interface Platform<Server> {
  open(clock: ManualClock): Promise<{ sandbox: Server; channel: Channel }>;
}

/** A private chat on Telegram, unless set otherwise. */
export function telegramStage(
  t: TestContext,
  options: Partial<TelegramSandboxOptions> & Pick<StageOptions, 'people' | 'access' | 'chat'> = {},
): Promise<LiveStage<TelegramSandbox>> {
  const { people, access, chat = 'dm', ...rest } = options;
  return stage(t, {
    ...{ people, access, chat },
    async open(clock) {
      const sandbox = await createTelegramSandbox({ clock, ...rest });
      const { url: apiUrl, tokens } = sandbox;
      const channel = createTelegramChannel({ token: tokens.bot, apiUrl, clock, log: quietLog().log });
      return { sandbox, channel };
    },
  });
}

/** A thread of a room on Slack; `refusals` as the sandbox takes them. */
export function slackStage(
  t: TestContext,
  refusals: Record<string, string> = {},
): Promise<LiveStage<SlackSandbox>> {
  return stage(t, {
    chat: 'room',
    async open(clock) {
      const sandbox = await createSlackSandbox({ clock, refusals });
      const { url: apiUrl, tokens } = sandbox;
      const log = quietLog().log;
      const channel = createSlackChannel({ botToken: tokens.bot, appToken: tokens.app, apiUrl, clock, log });
      return { sandbox, channel };
    },
  });
}

/** Any chat of any platform; `t` ends it. */
export async function stage<Server extends SandboxServer>(
  t: Pick<TestContext, 'after'>,
  { chat = 'dm', open, people = {}, access = openAccess('guest'), problems }: StageOptions & Platform<Server>,
): Promise<LiveStage<Server>> {
  const clock = createManualClock();
  const engine = createScriptedEngine();
  const { sandbox, channel } = await open(clock);
  const path = join(tempFolder(t), 'gateway.sqlite');
  const gateway = createGateway({
    path,
    engine,
    channels: [{ channel, talk: () => ({ sessions: 'room', access }) }],
    people,
    problems,
    settings: () => ({ agent: 'Parley', debounceMs: 0 }),
    clock,
    newId: createIds(clock),
    log: quietLog().log,
  });
  t.after(async () => {
    const closed = gateway.close(0);
    await clock.advance(1);
    await closed;
    await sandbox.close();
  });
  const step = async (ms: number): Promise<void> => {
    await clock.advance(ms);
    await new Promise((resolve) => setTimeout(resolve, 1));
  };
  const until = async (what: string, condition: () => boolean): Promise<void> => {
    for (let steps = 0; !condition(); steps += 1) {
      if (steps === maxSteps) throw new Error(`waited in vain for: ${what}`);
      await step(stepMs);
    }
  };
  const answers = (): ShownMessage[] => sandbox.shown(chat, 'you').filter(({ author }) => author === 'bot');
  gateway.start();
  await until('ready', () => gateway.status().every(({ state }) => state === 'ready'));
  return {
    sandbox,
    engine,
    clock,
    gateway,
    path,
    until,
    answers,
    texts: () => answers().map(({ text }) => text.trim()),
    count: (method) => sandbox.calls().filter(({ name }) => name === method).length,
    async pass(ms) {
      for (let passed = 0; passed < ms; passed += longStepMs) await step(longStepMs);
    },
    async ask(text) {
      const runs = engine.runs.length;
      await sandbox.say({ chat, user: 'you', text, mention: chat !== 'dm' });
      await until('a run', () => engine.runs.length > runs);
      return engine.runs.at(-1)?.run.runID ?? '';
    },
  };
}
