// A file that a run wrote. Its content is requested by id.
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
});
export type Artifact = z.infer<typeof artifact>;
