// What stands in a prompt for the older part of a conversation. Shapes only.
import { z } from 'zod';

export const sessionSummary = z.object({
  sessionID: z.string(),
  text: z.string(),
  /** How many messages it stands for, up to and including `lastMessageID`. */
  messages: z.number(),
  /** Of these, the oldest ones that its author was not shown. */
  unseen: z.number(),
  lastMessageID: z.string(),
  model: z.object({ providerID: z.string(), modelID: z.string() }),
  createdAtMs: z.number(),
});
export type SessionSummary = z.infer<typeof sessionSummary>;
