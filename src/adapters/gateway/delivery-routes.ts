// How answers got to their chats, over HTTP behind the engine's token: `/delivery`, in the process with the channels.
import { type Context, Hono } from 'hono';
import { z } from 'zod';
import type { Clock } from '#base/clock.ts';
import { ParleyError } from '#base/errors.ts';
import { type UndeliveredList, undelivered, wayOfRun } from '#engine/wire/channels/channel-service.ts';
import type { DescribedRoute } from '#engine/wire/described-route.ts';
import type { SettleUndelivered } from './delivery/settle-undelivered.ts';
import type { Deliveries } from './ledger/deliveries.ts';

const deliveryPath = '/delivery';

const done = z.object({ ok: z.literal(true) });

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
  {
    ...{ method: 'POST', path: `${deliveryPath}/:id/retry`, tag: 'service' },
    summary: 'Sends what is missing of an answer that could not be delivered',
    answers: { 200: { about: 'It is being sent', schema: done } },
  },
  {
    ...{ method: 'POST', path: `${deliveryPath}/:id/dismiss`, tag: 'service' },
    summary:
      'Leaves an answer that is not in its chat: nothing more of it is sent, and it is not listed any more',
    answers: { 200: { about: 'It is left', schema: done } },
  },
];

/** What failed longer ago is no news. */
const failedMs = 7 * 86_400_000;
/** What is open for longer than this waits for something. */
const openMs = 60_000;

/** The routes; refusals are `{error, code, retryable}`. `deliveries` is undefined until the gateway is there. */
export function deliveryRoutes(options: {
  deliveries: () => (Deliveries & SettleUndelivered) | undefined;
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
  const settle = async (c: Context, work: Promise<void> | undefined) => {
    try {
      await work;
    } catch (error) {
      if (!(error instanceof ParleyError)) throw error;
      const status = error.code === 'not_found' ? 404 : 409;
      const { message, code, hint } = error;
      return c.json({ error: message, code: code.toUpperCase(), hint, retryable: false }, status);
    }
    return c.json({ ok: true } satisfies z.infer<typeof done>);
  };
  app.post(`${deliveryPath}/:id/retry`, (c) => settle(c, options.deliveries()?.retry(c.req.param('id'))));
  app.post(`${deliveryPath}/:id/dismiss`, (c) => settle(c, options.deliveries()?.dismiss(c.req.param('id'))));
  return app;
}
