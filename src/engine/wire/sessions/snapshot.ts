// What stood in a session before each revert, and what has changed since. Shapes only.
import { z } from 'zod';

export const sessionSnapshots = z.array(
  z.object({
    takenAtMs: z.number(),
    /** The messages that stood then, oldest first. */
    messageIDs: z.array(z.string()),
  }),
);
/** Oldest first; `unrevert` goes back to the last of them. */
export type SessionSnapshots = z.infer<typeof sessionSnapshots>;

/** How the session differs from its newest snapshot, or from an empty one where there is none. */
export const sessionDiff = z.object({
  sessionID: z.string(),
  currentMessageCount: z.number(),
  lastSnapshotMessageCount: z.number(),
  delta: z.number(),
  /** Messages of the snapshot that no longer stand, and those that were written since. */
  removedMessageIDs: z.array(z.string()),
  addedMessageIDs: z.array(z.string()),
});
export type SessionDiff = z.infer<typeof sessionDiff>;
