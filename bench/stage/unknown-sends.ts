// Sends whose answer did not reach the program, as far as the wire shows: cut off, or killed before it was read. Pure.
import type { Call } from './tap.ts';

/** The end of a process: it was stopped, and stood still until it was killed. */
export interface Death {
  stoppedAt: number;
  killedAt: number;
}

/** An answer may lie unread in a running program's socket for so long, on a busy machine. */
const unreadMs = 1_500;

/**
 * The sends that took effect and whose answer nobody took: none was given to the program, or it was killed soon after
 * and never committed the receipt. `receipts` holds the ids that it did commit.
 */
export function unknownSends(
  calls: readonly Call[],
  { receipts, deaths }: { receipts: ReadonlySet<string>; deaths: readonly Death[] },
): Call[] {
  return calls.filter(({ kind, effect, answeredAt, messageID = '' }) => {
    if (kind !== 'send' || effect !== 'done') return false;
    if (answeredAt === undefined) return true;
    const diedThen = deaths.some(
      ({ stoppedAt, killedAt }) => answeredAt <= killedAt + 5 && stoppedAt - answeredAt < unreadMs,
    );
    return diedThen && !receipts.has(messageID);
  });
}
