// Knowledge over HTTP: asked before work, promoted from records, listed and taken back, inside one audience.
import { z } from 'zod';
import { optionalID, rangeFields } from '#engine/http/routing/fields.ts';
import { defineRoute, type Route } from '#engine/http/routing/route.ts';
import { memoryAudience } from '#engine/wire/memory/memory.ts';
import {
  knowledgePage,
  knowledgePromote,
  knowledgePromoted,
  knowledgeWithdraw,
  knowledgeWithdrawn,
  memoryPreflight,
  memoryPreflighted,
} from '#engine/wire/memory/memory-knowledge.ts';
import type { EngineService } from '#engine/wire/service.ts';

const listQuery = z.object({
  audience: memoryAudience,
  project_id: optionalID,
  ...rangeFields,
});

/** `/memory/preflight` and `/memory/knowledge`: of one audience, like every route of memory. */
export function memoryKnowledgeRoutes(engine: EngineService): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/memory/preflight',
      tag: 'memory',
      summary: 'What is known already of work that is about to be done, and whether it can be reused',
      body: memoryPreflight,
      answers: { 200: { about: 'The decision, with what it rests on', schema: memoryPreflighted } },
      handle: async (c, { body }) => c.json(await engine.preflightMemory(body)),
    }),
    defineRoute({
      method: 'GET',
      path: '/memory/knowledge',
      tag: 'memory',
      summary: 'The knowledge of one audience, promoted last first',
      query: listQuery,
      answers: { 200: { about: 'A page of it', schema: knowledgePage } },
      handle: async (c, { query: { project_id: projectID, ...query } }) =>
        c.json(await engine.listKnowledge({ projectID, ...query })),
    }),
    defineRoute({
      method: 'POST',
      path: '/memory/knowledge/promote',
      tag: 'memory',
      summary: 'Makes a governed record knowledge of what it covers; secrets in it are masked',
      body: knowledgePromote,
      answers: { 200: { about: 'The knowledge', schema: knowledgePromoted } },
      handle: async (c, { body }) => c.json(await engine.promoteKnowledge(body)),
    }),
    defineRoute({
      method: 'POST',
      path: '/memory/knowledge/withdraw',
      tag: 'memory',
      summary: 'Takes knowledge back; its record stays',
      body: knowledgeWithdraw,
      answers: { 200: { about: 'It is no longer reused', schema: knowledgeWithdrawn } },
      handle: async (c, { body }) => c.json(await engine.withdrawKnowledge(body)),
    }),
  ];
}
