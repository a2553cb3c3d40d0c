// What is remembered and which models there are, over HTTP. Not what runs make of it.
import { memoryFindings, memorySearch } from '#engine/wire/memory.ts';
import { providerList } from '#engine/wire/provider.ts';
import type { EngineService } from '#engine/wire/service.ts';
import { defineRoute, type Route } from './route.ts';

/** `POST /memory/search` and `GET /provider`. */
export function lookupRoutes(engine: EngineService): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/memory/search',
      tag: 'memory',
      summary: 'Searches memory inside one audience; changes nothing',
      body: memorySearch,
      answers: { 200: { about: 'What was found, the best first', schema: memoryFindings } },
      handle: async (c, { body }) => c.json(await engine.searchMemory(body)),
    }),
    defineRoute({
      method: 'GET',
      path: '/provider',
      tag: 'service',
      summary: 'The configured providers and the models that each of them names',
      answers: { 200: { about: 'Providers', schema: providerList } },
      handle: async (c) => c.json(await engine.providers()),
    }),
  ];
}
