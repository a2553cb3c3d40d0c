// Memory over HTTP: searched, listed, shown and deleted inside one audience.

import { z } from 'zod';
import { integerParam, okAnswer, rangeFields } from '#engine/http/routing/fields.ts';
import { idPattern } from '#engine/http/routing/lookup.ts';
import { ApiError } from '#engine/http/routing/refusal.ts';
import { defineRoute, type Route } from '#engine/http/routing/route.ts';
import { activeMemoryQuery, activeMemoryState } from '#engine/wire/memory/active-memory.ts';
import {
  forgetReason,
  memoryAudience,
  memoryBudgets,
  memoryDeleted,
  memoryEntries,
  memoryFindings,
  memoryForget,
  memoryForgotten,
  memoryItem,
  memoryKey,
  memoryKinds,
  memoryPlaces,
  memorySearch,
  memoryTag,
} from '#engine/wire/memory/memory.ts';
import { memoryDreams } from '#engine/wire/memory/memory-files.ts';
import { memoryCorrect, memoryCorrected } from '#engine/wire/memory/memory-govern.ts';
import { memoryJournal, memoryJournalQuery } from '#engine/wire/memory/memory-journal.ts';
import { forgottenTurns, roomStates } from '#engine/wire/runs/amendment.ts';
import type { EngineService } from '#engine/wire/service.ts';

const listQuery = z.object({
  q: z.string().trim().min(1).max(1_000).optional().describe('Only entries that hold all of these words'),
  audience: memoryAudience,
  project_id: z.string().min(1).max(200).optional(),
  user_id: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('Only governed records that were stored for this person'),
  channel_tag: z.string().min(1).max(200).optional().describe('Only governed records with this tag'),
  kind: z.enum(memoryKinds).optional().describe('Only governed records of this kind'),
  key: memoryKey.describe('Only governed records with exactly this key'),
  tag: memoryTag.optional().describe('Only governed records that have this tag'),
  pinned: z.literal('true').optional().describe('Only governed records that are pinned'),
  ...rangeFields,
  after: z
    .string()
    .regex(/^-?\d{1,16}\.\d{1,16}$/, 'expected the `next` of a page')
    .optional()
    .describe(
      'The `next` of the page before: faster than an offset in a large memory; not of governed records',
    ),
});
const ofAudience = z.object({ audience: memoryAudience });
const placesQuery = z.object({ limit: integerParam(1, 1_000).default(1_000) });
const deleteQuery = ofAudience.extend({ reason: forgetReason });

/** `/memory`: every caller with the token may name any audience; without a name it is the operator's own. */
export function memoryRoutes(engine: EngineService): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/memory/search',
      tag: 'memory',
      summary: 'Searches memory inside one audience; what is shown is noted in the audit',
      body: memorySearch,
      answers: { 200: { about: 'What was found, the best first', schema: memoryFindings } },
      handle: async (c, { body }) => c.json(await engine.searchMemory(body)),
    }),
    defineRoute({
      method: 'GET',
      path: '/memory/audiences',
      tag: 'memory',
      summary: 'The audiences that own memories, with how many, the largest first',
      query: placesQuery,
      answers: { 200: { about: 'Audiences', schema: memoryPlaces } },
      handle: async (c, { query }) => c.json(await engine.memoryPlaces(query)),
    }),
    defineRoute({
      method: 'GET',
      path: '/memory/active',
      tag: 'memory',
      summary: 'The look into memory before answers: whether a chat has it, and how looks went',
      query: activeMemoryQuery,
      answers: { 200: { about: 'How it works', schema: activeMemoryState } },
      handle: async (c, { query }) => c.json(await engine.activeMemory(query)),
    }),
    defineRoute({
      method: 'GET',
      path: '/memory/budgets',
      tag: 'memory',
      summary: 'How much of each budget is used, and what would go next; nothing is changed',
      query: ofAudience,
      answers: { 200: { about: 'The budgets', schema: memoryBudgets } },
      handle: async (c, { query }) => c.json(await engine.memoryBudgets(query)),
    }),
    defineRoute({
      method: 'GET',
      path: '/memory/journal',
      tag: 'memory',
      summary: 'What agents wrote into the work journal of one audience, newest first',
      query: memoryJournalQuery,
      answers: { 200: { about: 'A page of it', schema: memoryJournal } },
      handle: async (c, { query }) => c.json(await engine.memoryJournal(query)),
    }),
    defineRoute({
      method: 'GET',
      path: '/memory/dreams',
      tag: 'memory',
      summary: 'What the next sweep of dreaming would promote in one audience, and why the rest waits',
      query: ofAudience,
      answers: { 200: { about: 'Candidates with their scores', schema: memoryDreams } },
      handle: async (c, { query }) => c.json(await engine.memoryDreams(query)),
    }),
    defineRoute({
      method: 'POST',
      path: '/memory/forget',
      tag: 'memory',
      summary:
        'Counts the records of one audience that have a kind, a key or a tag; with `apply` forgets them permanently, with all that was made of them',
      body: memoryForget,
      answers: { 200: { about: 'How many they are, and what was still found', schema: memoryForgotten } },
      handle: async (c, { body }) => c.json(await engine.forgetMemory(body)),
    }),
    defineRoute({
      method: 'POST',
      path: '/memory/turns/forget',
      tag: 'memory',
      summary: 'Forgets imported messages that were changed or deleted on their platform',
      body: forgottenTurns,
      answers: { 200: { about: 'Nothing of them is remembered', schema: okAnswer } },
      async handle(c, { body }) {
        await engine.forgetTurns(body);
        return c.json({ ok: true });
      },
    }),
    defineRoute({
      method: 'PUT',
      path: '/memory/rooms',
      tag: 'memory',
      summary:
        'Says which rooms are open to everyone of their space now; what was written in a closed one stays in it',
      body: roomStates,
      answers: { 200: { about: 'It is in force', schema: okAnswer } },
      async handle(c, { body }) {
        await engine.setRooms(body.rooms);
        return c.json({ ok: true });
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/memory',
      tag: 'memory',
      summary: 'What one audience remembers, newest first',
      query: listQuery,
      answers: { 200: { about: 'A page of it', schema: memoryEntries } },
      async handle(c, { query }) {
        const { q: words, project_id: projectID, user_id: userID, channel_tag: channelTag, ...rest } = query;
        const pinned = rest.pinned === undefined ? undefined : true;
        return c.json(await engine.listMemory({ words, projectID, userID, channelTag, ...rest, pinned }));
      },
    }),
  ];
}

/** `/memory/ID`: after every path that has a word where the id would stand. */
export function memoryItemRoutes(engine: EngineService): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/memory/:id',
      tag: 'memory',
      summary: 'One memory of one audience, and of a record all its versions',
      query: ofAudience,
      answers: { 200: { about: 'The memory', schema: memoryItem } },
      handle: async (c, { query }) => c.json(await engine.showMemory(idOf(c.req.param('id')), query)),
    }),
    defineRoute({
      method: 'PATCH',
      path: '/memory/:id',
      tag: 'memory',
      summary: 'Corrects a record of one audience: a new version holds, and the former ones stay readable',
      body: memoryCorrect,
      answers: { 200: { about: 'The new version', schema: memoryCorrected } },
      handle: async (c, { body }) => c.json(await engine.correctMemory(idOf(c.req.param('id')), body)),
    }),
    defineRoute({
      method: 'DELETE',
      path: '/memory/:id',
      tag: 'memory',
      summary: 'Deletes a memory of one audience with all that was made of it, permanently',
      query: deleteQuery,
      answers: { 200: { about: 'It no longer exists, and no import brings it back', schema: memoryDeleted } },
      async handle(c, { query }) {
        const id = idOf(c.req.param('id'));
        return c.json({ ok: true, id, ...(await engine.deleteMemory(id, query)) });
      },
    }),
  ];
}

function idOf(id = ''): string {
  if (idPattern.test(id)) return id;
  throw new ApiError({ status: 404, code: 'MEMORY_NOT_FOUND', message: 'No memory has such an id.' });
}
