// The Gateway's protocol: HELLO, IDENTIFY, READY, heartbeats, RESUME, and the ways it ends. The dispatches are in dispatches.ts.

import { type WebSocket, WebSocketServer } from 'ws';
import { z } from 'zod';
import { tryJson } from '#base/json.ts';
import type { WorldEvent } from '#sandbox/discord/world/world.ts';
import { createGatewaySessions, op, sendPayload } from './gateway-sessions.ts';
import { close, createIdentifying, type DiscordGatewayOptions, type Withheld } from './identify.ts';

const commandsAMinute = 120;

const command = z.object({ op: z.int(), d: z.unknown() });
export interface DiscordGateway {
  sockets: WebSocketServer;
  /** Sends it to the sessions once more. */
  repeat(happening: WorldEvent): void;
  /** Cuts every connection, or those of one shard, silently; sessions can be resumed. */
  drop(shard?: number): void;
  /** Ends every session: connected clients get an invalid session that cannot be resumed. */
  invalidate(): void;
  /** Asks connected clients to come again and resume. */
  askReconnect(): void;
  /** From every connection, or only READY from one shard. */
  withhold(what: Withheld, shard?: number): void;
  /** Resolves when every connected client has read what was sent to it. */
  arrived(): Promise<void>;
  /** IDENTIFYs so far. */
  identifies(): number;
  close(): void;
}

export function createDiscordGateway(options: DiscordGatewayOptions): DiscordGateway {
  const { world } = options;
  const sockets = new WebSocketServer({ noServer: true, maxPayload: 16 * 1024 });
  const sessions = createGatewaySessions(world);
  const stopListening = world.listen(sessions.notify);
  const identifying = createIdentifying(options, sessions, () => withheld);
  let withheld: { what: Withheld; shard?: number | undefined } = { what: 'nothing' };
  const onCommand = (socket: WebSocket, asked: z.infer<typeof command>): void => {
    const known = sessions.of(socket) !== undefined;
    switch (asked.op) {
      case op.heartbeat:
        sendPayload(socket, { op: op.ack, d: null });
        return;
      case op.identify:
      case op.resume:
        if (known) socket.close(close.alreadyAuthenticated, 'Already authenticated.');
        else if (asked.op === op.identify) identifying.identify(socket, asked.d);
        else identifying.resume(socket, asked.d);
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
      const asked = command.safeParse(tryJson(raw.toString()));
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
    async arrived() {
      await Promise.all(sessions.sockets().map(ponged));
    },
    identifies: identifying.count,
    close() {
      stopListening();
      for (const socket of sockets.clients) socket.terminate();
      sockets.close();
      sessions.forget();
    },
  };
}

/** Resolves when the client has answered a ping, which it reads after all that was sent before, or is no longer connected. */
function ponged(socket: WebSocket): Promise<void> {
  if (socket.readyState !== socket.OPEN) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      socket.off('pong', done).off('close', done);
      resolve();
    };
    socket.on('pong', done).on('close', done);
    socket.ping();
  });
}
