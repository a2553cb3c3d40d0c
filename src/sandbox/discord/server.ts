// The sandbox's Discord: REST v10 and Gateway v10 on one loopback port, with the controls that tests and the page use.
import { getRequestListener } from '@hono/node-server';
import type { Clock } from '#base/clock.ts';
import { isAbort } from '#base/waiting/async.ts';
import { createCallLog } from '#sandbox/call-log.ts';
import type { SandboxChat, SandboxServer, SandboxUser } from '#sandbox/contract.ts';
import { createFaults } from '#sandbox/faults.ts';
import type { LoadUsers } from '#sandbox/load-users.ts';
import { openLoopback } from '#sandbox/loopback.ts';
import { noShelf, type Shelf } from '#sandbox/store.ts';
import { createActs, type DiscordActs } from './acts.ts';
import { createExtras, type DiscordExtras } from './extras.ts';
import { createDiscordGateway } from './gateway/gateway.ts';
import type { Withheld } from './gateway/identify.ts';
import { easyShards, type ShardRules } from './gateway/sharding.ts';
import { createLoadUsers } from './load-users.ts';
import { createDiscordPlaces, type DiscordPlaces } from './places.ts';
import { createApi } from './routes/api.ts';
import { newBotToken } from './routes/bot-token.ts';
import { createCdn } from './routes/cdn.ts';
import { interactionRoutes } from './routes/interaction-routes.ts';
import { createRouteLimits, easyLimits, type RateLimits } from './routes/limits.ts';
import { messageRoutes } from './routes/message-routes.ts';
import { placeRoutes, type SessionStarts } from './routes/routes.ts';
import { shownMessages } from './shown-messages.ts';
import { createWorld } from './world/create-world.ts';
import { createInteractions } from './world/interactions.ts';
import { createPresses } from './world/presses.ts';
import { channelOf } from './world/world.ts';
import type { WorldOptions } from './world/world-options.ts';

export interface DiscordSandboxOptions extends Pick<WorldOptions, 'locale'> {
  clock: Clock;
  /** Where what is written on the page outlasts the process; nothing does without it. */
  shelf?: Shelf | undefined;
  newBotToken?: (() => string) | undefined;
  /** `refused` plays an application whose Message Content switch is off: close 4014, empty content. */
  messageContent?: 'allowed' | 'refused' | undefined;
  /** `allowed` plays an application whose Server Members switch is on, which it is not unless set otherwise. */
  guildMembers?: 'allowed' | 'refused' | undefined;
  heartbeatIntervalMs?: number | undefined;
  /** The `host:port` that it names for the gateway's socket, where a proxy stands before it; its own unless set otherwise. */
  socketHost?: (() => string) | undefined;
  sessionStarts?: SessionStarts | undefined;
  /** How its guilds are divided among connections; as on Discord, but without a pause between two IDENTIFYs, unless set otherwise. */
  shards?: Partial<ShardRules> | undefined;
  /** Easy by default; give `{ calls: 5, perMs: 5000, global: 50 }` for Discord's usual strictness. */
  limits?: RateLimits | undefined;
  /** How many further people there are, for load; none unless set otherwise. */
  users?: number | undefined;
}

/** The contract's server, with what only Discord has. */
export interface DiscordSandbox extends SandboxServer, DiscordActs, DiscordExtras {
  readonly botID: string;
  readonly guildID: string;
  /** The role that Discord makes for a bot; mentioning it mentions the bot. */
  readonly botRoleID: string;
  channelID(chat: SandboxChat, user: SandboxUser): string;
  /** A room of the guild that the bot may not see. */
  readonly hiddenChannelID: string;
  /** Every link to an attachment that was given out so far is refused after this, as after a day. */
  expireLinks(): void;
  /** Op 7: asks connected clients to reconnect and resume. */
  askReconnect(): void;
  /** Every call with the bot's token is refused after this; who is connected already stays so. */
  revokeToken(): void;
  /** Turns the switch of the Server Members intent, as in the developer portal. */
  switchGuildMembers(to: 'allowed' | 'refused'): void;
  /** From every connection, or only READY from one shard. */
  withhold(what: Withheld, shard?: number): void;
  /** Cuts the connections of one shard. */
  dropShard(shard: number): void;
  /** Resolves when every connected client has read what was sent to it. */
  arrived(): Promise<void>;
  readonly users: LoadUsers;
  /** Guilds, rooms and people beyond those of the page. */
  readonly places: DiscordPlaces;
}

/** Starts the server on 127.0.0.1. */
export async function createDiscordSandbox(options: DiscordSandboxOptions): Promise<DiscordSandbox> {
  const { clock, shelf = noShelf, messageContent = 'allowed', guildMembers = 'refused' } = options;
  const switches = { messageContent, guildMembers };
  const shards = { ...easyShards, ...options.shards };
  const world = createWorld({ clock, shelf, locale: options.locale });
  const users = createLoadUsers(world, options.users ?? 0);
  const token = options.newBotToken?.() ?? newBotToken(world.bot.id);
  const interactions = createInteractions(world);
  const presses = createPresses(world);
  const faults = createFaults();
  const closing = new AbortController();
  const log = createCallLog(clock);
  let revoked = false;
  const server = await openLoopback({ clock, shelf });
  const origin = `127.0.0.1:${server.port}`;
  const gatewayURL = (): string => `ws://${options.socketHost?.() ?? origin}`;
  const cdn = createCdn({ world, clock, origin: () => `http://${origin}` });
  world.urlOf = cdn.urlOf;
  const gateway = createDiscordGateway({
    world,
    token,
    switches,
    shards,
    record: log.record,
    heartbeatIntervalMs: options.heartbeatIntervalMs ?? 41_250,
    url: gatewayURL,
  });
  const typingEnds = (channelID: string): void => {
    const until = world.typingUntil.get(channelID) ?? 0;
    clock.sleep(until - clock.now(), closing.signal).then(
      () => {
        if (world.typingUntil.get(channelID) === until) world.notify({ type: 'typing', channelID });
      },
      (error: unknown) => {
        if (!isAbort(error, closing.signal)) throw error;
      },
    );
  };
  const api = createApi({
    clock,
    valid: (given) => given === `Bot ${token}` && !revoked,
    faults,
    limiter: createRouteLimits(clock, options.limits ?? easyLimits),
    signal: closing.signal,
    record: log.record,
    files: cdn.files,
    routes: [
      placeRoutes({
        world,
        switches,
        gatewayURL,
        sessionStarts: options.sessionStarts,
        shards,
        identifies: gateway.identifies,
      }),
      messageRoutes({ world, messageContent, typing: typingEnds }),
      interactionRoutes(world, interactions, presses),
      cdn.routes,
    ],
  });
  const listener = getRequestListener(api.fetch, { overrideGlobalObjects: false });
  server.onRequest((request, response) => void listener(request, response));
  server.onUpgrade((request, socket, head) => {
    gateway.sockets.handleUpgrade(request, socket, head, (client) => {
      gateway.sockets.emit('connection', client, request);
    });
  });

  return {
    platform: 'discord',
    url: `http://${origin}/api`,
    tokens: { bot: token },
    users,
    places: createDiscordPlaces(world),
    botID: world.bot.id,
    guildID: world.home.id,
    botRoleID: world.home.botRoleID,
    hiddenChannelID: world.rooms.hidden.id,
    userID: (user) => world[user].id,
    channelID: (chat, user) => channelOf(world, chat, user).id,
    ...presses.control,
    ...createActs({ world, gateway, interactions }),
    ...createExtras(world),
    expireLinks: () => cdn.expire(),
    askReconnect: () => gateway.askReconnect(),
    revokeToken() {
      revoked = true;
    },
    switchGuildMembers(to) {
      switches.guildMembers = to;
    },
    withhold: gateway.withhold,
    dropShard: (shard) => gateway.drop(shard),
    arrived: gateway.arrived,
    shown: (chat, user) => shownMessages(world, chat, user),
    typing: (chat, user) => (world.typingUntil.get(channelOf(world, chat, user).id) ?? 0) > clock.now(),
    inject(fault) {
      if (fault.kind === 'drop_socket') gateway.drop();
      else if (fault.kind === 'invalid_session') gateway.invalidate();
      else faults.add(fault);
    },
    onChange: (listener) => world.listen(() => listener()),
    calls: log.calls,
    async close() {
      closing.abort();
      gateway.close();
      await server.close();
    },
  };
}
