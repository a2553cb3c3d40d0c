// Forgetting over HTTP, behind the engine's token: `/saved/forget`, for `parley memory forget --everywhere` next to a running gateway.
import { Hono } from 'hono';
import { z } from 'zod';
import { parseJson } from '#base/json.ts';
import type { Keeping } from './keeping.ts';

export const keptForgetPath = '/kept/forget';

const list = z.array(z.string().min(1).max(1_000)).max(1_000).default([]);
export const keptForgetBody = z
  .strictObject({
    of: z.strictObject({ persons: list, chats: list }),
    apply: z.boolean().default(false),
    sessionIDs: z.array(z.string()).max(100_000).default([]),
  })
  .refine(({ of, sessionIDs }) => of.persons.length + of.chats.length + sessionIDs.length > 0, {
    message: 'expected persons or chats',
  });
const bodyLimit = 4_000_000;

/** The route; refusals are `{error, code, retryable}`. `keeping` is undefined until the gateway is there. */
export function keepingRoutes(options: {
  keeping: () => Keeping | undefined;
  checkBearer: (authorization: string | undefined) => boolean;
}): Hono {
  const app = new Hono();
  app.post(keptForgetPath, async (c) => {
    const refuse = (status: 400 | 401 | 503, code: string, error: string) =>
      c.json({ error, code, retryable: status === 503 }, status);
    if (!options.checkBearer(c.req.header('authorization')))
      return refuse(401, 'UNAUTHORIZED', 'Expected the header "Authorization: Bearer <token>".');
    const keeping = options.keeping();
    if (keeping === undefined)
      return refuse(503, 'NOT_READY', 'The channels are starting or stopping; try again in a moment.');
    const text = await c.req.text();
    if (text.length > bodyLimit) return refuse(400, 'TOO_LARGE', 'The body is too long.');
    let request: z.infer<typeof keptForgetBody>;
    try {
      request = parseJson(text, keptForgetBody, 'The body');
    } catch (error) {
      return refuse(400, 'INVALID_BODY', error instanceof Error ? error.message : 'The body does not fit.');
    }
    return c.json(await keeping.forget(request));
  });
  return app;
}
