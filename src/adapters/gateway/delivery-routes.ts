// How answers got to their chats, over HTTP behind the engine's token: `/delivery`, in the process with the channels.
import type { Hono } from 'hono';
import type { z } from 'zod';
import type { Clock } from '#base/clock.ts';
import { type UndeliveredList, undelivered, wayOfRun } from '#engine/wire/channels/channel-service.ts';
import type { DescribedRoute } from '#engine/wire/described-route.ts';
import { createOperatorRoutes, doneAnswer, refuseBody } from './access/operator-routes.ts';
import type { SettleUndelivered } from './delivery/settle-undelivered.ts';
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
    summary: 'The path of the messages that a run answered, with receipts',
    answers: { 200: { about: 'Without a turn for a run of no chat', schema: wayOfRun } },
  },
  {
    ...{ method: 'POST', path: `${deliveryPath}/:id/retry`, tag: 'service' },
    summary: 'Sends what is missing of an answer that could not be delivered',
    answers: { 200: { about: 'It is being sent', schema: doneAnswer } },
  },
  {
    ...{ method: 'POST', path: `${deliveryPath}/:id/dismiss`, tag: 'service' },
    summary:
      'Leaves an answer that is not in its chat: nothing more of it is sent, and it is not listed any more',
    answers: { 200: { about: 'It is left', schema: doneAnswer } },
  },
];

/** What failed longer ago is no news. */
const failedMs = 7 * 86_400_000;
/** What is open for longer than this waits for something. */
const openMs = 60_000;

/** The routes; `deliveries` is undefined until the gateway is there. */
export function deliveryRoutes({
  deliveries,
  checkBearer,
  clock,
}: {
  deliveries: () => (Deliveries & SettleUndelivered) | undefined;
  checkBearer: (authorization: string | undefined) => boolean;
  clock: Clock;
}): Hono {
  const { app, part } = createOperatorRoutes({
    path: deliveryPath,
    part: deliveries,
    checkBearer,
    statuses: { not_found: 404, delivery_settled: 409 },
  });
  app.get(`${deliveryPath}/waiting`, (c) => {
    const now = clock.now();
    const waiting = part().undelivered({ since: now - failedMs, openSince: now - openMs });
    return c.json({ deliveries: waiting } satisfies UndeliveredList);
  });
  app.get(`${deliveryPath}/runs/:run`, (c) => c.json(part().ofRun(c.req.param('run'))));
  for (const how of ['retry', 'dismiss'] as const)
    app.post(`${deliveryPath}/:id/${how}`, async (c) => {
      await refuseBody(c);
      await part()[how](c.req.param('id'));
      return c.json({ ok: true } satisfies z.infer<typeof doneAnswer>);
    });
  return app;
}
