// Signing browsers in: a link that works once, its exchange for a cookie, and the list of sign-ins.
import { type Context, Hono } from 'hono';
import { z } from 'zod';
import type { Clock } from '#base/clock.ts';
import { ParleyError } from '#base/errors.ts';
import { noQuery, parseQuery } from '#base/json.ts';
import { dropCookie, foreignPage, giveCookie, isSameOrigin } from '#engine/http/guards/signed-in.ts';
import { readBody } from '#engine/http/routing/body.ts';
import { operationRoutes } from '#engine/http/routing/operation-routes.ts';
import { ApiError } from '#engine/http/routing/refusal.ts';
import { defineRoute, type HttpEnv, type Route } from '#engine/http/routing/route.ts';
import { okAnswer } from '#engine/operations/fields.ts';
import type { ServiceOf } from '#engine/operations/operation.ts';
import type { DescribedRoute } from '#engine/wire/described-route.ts';
import { currentSignIn, type SignIns } from '#engine/wire/operator/sign-in.ts';
import { signInOperations } from '#engine/wire/operator/sign-in-operations.ts';

const signInPath = '/sign-in';

const noBody = z.strictObject({});
const exchangeBody = z.strictObject({ key: z.string().min(1).max(200) });
const nobody = { role: 'owner', name: 'token', id: null, expiresAtMs: null } as const;

/** Who is asking: the sign-in of the browser, or the holder of the token. */
export function currentRoute(version: string, sandbox: boolean): Route {
  return defineRoute({
    method: 'GET',
    path: signInPath,
    tag: 'service',
    summary: 'As what this request speaks: the token, or the sign-in of a browser',
    answers: { 200: { about: 'Role and name', schema: currentSignIn } },
    handle(c) {
      const given = c.get('signIn') ?? c.env?.signIn;
      if (given === undefined) return c.json({ by: 'token', ...nobody, version, sandbox });
      const { id, role, name, expiresAtMs } = given;
      return c.json({ by: 'sign-in', id, role, name, expiresAtMs, version, sandbox });
    },
  });
}

/** Links, the list, and ending one; for owners. */
export function signInRoutes(signIns: SignIns): Route[] {
  const service: ServiceOf<typeof signInOperations> = {
    makeLink: async (as) => signIns.makeLink(as),
    listSignIns: async () => signIns.list(),
    async endSignIn({ id }) {
      if (signIns.end(id)) return;
      throw new ParleyError(
        'sign_in_not_found',
        'There is no sign-in with this id. GET /sign-ins lists them.',
      );
    },
  };
  return operationRoutes(signInOperations, service, 'service');
}

/** What `openSignInRoutes` serves. */
export const signInDocument: readonly DescribedRoute[] = [
  {
    method: 'POST',
    path: signInPath,
    tag: 'service',
    summary: 'Exchanges the key of a link for a cookie, once; only from a page of this server',
    open: true,
    body: exchangeBody,
    answers: {
      200: {
        about: 'As what the browser is signed in',
        schema: currentSignIn.pick({ role: true, name: true }),
      },
    },
  },
  {
    method: 'DELETE',
    path: signInPath,
    tag: 'service',
    summary: 'Ends the sign-in of this browser; only from a page of this server',
    open: true,
    answers: { 200: { about: 'It has ended, or there was none', schema: okAnswer } },
  },
];

/** `POST /sign-in` exchanges the key of a link, `DELETE /sign-in` ends the sign-in. Neither needs the token; both need a page of this server. */
export function openSignInRoutes(options: {
  signIns: SignIns;
  hosts: () => readonly string[];
  clock: Clock;
}): Hono<HttpEnv> {
  const { signIns, hosts, clock } = options;
  const app = new Hono<HttpEnv>();
  const requirePage = (c: Context): void => {
    if (!isSameOrigin(c, hosts())) throw foreignPage();
    parseQuery(c.req.url, noQuery);
  };
  app.post(signInPath, async (c) => {
    requirePage(c);
    const { key } = (await readBody(c, exchangeBody)).value;
    const made = signIns.exchange(key, { agent: (c.req.header('user-agent') ?? '').slice(0, 300) });
    if (made === undefined)
      throw new ApiError({
        status: 401,
        code: 'LINK_USED',
        message:
          'This link was used before, or is older than five minutes. Run "parley console" for a new one.',
      });
    giveCookie(c, made.secret, Math.floor((made.signIn.expiresAtMs - clock.now()) / 1000));
    const { role, name } = made.signIn;
    return c.json({ role, name });
  });
  app.delete(signInPath, async (c) => {
    requirePage(c);
    await readBody(c, noBody);
    const given = c.get('signIn') ?? c.env?.signIn;
    if (given !== undefined) signIns.end(given.id);
    dropCookie(c);
    return c.json({ ok: true });
  });
  return app;
}
