// How the end of what was asked is shown, in the message that asked it and where the chat was notified of it.
import type { Address } from '#adapters/gateway/address.ts';
import type { Button, Channel } from '#adapters/gateway/channel.ts';
import type { Connection } from '#adapters/gateway/delivery/connection.ts';
import type { Limiter } from '#adapters/gateway/delivery/limiter.ts';
import type { Sender } from '#adapters/gateway/delivery/sender.ts';
import type { Ledger } from '#adapters/gateway/ledger/ledger.ts';
import type { PostedRequest } from '#adapters/gateway/ledger/posted-requests.ts';
import type { Phrases } from '#adapters/gateway/phrases/en.ts';
import type { PhraseBook } from '#adapters/gateway/phrases/phrase-book.ts';
import type { MessagePart } from '#adapters/text/part.ts';
import { backoffMs, isAbort } from '#base/async.ts';
import type { Clock } from '#base/clock.ts';
import { errorMessage } from '#base/errors.ts';
import type { Log } from '#base/log.ts';
import { outcomeOf, outcomeText } from './request-outcome.ts';
import { elsewhereText, settledText } from './request-text.ts';

export interface SettledView {
  /** Shows the end of everything that has one and does not show it yet. Never waited for. */
  showAll(): void;
  /** Shows that one of several questions was answered, while the next one is asked. Never waited for. */
  showAnswered(asked: PostedRequest): void;
}

export interface SettledViewOptions {
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

/** A settled request is worth less than the next answer in the chat: after this many failures its message stays unchanged. */
const maxAttempts = 4;
const retry = { firstMs: 500, capMs: 30_000 };

/** The parts with buttons below the last one, or without those that are there, where the platform has any. */
export function withButtons(
  parts: readonly MessagePart[],
  channel: Channel,
  choices: readonly Button[],
): MessagePart[] {
  const last = parts.at(-1);
  if (last === undefined || channel.withChoices === undefined) return [...parts];
  return [...parts.slice(0, -1), channel.withChoices(last, choices)];
}

/** The view of one gateway. */
export function createSettledView(options: SettledViewOptions): SettledView {
  const { ledger, sender, limiter, connectionOf, whoOf, book, clock, log, signal } = options;
  const showing = new Set<string>();

  /** Puts `markdown` in the place of a message; false when it may work later. */
  const rewrite = async (
    { outboxID, address }: { outboxID: string; address: Address },
    { channel, ready }: Connection,
    change: { markdown: string; buttons: boolean },
  ): Promise<boolean> => {
    await sender.deliver(outboxID, address); // it exists first
    const outgoing = ledger.outbox.get(outboxID);
    const rendered = channel.render(change.markdown);
    const parts = change.buttons ? withButtons(rendered, channel, []) : rendered;
    const [part, nativeID] = [parts.at(-1), outgoing?.parts.at(-1)?.nativeID];
    // what asked is the last message, or all of them
    const fits = parts.length === 1 || parts.length === outgoing?.parts.length;
    if (part === undefined || nativeID === undefined || outgoing === undefined || !fits) return true;
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
        'a settled request stays as it was',
      );
      return failure.kind !== 'rate_limit' && failure.kind !== 'transient';
    }
  };

  const again = async (attempt: () => Promise<boolean>): Promise<void> => {
    for (let n = 1; n <= maxAttempts && !(await attempt()); n += 1)
      await clock.sleep(backoffMs(n, retry), signal);
  };

  const endOf = (asked: PostedRequest) => ({ markdown: settledText(asked, book.for(asked)), buttons: true });

  const showEnd = async (asked: PostedRequest): Promise<void> => {
    const { request, outcome = 'dropped', noticeID } = asked;
    const connection = connectionOf(asked.address);
    if (connection === undefined) return; // its channel is switched off: shown when it is back
    await again(() => rewrite(asked, connection, endOf(asked)));
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
      await again(() => rewrite(at, there, { markdown, buttons: false }));
    }
    // what a power cut takes of this is shown again
    await ledger.commit(() => ledger.postedRequests.shown(asked.id), 'written');
  };

  /** Nobody waits for what only tidies the chat. */
  const quietly = ({ id }: PostedRequest, work: Promise<unknown>): void => {
    work.catch((error: unknown) => {
      if (!isAbort(error, signal))
        log.warn({ asked: id, words: errorMessage(error) }, 'request not shown as settled');
    });
  };

  return {
    showAll() {
      for (const asked of ledger.postedRequests.settled()) {
        if (showing.has(asked.id)) continue;
        showing.add(asked.id);
        const shown = showEnd(asked).finally(() => showing.delete(asked.id));
        quietly(asked, shown);
      }
    },
    showAnswered(asked) {
      const connection = connectionOf(asked.address);
      const answered = { ...asked, outcome: outcomeOf(asked) };
      if (connection !== undefined) quietly(asked, rewrite(asked, connection, endOf(answered)));
    },
  };
}
