// Requests of browsers that are signed in: the cookie in place of the token.
import type { Context, Hono, MiddlewareHandler } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { ApiError } from '#engine/http/routing/refusal.ts';
import type { HttpEnv } from '#engine/http/routing/route.ts';
import type { SignIn, SignIns } from '#engine/wire/operator/sign-in.ts';

/** Requests that change nothing: the cookie is enough for them, since other sites cannot read the answers. */
const reading = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Takes a request with the cookie of a sign-in as one of its role: an owner's continues with the server's token, so that every route has
 * one check; a viewer's is answered by `viewers`. A request that writes must come from a page of this server. A request with a token
 * is not changed.
 */
export function takeSignedIn(options: {
  signIns: SignIns;
  token: string;
  hosts: () => readonly string[];
  viewers: Hono<HttpEnv>;
  /** Answers the request as one of this owner. */
  asOwner<T>(signIn: SignIn, answer: () => T): T;
}): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    const secret = c.req.header('authorization') === undefined ? getCookie(c, cookieName(c)) : undefined;
    const signIn = secret === undefined ? undefined : options.signIns.find(secret);
    if (signIn === undefined) return next();
    if (!reading.has(c.req.method) && !isSameOrigin(c, options.hosts())) throw foreignPage();
    c.set('signIn', signIn);
    if (signIn.role === 'owner') {
      c.req.raw.headers.set('authorization', `Bearer ${options.token}`);
      return options.asOwner(signIn, next);
    }
    // the page holds no data, and is served without a sign-in too
    if (/^\/(?:console(?:\/|$)|$)/.test(c.req.path)) return next();
    return options.viewers.fetch(c.req.raw, { ...c.env, signIn });
  };
}

/** True when the browser says that a page of this server sent the request. */
export function isSameOrigin(c: Context, hosts: readonly string[]): boolean {
  const origin = c.req.header('origin')?.toLowerCase();
  if (origin !== undefined)
    return hosts.some((host) => [`http://${host}`, `https://${host}`].includes(origin));
  return c.req.header('sec-fetch-site') === 'same-origin';
}

/** The refusal of a request that another page sent with our cookie. */
export function foreignPage(): ApiError {
  return new ApiError({
    status: 403,
    code: 'FOREIGN_PAGE',
    message:
      'A request that writes with the cookie of a sign-in must come from a page of this server. Programs send the token.',
  });
}

/** Gives the browser its sign-in: scripts cannot read it, and no other site makes the browser send it. */
export function giveCookie(c: Context, secret: string, maxAgeSeconds: number): void {
  setCookie(c, cookieName(c), secret, {
    httpOnly: true,
    sameSite: 'Strict',
    path: '/',
    secure: c.req.header('x-forwarded-proto') === 'https',
    maxAge: maxAgeSeconds,
  });
}

export function dropCookie(c: Context): void {
  deleteCookie(c, cookieName(c), { path: '/' });
}

/** With the port: browsers give the cookies of one host to all its ports. */
function cookieName(c: Context): string {
  return `parley_console_${/:(\d+)$/.exec(c.req.header('host') ?? '')?.[1] ?? '80'}`;
}
