// The work journal of one audience as an operator reads it: which entries, and a page of them. Shapes only.
import { z } from 'zod';
import { journalKinds } from '#memory/types/journal.ts';
import { memoryAudience } from './memory.ts';

export const memoryJournalQuery = z.object({
  audience: memoryAudience,
  kind: z.enum(journalKinds).optional(),
  agent: z.string().min(1).max(300).optional().describe('Only what this agent wrote'),
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
      title: z.string(),
      text: z.string(),
      status: z.string().nullable().describe('Of threads, steps, lessons and builds'),
      note: z.string().nullable().describe('Why it has its state, or what a person answered'),
      created_at_ms: z.number(),
    }),
  ),
  next: z.string().nullable().describe('The `before` of the next page; null after the last entry'),
});
export type MemoryJournal = z.infer<typeof memoryJournal>;
