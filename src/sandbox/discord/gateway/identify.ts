// The two ways to begin a Gateway connection: IDENTIFY, and RESUME; and what refuses them.
import type { WebSocket } from 'ws';
import { z } from 'zod';
import type { Switches } from '#sandbox/discord/payloads/people-payload.ts';
import type { World } from '#sandbox/discord/world/world.ts';
import { readyOf } from './dispatches.ts';
import { type createGatewaySessions, op, sendPayload } from './gateway-sessions.ts';
import { guildCreateOf } from './guild-dispatches.ts';
import { intentBits } from './intents.ts';
import { guildsOf, type ShardPair, type ShardRules } from './sharding.ts';

/** Close codes in Discord's numbers. */
export const close = {
  unknownOpcode: 4001,
  decodeError: 4002,
  notAuthenticated: 4003,
  authenticationFailed: 4004,
  alreadyAuthenticated: 4005,
  invalidSequence: 4007,
  rateLimited: 4008,
  invalidShard: 4010,
  shardingRequired: 4011,
  invalidVersion: 4012,
  disallowedIntents: 4014,
} as const;

const identify = z.looseObject({
  token: z.string(),
  intents: z.int(),
  shard: z.tuple([z.int(), z.int()]).default([0, 1]),
});

const resume = z.looseObject({ token: z.string(), session_id: z.string(), seq: z.int() });

export interface DiscordGatewayOptions {
  world: World;
  token: string;
  heartbeatIntervalMs: number;
  switches: Switches;
  shards: ShardRules;
  url(): string;
  /** Notes an IDENTIFY or RESUME: 200, or the close code or opcode that answered it. */
  record(name: string, status: number): void;
}

/** What the gateway holds back from new connections, to play a server that has stopped answering. */
export type Withheld = 'nothing' | 'hello' | 'ready';

interface Identifying {
  identify(socket: WebSocket, data: unknown): void;
  resume(socket: WebSocket, data: unknown): void;
  /** IDENTIFYs so far. */
  count(): number;
}

/** The beginnings of connections; `withheld` is what is held back from new ones now. */
export function createIdentifying(
  options: DiscordGatewayOptions,
  sessions: ReturnType<typeof createGatewaySessions>,
  withheld: () => { what: Withheld; shard?: number | undefined },
): Identifying {
  const { world } = options;

  let identifies = 0;
  /** When each bucket of shards identified last ("Max Concurrency"). */
  const identifiedAt = new Map<number, number>();

  /** "If your app exceeds this limit, Discord will respond with a Invalid Session" ("Identifying"). */
  const isTooEarly = ([id]: ShardPair): boolean => {
    const { maxConcurrency, identifyGapMs } = options.shards;
    const now = world.clock.now();
    const last = identifiedAt.get(id % maxConcurrency);
    if (last !== undefined && now - last < identifyGapMs) return true;
    identifiedAt.set(id % maxConcurrency, now);
    return false;
  };

  const onIdentify = (socket: WebSocket, data: unknown): void => {
    identifies += 1;
    const refusal = identifyRefusal(options, data);
    if (refusal !== undefined) {
      options.record('GATEWAY IDENTIFY', refusal.code);
      socket.close(refusal.code, refusal.words);
      return;
    }
    const { intents, shard } = identify.parse(data);
    const early = isTooEarly(shard);
    options.record('GATEWAY IDENTIFY', early ? op.invalid : 200);
    if (early) {
      sendPayload(socket, { op: op.invalid, d: false });
      return;
    }
    const { what, shard: only = shard[0] } = withheld();
    if (what === 'ready' && only === shard[0]) return;
    const session = sessions.open(socket, { intents, shard });
    const { switches } = options;
    const about = { id: session.id, shard, resumeURL: options.url(), switches };
    sessions.dispatch(session, readyOf(world, about));
    if ((intents & intentBits.guilds) === 0) return;
    for (const id of guildsOf(world, shard)) {
      const guild = world.guilds.get(id);
      if (guild?.state === 'available') sessions.dispatch(session, guildCreateOf(world, guild));
    }
  };

  const onResume = (socket: WebSocket, data: unknown): void => {
    const asked = resume.safeParse(data);
    if (!asked.success || asked.data.token !== options.token) {
      options.record('GATEWAY RESUME', close.authenticationFailed);
      socket.close(close.authenticationFailed, 'Authentication failed.');
      return;
    }
    const outcome = sessions.resume(socket, { id: asked.data.session_id, seq: asked.data.seq });
    const status = { resumed: 200, unknown: op.invalid, ahead: close.invalidSequence }[outcome];
    options.record('GATEWAY RESUME', status);
    if (outcome === 'unknown') sendPayload(socket, { op: op.invalid, d: false });
    if (outcome === 'ahead') socket.close(close.invalidSequence, 'Invalid seq.');
  };

  return { identify: onIdentify, resume: onResume, count: () => identifies };
}

function identifyRefusal(
  options: DiscordGatewayOptions,
  data: unknown,
): { code: number; words: string } | undefined {
  const asked = identify.safeParse(data);
  if (!asked.success) return { code: close.decodeError, words: 'Error while decoding payload.' };
  if (asked.data.token !== options.token)
    return { code: close.authenticationFailed, words: 'Authentication failed.' };
  const { intents, shard } = asked.data;
  const [id, count] = shard;
  if (id < 0 || id >= count) return { code: close.invalidShard, words: 'Invalid shard.' };
  if (guildsOf(options.world, shard).length > options.shards.maxGuilds)
    return { code: close.shardingRequired, words: 'Sharding required.' };
  const { messageContent, guildMembers } = options.switches;
  const disallowed =
    ((intents & intentBits.messageContent) !== 0 && messageContent === 'refused') ||
    ((intents & intentBits.guildMembers) !== 0 && guildMembers === 'refused');
  return disallowed ? { code: close.disallowedIntents, words: 'Disallowed intent(s).' } : undefined;
}
