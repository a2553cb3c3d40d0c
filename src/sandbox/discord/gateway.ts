// The Gateway's protocol: HELLO, IDENTIFY, READY, heartbeats, RESUME, and the ways it ends. The dispatches are in dispatches.ts.
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import { z } from 'zod';
import { readyOf } from './dispatches.ts';
import { createSessions, op, sendPayload } from './gateway-sessions.ts';
import { guildCreateOf } from './guild-dispatches.ts';
import { intentBits } from './intents.ts';
import type { Switches } from './people-payload.ts';
import { guildsOf, type Shard, type ShardRules } from './sharding.ts';
import type { World, WorldEvent } from './world.ts';

/** Close codes in Discord's numbers. */
const close = {
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

const commandsAMinute = 120;

const command = z.object({ op: z.int(), d: z.unknown() });
const identify = z.looseObject({
  token: z.string(),
  intents: z.int(),
  shard: z.tuple([z.int(), z.int()]).default([0, 1]),
});
const resume = z.looseObject({ token: z.string(), session_id: z.string(), seq: z.int() });

export interface GatewayOptions {
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

export interface Gateway {
  sockets: WebSocketServer;
  /** Notifies it to the sessions one more time. */
  repeat(happening: WorldEvent): void;
  /** Cuts every connection, or those of one shard, silently; sessions can be resumed. */
  drop(shard?: number): void;
  /** Ends every session: connected clients get an invalid session that cannot be resumed. */
  invalidate(): void;
  /** Asks connected clients to come again and resume. */
  askReconnect(): void;
  /** From every connection, or READY from one shard only. */
  withhold(what: Withheld, shard?: number): void;
  /** IDENTIFYs so far. */
  identifies(): number;
  close(): void;
}

export function createGateway(options: GatewayOptions): Gateway {
  const { world } = options;
  const sockets = new WebSocketServer({ noServer: true, maxPayload: 16 * 1024 });
  const sessions = createSessions(world);
  const stopListening = world.listen(sessions.notify);
  let withheld: { what: Withheld; shard?: number | undefined } = { what: 'nothing' };
  let identifies = 0;
  /** When each bucket of shards identified last ("Max Concurrency"). */
  const identifiedAt = new Map<number, number>();

  /** "If your app exceeds this limit, Discord will respond with a Invalid Session" ("Identifying"). */
  const isTooEarly = ([id]: Shard): boolean => {
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
    if (withheld.what === 'ready' && (withheld.shard ?? shard[0]) === shard[0]) return;
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

  const onCommand = (socket: WebSocket, asked: z.infer<typeof command>): void => {
    const known = sessions.of(socket) !== undefined;
    switch (asked.op) {
      case op.heartbeat:
        sendPayload(socket, { op: op.ack, d: null });
        return;
      case op.identify:
      case op.resume:
        if (known) socket.close(close.alreadyAuthenticated, 'Already authenticated.');
        else if (asked.op === op.identify) onIdentify(socket, asked.d);
        else onResume(socket, asked.d);
        return;
      case op.presence:
      case op.voice:
      case op.members:
        // Allowed, and without effect in this world.
        if (!known) socket.close(close.notAuthenticated, 'Not authenticated.');
        return;
      default:
        socket.close(close.unknownOpcode, 'Unknown opcode.');
    }
  };

  sockets.on('connection', (socket, request) => {
    const query = new URL(request.url ?? '/', 'ws://sandbox').searchParams;
    let minute = { since: world.clock.now(), count: 0 };
    socket.on('error', () => socket.terminate());
    socket.on('close', (code) => sessions.leave(socket, code));
    if (query.get('v') !== '10') socket.close(close.invalidVersion, 'Invalid API version.');
    if (withheld.what === 'hello') return;
    sendPayload(socket, { op: op.hello, d: { heartbeat_interval: options.heartbeatIntervalMs } });
    socket.on('message', (raw) => {
      const now = world.clock.now();
      if (now - minute.since > 60_000) minute = { since: now, count: 0 };
      minute.count += 1;
      const asked = command.safeParse(decode(raw));
      if (minute.count > commandsAMinute) socket.close(close.rateLimited, 'Rate limited.');
      else if (!asked.success) socket.close(close.decodeError, 'Error while decoding payload.');
      else onCommand(socket, asked.data);
    });
  });

  return {
    sockets,
    repeat: sessions.notify,
    drop(shard) {
      for (const socket of shard === undefined ? sockets.clients : sessions.sockets(shard))
        socket.terminate();
    },
    invalidate() {
      const connected = sessions.sockets();
      sessions.forget();
      for (const socket of connected) sendPayload(socket, { op: op.invalid, d: false });
    },
    askReconnect() {
      for (const socket of sessions.sockets()) sendPayload(socket, { op: op.reconnect, d: null });
    },
    withhold(what, shard) {
      withheld = { what, shard };
    },
    identifies: () => identifies,
    close() {
      stopListening();
      for (const socket of sockets.clients) socket.terminate();
      sockets.close();
      sessions.forget();
    },
  };
}

function identifyRefusal(
  options: GatewayOptions,
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

function decode(raw: RawData): unknown {
  try {
    return JSON.parse(raw.toString());
  } catch {
    return undefined;
  }
}
