// Sends whose answer did not reach the program, as far as the wire shows: cut off, or killed before it was read. Pure.
import type { Call } from './tap.ts';

/** An answer may lie unread in a program's socket for so long before a kill, on a busy machine. */
const unreadMs = 1_500;

/**
 * The sends that took effect and whose answer nobody took: none was given to the program, or it was killed soon after
 * and never committed the receipt. `receipts` holds the ids that it did commit, `kills` the moments of its deaths.
 */
export function unknownSends(
  calls: readonly Call[],
  { receipts, kills }: { receipts: ReadonlySet<string>; kills: readonly number[] },
): Call[] {
  return calls.filter(({ kind, effect, answeredAt, messageID = '' }) => {
    if (kind !== 'send' || effect !== 'done') return false;
    if (answeredAt === undefined) return true;
    const killedThen = kills.some((at) => at >= answeredAt - 5 && at - answeredAt < unreadMs);
    return killedThen && !receipts.has(messageID);
  });
}
