// Memory over HTTP: searched, put, listed and deleted inside one audience. Not what runs recall.
import { z } from 'zod';
import {
  memoryAudience,
  memoryDeleted,
  memoryEntries,
  memoryFindings,
  memoryPlaces,
  memoryPut,
  memorySearch,
  memoryStored,
} from '#engine/wire/memory.ts';
import type { EngineService } from '#engine/wire/service.ts';
import { whole } from './fields.ts';
import { idPattern } from './lookup.ts';
import { Refusal } from './refusal.ts';
import { defineRoute, type Route } from './route.ts';

const listQuery = z.object({
  q: z.string().trim().min(1).max(1_000).optional().describe('Only entries that hold all of these words'),
  audience: memoryAudience,
  project_id: z.string().min(1).max(200).optional(),
  limit: whole(1, 1_000).default(100),
  offset: whole(0, 999_999_999).default(0),
});

/** `/memory`: whoever has the token may name any audience; without a name it is the operator's own. */
export function memoryRoutes(engine: EngineService): Route[] {
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
      method: 'POST',
      path: '/memory/put',
      tag: 'memory',
      summary: 'Keeps a note for one audience; the same words are kept there once',
      body: memoryPut,
      answers: { 200: { about: 'Whether it was stored, and as what', schema: memoryStored } },
      handle: async (c, { body }) => c.json(await engine.putMemory(body)),
    }),
    defineRoute({
      method: 'GET',
      path: '/memory/places',
      tag: 'memory',
      summary: 'Every audience that owns memories, with how many',
      answers: { 200: { about: 'Audiences', schema: memoryPlaces } },
      handle: async (c) => c.json(await engine.memoryPlaces()),
    }),
    defineRoute({
      method: 'GET',
      path: '/memory',
      tag: 'memory',
      summary: 'What one audience remembers, newest first',
      query: listQuery,
      answers: { 200: { about: 'A page of it', schema: memoryEntries } },
      async handle(c, { query }) {
        const { q: words, project_id: projectID, audience, limit, offset } = query;
        return c.json(await engine.listMemory({ words, audience, projectID, limit, offset }));
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/memory/:id',
      tag: 'memory',
      summary: 'Deletes a memory of one audience with all that was made of it, for good',
      query: z.object({ audience: memoryAudience }),
      answers: { 200: { about: 'It is gone, and no import brings it back', schema: memoryDeleted } },
      async handle(c, { query }) {
        const id = c.req.param('id') ?? '';
        if (!idPattern.test(id))
          throw new Refusal({ status: 404, code: 'MEMORY_NOT_FOUND', message: 'No memory has such an id.' });
        return c.json({ ok: true, id, ...(await engine.deleteMemory(id, query)) });
      },
    }),
  ];
}
