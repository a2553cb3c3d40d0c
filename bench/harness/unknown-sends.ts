// Sends whose answer did not reach the program, as far as the wire shows: cut off, lost on the link, or killed before it was read. Pure.
import type { Broken } from './link.ts';
import type { Call } from './tap.ts';

/** The end of a process: from `stoppedAt` on it was stopped again and again for a look, until it was killed. */
export interface Death {
  stoppedAt: number;
  killedAt: number;
}

/** A running program may take so long to read an answer and to have its receipt on the disk, on a busy machine. */
const unreadMs = 5_000;

/** The sends that took effect and of which no receipt is known, with the time from their answer to the end after it. */
export function withoutReceipt(
  calls: readonly Call[],
  { receipts, deaths }: { receipts: ReadonlySet<string>; deaths: readonly Death[] },
): string[] {
  return calls
    .filter(
      ({ kind, effect, messageID = '' }) => kind === 'send' && effect === 'done' && !receipts.has(messageID),
    )
    .map(({ messageID, status, requestedAt, answeredAt }) => {
      const end = deaths.find(({ killedAt }) => answeredAt !== undefined && killedAt + 5 >= answeredAt);
      const after = answeredAt === undefined || end === undefined ? '-' : end.stoppedAt - answeredAt;
      const answered =
        answeredAt === undefined ? 'unanswered' : `answered after ${answeredAt - requestedAt} ms`;
      return `${messageID} (${status}, ${answered}, end after ${after} ms)`;
    });
}

/**
 * The sends that took effect and whose answer nobody took: none was given to the program, its connection broke before or soon after,
 * or it was killed soon after; and it never committed the receipt. `receipts` holds the ids that it did commit.
 */
export function unknownSends(
  calls: readonly Call[],
  facts: { receipts: ReadonlySet<string>; deaths: readonly Death[]; broken?: readonly Broken[] },
): Call[] {
  const { receipts, deaths, broken = [] } = facts;
  return calls.filter(({ kind, effect, port, requestedAt, answeredAt, messageID = '' }) => {
    if (kind !== 'send' || effect !== 'done') return false;
    if (answeredAt === undefined) return true;
    const brokeThen = broken.some(
      (one) => one.port === port && one.at >= requestedAt && one.at - answeredAt < unreadMs,
    );
    if (brokeThen && !receipts.has(messageID)) return true;
    // the asking process was dead before the answer came, though its socket was not seen to be closed yet
    const askerDied = deaths.some(({ killedAt }) => requestedAt <= killedAt && killedAt < answeredAt);
    if (askerDied && !receipts.has(messageID)) return true;
    const diedThen = deaths.some(
      ({ stoppedAt, killedAt }) => answeredAt <= killedAt + 5 && stoppedAt - answeredAt < unreadMs,
    );
    return diedThen && !receipts.has(messageID);
  });
}
