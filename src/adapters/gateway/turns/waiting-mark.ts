// Shows a person that their message waits: a reaction, or words where the chat takes none.
import type { Approvers } from '#adapters/gateway/admission/approvers.ts';
import type { Sender } from '#adapters/gateway/delivery/sender.ts';
import type { Ledger } from '#adapters/gateway/ledger/ledger.ts';
import type { Connection } from '#adapters/gateway/pace/connection.ts';
import type { Limiter } from '#adapters/gateway/pace/limiter.ts';
import type { Phrases } from '#adapters/gateway/phrases/en.ts';
import { yesOrNoHint } from '#adapters/gateway/requests/request-text.ts';
import type { ActivityIndicators } from '#adapters/gateway/terms/activity-indicators.ts';
import { type Address, formatAddress } from '#adapters/gateway/terms/address.ts';
import { aside } from '#adapters/gateway/terms/command-reply.ts';
import type { MessageEvent } from '#adapters/gateway/terms/inbound.ts';
import type { PhraseBook } from '#adapters/gateway/terms/phrase-book.ts';
import type { Clock } from '#base/clock.ts';
import { errorMessage } from '#base/errors.ts';
import type { NewId } from '#base/ids.ts';
import type { Log } from '#base/log/log.ts';
import { isAbort } from '#base/waiting/async.ts';
import { createSeldom } from '#base/waiting/seldom.ts';

interface WaitingMarkOptions {
  ledger: Ledger;
  approvers: Pick<Approvers, 'isApprover'>;
  limiter: Limiter;
  sender: Sender;
  connectionOf: (address: Address) => Connection | undefined;
  signsOf: (address: Address) => ActivityIndicators;
  book: PhraseBook;
  clock: Clock;
  newId: NewId;
  log: Log;
  signal: AbortSignal;
}

/** One notice counts for all messages that wait in a chat within this time. */
const noticeMs = 60_000;

/**
 * Shows that a message waits: by a reaction, or by a notice at most once a minute in a chat. The returned function is not awaited and
 * never fails.
 */
export function createWaitingMark(options: WaitingMarkOptions): (message: MessageEvent) => void {
  const { ledger, approvers, limiter, sender, connectionOf, signsOf, book, clock, newId, log, signal } =
    options;
  /** Whether nothing was written there for a while. */
  const isTime = createSeldom({ clock, ms: noticeMs });

  const phrasesTo = ({ address, actor }: MessageEvent): Phrases => {
    const person = ledger.identities.known(address.platform, actor.id);
    return book.for({ address, person, locale: actor.locale });
  };

  /** What to write instead of a bare yes or no, where this person may approve what waits here. */
  const hintFor = (message: MessageEvent): string | undefined => {
    const { address, actor, text } = message;
    const person = ledger.identities.known(address.platform, actor.id);
    if (person === undefined || !approvers.isApprover(person, address)) return undefined;
    for (const posted of ledger.postedRequests.openAt(address)) {
      const hint = yesOrNoHint(text, posted, phrasesTo(message));
      if (hint !== undefined) return hint;
    }
    return undefined;
  };

  const notice = async (
    { address, nativeID, retryOf }: MessageEvent,
    { channel }: Connection,
    words: string,
  ): Promise<void> => {
    const id = newId('out');
    const parts = channel
      .render(words)
      .map((part, ordinal) => ({ part, key: `w${id.slice(-20)}${ordinal}` }));
    const replyTo = address.kind === 'dm' ? undefined : (retryOf ?? nativeID);
    await ledger.commit(
      () => ledger.outbox.insert({ id, address, replyTo, parts, at: clock.now() }),
      'written',
    );
    await sender.deliver(id, address);
  };

  /** False where words have to do instead. */
  const reacted = async (
    nativeID: string,
    { channel }: Connection,
    { address, reactions }: { address: Address; reactions: boolean },
  ): Promise<boolean> => {
    if (!reactions) return false;
    const call = { address, act: 'react', urgency: 'sign' } as const;
    if (!limiter.tryTake(call)) return true;
    try {
      await channel.react(address, nativeID, '👀');
      return true;
    } catch (error) {
      const failure = channel.explain(error);
      log.debug({ words: failure.words }, 'reaction failed');
      if (failure.kind === 'rate_limit') limiter.hold(call, failure);
      return failure.kind !== 'permission' && failure.kind !== 'invalid';
    }
  };

  const unmarked = (error: unknown): void => {
    if (!isAbort(error, signal))
      log.debug({ words: errorMessage(error) }, 'a waiting message was not marked');
  };

  return (message) => {
    const { address, retryOf } = message;
    const nativeID = retryOf ?? message.nativeID;
    const connection = connectionOf(address);
    if (connection === undefined) return;
    const indicators = signsOf(address);
    const write = async (): Promise<void> => {
      if (indicators.notices && isTime(formatAddress(address)))
        await notice(message, connection, aside(phrasesTo(message).answers.comesNext));
    };
    const hint = hintFor(message);
    if (hint !== undefined) void notice(message, connection, hint).catch(unmarked);
    reacted(nativeID, connection, { address, reactions: indicators.reactions })
      .then((shown) => (shown ? undefined : write()))
      .catch(unmarked);
  };
}
