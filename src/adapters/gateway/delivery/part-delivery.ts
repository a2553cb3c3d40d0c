// Posts one part of an answer until it is in the chat, or never will be; each attempt is on record before it is made.

import type { Ledger } from '#adapters/gateway/ledger/ledger.ts';
import type { OutboxPart, OutboxRow } from '#adapters/gateway/ledger/outbox.ts';
import type { Connection } from '#adapters/gateway/pace/connection.ts';
import type { Limiter } from '#adapters/gateway/pace/limiter.ts';
import type { Phrases } from '#adapters/gateway/phrases/en.ts';
import type { CallType, Channel, ChannelFailure } from '#adapters/gateway/terms/channel.ts';
import type { PhraseBook } from '#adapters/gateway/terms/phrase-book.ts';
import type { Clock } from '#base/clock.ts';
import { isDiskFailure } from '#base/files/disk-failures.ts';
import type { Log } from '#base/log/log.ts';
import { backoffMs, isAbort } from '#base/waiting/async.ts';
import { createFindPosted } from './find-posted.ts';
import type { FirstSends } from './first-sends.ts';
import { createGiveUp, type GiveUpOptions, type PartAttempt } from './give-up.ts';
import { isFinal, markedRepeat, wordsInstead } from './instead.ts';
import type { Typing } from './typing.ts';

/** `given up`: an operator dismissed the answer while it waited. */
type PartOutcome = { nativeID: string } | { failure: ChannelFailure } | 'given up';

const retry = { firstMs: 500, capMs: 30_000 };

interface PartDeliveryOptions extends Pick<GiveUpOptions, 'giveUpMs' | 'gaveUp'> {
  ledger: Ledger;
  limiter: Limiter;
  typing: Pick<Typing, 'posted'>;
  first: Pick<FirstSends, 'isNoted' | 'tried'>;
  book: PhraseBook;
  clock: Clock;
  log: Log;
  signal: AbortSignal;
  /** Commits what must not be forgotten; while the disk refuses it, tries again. */
  commit: (work: () => void) => Promise<void>;
}

/** Delivers one part of an outbox row that was read just now. Resolves with its message once that exists, or with a failure when it never will. */
export function createPartDelivery(
  options: PartDeliveryOptions,
): (row: OutboxRow, ordinal: number, connection: Connection) => Promise<PartOutcome> {
  const { ledger, limiter, typing, first, clock, log, signal, commit } = options;
  const posted = createFindPosted({ ledger, clock, signal, commit });

  /** In the language of the person who is answered, or of their room. */
  const phrasesOf = ({ address, turnID }: OutboxRow): Phrases => {
    const person = turnID === undefined ? undefined : ledger.inbox.ofTurn(turnID)[0]?.person;
    return options.book.for({ address, person });
  };

  const { isOver, giveUp } = createGiveUp({ ...options, posted, phrasesOf });

  const post = async ({ outgoing, part, take }: PartAttempt, channel: Channel): Promise<string> => {
    const { address } = outgoing;
    const replyTo = posted.replyToOf(outgoing, part.ordinal);
    const body = part.possibleRepeat ? markedRepeat(part.part, channel, phrasesOf(outgoing)) : part.part;
    const preview = await posted.previewMessage(outgoing, part, channel);
    if (preview !== undefined) {
      if (part.preview?.nativeID === undefined) await take('edit'); // it had to be found first
      await channel.edit(address, preview, body);
      return preview;
    }
    const receipt = await channel.send(address, body, { key: part.key, replyTo, signal });
    typing.posted(address);
    return receipt.nativeID;
  };

  const rowNow = (
    id: string,
    ordinal: number,
    outgoing = ledger.outbox.get(id),
  ): { outgoing: OutboxRow; part: OutboxPart } => {
    const part = outgoing?.parts[ordinal];
    if (outgoing === undefined || part === undefined)
      throw new Error(`outbox row ${id} has lost its part ${ordinal}`);
    return { outgoing, part };
  };

  return async (row, ordinal, { channel, status, ready, refused }) => {
    const { id } = row;
    for (let attempt = 1; ; attempt += 1) {
      // an attempt may have learnt that its chat has moved, and much may happen until an account is ready
      const isRead = attempt === 1 && status().state === 'ready';
      await ready(signal);
      const { outgoing, part } = rowNow(id, ordinal, isRead ? row : undefined);
      const { address } = outgoing;
      let act: CallType = 'send';
      const take = (next: CallType): Promise<void> => {
        act = next;
        return limiter.take({ address, act, urgency: 'final' }, signal);
      };
      await take(part.preview?.nativeID === undefined ? 'send' : 'edit');
      if (ledger.outbox.stateOf(id) === 'failed') return 'given up';
      const isOnRecord = ordinal === 0 && first.isNoted(id);
      let unknown = part.state === 'sending' && !isOnRecord;
      try {
        const found = unknown ? await posted.settleUnknown(outgoing, part, channel) : undefined;
        const settled = unknown ? rowNow(id, ordinal).part : part;
        unknown = false;
        // On the disk before it is sent: after a power cut too it is known that it may stand.
        if (isOnRecord) await ledger.onDisk();
        else await ledger.commit(() => ledger.outbox.sending(id, part.ordinal), 'on disk');
        first.tried(id);
        const nativeID = found ?? (await post({ outgoing, part: settled, take }, channel));
        // The message exists: its receipt is written however long the disk refuses it, so that nothing is posted again.
        await commit(() => ledger.outbox.received(id, { ordinal: part.ordinal, nativeID, at: clock.now() }));
        return { nativeID };
      } catch (error) {
        if (isAbort(error, signal) || isDiskFailure(error)) throw error;
        const failure = channel.explain(error);
        log.warn(
          { outbox: id, part: part.ordinal, attempt, kind: failure.kind, words: failure.words },
          'send failed',
        );
        // What a search for the last attempt met says nothing of that attempt.
        if (!failure.maybeDelivered && !unknown) await commit(() => ledger.outbox.unsent(id, part.ordinal));
        if (failure.kind === 'rate_limit') limiter.hold({ address, act }, failure);
        else if (failure.kind === 'auth') refused(failure.words);
        else if (isFinal(failure)) {
          const words = wordsInstead(part.part, failure, { channel, phrases: phrasesOf(outgoing) });
          if (part.preview === undefined && words === undefined) return { failure };
          if (words !== undefined) await commit(() => ledger.outbox.replace(id, part.ordinal, words));
          else await commit(() => ledger.outbox.forgetPreview(id, part.ordinal)); // the preview is gone or cannot be edited: the text goes out again
        } else {
          await commit(() =>
            ledger.outbox.refusedPart(id, ordinal, { words: failure.words, at: clock.now() }),
          );
          const now = rowNow(id, ordinal).part;
          // a preview that cannot be edited may be all that is wrong
          if (isOver(now) && now.preview !== undefined)
            await commit(() => ledger.outbox.forgetPreview(id, ordinal));
          else if (isOver(now)) {
            const words = await giveUp({ outgoing, part: now, take }, failure, channel);
            if (words !== undefined) return { nativeID: words };
          }
          await clock.sleep(failure.retryAfterMs ?? backoffMs(attempt, retry), signal);
        }
      }
    }
  };
}
