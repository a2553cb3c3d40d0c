// The access admin over HTTP, behind the engine's token: `/people`, for `parley people` next to a running gateway.
import type { Context, Hono } from 'hono';
import type { z } from 'zod';
import { parseBody } from '#base/json.ts';
import {
  accountNamed,
  admission,
  approval,
  approved,
  blockedAccount,
  denial,
  type PeopleList,
  pairingRequest,
  people,
  person,
  roleChange,
} from '#engine/wire/channels/channel-service.ts';
import type { DescribedRoute } from '#engine/wire/described-route.ts';
import type { AccessAdmin } from './access-admin.ts';
import { createOperatorRoutes, doneAnswer } from './operator-routes.ts';

export const peoplePath = '/people';

/** The routes, for the document. */
export const peopleDocument: readonly DescribedRoute[] = [
  {
    ...{ method: 'GET', path: peoplePath, tag: 'service' },
    summary: 'People, pairing requests and other accounts, with what each used',
    answers: { 200: { about: 'All of them', schema: people } },
  },
  {
    ...{ method: 'POST', path: `${peoplePath}/approve`, tag: 'service' },
    summary: 'Admits the person who has the code',
    body: approval,
    answers: { 200: { about: 'The person, and the request', schema: approved } },
  },
  {
    ...{ method: 'POST', path: `${peoplePath}/admit`, tag: 'service' },
    summary:
      'Admits an account that wrote to the bot and belongs to nobody, as a new person or joined to one',
    body: admission,
    answers: { 200: { about: 'The person', schema: person } },
  },
  {
    ...{ method: 'POST', path: `${peoplePath}/deny`, tag: 'service' },
    summary: 'Turns away the person who has the code',
    body: denial,
    answers: { 200: { about: 'The request', schema: pairingRequest } },
  },
  {
    ...{ method: 'POST', path: `${peoplePath}/block`, tag: 'service' },
    summary: 'Answers an account that belongs to nobody nothing any more',
    body: accountNamed,
    answers: { 200: { about: 'The account', schema: blockedAccount } },
  },
  {
    ...{ method: 'POST', path: `${peoplePath}/unblock`, tag: 'service' },
    summary: 'Treats a blocked account as any stranger again',
    body: accountNamed,
    answers: { 200: { about: 'The account', schema: blockedAccount } },
  },
  {
    ...{ method: 'GET', path: `${peoplePath}/:name`, tag: 'service' },
    summary: 'One person',
    answers: { 200: { about: 'The person', schema: person } },
  },
  {
    ...{ method: 'PATCH', path: `${peoplePath}/:name`, tag: 'service' },
    summary: 'Gives a person another role',
    body: roleChange,
    answers: { 200: { about: 'The person', schema: person } },
  },
  {
    ...{ method: 'DELETE', path: `${peoplePath}/:name`, tag: 'service' },
    summary: 'Takes the role and the accounts of a person away',
    answers: { 200: { about: 'Removed', schema: doneAnswer } },
  },
  {
    ...{ method: 'DELETE', path: `${peoplePath}/:name/accounts/:account`, tag: 'service' },
    summary: 'Takes one account (`platform:id`) away from a person',
    answers: { 200: { about: 'Removed', schema: doneAnswer } },
  },
];

const statuses = {
  unknown_person: 404,
  unknown_account: 404,
  person_exists: 409,
  account_known: 409,
  unknown_code: 404,
  role_differs: 409,
  person_in_config: 409,
} as const;

/** The routes; `accessAdmin` is undefined until the gateway is there. */
export function peopleRoutes({
  accessAdmin,
  checkBearer,
}: {
  accessAdmin: () => AccessAdmin | undefined;
  checkBearer: (authorization: string | undefined) => boolean;
}): Hono {
  const { app, part, textOf } = createOperatorRoutes({
    path: peoplePath,
    part: accessAdmin,
    checkBearer,
    statuses,
  });
  const body = async <T>(c: Context, schema: z.ZodType<T>): Promise<T> => parseBody(await textOf(c), schema);
  app.get(peoplePath, async (c) => c.json((await part().list()) satisfies PeopleList));
  app.post(`${peoplePath}/approve`, async (c) => {
    const { code, ...as } = await body(c, approval);
    return c.json(await part().approve(code, { name: undefined, ...as }));
  });
  app.post(`${peoplePath}/admit`, async (c) => {
    const { account, ...as } = await body(c, admission);
    return c.json(await part().admit(account, { name: undefined, ...as }));
  });
  app.post(`${peoplePath}/deny`, async (c) => c.json(await part().deny((await body(c, denial)).code)));
  app.post(`${peoplePath}/block`, async (c) =>
    c.json(await part().block((await body(c, accountNamed)).account)),
  );
  app.post(`${peoplePath}/unblock`, async (c) =>
    c.json(await part().unblock((await body(c, accountNamed)).account)),
  );
  app.get(`${peoplePath}/:name`, async (c) => c.json(await part().show(c.req.param('name'))));
  app.patch(`${peoplePath}/:name`, async (c) =>
    c.json(await part().setRole(c.req.param('name'), (await body(c, roleChange)).role)),
  );
  app.delete(`${peoplePath}/:name`, async (c) => {
    await part().remove(c.req.param('name'));
    return c.json({ ok: true });
  });
  app.delete(`${peoplePath}/:name/accounts/:account`, async (c) => {
    await part().removeAccount(c.req.param('name'), c.req.param('account'));
    return c.json({ ok: true });
  });
  return app;
}
