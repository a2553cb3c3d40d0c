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

/** What someone who asks for a summary may say about it. */
export const summaryRequest = z.strictObject({
  keep: z.string().trim().min(1).max(500).optional().describe('What is to be in it above all'),
});

/** The same key gives the summary that it made. */
export interface SummaryRequest extends z.infer<typeof summaryRequest> {
  idempotencyKey?: string | undefined;
}
