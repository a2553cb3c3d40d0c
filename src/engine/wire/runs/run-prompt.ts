// What the prompt of a run was made of: sizes and ids are stored, the texts of passages are read from memory when asked for.
import { z } from 'zod';

/** The parts of a prompt that are stored, in the order in which the model gets them. */
export const promptSections = [
  'Instructions',
  'Memory files',
  'Recalled memory',
  'Active memory',
  'Summary of older messages',
  'Conversation',
  'What others wrote before',
  'Message',
] as const;

export const runPrompt = z.object({
  sections: z
    .array(z.object({ name: z.enum(promptSections), characters: z.number() }))
    .describe('In the order in which the model got them'),
  passages: z
    .array(
      z.object({
        id: z.string(),
        source: z.string().describe('What it is a piece of, and of which chat'),
        audience: z.string(),
        text: z.string().nullable().describe('Null for one that was forgotten since'),
      }),
    )
    .describe('Passages of memory that were in it, the best first'),
});
export type RunPrompt = z.infer<typeof runPrompt>;

/** As it is stored, with the run. */
export interface StoredPrompt {
  sections: RunPrompt['sections'];
  passages: Omit<RunPrompt['passages'][number], 'text'>[];
}
