// Who answers in a place, and with which tools. Shapes only.
import { z } from 'zod';

/** Where something is asked and of which agent, as far as tools go by it. */
export const abilitiesQuery = z.object({
  platform: z.string().min(1).max(40).optional(),
  /** Another agent than the one that answers where none is named. */
  agent: z.string().min(1).max(80).optional(),
});

/** Who answers, and with what. */
export const abilities = z.object({
  /** The agent that is named, or the first. */
  agent: z.string(),
  /** All that are configured, the first one first. */
  agents: z.array(z.object({ name: z.string(), model: z.string().optional() })),
  /** What it may use there. */
  tools: z.array(z.object({ name: z.string(), description: z.string(), verdict: z.enum(['allow', 'ask']) })),
});
export type Abilities = z.infer<typeof abilities>;
