// Every request under an id of its own, in its answer and in the log.
import type { MiddlewareHandler } from 'hono';
import { requestId } from 'hono/request-id';
import { type Clock, msSince } from '#base/clock.ts';
import type { Log } from '#base/log/log.ts';

/**
 * Gives each request an id, the caller's own `X-Request-Id` where that is one, and says at `debug` how it was answered. Paths
 * hold only ids; what follows a `?` is left out.
 */
export function logRequests({ log, clock }: { log: Log; clock: Clock }): MiddlewareHandler[] {
  return [
    requestId(),
    async (c, next) => {
      const began = clock.monotonic();
      await next();
      const { method, path } = c.req;
      const request = c.get('requestId');
      c.res.headers.set('x-request-id', request); // a refusal is an answer of its own, without what was set before
      log.debug(
        { request, method, path, status: c.res.status, ms: Math.round(msSince(clock, began)) },
        'http request',
      );
    },
  ];
}
