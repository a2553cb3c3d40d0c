// Messages that were written long before they came in: while the program was down, or the platform held them back. Pure.

import type { InboxRow } from '#adapters/gateway/ledger/inbox/inbox-row.ts';
import type { Phrases } from '#adapters/gateway/phrases/en.ts';
import type { MessageEvent } from '#adapters/gateway/terms/inbound.ts';

/** Delays up to this are what platforms have on an ordinary day. */
const lateAfterMs = 5 * 60_000;

/** What is known of when a message was written and came in. */
type Timed = Pick<InboxRow, 'writtenAt' | 'receivedAt'> & { event: Pick<MessageEvent, 'delayMs'> };

/** How long a message was on its way: by the clock of the platform that dated it, where that is known, else by ours. */
const delayOf = ({ writtenAt, receivedAt, event }: Timed): number => event.delayMs ?? receivedAt - writtenAt;

/** True when a message came in more than five minutes after it was written. */
export function isLate(message: Timed): boolean {
  return delayOf(message) > lateAfterMs;
}

/**
 * True when a message was certainly said before this program's own `time`, however far the platform's clock and ours are apart. One
 * that comes in without delay never is: the clock may have been set back since.
 */
export function predates(message: Timed, time: number): boolean {
  return isLate(message) && time - (message.receivedAt - delayOf(message)) > lateAfterMs;
}

/** A sentence below the answer, when the message that it answers came late; else undefined. */
export function lateNotice(batch: readonly Timed[], { answers }: Phrases): string | undefined {
  const late = batch.find(isLate);
  return late === undefined ? undefined : answers.late({ atMs: late.writtenAt });
}
