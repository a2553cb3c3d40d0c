// Which models there are and what they take, over HTTP. Not their use.
import { z } from 'zod';
import { defineRoute, type Route } from '#engine/http/routing/route.ts';
import { integerParam } from '#engine/operations/fields.ts';
import { abilitiesQuery } from '#engine/wire/commands.ts';
import { learnedModels, providerList } from '#engine/wire/runs/provider.ts';
import { transcription, transcriptionRequest } from '#engine/wire/runs/transcription.ts';
import type { EngineService } from '#engine/wire/service.ts';

/** `GET /provider`, `GET` and `DELETE /provider/learned`, `GET /provider/takes_file` and `POST /transcribe`. */
export function providerRoutes(engine: EngineService): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/provider',
      tag: 'service',
      summary: 'The configured providers and the models that each of them names',
      query: abilitiesQuery.pick({ agent: true }),
      answers: { 200: { about: 'Providers', schema: providerList } },
      handle: async (c, { query }) => c.json(await engine.providers(query)),
    }),
    defineRoute({
      method: 'GET',
      path: '/provider/learned',
      tag: 'service',
      summary: 'What models taught by refusing requests: what later requests leave out',
      answers: { 200: { about: 'Models, the newest first', schema: learnedModels } },
      handle: async (c) => c.json({ models: await engine.learnedModels() }),
    }),
    defineRoute({
      method: 'DELETE',
      path: '/provider/learned',
      tag: 'service',
      summary: 'Forgets it, so that it is tried again',
      query: z.object({ model: z.string().min(1).max(500).optional() }),
      answers: { 200: { about: 'How many models that were', schema: z.object({ forgotten: z.number() }) } },
      handle: async (c, { query }) => c.json({ forgotten: await engine.forgetLearned(query.model) }),
    }),
    defineRoute({
      method: 'GET',
      path: '/provider/takes_file',
      tag: 'service',
      summary: 'Whether the model is shown files of this type and size; any other is only named to it',
      query: z.object({ mime: z.string().min(1).max(200), bytes: integerParam(0, Number.MAX_SAFE_INTEGER) }),
      answers: { 200: { about: 'Whether it is', schema: z.object({ takes: z.boolean() }) } },
      handle: async (c, { query }) => c.json({ takes: await engine.takesFile(query) }),
    }),
    defineRoute({
      method: 'POST',
      path: '/transcribe',
      tag: 'service',
      summary: 'The words spoken in an upload; it may take minutes',
      body: transcriptionRequest,
      answers: { 200: { about: 'The text, or why there is none', schema: transcription } },
      handle: async (c, { body }) => c.json(await engine.transcribe(body, c.req.raw.signal)),
    }),
  ];
}
