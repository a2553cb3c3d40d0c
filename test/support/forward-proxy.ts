// A forward proxy on loopback that knows every name: it leads to 127.0.0.1, at the port that was asked for, and writes down who was asked. Not a test.
import { createServer, request } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { TestContext } from 'node:test';

export interface ForwardProxy {
  url: string;
  /** `CONNECT host:port`, or the method and the absolute form of an address, in order; with the credentials that were given. */
  log: { line: string; credentials: string | undefined }[];
  /** The hosts that were asked for, each once, sorted. */
  hosts(): string[];
  /** Every later request is answered with this status; undefined lets them through again. */
  refuse(status: number | undefined): void;
}

export async function startForwardProxy(t: TestContext): Promise<ForwardProxy> {
  const log: ForwardProxy['log'] = [];
  const open = new Set<Socket>();
  let refusal: number | undefined;
  const heard = (line: string, credentials: string | undefined) => void log.push({ line, credentials });
  const server = createServer((asked, answer) => {
    heard(`${asked.method} ${asked.url}`, asked.headers['proxy-authorization']);
    if (refusal !== undefined) return void answer.writeHead(refusal).end();
    const { port, pathname, search } = new URL(asked.url ?? '');
    const { method, headers } = asked;
    const way = request(
      { host: '127.0.0.1', port, path: `${pathname}${search}`, method, headers },
      (reply) => {
        answer.writeHead(reply.statusCode ?? 502, reply.headers);
        reply.pipe(answer);
      },
    );
    way.on('error', () => answer.destroy());
    asked.pipe(way);
  });
  server.on('connection', (socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket)).on('error', () => socket.destroy());
  });
  server.on('connect', (asked, near) => {
    heard(`CONNECT ${asked.url}`, asked.headers['proxy-authorization']);
    if (refusal !== undefined) return void near.end(`HTTP/1.1 ${refusal} Refused\r\n\r\n`);
    const far = connect(Number(asked.url?.split(':').at(-1)), '127.0.0.1');
    open.add(far);
    far.on('connect', () => {
      near.write('HTTP/1.1 200 Connection established\r\n\r\n');
      near.pipe(far).pipe(near);
    });
    far.on('close', () => open.delete(far) && near.destroy()).on('error', () => near.destroy());
    near.on('close', () => far.destroy()).on('error', () => far.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo; // it listens on TCP
  return {
    url: `http://127.0.0.1:${port}`,
    log,
    hosts: () => [...new Set(log.map(({ line }) => hostIn(line)))].toSorted(),
    refuse(status) {
      refusal = status;
    },
  };
}

function hostIn(line: string): string {
  const [method, what = ''] = line.split(' ');
  return method === 'CONNECT' ? what.replace(/:\d+$/, '') : new URL(what).hostname;
}
