// The access admin over HTTP, behind the engine's token: `/people`, for `parley people` next to a running gateway.
import { type Context, Hono } from 'hono';
import { z } from 'zod';
import { ParleyError } from '#base/errors.ts';
import { parseJson } from '#base/json.ts';
import type { AccessAdmin } from './access-admin.ts';
import { roles } from './role.ts';

export const peoplePath = '/people';

const role = z.enum(roles);
export const approveBody = z.strictObject({
  code: z.string().min(1).max(40),
  name: z.string().max(100).optional(),
  role: role.optional(),
  samePerson: z.boolean().optional(),
});
export const denyBody = z.strictObject({ code: z.string().min(1).max(40) });
export const roleBody = z.strictObject({ role });

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
  app.get(peoplePath, async (c) => c.json(await accessAdmin().list()));
  app.post(`${peoplePath}/approve`, async (c) => {
    const { code, ...as } = await body(c, approveBody);
    return c.json(await accessAdmin().approve(code, { name: undefined, ...as }));
  });
  app.post(`${peoplePath}/deny`, async (c) =>
    c.json(await accessAdmin().deny((await body(c, denyBody)).code)),
  );
  app.get(`${peoplePath}/:name`, async (c) => c.json(await accessAdmin().show(c.req.param('name'))));
  app.patch(`${peoplePath}/:name`, async (c) =>
    c.json(await accessAdmin().setRole(c.req.param('name'), (await body(c, roleBody)).role)),
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
