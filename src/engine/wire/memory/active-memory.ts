// The look into memory before an answer, as clients see it: whether a chat has it, and how it went.
import { z } from 'zod';

/**
 * How a look ended: with memories for the prompt, with none, not in time, with an error, or not begun since several before it were late
 * or failed.
 */
export const lookOutcomes = ['given', 'nothing', 'late', 'failed', 'paused'] as const;
export type LookOutcome = (typeof lookOutcomes)[number];

/** Why there is no look in a chat. */
const lookRefusals = ['off', 'chat_kind', 'chat', 'agent', 'no_memory'] as const;
export type LookRefusal = (typeof lookRefusals)[number];

const atMs = z.number().describe('Milliseconds since the epoch');

export const activeMemoryQuery = z.object({
  chat: z
    .string()
    .regex(/^[^:]+:(dm|group|channel)(:[^:]+){4}$/, 'expected the canonical address of a chat')
    .max(1_000)
    .optional(),
  /** Another agent than the one that is bound there. */
  agent: z.string().min(1).max(80).optional(),
});

/** Looks since the start of the process, and what is in their way now. */
export const activeMemoryCounts = z.object({
  by: z.enum(['model', 'ranking']).describe('What chooses among what is found'),
  model: z.string().nullable().describe('The model that chooses'),
  timeoutMs: z.number(),
  ...{ given: z.number(), nothing: z.number(), late: z.number(), failed: z.number(), paused: z.number() },
  cached: z.number().describe('Looks among them for which the model was not asked again'),
  pausedUntilMs: atMs.nullable().describe('Set while looks are paused since several were late or failed'),
});
export type ActiveMemoryCounts = z.infer<typeof activeMemoryCounts>;

export const activeMemoryState = z.object({
  /** Null where the config has it off. */
  counts: activeMemoryCounts.nullable(),
  refusal: z
    .enum(lookRefusals)
    .nullable()
    .describe('Why the config gives the chat no look; null where it does, or where no chat is named'),
  last: z
    .object({ atMs, ms: z.number(), outcome: z.enum(lookOutcomes), memories: z.number() })
    .nullable()
    .describe('The last look in the chat since the start of the process'),
});
export type ActiveMemoryState = z.infer<typeof activeMemoryState>;
