// Forgetting over HTTP, behind the engine's token, for `parley memory forget --everywhere` next to a running gateway.
import type { Hono } from 'hono';
import type { z } from 'zod';
import { errorMessage, ParleyError } from '#base/errors.ts';
import { parseBody } from '#base/json.ts';
import {
  forgetStored,
  type StoredForgotten,
  storedForgotten,
} from '#engine/wire/channels/channel-service.ts';
import type { DescribedRoute } from '#engine/wire/described-route.ts';
import { createOperatorRoutes } from './access/operator-routes.ts';
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

/** The route; `ledgerContent` is undefined until the gateway is there. */
export function ledgerContentRoutes({
  ledgerContent,
  checkBearer,
}: {
  ledgerContent: () => LedgerContent | undefined;
  checkBearer: (authorization: string | undefined) => boolean;
}): Hono {
  const { app, part, textOf } = createOperatorRoutes({
    path: ledgerForgetPath,
    part: ledgerContent,
    checkBearer,
    bodyLimit: 4_000_000,
  });
  app.post(ledgerForgetPath, async (c) => {
    const content = part();
    const request = requestIn(await textOf(c));
    return c.json((await content.forget(request)) satisfies StoredForgotten);
  });
  return app;
}

function requestIn(text: string): z.infer<typeof forgetStored> {
  try {
    return parseBody(text, forgetStored);
  } catch (error) {
    throw new ParleyError('invalid_body', errorMessage(error));
  }
}
