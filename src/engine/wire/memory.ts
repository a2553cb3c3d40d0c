// What a client asks of memory and is told. Shapes only.
import { z } from 'zod';

/** Whose memory: that of whoever runs this program when none is named. */
const audience = z
  .templateLiteral([z.enum(['person', 'room']), ':', z.string().min(1)])
  .optional()
  .describe(
    '`person:ID` or `room:KEY`; `person:operator`, whose the runs of this interface are, when none is named',
  );
const projectID = z.string().min(1).max(200).optional();
const tier = z.enum(['session', 'project', 'global']);
const kinds = ['note', 'fact', 'solution_capsule'] as const;

export const memorySearch = z.strictObject({
  query: z.string().trim().min(1).max(1_000),
  audience,
  project_id: projectID,
  limit: z.int().min(1).max(100).default(8),
});
export type MemorySearch = z.infer<typeof memorySearch>;

const entry = {
  id: z.string(),
  tier,
  /** What it is a piece of. */
  source_type: z.enum(['exchange', 'turn', 'document', ...kinds]),
  content: z.string(),
  created_at_ms: z.number(),
  speaker: z.string(),
  platform: z.string(),
  chat: z.string(),
  audience: z.string(),
  session_id: z.string(),
  run_id: z.string(),
};

export const memoryFindings = z.object({
  results: z.array(
    z.object({
      ...entry,
      /** 0 to 1, relative to the best this query could reach. */
      score: z.number(),
    }),
  ),
  /** What could not be searched, in words. */
  degraded: z.array(z.string()),
});
export type MemoryFindings = z.infer<typeof memoryFindings>;

export const memoryPut = z
  .strictObject({
    content: z.string().trim().min(1).max(20_000),
    kind: z.enum(kinds).default('note'),
    audience,
    space: z
      .string()
      .min(1)
      .max(500)
      .optional()
      .describe('`platform:account:space` of a room, whose members may read it too unless it is private'),
    private: z.boolean().default(true).describe('False: it reaches as far as `memory.sharing` lets a room'),
    project_id: projectID,
  })
  .refine((put) => put.private || put.audience?.startsWith('room:') === true, {
    path: ['private'],
    message: 'what belongs to a person is private; name a room as the audience, or leave it out',
  });
export type MemoryPut = z.infer<typeof memoryPut>;

export const memoryStored = z.object({
  /** The first of `ids`; null when nothing is kept of it. */
  id: z.string().nullable(),
  /** Its pieces, in order: more than one for a long text. */
  ids: z.array(z.string()),
  /** True only when something new was stored. */
  stored: z.boolean(),
  /** `forgotten`: just this was forgotten in this audience before, and is not brought back. */
  status: z.enum(['stored', 'duplicate', 'forgotten', 'nothing to store']),
  tier,
  audience: z.string(),
});
export type MemoryStored = z.infer<typeof memoryStored>;

export interface MemoryList {
  /** Only entries that hold all of these words. */
  words?: string | undefined;
  audience?: MemorySearch['audience'];
  projectID?: string | undefined;
  /** 1 to 1000. */
  limit: number;
  offset: number;
}

export const memoryEntries = z.object({
  /** Newest first. */
  items: z.array(z.object(entry)),
  /** How many there are in `items`. */
  count: z.number(),
  offset: z.number(),
  limit: z.number(),
});
export type MemoryEntries = z.infer<typeof memoryEntries>;

export const memoryDeleted = z.object({
  ok: z.literal(true),
  id: z.string(),
  /** Words of it that still stand in a file of the memory (another program is reading it); 0 when nothing is left. */
  traces: z.number(),
});
export const memoryAudience = audience;

export const memoryPlaces = z.object({
  places: z.array(z.object({ audience: z.string(), entries: z.number() })),
});
export type MemoryPlaces = z.infer<typeof memoryPlaces>;
