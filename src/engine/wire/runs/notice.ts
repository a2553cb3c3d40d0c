// What a person has to know about an answer next to its words. Shapes only.
import { z } from 'zod';

const notices = [
  /** It was longer than the model may write: it ends in the middle. */
  'cut',
  /** The provider withheld the rest. */
  'filtered',
  /** The model sees no pictures: these of the message were left out. */
  'no pictures',
  /** The model sees fewer pictures than there were: these were left out. */
  'fewer pictures',
  /** The model could not read these pictures, or files that have no text for it. */
  'unreadable',
  /** The model refused what was said before: only the question was answered. */
  'no history',
] as const;

export const runNotice = z.object({
  code: z.enum(notices),
  /** The names of the files that it is about. */
  files: z.array(z.string()).optional(),
});
export type RunNotice = z.infer<typeof runNotice>;
