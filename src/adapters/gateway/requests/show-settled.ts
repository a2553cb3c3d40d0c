// How the end of what was asked is shown, in the message that asked it and where the chat has the notice of it.

import type { Sender } from '#adapters/gateway/delivery/sender.ts';
import type { Ledger } from '#adapters/gateway/ledger/ledger.ts';
import type { PostedRequest } from '#adapters/gateway/ledger/posted-requests.ts';
import type { Proposal } from '#adapters/gateway/ledger/turns/proposals.ts';
import type { Connection } from '#adapters/gateway/pace/connection.ts';
import type { Limiter } from '#adapters/gateway/pace/limiter.ts';
import type { Phrases } from '#adapters/gateway/phrases/en.ts';
import type { Address } from '#adapters/gateway/terms/address.ts';
import type { Button, Channel } from '#adapters/gateway/terms/channel.ts';
import type { PhraseBook } from '#adapters/gateway/terms/phrase-book.ts';
import type { MessagePart } from '#adapters/text/part.ts';
import type { Clock } from '#base/clock.ts';
import { errorMessage } from '#base/errors.ts';
import type { Log } from '#base/log/log.ts';
import { backoffMs, isAbort } from '#base/waiting/async.ts';
import { outcomeOf, outcomeText } from './request-outcome.ts';
import { elsewhereText, settledText } from './request-text.ts';

interface SettledView {
  /** Shows the end of everything that has one and does not show it yet, proposals included. Never waited for. */
  showAll(): void;
  /** Shows that one of several questions was answered, while the next one is asked. Never waited for. */
  showAnswered(asked: PostedRequest): void;
}

interface SettledViewOptions {
  ledger: Ledger;
  sender: Sender;
  limiter: Limiter;
  connectionOf: (address: Address) => Connection | undefined;
  /** Who was asked in another chat. */
  whoOf: (asked: PostedRequest, phrases: Phrases) => string;
  book: PhraseBook;
  clock: Clock;
  log: Log;
  signal: AbortSignal;
}

/** A settled request is worth less than the next answer in the chat: after this many failures its message stays as it is. */
const maxAttempts = 4;
const retry = { firstMs: 500, capMs: 30_000 };

/** The parts with buttons below the last one (none for an empty list), unchanged where the platform has no buttons. */
export function withButtons(
  parts: readonly MessagePart[],
  channel: Channel,
  choices: readonly Button[],
): MessagePart[] {
  const last = parts.at(-1);
  if (last === undefined || channel.withChoices === undefined) return [...parts];
  return [...parts.slice(0, -1), channel.withChoices(last, choices)];
}

/** Edits the messages of settled requests: shows the outcome and removes the buttons. */
export function createSettledView(options: SettledViewOptions): SettledView {
  const { ledger, sender, limiter, connectionOf, whoOf, book, clock, log, signal } = options;
  const showing = new Set<string>();

  /** Puts another part in the place of the last message of an outbox row; false when it may work later. */
  const rewrite = async (
    { outboxID, address }: { outboxID: string; address: Address },
    { channel, ready }: Connection,
    change: (shown: readonly MessagePart[]) => MessagePart | undefined,
  ): Promise<boolean> => {
    await sender.deliver(outboxID, address); // it has to be posted first
    const outgoing = ledger.outbox.get(outboxID);
    const nativeID = outgoing?.parts.at(-1)?.nativeID;
    const part = change(outgoing?.parts.map((each) => each.part) ?? []);
    if (part === undefined || nativeID === undefined || outgoing === undefined) return true;
    await ready(signal);
    const call = { address: outgoing.address, act: 'edit', urgency: 'preview' } as const;
    await limiter.take(call, signal);
    try {
      await channel.edit(outgoing.address, nativeID, part);
      return true;
    } catch (error) {
      if (isAbort(error, signal)) throw error;
      const failure = channel.explain(error);
      if (failure.kind === 'rate_limit') limiter.hold(call, failure);
      log.debug(
        { outbox: outboxID, kind: failure.kind, words: failure.words },
        'what is settled still shows its buttons',
      );
      return failure.kind !== 'rate_limit' && failure.kind !== 'transient';
    }
  };

  const again = async (attempt: () => Promise<boolean>): Promise<void> => {
    for (let n = 1; n <= maxAttempts && !(await attempt()); n += 1)
      await clock.sleep(backoffMs(n, retry), signal);
  };

  /** The new text, without buttons; none where it does not fit into the last message, or all of them. */
  const inPlace =
    (markdown: string, channel: Channel) =>
    (shown: readonly MessagePart[]): MessagePart | undefined => {
      const parts = withButtons(channel.render(markdown), channel, []);
      return parts.length === 1 || parts.length === shown.length ? parts.at(-1) : undefined;
    };
  const endOf = (asked: PostedRequest, { channel }: Connection) =>
    inPlace(settledText(asked, book.for(asked)), channel);

  const showEnd = async (asked: PostedRequest): Promise<void> => {
    const { request, outcome = 'dropped', noticeID } = asked;
    const connection = connectionOf(asked.address);
    if (connection === undefined) return; // its channel is switched off: shown when it is back
    await again(() => rewrite(asked, connection, endOf(asked, connection)));
    const notice = noticeID === undefined ? undefined : ledger.outbox.get(noticeID);
    const there = notice && connectionOf(notice.address);
    if (notice !== undefined && there !== undefined && request.kind === 'permission') {
      const phrases = book.for({
        address: notice.address,
        person: ledger.inbox.ofTurn(asked.turnID)[0]?.person,
      });
      const end = { tool: request.tool, who: whoOf(asked, phrases), outcome: outcomeText(outcome, phrases) };
      const markdown = elsewhereText(end, phrases);
      const at = { outboxID: notice.id, address: notice.address };
      await again(() => rewrite(at, there, inPlace(markdown, there.channel)));
    }
    // what a power cut takes of this is shown again
    await ledger.commit(() => ledger.postedRequests.shown(asked.id), 'written');
  };

  /** A decided proposal has the same text and loses its buttons. */
  const showDecided = async ({ outboxID }: Proposal): Promise<void> => {
    const address = ledger.outbox.get(outboxID)?.address;
    const connection = address && connectionOf(address);
    if (address !== undefined && connection === undefined) return; // shown when its channel is back
    if (address !== undefined && connection !== undefined) {
      const { channel } = connection;
      await again(() =>
        rewrite({ outboxID, address }, connection, (shown) => withButtons(shown.slice(-1), channel, [])[0]),
      );
    }
    await ledger.commit(() => ledger.proposals.remove(outboxID), 'written');
  };

  /** Begins it unless it has begun. Nobody waits for what only tidies the chat. */
  const quietly = (id: string, work: () => Promise<unknown>): void => {
    if (showing.has(id)) return;
    showing.add(id);
    work()
      .catch((error: unknown) => {
        if (!isAbort(error, signal))
          log.warn({ asked: id, words: errorMessage(error) }, 'request not shown as settled');
      })
      .finally(() => showing.delete(id));
  };

  return {
    showAll() {
      for (const posted of ledger.postedRequests.settled()) quietly(posted.id, () => showEnd(posted));
      for (const proposal of ledger.proposals.decided())
        quietly(proposal.outboxID, () => showDecided(proposal));
    },
    showAnswered(asked) {
      const connection = connectionOf(asked.address);
      const answered = { ...asked, outcome: outcomeOf(asked) };
      if (connection !== undefined)
        quietly(`${asked.id} ${asked.answers.length}`, () =>
          rewrite(asked, connection, endOf(answered, connection)),
        );
    },
  };
}
