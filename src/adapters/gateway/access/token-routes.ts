// Tokens over HTTP, behind the engine's token: `/tokens`, for `parley token` next to a running gateway.
import { type Context, Hono } from 'hono';
import { z } from 'zod';
import { ParleyError } from '#base/errors.ts';
import { parseJson } from '#base/json.ts';
import { newToken, token, tokenMade } from '#engine/wire/channels/channel-service.ts';
import type { DescribedRoute } from '#engine/wire/described-route.ts';
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

const statuses: Readonly<Record<string, 404 | 503>> = {
  unknown_person: 404,
  unknown_token: 404,
  not_ready: 503,
};
const bodyLimit = 10_000;

/** The routes; refusals are `{error, code, hint, retryable}`. `tokens` is undefined until the gateway is there. */
export function tokenRoutes(options: {
  tokens: () => TokenAdmin | undefined;
  checkBearer: (authorization: string | undefined) => boolean;
}): Hono {
  const app = new Hono();
  const refuse = (
    c: Context,
    status: 400 | 401 | 404 | 503,
    { code, message: error, hint }: { code: string; message: string; hint?: string | undefined },
  ) => c.json({ error, code: code.toUpperCase(), hint, retryable: status === 503 }, status);
  app.use(`${tokensPath}/*`, async (c, next) =>
    options.checkBearer(c.req.header('authorization'))
      ? next()
      : refuse(c, 401, {
          code: 'UNAUTHORIZED',
          message: 'Expected the header "Authorization: Bearer <token>" with the token of this server.',
        }),
  );
  app.onError((error, c) => {
    if (!(error instanceof ParleyError)) throw error;
    return refuse(c, statuses[error.code] ?? 400, error);
  });
  const tokens = (): TokenAdmin => {
    const made = options.tokens();
    if (made !== undefined) return made;
    throw new ParleyError('not_ready', 'The channels are starting or stopping; try again in a moment.');
  };
  app.get(tokensPath, async (c) => c.json(await tokens().list()));
  app.post(tokensPath, async (c) => {
    const text = await c.req.text();
    if (text.length > bodyLimit) throw new ParleyError('too_large', 'The body is too long.');
    return c.json(await tokens().create(parseJson(text, newToken, 'The body')), 201);
  });
  app.delete(`${tokensPath}/:id`, async (c) => c.json(await tokens().revoke(c.req.param('id'))));
  return app;
}
