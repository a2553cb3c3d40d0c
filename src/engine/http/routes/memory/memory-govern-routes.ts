// Governed records over HTTP: put, promoted, demoted and withdrawn inside one audience, and the audit. Not their search.
import { z } from 'zod';
import { optionalID, rangeFields } from '#engine/http/routing/fields.ts';
import { defineRoute, type Route } from '#engine/http/routing/route.ts';
import { memoryAudience } from '#engine/wire/memory/memory.ts';
import {
  memoryAuditPage,
  memoryPin,
  memoryPinned,
  memoryPromote,
  memoryPromoted,
  memoryPut,
  memorySignal,
  memorySignalled,
  memoryStored,
  memoryWithdraw,
  memoryWithdrawn,
} from '#engine/wire/memory/memory-govern.ts';
import type { EngineService } from '#engine/wire/service.ts';

const auditQuery = z.object({
  audience: memoryAudience,
  run_id: optionalID,
  ...rangeFields,
});

/** What changes records: every caller with the token may name any audience; without a name it is the operator's own. */
export function memoryGovernRoutes(engine: EngineService): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/memory/put',
      tag: 'memory',
      summary:
        'Stores a governed record for one audience; the same words are stored there once, with secrets masked',
      body: memoryPut,
      answers: { 200: { about: 'Whether it was stored, and as what', schema: memoryStored } },
      handle: async (c, { body }) => c.json(await engine.putMemory(body)),
    }),
    defineRoute({
      method: 'POST',
      path: '/memory/signal',
      tag: 'memory',
      summary: 'Reports how a procedure went: those that fail are found below those that work',
      body: memorySignal,
      answers: { 200: { about: 'How it went so far', schema: memorySignalled } },
      handle: async (c, { body }) => c.json(await engine.signalMemory(body)),
    }),
    defineRoute({
      method: 'POST',
      path: '/memory/pin',
      tag: 'memory',
      summary: 'Pins a record to every prompt of its audience, or takes the pin away',
      body: memoryPin,
      answers: { 200: { about: 'Whether it is pinned now', schema: memoryPinned } },
      handle: async (c, { body }) => c.json(await engine.pinMemory(body)),
    }),
    defineRoute({
      method: 'POST',
      path: '/memory/promote',
      tag: 'memory',
      summary: 'Brings a record to a wider tier, or a demoted one back; secrets in it are masked',
      body: memoryPromote,
      answers: { 200: { about: 'What became of it', schema: memoryPromoted } },
      handle: async (c, { body }) => c.json(await engine.promoteMemory(body)),
    }),
    defineRoute({
      method: 'POST',
      path: '/memory/demote',
      tag: 'memory',
      summary: 'Takes a record out of what is found; it can be promoted again',
      body: memoryWithdraw,
      answers: { 200: { about: 'It is no longer found', schema: memoryWithdrawn } },
      handle: async (c, { body }) => c.json(await engine.demoteMemory(body)),
    }),
    defineRoute({
      method: 'POST',
      path: '/memory/retract',
      tag: 'memory',
      summary: 'Withdraws a record as no longer true; it stays as history and is not stored again by itself',
      body: memoryWithdraw,
      answers: { 200: { about: 'It is no longer found', schema: memoryWithdrawn } },
      handle: async (c, { body }) => c.json(await engine.retractMemory(body)),
    }),
    defineRoute({
      method: 'GET',
      path: '/memory/audit',
      tag: 'memory',
      summary: 'Who did what to the memories of one audience, newest first, without their words',
      query: auditQuery,
      answers: { 200: { about: 'A page of it', schema: memoryAuditPage } },
      handle: async (c, { query: { run_id: runID, ...query } }) =>
        c.json(await engine.memoryAudit({ runID, ...query })),
    }),
  ];
}
