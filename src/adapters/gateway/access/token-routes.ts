// Tokens over HTTP, behind the engine's token: `/tokens`, for `parley token` next to a running gateway.
import type { Hono } from 'hono';
import { z } from 'zod';
import { parseBody } from '#base/json.ts';
import { newToken, token, tokenMade } from '#engine/wire/channels/channel-service.ts';
import type { DescribedRoute } from '#engine/wire/described-route.ts';
import { createOperatorRoutes } from './operator-routes.ts';
import type { TokenAdmin } from './tokens.ts';

export const tokensPath = '/tokens';

/** The routes, for the document. */
export const tokenDocument: readonly DescribedRoute[] = [
  {
    ...{ method: 'GET', path: tokensPath, tag: 'service' },
    summary: 'Tokens of persons and agents, oldest first, without what is secret',
    answers: { 200: { about: 'All of them', schema: z.array(token) } },
  },
  {
    ...{ method: 'POST', path: tokensPath, tag: 'service' },
    summary: 'Makes a token of a person or of an agent: exactly one of both',
    body: newToken,
    answers: {
      201: {
        about: 'The token; `secret` is shown this once',
        schema: tokenMade,
      },
    },
  },
  {
    ...{ method: 'DELETE', path: `${tokensPath}/:id`, tag: 'service' },
    summary: 'Revokes a token: it is refused from this moment',
    answers: { 200: { about: 'The token', schema: token } },
  },
];

/** The routes; `tokens` is undefined until the gateway is there. */
export function tokenRoutes({
  tokens,
  checkBearer,
}: {
  tokens: () => TokenAdmin | undefined;
  checkBearer: (authorization: string | undefined) => boolean;
}): Hono {
  const { app, part, textOf } = createOperatorRoutes({
    path: tokensPath,
    part: tokens,
    checkBearer,
    statuses: { unknown_person: 404, unknown_token: 404 },
    unauthorized: 'Expected the header "Authorization: Bearer <token>" with the token of this server.',
  });
  app.get(tokensPath, async (c) => c.json(await part().list()));
  app.post(tokensPath, async (c) => {
    const text = await textOf(c);
    return c.json(await part().create(parseBody(text, newToken)), 201);
  });
  app.delete(`${tokensPath}/:id`, async (c) => c.json(await part().revoke(c.req.param('id'))));
  return app;
}
