// A file that a run wrote. Its content is asked for by id.
import { z } from 'zod';

export const artifact = z.object({
  id: z.string(),
  runID: z.string(),
  /** As the person sees it; one path segment. */
  name: z.string(),
  mediaType: z.string(),
  /** In bytes. */
  size: z.number(),
  /** Relative to the home folder, with `/`. */
  path: z.string(),
  /** What is in it, for people who cannot see it and below it. */
  caption: z.string().optional(),
  /** Spoken for the person: sent as a voice message where the platform has them. */
  voice: z.literal(true).optional(),
});
export type Artifact = z.infer<typeof artifact>;
