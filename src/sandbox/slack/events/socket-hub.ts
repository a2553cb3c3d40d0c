// Socket Mode's server side: connections, envelopes, acknowledgements, redelivery.

import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import { z } from 'zod';
import type { Clock } from '#base/clock.ts';
import { tryJson } from '#base/json.ts';
import { sendBounded } from '#sandbox/loopback.ts';
import { app } from '#sandbox/slack/world/workspace.ts';
import type { Wire } from '#sandbox/slack/world/world.ts';
import { slept } from './slept.ts';

export interface SocketHub {
  /** The path, with a ticket valid for one connection, that `apps.connections.open` hands out. */
  ticketPath(): string;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Sends the callback to one connection, again (up to 3 times) when it is not acknowledged. Lost when none is open. */
  deliver(callback: Wire): void;
  /** Sends a slash command or a press to one connection, once: Slack does not send one again. */
  deliverOnce(type: 'slash_commands' | 'interactive', payload: Wire): void;
  /** Sends the callback once more as a redelivery. */
  deliverAgain(callback: Wire): void;
  /** Ends all connections: with Slack's `disconnect` message first, or silently. */
  drop(how: 'with notice' | 'silently'): void;
  connections(): number;
  /** Envelopes that are sent and not acknowledged. */
  pending(): number;
  close(): Promise<void>;
}

interface SocketHubOptions {
  clock: Clock;
  /** An envelope not acknowledged for this long is delivered again. */
  ackMs: number;
  /** Time between the server's pings; 0 sends none, as a connection that went deaf. */
  pingMs: number;
}

const ackSchema = z.object({ envelope_id: z.string() });
const redeliveries = 3;
const maxUnacknowledged = 5000;
const maxTickets = 1000;
/** Bytes of one frame of a client: an acknowledgement with the largest answer that Slack takes with it. */
const maxFrame = 2 ** 20;

/** A hub without connections. */
export function createSocketHub(options: SocketHubOptions): SocketHub {
  const { clock } = options;
  const server = new WebSocketServer({ noServer: true, maxPayload: maxFrame });
  const tickets = new Set<string>();
  const open: WebSocket[] = [];
  const unacknowledged = new Map<string, AbortController>();
  const closing = new AbortController();
  let turn = 0;

  function greet(socket: WebSocket): void {
    open.push(socket);
    const gone = new AbortController();
    socket.on('message', (data) => acknowledge(data));
    socket.on('error', () => socket.terminate());
    socket.on('close', () => {
      open.splice(open.indexOf(socket), 1);
      gone.abort();
    });
    send(socket, {
      type: 'hello',
      num_connections: open.length,
      debug_info: { host: 'sandbox', build_number: 1, approximate_connection_time: 18060 },
      connection_info: { app_id: app.id },
    });
    if (options.pingMs > 0) void pingUntil(socket, gone.signal);
  }

  async function pingUntil(socket: WebSocket, gone: AbortSignal): Promise<void> {
    while (await slept(clock, options.pingMs, gone)) {
      if (socket.readyState === socket.OPEN) socket.ping(`Ping from sandbox at ${clock.now()}`);
    }
  }

  function acknowledge(data: RawData): void {
    // Slack, too, pays no heed to frames that are not JSON
    const ack = ackSchema.safeParse(tryJson(data.toString()));
    if (ack.success) unacknowledged.get(ack.data.envelope_id)?.abort();
  }

  function send(socket: WebSocket, message: Wire): void {
    sendBounded(socket, JSON.stringify(message));
  }

  /** True when the envelope was acknowledged in time. */
  async function attempt(callback: Wire, number: number): Promise<boolean> {
    const envelope = randomUUID();
    const acknowledged = new AbortController();
    unacknowledged.set(envelope, acknowledged);
    try {
      turn += 1;
      const socket = open[turn % open.length];
      if (socket !== undefined)
        send(socket, {
          envelope_id: envelope,
          type: 'events_api',
          accepts_response_payload: false,
          payload: callback,
          retry_attempt: number,
          retry_reason: number === 0 ? '' : 'timeout',
        });
      await slept(clock, options.ackMs, AbortSignal.any([acknowledged.signal, closing.signal]));
      return acknowledged.signal.aborted;
    } finally {
      unacknowledged.delete(envelope);
    }
  }

  async function deliverFrom(first: number, callback: Wire): Promise<void> {
    if (open.length === 0 || unacknowledged.size >= maxUnacknowledged) return;
    for (let number = first; number <= redeliveries && !closing.signal.aborted; number += 1) {
      if (await attempt(callback, number)) return;
    }
  }

  return {
    ticketPath() {
      const ticket = randomUUID();
      tickets.add(ticket);
      if (tickets.size > maxTickets) tickets.delete([...tickets][0] ?? '');
      return `/link/?ticket=${ticket}&app_id=${app.id}`;
    },
    upgrade(request, socket, head) {
      const ticket = new URL(request.url ?? '/', 'http://sandbox').searchParams.get('ticket') ?? '';
      if (!tickets.delete(ticket)) {
        socket.end('HTTP/1.1 401 Unauthorized\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
        return;
      }
      server.handleUpgrade(request, socket, head, greet);
    },
    deliver: (callback) => void deliverFrom(0, callback),
    deliverOnce(type, payload) {
      turn += 1;
      const socket = open[turn % open.length];
      if (socket === undefined) return;
      const accepts = { accepts_response_payload: true };
      send(socket, { envelope_id: randomUUID(), type, ...accepts, payload });
    },
    deliverAgain: (callback) => void deliverFrom(1, callback),
    drop(how) {
      for (const socket of [...open]) {
        if (how === 'silently') socket.terminate();
        else {
          send(socket, { type: 'disconnect', reason: 'refresh_requested', debug_info: { host: 'sandbox' } });
          socket.close();
        }
      }
    },
    connections: () => open.length,
    pending: () => unacknowledged.size,
    async close() {
      closing.abort();
      for (const socket of [...open]) socket.terminate();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
