// When a part that a platform keeps refusing is given up, and what is posted in its place: bounded, so that it blocks nothing.

import type { Ledger } from '#adapters/gateway/ledger/ledger.ts';
import type { OutboxPart, OutboxRow } from '#adapters/gateway/ledger/outbox.ts';
import { isRefusedForLong } from '#adapters/gateway/ledger/refused-rows.ts';
import type { Phrases } from '#adapters/gateway/phrases/en.ts';
import type { Address } from '#adapters/gateway/terms/address.ts';
import type { CallType, Channel, ChannelFailure } from '#adapters/gateway/terms/channel.ts';
import { fileIn } from '#adapters/gateway/terms/file-part.ts';
import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log/log.ts';
import { isAbort } from '#base/waiting/async.ts';
import type { FindPosted } from './find-posted.ts';
import { wordsOfGivenUp } from './instead.ts';

/** One attempt at a part, whose turn at the limiter has come. */
export interface PartAttempt {
  outgoing: OutboxRow;
  part: OutboxPart;
  /** Waits for a turn of another kind of call. */
  take(act: CallType): Promise<void>;
}

/** A part that a platform refused again and again, and in whose place words are now. */
export interface GivenUp {
  address: Address;
  /** The name of the file; undefined for text. */
  file: string | undefined;
  why: string;
}

export interface GiveUpOptions {
  ledger: Ledger;
  posted: Pick<FindPosted, 'replyToOf'>;
  phrasesOf(outgoing: OutboxRow): Phrases;
  clock: Clock;
  log: Log;
  signal: AbortSignal;
  commit: (work: () => void) => Promise<void>;
  /** How long a part is tried that the platform refuses although its connection stands, in milliseconds. */
  giveUpMs: () => number;
  /** Told once for each part, when the words in its place are in the chat. */
  gaveUp(what: GivenUp): void;
}

/** Gives parts up; the time counts from the first refusal, over restarts. */
export function createGiveUp(options: GiveUpOptions) {
  const { ledger, posted, clock, log, signal, commit } = options;
  return {
    /** Whether the part is refused often and for long. */
    isOver: ({ refused }: OutboxPart): boolean =>
      refused !== undefined && isRefusedForLong(refused, { now: clock.now(), giveUpMs: options.giveUpMs() }),

    /**
     * Posts words in the place of a part that was refused just now; undefined where they are refused as well: then the platform takes
     * nothing, and nothing is given up.
     */
    async giveUp(
      { outgoing, part, take }: PartAttempt,
      failure: ChannelFailure,
      channel: Channel,
    ): Promise<string | undefined> {
      const { id, address } = outgoing;
      const words = wordsOfGivenUp(part.part, failure, { channel, phrases: options.phrasesOf(outgoing) });
      if (words === undefined) return undefined;
      const replyTo = posted.replyToOf(outgoing, part.ordinal);
      await take('send');
      const nativeID = await channel.send(address, words, { key: `${part.key}i`, replyTo, signal }).then(
        (receipt) => receipt.nativeID,
        (error: unknown) => {
          if (isAbort(error, signal)) throw error;
          return undefined;
        },
      );
      if (nativeID === undefined) return undefined;
      const file = fileIn(part.part)?.name;
      const about = file === undefined ? failure.words : `${file}: ${failure.words}`;
      const given = { ordinal: part.ordinal, nativeID, at: clock.now(), part: words, words: about };
      await commit(() => ledger.outbox.gaveUp(id, given));
      log.error({ outbox: id, part: part.ordinal, words: about }, 'a part was given up');
      options.gaveUp({ address, file, why: failure.words });
      return nativeID;
    },
  };
}
