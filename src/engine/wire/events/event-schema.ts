// The frame of an event as clients read it; what its properties hold for each type is in event.ts.
import { z } from 'zod';

export const wireEvent = z.object({
  type: z.string(),
  properties: z.record(z.string(), z.unknown()),
  envelope: z.object({
    event_id: z.string(),
    seq: z.number().nullable(),
    schema_version: z.literal(1),
    occurred_at_ms: z.number(),
    session_id: z.string().nullable(),
    run_id: z.string().nullable(),
  }),
});
