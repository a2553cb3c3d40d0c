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

/** One call of a model: milliseconds since the run began, and what the provider counted. */
const modelCall = z.object({
  fromMs: z.number(),
  firstMs: z.number().optional().describe('When its first token came; absent when none did'),
  untilMs: z.number().optional().describe('When its last token came; absent when it broke off'),
  inputTokens: z.number().optional().describe('Absent where the provider counted nothing'),
  outputTokens: z.number().optional(),
});
export type ModelCallTimes = z.infer<typeof modelCall>;

export const runPrompt = z.object({
  sections: z
    .array(
      z.object({
        name: z.enum([...promptSections, 'Tools']),
        characters: z.number(),
        tokens: z
          .number()
          .nullable()
          .describe(
            "The provider's count of the first call, shared out by characters; null where it counted nothing",
          ),
      }),
    )
    .describe('In the order in which the model got them; tools are those that the agent has now'),
  inputTokens: z
    .number()
    .nullable()
    .describe('What the provider counted for the first call: the sum of the sections'),
  builtMs: z
    .number()
    .optional()
    .describe('Milliseconds from the beginning of the run until its prompt was made'),
  calls: z.array(modelCall).optional().describe('The calls of the model, in order'),
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
export interface StoredPrompt extends Pick<RunPrompt, 'builtMs' | 'calls'> {
  sections: { name: (typeof promptSections)[number]; characters: number }[];
  passages: Omit<RunPrompt['passages'][number], 'text'>[];
}
