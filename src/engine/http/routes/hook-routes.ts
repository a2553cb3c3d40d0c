// Webhooks over HTTP: made, listed and deleted behind the token; what programs send, by the hook's own secret.
import type { Context } from 'hono';
import { z } from 'zod';
import { readBodyText } from '#engine/http/routing/body.ts';
import { ApiError } from '#engine/http/routing/refusal.ts';
import { defineRoute, type HttpEnv, type Route } from '#engine/http/routing/route.ts';
import {
  hook,
  hookBodyLimit,
  hookMade,
  hookTaken,
  hookTest,
  hookTested,
  newHook,
} from '#engine/wire/schedules/hook.ts';
import type { EngineService } from '#engine/wire/service.ts';

/** `/hooks` and `/hook/NAME`. */
export function hookRoutes(engine: EngineService): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/hooks',
      tag: 'schedules',
      summary: 'Makes a webhook; its secret is shown only now',
      body: newHook,
      answers: { 200: { about: 'The webhook with its secret', schema: hookMade } },
      handle: async (c, { body }) => c.json(await engine.createHook(body)),
    }),
    defineRoute({
      method: 'GET',
      path: '/hooks',
      tag: 'schedules',
      summary: 'Webhooks, by name',
      answers: { 200: { about: 'Webhooks without their secrets', schema: z.array(hook) } },
      handle: async (c) => c.json(await engine.listHooks()),
    }),
    defineRoute({
      method: 'DELETE',
      path: '/hooks/:name',
      tag: 'schedules',
      summary: 'Deletes a webhook',
      answers: { 200: { about: 'The webhook that was deleted', schema: hook } },
      handle: async (c) => c.json(await engine.deleteHook(c.req.param('name') ?? '')),
    }),
    defineRoute({
      method: 'POST',
      path: '/hooks/:name/test',
      tag: 'schedules',
      summary: 'Sends a test message through a webhook, and says what became of it',
      body: hookTest,
      answers: { 200: { about: 'It was sent, or how far it is', schema: hookTested } },
      handle: async (c, { body }) => c.json(await engine.testHook(c.req.param('name') ?? '', body)),
    }),
    {
      ...defineRoute({
        method: 'POST',
        path: '/hook/:name',
        tag: 'schedules',
        summary: 'What a program sends into the chat of a webhook, once for each Idempotency-Key',
        startsWork: true,
        answers: { 202: { about: 'It is sent, or was before', schema: hookTaken } },
        async handle(c) {
          const request = { ...proofIn(c), key: c.req.header('idempotency-key')?.slice(0, 200) };
          const body = await readBodyText(c, hookBodyLimit);
          const status = await engine.receiveHook(c.req.param('name') ?? '', { ...request, body });
          return c.json({ ok: true, status }, 202);
        },
      }),
      open: true,
    },
  ];
}

/** Refused before the body is read where nothing proves anything. */
function proofIn(c: Context<HttpEnv>) {
  const bearer = /^Bearer +(\S+) *$/i.exec(c.req.header('authorization') ?? '')?.[1];
  const signature = c.req.header('x-parley-signature');
  const timestamp = c.req.header('x-parley-timestamp');
  if (signature !== undefined && timestamp !== undefined) return { proof: { signature, timestamp } };
  if (bearer !== undefined) return { proof: { bearer } };
  throw new ApiError({
    status: 401,
    code: 'HOOK_REFUSED',
    message:
      'Expected "Authorization: Bearer SECRET", or the headers X-Parley-Timestamp and X-Parley-Signature.',
  });
}
