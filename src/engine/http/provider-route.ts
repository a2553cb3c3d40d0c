// Which models there are, over HTTP. Not their use.
import { providerList } from '#engine/wire/provider.ts';
import type { EngineService } from '#engine/wire/service.ts';
import { defineRoute, type Route } from './route.ts';

/** `GET /provider`. */
export function providerRoute(engine: EngineService): Route {
  return defineRoute({
    method: 'GET',
    path: '/provider',
    tag: 'service',
    summary: 'The configured providers and the models that each of them names',
    answers: { 200: { about: 'Providers', schema: providerList } },
    handle: async (c) => c.json(await engine.providers()),
  });
}
