// A link of TCP on this machine that a test cuts and stalls. Not a test.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { TestContext } from 'node:test';

export interface TcpLink {
  port: number;
  /** Ends all connections; new ones are taken. */
  cut(): void;
  /** Nothing passes any more, and nobody is told; new connections wait too. */
  stall(): void;
  /** Everything passes again, what was held back first. */
  resume(): void;
  /** New connections lead to that port. */
  lead(to: number): void;
}

export async function openTcpLink(t: Pick<TestContext, 'after'>, first: number): Promise<TcpLink> {
  let to = first;
  const sockets = new Set<Socket>();
  let isStalled = false;
  const add = (socket: Socket): void => {
    sockets.add(socket);
    if (isStalled) socket.pause();
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  };
  const join = (from: Socket, into: Socket): void => {
    from.on('data', (piece) => void into.write(piece)).on('close', () => into.destroy());
    if (isStalled) from.pause();
  };
  const server = createServer((near) => {
    const far = connect(to, '127.0.0.1');
    for (const socket of [near, far]) add(socket);
    join(near, far);
    join(far, near);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  t.after(() => {
    cut();
    server.close();
  });
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    stall() {
      isStalled = true;
      for (const socket of sockets) socket.pause();
    },
    resume() {
      isStalled = false;
      for (const socket of sockets) socket.resume();
    },
    lead(next) {
      to = next;
    },
  };
}

/** Whether something takes connections there. */
export async function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
