// What a gateway asks of memory over HTTP: the journal and memory for one reader, imported turns that changed, which rooms are open.
import { z } from 'zod';
import { defineRoute, type Route } from '#engine/http/routing/route.ts';
import { okAnswer } from '#engine/operations/fields.ts';
import { readerCall } from '#engine/wire/memory/reader.ts';
import { forgottenTurns, roomStates } from '#engine/wire/runs/amendment.ts';
import type { EngineService } from '#engine/wire/service.ts';

/** The largest body, in bytes: a close has hundreds of elements. */
const bodyLimitBytes = 8 * 1024 * 1024;

/** Every caller with the token may name any reader. */
export function gatewayMemoryRoutes(engine: EngineService): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/memory/reader',
      tag: 'memory',
      summary:
        'One operation of the work journal or of memory for a reader, inside what the reader may read; docs/mcp.md names the operations by their tools',
      body: readerCall,
      bodyLimitBytes,
      answers: { 200: { about: 'What the operation gives', schema: z.record(z.string(), z.unknown()) } },
      handle: async (c, { body: { operation, reader, project_id: projectID, input } }) =>
        c.json(await engine.forReader(operation, { reader, projectID, input })),
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
  ];
}
