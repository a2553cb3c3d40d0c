// What platforms call their spaces, rooms and threads: told by the gateway, found by name.
import { z } from 'zod';
import { defineRoute, type Route } from '#engine/http/routing/route.ts';
import { integerParam, okAnswer } from '#engine/operations/fields.ts';
import { namedChat, placeNameList } from '#engine/wire/channels/place-names.ts';
import type { EngineService } from '#engine/wire/service.ts';

const listQuery = z.object({
  text: z.string().min(1).max(200).optional().describe('Part of the name'),
  limit: integerParam(1, 5_000).default(1_000),
});

/** `GET` and `PUT /place`. */
export function placeRoutes(engine: EngineService): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/place',
      tag: 'sessions',
      summary: 'Rooms and threads that have a name on their platform, by title',
      query: listQuery,
      answers: { 200: { about: 'Rooms and threads', schema: z.array(namedChat) } },
      handle: async (c, { query }) => c.json(await engine.namedChats(query)),
    }),
    defineRoute({
      method: 'PUT',
      path: '/place',
      tag: 'sessions',
      summary: 'Says what platforms call their spaces, rooms and threads now',
      body: placeNameList,
      answers: { 200: { about: 'They are stored', schema: okAnswer } },
      async handle(c, { body }) {
        await engine.setPlaceNames(body.names);
        return c.json({ ok: true });
      },
    }),
  ];
}
