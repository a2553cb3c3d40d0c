// The access admin over HTTP, behind the engine's token: `/people`, for `parley people` next to a running gateway.
import { type Context, Hono } from 'hono';
import { z } from 'zod';
import { ParleyError } from '#base/errors.ts';
import { parseJson } from '#base/json.ts';
import {
  approval,
  approved,
  denial,
  type PeopleList,
  pairingRequest,
  people,
  person,
  roleChange,
} from '#engine/wire/channels/channel-service.ts';
import type { DescribedRoute } from '#engine/wire/described-route.ts';
import type { AccessAdmin } from './access-admin.ts';

export const peoplePath = '/people';

const done = z.object({ ok: z.literal(true) });

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
    ...{ method: 'POST', path: `${peoplePath}/deny`, tag: 'service' },
    summary: 'Turns away the person who has the code',
    body: denial,
    answers: { 200: { about: 'The request', schema: pairingRequest } },
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
    answers: { 200: { about: 'Removed', schema: done } },
  },
  {
    ...{ method: 'DELETE', path: `${peoplePath}/:name/accounts/:account`, tag: 'service' },
    summary: 'Takes one account (`platform:id`) away from a person',
    answers: { 200: { about: 'Removed', schema: done } },
  },
];

const statuses: Readonly<Record<string, 404 | 409>> = {
  unknown_person: 404,
  unknown_account: 404,
  person_exists: 409,
  account_known: 409,
  unknown_code: 404,
  role_differs: 409,
  person_in_config: 409,
};
const bodyLimit = 10_000;

/** The routes; refusals are `{error, code, hint, retryable}`. `accessAdmin` is undefined until the gateway is there. */
export function peopleRoutes(options: {
  accessAdmin: () => AccessAdmin | undefined;
  checkBearer: (authorization: string | undefined) => boolean;
}): Hono {
  const app = new Hono();
  const refuse = (
    c: Context,
    status: 400 | 401 | 404 | 409 | 503,
    code: string,
    error: string,
    hint?: string,
  ) => c.json({ error, code: code.toUpperCase(), hint, retryable: status === 503 }, status);
  app.use(`${peoplePath}/*`, async (c, next) =>
    options.checkBearer(c.req.header('authorization'))
      ? next()
      : refuse(c, 401, 'UNAUTHORIZED', 'Expected the header "Authorization: Bearer <token>".'),
  );
  app.onError((error, c) => {
    if (!(error instanceof ParleyError)) throw error;
    const status = error.code === 'not_ready' ? 503 : (statuses[error.code] ?? 400);
    return refuse(c, status, error.code, error.message, error.hint);
  });
  const accessAdmin = (): AccessAdmin => {
    const made = options.accessAdmin();
    if (made !== undefined) return made;
    throw new ParleyError('not_ready', 'The channels are starting or stopping; try again in a moment.');
  };
  const body = async <T>(c: Context, schema: z.ZodType<T>): Promise<T> => {
    const text = await c.req.text();
    if (text.length > bodyLimit) throw new ParleyError('too_large', 'The body is too long.');
    return parseJson(text, schema, 'The body');
  };
  app.get(peoplePath, async (c) => c.json((await accessAdmin().list()) satisfies PeopleList));
  app.post(`${peoplePath}/approve`, async (c) => {
    const { code, ...as } = await body(c, approval);
    return c.json(await accessAdmin().approve(code, { name: undefined, ...as }));
  });
  app.post(`${peoplePath}/deny`, async (c) => c.json(await accessAdmin().deny((await body(c, denial)).code)));
  app.get(`${peoplePath}/:name`, async (c) => c.json(await accessAdmin().show(c.req.param('name'))));
  app.patch(`${peoplePath}/:name`, async (c) =>
    c.json(await accessAdmin().setRole(c.req.param('name'), (await body(c, roleChange)).role)),
  );
  app.delete(`${peoplePath}/:name`, async (c) => {
    await accessAdmin().remove(c.req.param('name'));
    return c.json({ ok: true });
  });
  app.delete(`${peoplePath}/:name/accounts/:account`, async (c) => {
    await accessAdmin().removeAccount(c.req.param('name'), c.req.param('account'));
    return c.json({ ok: true });
  });
  return app;
}
