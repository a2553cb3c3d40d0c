// What was said in a thread before the assistant was first called into it: one bounded page, or nothing. It never holds up an answer.
import type { Channel } from '#adapters/gateway/channel.ts';
import type { InboxRow } from '#adapters/gateway/ledger/inbox.ts';
import type { Ledger } from '#adapters/gateway/ledger/ledger.ts';
import { withTimeout } from '#base/async.ts';
import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import { truncate } from '#base/text.ts';
import { earlierNote } from '#engine/wire/notes.ts';

/** What stood there, and the message that said it. */
export interface EarlierNote {
  nativeID: string;
  note: string;
}

const mostMessages = 20;
const mostCharsEach = 1_000;
const mostChars = 8_000;
/** An answer waits no longer than this for what went before it. */
const patienceMs = 3_000;

/**
 * Notes on what stood in the thread of this message, oldest first; the newest are kept. Empty outside of threads, for the
 * message that opens one, where the platform has no history for bots, and when it does not give it at once. Notes whether others spoke.
 */
export async function earlierIn(
  { address, event }: InboxRow,
  channel: Channel,
  {
    ledger,
    clock,
    log,
    signal,
  }: { ledger: Pick<Ledger, 'company' | 'commit'>; clock: Clock; log: Log; signal: AbortSignal },
): Promise<EarlierNote[]> {
  const { thread } = address;
  if (thread === undefined || thread === event.nativeID || channel.earlier === undefined) return [];
  const before = { nativeID: event.nativeID, limit: mostMessages };
  try {
    const limit = { clock, ms: patienceMs, what: 'Reading the thread', signal };
    // checked above: a channel that tells no history never comes here
    const said =
      (await withTimeout(limit, async (bounded) => channel.earlier?.(address, before, bounded))) ?? [];
    // others were there before the bot: it does not take what they say for its own
    if (said.some(({ author, fromBot }) => !fromBot && author !== event.actor.name))
      await ledger.commit(() => ledger.company.share(address), 'written');
    const notes: EarlierNote[] = [];
    let chars = 0;
    for (const { nativeID, author, fromBot, text } of said.slice(-mostMessages).reverse()) {
      const note = earlierNote(fromBot ? 'you' : author, truncate(text, mostCharsEach));
      chars += note.length;
      if (chars > mostChars) break;
      if (text.trim() !== '') notes.unshift({ nativeID, note });
    }
    return notes;
  } catch (error) {
    if (signal.aborted) throw error;
    const { kind, words } = channel.explain(error);
    log.debug({ kind, words }, 'a thread was answered without what was said before');
    return [];
  }
}
