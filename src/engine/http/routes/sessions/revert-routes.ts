// Going back in a session over HTTP: what a revert sets aside, and how it is taken back.
import { z } from 'zod';
import { knownSession, sessionOr404 } from '#engine/http/routing/lookup.ts';
import { defineRoute, type Route } from '#engine/http/routing/route.ts';
import { noFields } from '#engine/operations/fields.ts';
import type { EngineService } from '#engine/wire/service.ts';
import { wireSession } from '#engine/wire/sessions/message.ts';
import { sessionDiff, sessionSnapshots } from '#engine/wire/sessions/snapshot.ts';

const messageID = z.string().min(1).max(100);
const one = { 200: { about: 'The session', schema: wireSession } };

/** `/session/{id}/` with `revert`, `unrevert`, `snapshots` and `diff`. */
export function revertRoutes(engine: EngineService): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/session/:id/revert',
      tag: 'sessions',
      summary: 'Sets a message and all after it aside',
      body: z.object({ messageID }),
      answers: one,
      async handle(c, { body }) {
        const { id } = await sessionOr404(engine, c.req.param('id') ?? '');
        return c.json(await engine.revertSession(id, body.messageID));
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/session/:id/unrevert',
      tag: 'sessions',
      summary:
        'Goes back to before the newest revert; what was written since is set aside, and comes back with a later call of this',
      body: noFields,
      answers: one,
      async handle(c) {
        const { id } = await sessionOr404(engine, c.req.param('id') ?? '');
        return c.json(await engine.unrevertSession(id));
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/session/:id/snapshots',
      tag: 'sessions',
      summary: 'What stood in a session before each revert that can be taken back, oldest first',
      answers: { 200: { about: 'Snapshots', schema: sessionSnapshots } },
      handle: async (c) =>
        c.json(await engine.sessionSnapshots(await knownSession(engine, c.req.param('id') ?? ''))),
    }),
    defineRoute({
      method: 'GET',
      path: '/session/:id/diff',
      tag: 'sessions',
      summary: 'What was set aside and what was written since the newest snapshot of a session',
      answers: { 200: { about: 'The difference', schema: sessionDiff } },
      handle: async (c) =>
        c.json(await engine.sessionDiff(await knownSession(engine, c.req.param('id') ?? ''))),
    }),
  ];
}
