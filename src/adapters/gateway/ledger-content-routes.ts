// Forgetting over HTTP, behind the engine's token, for `parley memory forget --everywhere` next to a running gateway.
import { Hono } from 'hono';
import type { z } from 'zod';
import { parseJson } from '#base/json.ts';
import {
  forgetStored,
  type StoredForgotten,
  storedForgotten,
} from '#engine/wire/channels/channel-service.ts';
import type { DescribedRoute } from '#engine/wire/described-route.ts';
import type { LedgerContent } from './ledger-content.ts';

export const ledgerForgetPath = '/ledger/forget';

/** The route, for the document. */
export const ledgerForgetDocument: readonly DescribedRoute[] = [
  {
    ...{ method: 'POST', path: ledgerForgetPath, tag: 'service' },
    summary: 'Counts what inbox and outbox store of persons or chats, or deletes it permanently',
    body: forgetStored,
    answers: { 200: { about: 'The counts, and what is left', schema: storedForgotten } },
  },
];

const bodyLimit = 4_000_000;

/** The route; refusals are `{error, code, retryable}`. `ledgerContent` is undefined until the gateway is there. */
export function ledgerContentRoutes(options: {
  ledgerContent: () => LedgerContent | undefined;
  checkBearer: (authorization: string | undefined) => boolean;
}): Hono {
  const app = new Hono();
  app.post(ledgerForgetPath, async (c) => {
    const refuse = (status: 400 | 401 | 503, code: string, error: string) =>
      c.json({ error, code, retryable: status === 503 }, status);
    if (!options.checkBearer(c.req.header('authorization')))
      return refuse(401, 'UNAUTHORIZED', 'Expected the header "Authorization: Bearer <token>".');
    const ledgerContent = options.ledgerContent();
    if (ledgerContent === undefined)
      return refuse(503, 'NOT_READY', 'The channels are starting or stopping; try again in a moment.');
    const text = await c.req.text();
    if (text.length > bodyLimit) return refuse(400, 'TOO_LARGE', 'The body is too long.');
    let request: z.infer<typeof forgetStored>;
    try {
      request = parseJson(text, forgetStored, 'The body');
    } catch (error) {
      return refuse(400, 'INVALID_BODY', error instanceof Error ? error.message : 'The body does not fit.');
    }
    return c.json((await ledgerContent.forget(request)) satisfies StoredForgotten);
  });
  return app;
}
