// What a gateway asks of the journal and of memory over HTTP for one reader.
import { z } from 'zod';
import { defineRoute, type Route } from '#engine/http/routing/route.ts';
import { readerCall } from '#engine/wire/memory/reader.ts';
import type { EngineService } from '#engine/wire/service.ts';

/** The largest body, in bytes: a close has hundreds of elements. */
const bodyLimitBytes = 8 * 1024 * 1024;

/** Every caller with the token may name any reader. */
export function readerRoute(engine: EngineService): Route {
  return defineRoute({
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
  });
}
