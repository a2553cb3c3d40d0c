// A gateway over discord.js and the sandbox's server, for slash commands: Discord's time moves at a call, and the engine can be held. No test.
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { createDiscordChannel } from '#adapters/discord/channel.ts';
import { createGateway, type Gateway } from '#adapters/gateway/gateway.ts';
import { type ChannelAccess, openAccess } from '#adapters/gateway/terms/access-types.ts';
import { commandNames } from '#adapters/gateway/terms/command-table.ts';
import { type Clock, systemClock } from '#base/clock.ts';
import { createIds } from '#base/ids.ts';
import { createDiscordSandbox, type DiscordSandbox } from '#sandbox/discord/server.ts';
import { clockOf } from '../../support/clock-of.ts';
import { until } from '../../support/found.ts';
import { quietLog } from '../../support/quiet-log.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { createScriptedEngine, type ScriptedEngine } from '../gateway/scripted-engine.ts';

/** Names of calls, as `Stage.statuses` takes them. */
export const callback = 'POST /interactions/:id/:token/callback';
export const edited = 'PATCH /webhooks/:id/:token/messages/@original';
export const sent = 'POST /channels/:id/messages';

export interface Stage {
  sandbox: DiscordSandbox;
  engine: ScriptedEngine;
  gateway: Gateway;
  lines: string[];
  /** Moves Discord's time forward at once; the gateway's clock is separate. */
  later(ms: number): void;
  /** Holds what `/new` and `/status` ask of the engine until the returned function is called. */
  hold(): () => void;
  /** Ends the gateway without finishing anything and starts another one over the same ledger. */
  restart(): Promise<void>;
  /** What the bot shows in the direct message. */
  texts(): string[];
  /** What the bot shows a person in the room; what they alone see is in brackets. */
  roomTexts(user?: 'you' | 'guest'): string[];
  /** Statuses of the calls with this name, in order. */
  statuses(name: string): number[];
}

/** A gateway that is connected and has registered its commands; `channelClock` is the adapter's own time. */
export async function channelSet(
  t: TestContext,
  channelClock: Clock = systemClock,
  access: ChannelAccess = openAccess('guest'),
): Promise<Stage> {
  let offset = 0;
  const now = () => systemClock.now() + offset;
  const sandbox = await createDiscordSandbox({ clock: clockOf(now, systemClock.sleep) });
  t.after(() => sandbox.close());
  const { log, lines } = quietLog();
  const path = join(tempFolder(t), 'gateway.sqlite');
  const engine = createScriptedEngine();
  const { createSession, health } = engine;
  let gate = Promise.resolve();
  engine.createSession = async (options) => {
    await gate;
    return createSession(options);
  };
  engine.health = async () => {
    await gate;
    return health();
  };
  const open = async (): Promise<Gateway> => {
    const gateway = createGateway({
      path,
      engine,
      channels: [
        {
          channel: createDiscordChannel({
            token: sandbox.tokens.bot,
            apiUrl: sandbox.url,
            clock: channelClock,
            log,
          }),
          talk: () => ({ sessions: 'room', access }),
        },
      ],
      people: {},
      settings: () => ({ agent: 'Parley', debounceMs: 0 }),
      clock: systemClock,
      newId: createIds(systemClock),
      log,
    });
    const looked = asked();
    gateway.start();
    await until('the gateway is ready', () => gateway.status()[0]?.state === 'ready');
    await until('the commands were looked at', () => asked() > looked);
    await until('the commands are registered', () =>
      commandNames.every((name) => sandbox.commands().includes(name)),
    );
    return gateway;
  };
  const asked = (): number =>
    sandbox.calls().filter(({ name }) => name === 'GET /applications/:id/commands').length;
  const self: Stage = {
    sandbox,
    engine,
    gateway: await open(),
    lines,
    later(ms) {
      offset += ms;
    },
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>();
      gate = promise;
      return resolve;
    },
    async restart() {
      await self.gateway.close(0);
      gate = Promise.resolve();
      self.gateway = await open();
    },
    texts: () =>
      sandbox
        .shown('dm', 'you')
        .filter(({ author }) => author === 'bot')
        .map(({ text }) => text),
    roomTexts: (user = 'you') =>
      sandbox
        .shown('room', user)
        .filter(({ author }) => author === 'bot')
        .map(({ text, onlyYou }) => (onlyYou === true ? `(${text})` : text)),
    statuses: (name) =>
      sandbox
        .calls()
        .filter((call) => call.name === name)
        .map(({ status }) => status),
  };
  t.after(() => self.gateway.close(0));
  return self;
}
