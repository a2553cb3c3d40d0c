// Who may talk to us at all: requests for our own name, from our own pages, with the token.
import type { MiddlewareHandler } from 'hono';
import { ApiError } from '#engine/http/routing/refusal.ts';
import type { CheckBearer } from './bearer.ts';

/** Refuses a Host header that is not ours: a web page whose name was pointed at this machine (DNS rebinding). */
export function guardHost(hosts: () => readonly string[]): MiddlewareHandler {
  return async (c, next) => {
    if (!isOneOf(hosts(), c.req.header('host')))
      throw new ApiError({
        status: 403,
        code: 'HOST_NOT_ALLOWED',
        message:
          'This Host header is not a name of this server. Use the address that it printed at its start.',
      });
    await next();
  };
}

/** Refuses pages of other origins; requests without an Origin header do not come from such pages. */
export function guardOrigin(allowed: {
  hosts: () => readonly string[];
  origins: readonly string[];
}): MiddlewareHandler {
  return async (c, next) => {
    const origin = c.req.header('origin');
    const ours = () => allowed.hosts().flatMap((host) => [`http://${host}`, `https://${host}`]);
    if (origin !== undefined && !isOneOf(allowed.origins, origin) && !isOneOf(ours(), origin))
      throw new ApiError({
        status: 403,
        code: 'ORIGIN_NOT_ALLOWED',
        message: 'Pages of this origin may not talk to this server unless its configuration names them.',
      });
    await next();
  };
}

/** Refuses requests without the token. */
export function guardToken(checkBearer: CheckBearer): MiddlewareHandler {
  return async (c, next) => {
    if (!checkBearer(c.req.header('authorization')))
      throw new ApiError({
        status: 401,
        code: 'UNAUTHORIZED',
        message: 'Expected the header "Authorization: Bearer <token>" with the token of this server.',
        headers: { 'www-authenticate': 'Bearer' },
      });
    await next();
  };
}

/** The same for a page that a browser opens: the token may also come as the password that a browser asks for. */
export function guardPassword(checkBearer: CheckBearer): MiddlewareHandler {
  return async (c, next) => {
    const given = c.req.header('authorization');
    if (!checkBearer(given) && !checkBearer(`Bearer ${passwordOf(given)}`))
      throw new ApiError({
        status: 401,
        code: 'UNAUTHORIZED',
        message: 'Expected the token of this server as the password; the name does not matter.',
        headers: { 'www-authenticate': 'Basic realm="Parley: the token as password", charset="UTF-8"' },
      });
    await next();
  };
}

function passwordOf(authorization: string | undefined): string {
  const [, encoded = ''] = /^Basic +([A-Za-z0-9+/=]+) *$/i.exec(authorization ?? '') ?? [];
  const pair = Buffer.from(encoded, 'base64').toString('utf8');
  return pair.slice(pair.indexOf(':') + 1);
}

function isOneOf(allowed: readonly string[], given: string | undefined): boolean {
  return given !== undefined && allowed.some((each) => each.toLowerCase() === given.toLowerCase());
}
