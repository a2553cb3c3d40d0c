// How much of the model's window the newest prompt of a session took, part by part. Shapes only.
import { z } from 'zod';
import { promptSections } from '#engine/wire/runs/run-prompt.ts';

export const sessionContext = z.object({
  runID: z.string().describe('The newest run whose prompt is known'),
  model: z.object({ providerID: z.string(), modelID: z.string() }),
  windowTokens: z.number().nullable().describe('Tokens of its window; null where that is not known'),
  sections: z
    .array(
      z.object({ name: z.enum([...promptSections, 'Tools']), characters: z.number(), tokens: z.number() }),
    )
    .describe('In the order in which the model got them; tokens are characters divided by four'),
  tokens: z.number().describe('The sum of the sections'),
  counted: z
    .object({ calls: z.number(), inputTokens: z.number() })
    .nullable()
    .describe('What the provider counted for all calls of the run; null where it counted nothing'),
  summary: z
    .object({ messages: z.number(), createdAtMs: z.number() })
    .nullable()
    .describe('How many of the oldest messages are summarized now, also after that prompt'),
});
export type SessionContext = z.infer<typeof sessionContext>;
