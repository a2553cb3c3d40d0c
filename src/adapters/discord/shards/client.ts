// One discord.js client, from its making to its certain end, with the library's traps covered. When to make one is supervise.ts.
import { Client, CloseCodes, Events, GatewayIntentBits, Options, SimpleShardingStrategy } from 'discord.js';
import type { WebSocket } from 'ws';
import { restOptions } from '#adapters/discord/calls/rest.ts';
import type { Clock } from '#base/clock.ts';
import type { GatewayInfo } from './gateway-info.ts';
import type { Shard } from './sharding.ts';

/** What a client reports; all calls are synchronous. */
interface ClientEvents {
  /** Every dispatch of the gateway as it came, before discord.js looks at it. */
  packet(packet: unknown, client: Client): void;
  /** All guilds are there, or a session was resumed. */
  ready(client: Client<true>): void;
  /** The connection is gone; discord.js tries to get it back. */
  lost(): void;
  /** Discord closed with a code after which trying again is useless. */
  refused(closeCode: number): void;
  /** The gateway answered a heartbeat. */
  alive(): void;
  /** Something that is only worth a line in the log. */
  problem(error: Error): void;
}

interface DiscordClientOptions {
  apiUrl: string | undefined;
  clock: Clock;
  shard: Shard;
  ask(): Promise<GatewayInfo>;
  /** Resolves when the client may identify; rejects when the signal aborts. */
  turn(signal: AbortSignal): Promise<void>;
  /** Privileged intents that are switched on, too. */
  granted: readonly GatewayIntentBits[];
  events: ClientEvents;
}

interface OneClient {
  client: Client;
  /** Ends the connection, the timers and any reconnection in progress; Discord keeps the session for some minutes. */
  end(): Promise<void>;
}

/** The intents of a connection; only Message Content is privileged. Moderation brings bans, to bots that may ban. */
const intents = [
  GatewayIntentBits.Guilds,
  GatewayIntentBits.GuildModeration,
  GatewayIntentBits.GuildMessages,
  GatewayIntentBits.GuildMessageReactions,
  GatewayIntentBits.DirectMessages,
  GatewayIntentBits.DirectMessageReactions,
  GatewayIntentBits.MessageContent,
];

/** How long a close may take until the socket is cut. */
const closeMs = 2000;

/** A discord.js client for one connection, not logged in yet. */
export function createDiscordClient(options: DiscordClientOptions): OneClient {
  const { apiUrl, clock, shard, granted, events } = options;
  let state: 'open' | 'ended' = 'open';
  let strategy: SimpleShardingStrategy | undefined;
  const client = new Client({
    intents: [...intents, ...granted],
    shards: [shard.id],
    shardCount: shard.of,
    rest: restOptions({ apiUrl }),
    // Messages are read from the packets; what the caches hold of them would only cost memory.
    makeCache: Options.cacheWithLimits({
      ...Options.DefaultMakeCacheSettings,
      MessageManager: 0,
      PresenceManager: 0,
      ReactionManager: 0,
      GuildMemberManager: { maxSize: 200, keepOverLimit: (member) => member.id === member.client.user.id },
      UserManager: { maxSize: 200, keepOverLimit: (user) => user.id === user.client.user.id },
    }),
    ws: {
      buildIdentifyThrottler: () => ({ waitForIdentify: (_shard, signal) => options.turn(signal) }),
      buildStrategy(manager) {
        // A shard that is between two attempts ignores `destroy` and connects once more; it asks for its session first.
        const retrieve = manager.options.retrieveSessionInfo;
        manager.options.retrieveSessionInfo = (shard) =>
          state === 'ended' ? new Promise(() => {}) : retrieve(shard);
        // Each client would ask Discord on its own.
        manager.fetchGatewayInformation = options.ask;
        strategy = new SimpleShardingStrategy(manager);
        return strategy;
      },
    },
  });
  /** What comes after the end was asked for concerns nobody. */
  const whileOpen = (report: () => void): void => {
    if (state === 'open') report();
  };
  // The first shard is ready a moment before the client says so of itself; after a new session only the shard speaks.
  const ready = () => {
    if (client.isReady() && state === 'open') events.ready(client);
  };
  client.on('raw', (packet: unknown) => whileOpen(() => events.packet(packet, client)));
  client.on(Events.ClientReady, ready);
  client.on(Events.ShardReady, ready);
  client.on(Events.ShardResume, ready);
  client.on(Events.ShardReconnecting, () => whileOpen(() => events.lost()));
  client.on(Events.ShardDisconnect, ({ code }) => whileOpen(() => events.refused(code)));
  client.on(Events.ShardError, (error) => whileOpen(() => events.problem(error)));
  client.on(Events.Error, (error) => whileOpen(() => events.problem(error)));
  client.on(Events.Debug, (line) => {
    if (line.includes('Heartbeat acknowledged')) whileOpen(() => events.alive());
  });
  return {
    client,
    async end() {
      state = 'ended';
      const sockets = strategy === undefined ? [] : socketsOf(strategy);
      // discord.js takes its listeners off a socket that is still connecting: its late error would end the process.
      for (const socket of sockets) socket.addEventListener('error', () => {});
      // Two destroys at once, of which discord.js does one on its own, leave the first waiting for ever.
      const timeout = new AbortController();
      const timedOut = clock.sleep(closeMs, timeout.signal).catch(() => {
        // It closed in time.
      });
      // discord.js itself closes with a code that ends the session
      await Promise.race([strategy?.destroy({ code: CloseCodes.Resuming }), timedOut]);
      for (const socket of sockets) socket.terminate();
      await Promise.race([client.destroy(), timedOut]);
      timeout.abort();
    },
  };
}

/** The sockets inside; discord.js does not expose them, and does not end all of them. */
function socketsOf(strategy: SimpleShardingStrategy): WebSocket[] {
  // biome-ignore lint/complexity/useLiteralKeys: TypeScript lets a key in brackets reach what is declared private.
  return [...strategy['shards'].values()].flatMap((shard) => shard['connection'] ?? []);
}
