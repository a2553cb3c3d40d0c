// All that persons said, or that was written in chats, over HTTP: counted, forgotten, given out. Not single memories or sessions.
import { z } from 'zod';
import { defineRoute, type Route } from '#engine/http/routing/route.ts';
import type { EngineService } from '#engine/wire/service.ts';
import { contentExport, contentForgotten, forgetContent } from '#engine/wire/sessions/content.ts';

const exportBody = z.strictObject({ persons: z.array(z.string().min(1).max(1_000)).min(1).max(1_000) });

/** `/said`: every caller with the token may name any person. */
export function contentRoutes(engine: EngineService): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/content/forget',
      tag: 'memory',
      summary:
        'Counts all that persons said, or that was written in chats or sessions, in memory and in conversations; with `apply` forgets it permanently',
      body: forgetContent,
      answers: { 200: { about: 'How much it is, and what of it was still found', schema: contentForgotten } },
      handle: async (c, { body }) => c.json(await engine.forgetContent(body)),
    }),
    defineRoute({
      method: 'POST',
      path: '/content/export',
      tag: 'memory',
      summary: 'Everything that these persons said and were answered, from memory and from conversations',
      body: exportBody,
      answers: { 200: { about: 'All of it', schema: contentExport } },
      handle: async (c, { body }) => c.json(await engine.exportContent(body)),
    }),
  ];
}
