// A Hono app on a socket: listening, and closing without leaving a stream or a connection behind.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener, RequestError } from '@hono/node-server';
import type { Clock } from '#base/clock.ts';
import { codeOf, ParleyError } from '#base/errors.ts';
import { createIds } from '#base/ids.ts';
import type { Log } from '#base/log/log.ts';
import { type ApiErrorOptions, createApiErrorOf, refusalResponse } from './routing/refusal.ts';
import type { HttpEnv } from './routing/route.ts';

interface ServeOptions {
  app: { fetch: (request: Request, env: HttpEnv['Bindings']) => Response | Promise<Response> };
  host: string;
  /** 0 takes any free port. */
  port: number;
  clock: Clock;
  log: Log;
  /** How long `close` lets requests in progress finish, in milliseconds; 1000 by default. */
  graceMs?: number | undefined;
  /** How long a reader of a stream may take nothing of what waits for it, in milliseconds; two minutes by default. */
  stalledMs?: number | undefined;
}

export interface EngineServer {
  url: string;
  port: number;
  /** Stops listening, ends open event streams, lets other requests finish within the grace, then drops what is left. */
  close(): Promise<void>;
}

const defaultGraceMs = 1000;
const defaultStalledMs = 120_000;

/** Listens and answers with the app. Throws a ParleyError `port_taken` or `cannot_listen` with a message. */
export async function serveHttp(options: ServeOptions): Promise<EngineServer> {
  const { app, host, port, clock, log, graceMs = defaultGraceMs, stalledMs = defaultStalledMs } = options;
  const closing = new AbortController();
  const refusalOf = createApiErrorOf({ log, newId: createIds(clock) });
  const answer = getRequestListener(
    (request, { outgoing }) => {
      const cutOff = (): void => {
        log.warn({ seconds: stalledMs / 1000 }, 'a reader of a stream took nothing of it, and was cut off');
        outgoing.destroy();
      };
      const endWhenStalled = (): void => void outgoing.setTimeout(stalledMs, cutOff);
      return app.fetch(request, { closing: closing.signal, endWhenStalled });
    },
    {
      overrideGlobalObjects: false,
      errorHandler: (error) => refusalResponse(error instanceof RequestError ? badTarget : refusalOf(error)),
    },
  );
  const server = createServer((incoming, outgoing) => {
    outgoing.once('close', () => {
      if (closing.signal.aborted) server.closeIdleConnections();
    });
    void answer(incoming, outgoing);
  });
  await listen(server, { host, port });
  server.on('error', (error) =>
    log.error({ code: codeOf(error) }, 'the http server could not take a connection'),
  );
  const { port: taken } = server.address() as AddressInfo; // a server that listens on TCP has one
  let closed: Promise<void> | undefined;
  return {
    url: `http://${urlHost(host)}:${taken}`,
    port: taken,
    close() {
      closed ??= closeServer(server, { closing, clock, graceMs });
      return closed;
    },
  };
}

/**
 * The `host:port` values by which a server on this address may be called, for `createHttpApp`'s `hosts`; of `others`, names
 * that other port too; a host with its own port counts only for that port.
 */
export function ownHosts({
  host,
  port,
  names: others = [],
}: {
  host: string;
  port: number;
  names?: readonly string[] | undefined;
}): string[] {
  const names = new Set(['127.0.0.1', 'localhost', '[::1]', urlHost(host), ...others]);
  return [...names].flatMap((name) =>
    port === 80 || /:\d+$/.test(name) ? [name, `${name}:${port}`] : [`${name}:${port}`],
  );
}

const badTarget: ApiErrorOptions = {
  status: 400,
  code: 'INVALID_REQUEST',
  message: 'Expected a valid request target and a Host header.',
};

function urlHost(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

function listen(server: Server, { host, port }: { host: string; port: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (cause: Error) => reject(listenError(cause, { host, port }));
    server.once('error', fail);
    server.listen(port, host, () => {
      server.off('error', fail);
      resolve();
    });
  });
}

function listenError(cause: Error, { host, port }: { host: string; port: number }): ParleyError {
  const address = `${urlHost(host)}:${port}`;
  if (codeOf(cause) === 'EADDRINUSE')
    return new ParleyError('port_taken', `The address ${address} is already in use.`, {
      hint: `Stop the other program that listens there (perhaps another Parley), or choose another port: --port ${port + 1}.`,
      cause,
    });
  return new ParleyError('cannot_listen', `Cannot listen on ${address} (${codeOf(cause) ?? 'error'}).`, {
    hint: 'Choose an address of this machine and a port that this user may open (above 1023).',
    cause,
  });
}

async function closeServer(
  server: Server,
  { closing, clock, graceMs }: { closing: AbortController; clock: Clock; graceMs: number },
): Promise<void> {
  const done = new AbortController();
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  closing.abort();
  const overdue = clock.sleep(graceMs, done.signal).then(
    () => server.closeAllConnections(),
    () => undefined, // closed in time
  );
  await closed;
  done.abort();
  await overdue;
}
