// What programs send to webhooks over HTTP, by the webhook's own secret.
import type { Context } from 'hono';
import { readBodyText } from '#engine/http/routing/body.ts';
import { ApiError } from '#engine/http/routing/refusal.ts';
import { defineRoute, type HttpEnv, type Route } from '#engine/http/routing/route.ts';
import { hookBodyLimit, hookTaken } from '#engine/wire/schedules/hook.ts';
import type { EngineService } from '#engine/wire/service.ts';

/** `/hook/NAME`, which every program may call. */
export function hookRoute(engine: EngineService): Route {
  return defineRoute({
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
    open: true,
  });
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
