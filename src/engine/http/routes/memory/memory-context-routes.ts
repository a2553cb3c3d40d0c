// Files and conversations made into memory, and memory as a tree, over HTTP. Not single memories.
import { z } from 'zod';
import { integerParam } from '#engine/http/routing/fields.ts';
import { defineRoute, type Route } from '#engine/http/routing/route.ts';
import { memoryAudience } from '#engine/wire/memory/memory.ts';
import {
  memoryDistill,
  memoryDistilled,
  memoryImport,
  memoryImported,
  memoryLayers,
  memoryNode,
  memoryTree,
} from '#engine/wire/memory/memory-context.ts';
import type { EngineService } from '#engine/wire/service.ts';

const uri = z.string().trim().min(1).max(4_000);
const treeQuery = z.object({
  uri: uri.optional(),
  max_depth: integerParam(1, 10).default(3),
  audience: memoryAudience,
});

/** `/memory/import` and `/memory/context`: of one audience, like every route of memory. */
export function memoryContextRoutes(engine: EngineService): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/memory/import',
      tag: 'memory',
      summary:
        'Imports files of this machine into memory. Unchanged files are skipped, and the answer lists bad ones',
      body: memoryImport,
      answers: { 200: { about: 'What became of them', schema: memoryImported } },
      handle: async (c, { body }) => c.json(await engine.importMemory(body, c.req.raw.signal)),
    }),
    defineRoute({
      method: 'POST',
      path: '/memory/context/resolve',
      tag: 'memory',
      summary: 'The place at a URI: tandem://session/ID, user/ID, agent/NAME or resources/PATH',
      body: z.strictObject({ uri, audience: memoryAudience }),
      answers: { 200: { about: 'The place', schema: z.object({ node: memoryNode }) } },
      handle: async (c, { body }) => c.json(await engine.resolveContext(body)),
    }),
    defineRoute({
      method: 'GET',
      path: '/memory/context/tree',
      tag: 'memory',
      summary: 'Where the memories of one audience came from, as a tree',
      query: treeQuery,
      answers: { 200: { about: 'The tree', schema: z.object({ tree: z.array(memoryTree) }) } },
      handle: async (c, { query: { max_depth: maxDepth, ...query } }) =>
        c.json(await engine.contextTree({ maxDepth, ...query })),
    }),
    defineRoute({
      method: 'POST',
      path: '/memory/context/layers/generate',
      tag: 'memory',
      summary: 'What a place holds, in three lengths, made of what is there now',
      body: z.strictObject({ node_id: z.string().min(1).max(8_000), audience: memoryAudience }),
      answers: { 200: { about: 'The layers', schema: memoryLayers } },
      handle: async (c, { body: { node_id: nodeID, audience } }) =>
        c.json(await engine.generateLayers({ nodeID, audience })),
    }),
    defineRoute({
      method: 'POST',
      path: '/memory/context/distill',
      tag: 'memory',
      summary: 'Stores what a conversation holds of lasting worth as facts with their evidence, each once',
      body: memoryDistill,
      answers: { 200: { about: 'What was stored, and what existed already', schema: memoryDistilled } },
      handle: async (c, { body }) => c.json(await engine.distillMemory(body)),
    }),
  ];
}
