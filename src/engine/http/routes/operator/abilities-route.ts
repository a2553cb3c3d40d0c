// Who answers in a place and with which tools, over HTTP.

import { defineRoute, type Route } from '#engine/http/routing/route.ts';
import { abilities, abilitiesQuery } from '#engine/wire/commands.ts';
import type { EngineService } from '#engine/wire/service.ts';

/** `GET /agent`. */
export function abilitiesRoute(engine: EngineService): Route {
  return defineRoute({
    method: 'GET',
    path: '/agent',
    tag: 'service',
    summary: 'The agents, the one that answers in a place, and the tools that it may use there',
    query: abilitiesQuery,
    answers: { 200: { about: 'Who answers and with what', schema: abilities } },
    handle: async (c, { query }) => c.json(await engine.abilities(query)),
  });
}
