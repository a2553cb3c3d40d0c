// What a client asks of memory and is told. Shapes only.
import { z } from 'zod';

export const memorySearch = z.strictObject({
  query: z.string().trim().min(1).max(1_000),
  /** Whose memory is read; what runs of this interface may recall when absent. */
  audience: z
    .templateLiteral([z.enum(['person', 'room']), ':', z.string().min(1)])
    .optional()
    .describe('`person:ID` or `room:KEY`; what runs of this interface recall when absent'),
  project_id: z.string().min(1).max(200).optional(),
  limit: z.int().min(1).max(100).default(8),
});
export type MemorySearch = z.infer<typeof memorySearch>;

export const memoryFindings = z.object({
  results: z.array(
    z.object({
      id: z.string(),
      tier: z.enum(['session', 'project', 'global']),
      content: z.string(),
      /** 0 to 1, relative to the best this query could reach. */
      score: z.number(),
      created_at_ms: z.number(),
      speaker: z.string(),
      platform: z.string(),
      chat: z.string(),
      audience: z.string(),
      session_id: z.string(),
      run_id: z.string(),
    }),
  ),
  /** What could not be searched, in words. */
  degraded: z.array(z.string()),
});
export type MemoryFindings = z.infer<typeof memoryFindings>;
