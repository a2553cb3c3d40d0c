// What people think of an answer, as they show it by a reaction.
import { z } from 'zod';

export const ratings = ['good', 'bad'] as const;

export const runFeedback = z.strictObject({
  rating: z.enum(ratings),
  emoji: z.string().min(1).max(100).describe('As it was given; one of the platform’s own as `:name:`'),
  person: z.string().min(1).max(200).describe('The account, as in the origin of prompts'),
  name: z.string().max(200),
  atMs: z.number(),
  withdrawn: z.literal(true).optional().describe('It was taken back'),
});
export type RunFeedback = z.infer<typeof runFeedback>;

/** Feedback that stands, as a run shows it. */
export const standingFeedback = runFeedback.omit({ withdrawn: true });
export type StandingFeedback = z.infer<typeof standingFeedback>;
