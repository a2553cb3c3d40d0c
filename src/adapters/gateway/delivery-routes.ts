// How answers got to their chats, over HTTP behind the engine's token: `/delivery`, in the process with the channels.
import { Hono } from 'hono';
import type { Clock } from '#base/clock.ts';
import { type UndeliveredList, undelivered, wayOfRun } from '#engine/wire/channels/channel-service.ts';
import type { DescribedRoute } from '#engine/wire/described-route.ts';
import type { Deliveries } from './ledger/deliveries.ts';

const deliveryPath = '/delivery';

/** The routes, for the document. */
export const deliveryDocument: readonly DescribedRoute[] = [
  {
    ...{ method: 'GET', path: `${deliveryPath}/waiting`, tag: 'service' },
    summary: 'Answers that are not in their chats, newest first',
    answers: { 200: { about: 'At most 100', schema: undelivered } },
  },
  {
    ...{ method: 'GET', path: `${deliveryPath}/runs/:run`, tag: 'service' },
    summary: 'The way of the messages that a run answered, with receipts',
    answers: { 200: { about: 'Without a turn for a run of no chat', schema: wayOfRun } },
  },
];

/** What failed longer ago is no news. */
const failedMs = 7 * 86_400_000;
/** What is open for longer than this waits for something. */
const openMs = 60_000;

/** The routes; refusals are `{error, code, retryable}`. `deliveries` is undefined until the gateway is there. */
export function deliveryRoutes(options: {
  deliveries: () => Deliveries | undefined;
  checkBearer: (authorization: string | undefined) => boolean;
  clock: Clock;
}): Hono {
  const app = new Hono();
  app.use(`${deliveryPath}/*`, async (c, next) => {
    if (!options.checkBearer(c.req.header('authorization')))
      return c.json(
        {
          error: 'Expected the header "Authorization: Bearer <token>".',
          code: 'UNAUTHORIZED',
          retryable: false,
        },
        401,
      );
    if (options.deliveries() === undefined)
      return c.json(
        {
          error: 'The channels are starting or stopping; try again in a moment.',
          code: 'NOT_READY',
          retryable: true,
        },
        503,
      );
    return next();
  });
  app.get(`${deliveryPath}/waiting`, (c) => {
    const now = options.clock.now();
    const deliveries = options.deliveries()?.undelivered({ since: now - failedMs, openSince: now - openMs });
    return c.json({ deliveries: deliveries ?? [] } satisfies UndeliveredList);
  });
  app.get(`${deliveryPath}/runs/:run`, (c) =>
    c.json(options.deliveries()?.ofRun(c.req.param('run')) ?? null),
  );
  return app;
}
