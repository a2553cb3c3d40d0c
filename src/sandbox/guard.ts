// Keeps other web sites away from the control interface. Not authentication, which is in key.ts.
import type { MiddlewareHandler } from 'hono';
import { ParleyError } from '#base/errors.ts';

/**
 * Takes a request only when its Host is one of `hosts()` (a foreign name may have been rebound to loopback), its Origin,
 * if it has one, is `http://` and one of them, and a body says that it is JSON (which other origins may not send unasked).
 */
export function guard(hosts: () => string[]): MiddlewareHandler {
  return async (c, next) => {
    const known = hosts().map((host) => host.toLowerCase());
    const host = c.req.header('host')?.toLowerCase();
    if (host === undefined || !known.includes(host))
      throw new ParleyError(
        'foreign_host',
        `Expected the Host ${known.join(' or ')}, got ${host ?? 'none'}.`,
      );
    const origin = c.req.header('origin')?.toLowerCase();
    if (origin !== undefined && !known.some((name) => origin === `http://${name}`))
      throw new ParleyError('foreign_origin', `Requests from the origin ${origin} are not taken.`);
    const type = c.req.header('content-type')?.split(';')[0]?.trim().toLowerCase();
    if (c.req.method === 'POST' && type !== 'application/json')
      throw new ParleyError('not_json', `Expected the content type application/json, got ${type ?? 'none'}.`);
    await next();
  };
}
