// What runs came to: how they ended, and what they used of a model, tokens and, where a price is known, money. Shapes only.
import { z } from 'zod';

/** How a run may have ended, once. */
export const endedStatuses = ['completed', 'error', 'timeout', 'cancelled', 'interrupted'] as const;
export type FinalStatus = (typeof endedStatuses)[number];

export const tokenUsage = z.object({
  /** Calls of the model that reported what they used. */
  calls: z.number(),
  /** All tokens that were sent, those from the provider's cache included. */
  inputTokens: z.number(),
  /** Of `inputTokens`, those that the provider had in its cache. */
  cachedInputTokens: z.number(),
  /** All tokens that came back, reasoning included. */
  outputTokens: z.number(),
  reasoningTokens: z.number(),
  /** In US dollars; absent when no price is configured for the model. */
  costUSD: z.number().optional(),
});
export type TokenUsage = z.infer<typeof tokenUsage>;

/** What happened in one stretch of time; a stretch without runs has zeros, and no latency. */
export const usageBucket = z.object({
  atMs: z.number().describe('Its beginning'),
  messages: z.number().describe('Messages of people that runs answered'),
  runs: z.number(),
  errors: z.number().describe('Runs that ended with an error or a timeout'),
  inputTokens: z.number(),
  outputTokens: z.number(),
  costUSD: z.number().nullable().describe('Null where no model has a price'),
  latencyMs: z
    .object({ p50: z.number(), p95: z.number() })
    .nullable()
    .describe(
      'From the beginning of a run to its end without the time in which it waited for people, of runs that completed; null where none did',
    ),
});
export type UsageBucket = z.infer<typeof usageBucket>;

/** What use is summed by. */
export const usageKeys = ['day', 'session', 'person', 'room', 'agent', 'model'] as const;

/** The sum of one group of runs; `day` is in UTC (`2026-01-31`). */
export const usageSum = tokenUsage.extend({
  runs: z.number(),
  day: z.string().optional(),
  sessionID: z.string().optional(),
  /** A person, the address of a room, an agent or a model; empty for what no chat asked, absent for conversations that were deleted. */
  of: z.string().optional(),
  /** The same for people: a name, or `#engine-room · Harbour crew · Discord`. */
  title: z.string().optional(),
  /** Runs whose model has no price, and which `costUSD` therefore leaves out. */
  unpricedRuns: z.number(),
  /** How many runs ended how; active ones are only in `runs`. */
  ended: z.record(z.enum(endedStatuses), z.number()),
});
export type UsageSum = z.infer<typeof usageSum>;
