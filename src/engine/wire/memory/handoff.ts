// What a conversation hands over to the next session: proposed by a model, confirmed by a person. Shapes only.
import { z } from 'zod';

const item = z.object({
  title: z.string().trim().min(1).max(300),
  body: z.string().trim().max(2_000).default(''),
});
const items = z.array(item).max(20).default([]);

export const handoffElements = z.object({
  title: z.string().trim().max(300).default(''),
  summary: z.string().trim().max(4_000).default(''),
  decisions: items,
  threads: items,
  steps: items,
  context: items,
  /** Of what was open before: what the conversation settled. */
  settled: z.array(z.string()).max(500).default([]),
});
export type HandoffElements = z.infer<typeof handoffElements>;

export const handoffInput = z.strictObject({
  sessionID: z.string().min(1).max(200).optional(),
  note: z.string().trim().max(4_000).default(''),
  open: z
    .array(z.object({ id: z.string(), title: z.string() }))
    .max(500)
    .default([]),
});

/** A proposal, and whether a model made it: without one it is empty. */
export interface HandoffProposal {
  by: 'model' | 'nobody';
  elements: HandoffElements;
}
