// A simulated platform's HTTP server on 127.0.0.1. Its answers carry the platform's own time: the clock that dates its messages.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { Clock } from '#base/clock.ts';
import { codeOf } from '#base/errors.ts';
import type { Shelf } from './store.ts';

interface Loopback {
  port: number;
  onRequest(answer: (request: IncomingMessage, response: ServerResponse) => void): void;
  onUpgrade(answer: (request: IncomingMessage, socket: Duplex, head: Buffer) => void): void;
  /** Ends every connection of HTTP; those that were upgraded are their owner's. */
  close(): Promise<void>;
}

/** Bytes that wait for one client of a WebSocket. One that reads nothing is cut off before it takes the memory of all others. */
const mostWaiting = 8 * 2 ** 20;

/** Sends a text to a client that is connected. Ends the connection with 1008 and the reason where too much waits for it. */
export function sendBounded(socket: WebSocket, text: string): void {
  if (socket.readyState !== socket.OPEN) return;
  if (socket.bufferedAmount > mostWaiting) socket.close(1008, 'This client reads too slowly.');
  else socket.send(text);
}

/** Listens; the caller says in the same turn who answers. */
export async function openLoopback({ clock, shelf }: { clock: Clock; shelf: Shelf }): Promise<Loopback> {
  // longer than clients hold an idle connection open, so that no call meets one that is just being closed
  const server = createServer({ keepAliveTimeout: 60_000 });
  const port = await listenAgain(server, shelf);
  return {
    port,
    onRequest(answer) {
      server.on('request', (request, response) => {
        response.setHeader('date', new Date(clock.now()).toUTCString());
        answer(request, response);
      });
    },
    onUpgrade: (answer) => void server.on('upgrade', answer),
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Listens on 127.0.0.1, on the port of the last time where it is free: links that were handed out then still lead here. */
async function listenAgain(server: Server, shelf: Shelf): Promise<number> {
  const [before] = shelf.all<number>('port');
  const port = await listen(server, before?.value ?? 0).catch((error: unknown) => {
    if (codeOf(error) !== 'EADDRINUSE') throw error;
    return listen(server, 0);
  });
  if (port !== before?.value) shelf.put('port', '', port);
  return port;
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port); // a listening TCP server has an AddressInfo
    });
  });
}
