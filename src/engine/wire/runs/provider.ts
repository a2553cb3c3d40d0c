// Which models there are to choose from. Shapes only.
import { z } from 'zod';

export const providerList = z.object({
  /** Configured providers, the first one first, then those that take over. */
  all: z.array(
    z.object({
      id: z.string(),
      /** The model that is asked where nothing else is set. */
      model: z.string(),
      /** Models that the provider names; absent when it could not be asked. */
      models: z.array(z.string()).optional(),
      /** Why it could not be asked. */
      problem: z.string().optional(),
    }),
  ),
  default: z.object({ providerID: z.string(), modelID: z.string() }),
  /** Providers that answered. */
  connected: z.array(z.string()),
});

export const learnedModel = z.object({
  model: z.string().describe("Provider, model and, where it is not the provider's own, its server"),
  known: z
    .record(z.string(), z.union([z.number(), z.boolean()]))
    .describe('`images`, `tools`, `contextTokens`, `system`, `shortIDs`, `beginsThinking`'),
  words: z.string().describe('What the server said last'),
  learnedAtMs: z.number(),
});
export type LearnedModel = z.infer<typeof learnedModel>;
export type ProviderList = z.infer<typeof providerList>;
