// What the operator's routes of the process with the channels have in common: the engine's token, bodies, and refusals.
import { type Context, Hono } from 'hono';
import { type ZodType, z } from 'zod';
import { ParleyError } from '#base/errors.ts';
import { noQuery, parseBody, parseQuery } from '#base/json.ts';

/** The answer of a route that has nothing else to say. */
export const doneAnswer = z.object({ ok: z.literal(true) });

interface OperatorRoutes<Part> {
  /** Without routes; what is registered refuses a request without the token or with an unknown query, and what a ParleyError says. */
  app: Hono;
  /** The part that the routes are for. A ParleyError `not_ready` before it is there, and once it is closed. */
  part(): Part;
  /** The body of a request. A ParleyError `too_large` above the limit. */
  textOf(c: Context): Promise<string>;
}

/** Throws a ParleyError `invalid_request` for a body that says something, to a route that takes none. */
export async function refuseBody(c: Context): Promise<void> {
  parseBody((await c.req.text()) || '{}', noQuery);
}

/** Routes at `path` and below it; refusals are `{error, code, hint, retryable}`, with 400 for a code that `statuses` does not name. */
export function createOperatorRoutes<Part>({
  path,
  part,
  checkBearer,
  statuses = {},
  unauthorized = 'Expected the header "Authorization: Bearer <token>".',
  bodyLimit = 10_000,
  queries = {},
}: {
  path: string;
  /** Undefined until the gateway is there. */
  part: () => Part | undefined;
  checkBearer: (authorization: string | undefined) => boolean;
  statuses?: Readonly<Record<string, 404 | 409 | 503>>;
  unauthorized?: string;
  /** In characters. */
  bodyLimit?: number;
  /** Of the routes that take a query, by path. */
  queries?: Readonly<Record<string, ZodType>>;
}): OperatorRoutes<Part> {
  const app = new Hono();
  const refuse = (c: Context, { code, message, hint }: ParleyError) => {
    const status = code === 'unauthorized' ? 401 : code === 'not_ready' ? 503 : (statuses[code] ?? 400);
    return c.json({ error: message, code: code.toUpperCase(), hint, retryable: status === 503 }, status);
  };
  app.use(`${path}/*`, async (c, next) => {
    if (!checkBearer(c.req.header('authorization'))) throw new ParleyError('unauthorized', unauthorized);
    parseQuery(c.req.url, queries[c.req.path] ?? noQuery);
    // no route that deletes takes a body
    if (c.req.method === 'DELETE') await refuseBody(c);
    await next();
  });
  app.onError((error, c) => {
    if (!(error instanceof ParleyError)) throw error;
    return refuse(c, error);
  });
  return {
    app,
    part() {
      const made = part();
      if (made !== undefined) return made;
      throw new ParleyError('not_ready', 'The channels are starting or stopping; try again in a moment.');
    },
    async textOf(c) {
      const text = await c.req.text();
      if (text.length > bodyLimit) throw new ParleyError('too_large', 'The body is too long.');
      return text;
    },
  };
}
