// The work journal as an operator reads and settles it: of one audience, or of many at once. Shapes only.
import { z } from 'zod';
import { journalKinds, journalStates, settlements } from '#memory/types/journal.ts';
import { memoryAudience } from './memory.ts';

const name = z.string().min(1).max(300);
/** Several values in one field of a query. */
const several = <T extends z.ZodType<unknown, string>>(one: T, split: string | RegExp = ',') =>
  z
    .string()
    .min(1)
    .max(20_000)
    .transform((text) => text.split(split))
    .pipe(z.array(one).max(200));

/** A room's key may have commas. */
const betweenAudiences = /,(?=(?:person|room):)/;

export const memoryJournalQuery = z.object({
  audience: memoryAudience,
  audiences: z
    .union([z.literal('all'), several(memoryAudience.unwrap(), betweenAudiences)])
    .optional()
    .describe('Several at once, separated by commas, or `all`; takes the place of `audience`'),
  kind: several(z.enum(journalKinds)).optional().describe('Kinds, separated by commas; all when absent'),
  status: several(z.enum(journalStates))
    .optional()
    .describe('States of threads, steps, lessons and builds, separated by commas: `open,pending,parked`'),
  agent: name
    .optional()
    .describe('Only what this agent wrote, in any case, and lessons that are for every agent'),
  project: name
    .optional()
    .describe('Only what is of this project, in any case, and lessons that are for every project'),
  with: z.literal('places').optional().describe('Also which projects and agents there are'),
  before: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe('Only what was written before the entry with this id'),
  limit: z
    .string()
    .regex(/^\d{1,3}$/, 'expected a whole number')
    .transform(Number)
    .pipe(z.number().min(1).max(200))
    .default(50),
});

export const memoryJournal = z.object({
  /** Newest first. */
  entries: z.array(
    z.object({
      id: z.string(),
      kind: z.enum(journalKinds),
      agent: z.string(),
      project_id: z.string().nullable(),
      audience: z.string().describe('Whose it is'),
      title: z.string(),
      text: z.string(),
      key: z.string().nullable(),
      tags: z.array(z.string()),
      pinned: z.boolean(),
      status: z.string().nullable().describe('Of threads, steps, lessons and builds'),
      note: z.string().nullable().describe('Why it has its state, or what a person answered'),
      settled_by: z
        .string()
        .nullable()
        .describe('Who settled a thread or a step, or answered it; null where nobody did'),
      created_at_ms: z.number(),
    }),
  ),
  next: z.string().nullable().describe('The `before` of the next page; null after the last entry'),
  places: z
    .array(z.object({ project_id: z.string().nullable(), agent: z.string() }))
    .optional()
    .describe(
      'Every project, or none, with each of its agents, whatever the query narrows; the latest first',
    ),
});
export type MemoryJournal = z.infer<typeof memoryJournal>;

export const journalSettle = z.strictObject({
  id: z.string().min(1).max(100),
  audience: memoryAudience,
  action: z
    .enum([...settlements, 'answered'])
    .describe(
      '`carried_on` opens it again; `answered` leaves it open for its agent, with the answer as its note, unless it chooses between two memories',
    ),
  note: z.string().trim().min(1).max(2_000).optional().describe('Why, or the answer'),
  holds: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe('Of a question about two memories: the id of the one that holds; it supersedes the other'),
  by: name.optional().describe('Who does it, as the agent reads it; the operator when absent'),
});

/** One of the memories that a question is about. */
const side = z.object({
  id: z.string(),
  text: z.string(),
  confidence: z.number(),
  at: z.string().describe('ISO 8601'),
  source: z.string(),
});

export const journalSettled = z.object({
  id: z.string(),
  status: z.string(),
  note: z.string().nullable(),
  holds: side.optional().describe('Of a question about memories: the one that was chosen'),
  superseded: z.array(side).optional().describe('Those that hold no longer'),
  choices: z
    .array(side)
    .optional()
    .describe(
      'Of a question about memories whose answer chose none: both stand. Answer with a number, from 1',
    ),
});
export type JournalSettled = z.infer<typeof journalSettled>;
