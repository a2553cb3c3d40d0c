// All that persons said, or that was written in chats, over HTTP: counted, forgotten, given out. Not single memories or sessions.
import { z } from 'zod';
import { defineRoute, type Route } from '#engine/http/routing/route.ts';
import type { EngineService } from '#engine/wire/service.ts';
import { forgetSaid, saidExport, saidForgotten } from '#engine/wire/sessions/said.ts';

const exportBody = z.strictObject({ persons: z.array(z.string().min(1).max(1_000)).min(1).max(1_000) });

/** `/said`: every caller with the token may name any person. */
export function saidRoutes(engine: EngineService): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/said/forget',
      tag: 'memory',
      summary:
        'Counts all that persons said, or that was written in chats or sessions, in memory and in conversations; with `apply` forgets it permanently',
      body: forgetSaid,
      answers: { 200: { about: 'How much it is, and what of it was still found', schema: saidForgotten } },
      handle: async (c, { body }) => c.json(await engine.forgetSaid(body)),
    }),
    defineRoute({
      method: 'POST',
      path: '/said/export',
      tag: 'memory',
      summary: 'Everything that these persons said and were answered, from memory and from conversations',
      body: exportBody,
      answers: { 200: { about: 'All of it', schema: saidExport } },
      handle: async (c, { body }) => c.json(await engine.exportSaid(body)),
    }),
  ];
}
