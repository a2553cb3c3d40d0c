// Answers that a chat does not take: the person who waits for one reads in private why, and owners see it in the status.

import type { InboxRow } from '#adapters/gateway/ledger/inbox/inbox-row.ts';
import type { Ledger } from '#adapters/gateway/ledger/ledger.ts';
import type { OutboxRow } from '#adapters/gateway/ledger/outbox.ts';
import { type Address, roomOf } from '#adapters/gateway/terms/address.ts';
import type { Channel, ChannelFailure } from '#adapters/gateway/terms/channel.ts';
import { escapeMarkdown } from '#adapters/gateway/terms/command-reply.ts';
import type { PhraseBook } from '#adapters/gateway/terms/phrase-book.ts';
import type { Clock } from '#base/clock.ts';
import { errorMessage } from '#base/errors.ts';
import type { NewId } from '#base/ids.ts';
import type { Log } from '#base/log/log.ts';
import { createSeldom } from '#base/waiting/seldom.ts';

interface Refusals {
  /** What the status says of it: where and why, with the hint. */
  wordsOf(outgoing: OutboxRow, failure: ChannelFailure): string;
  /** Writes to the person in private, once an hour for a room, and quotes nothing of the room. Its failures concern nobody else. */
  notify(outgoing: OutboxRow, failure: ChannelFailure, channel: Channel): void;
}

interface RefusalsOptions {
  ledger: Ledger;
  book: PhraseBook;
  clock: Clock;
  newId: NewId;
  log: Log;
  deliver(id: string, address: Address): Promise<void>;
}

/** One refusal counts for all of a person in a room within this time. */
const quietMs = 3_600_000;

/** When a chat refuses an answer, writes the reason to the person in private (once an hour for each room) and lists it in the status. */
export function createRefusals({ ledger, book, clock, newId, log, deliver }: RefusalsOptions): Refusals {
  const isTime = createSeldom({ clock, ms: quietMs });

  /** The message that was to be answered. */
  const answered = ({ turnID, address, replyTo }: OutboxRow): InboxRow | undefined => {
    if (turnID !== undefined) return ledger.inbox.ofTurn(turnID)[0];
    return replyTo === undefined ? undefined : ledger.inbox.find(address, replyTo);
  };

  /** The room as people call it; undefined where its name is not known, and in private. */
  const titleOfRoom = ({ address }: InboxRow): string | undefined =>
    ledger.placeNames.of(address).channel === undefined ? undefined : ledger.placeNames.titleOf(address);

  const placeOf = (row: InboxRow | undefined): string => {
    const room = row && titleOfRoom(row);
    return room === undefined ? '' : ` in ${room}`;
  };

  const tellOne = async (row: InboxRow, failure: ChannelFailure, channel: Channel): Promise<void> => {
    const direct =
      ledger.inbox.lastDirect(row.person)?.address ??
      (await channel.direct?.(row.address, row.event.actor.id));
    if (direct === undefined) return;
    const id = newId('out');
    const { answers } = book.for({ address: direct, person: row.person });
    const why = escapeMarkdown(failure.words);
    const room = titleOfRoom(row);
    const words =
      room === undefined
        ? answers.couldNotPost({ why })
        : answers.couldNotPostIn({ room: escapeMarkdown(room), why });
    const parts = channel
      .render(words)
      .map((part, ordinal) => ({ part, key: `r${id.slice(-20)}${ordinal.toString(36)}` }));
    await ledger.commit(
      () => ledger.outbox.insert({ id, address: direct, parts, at: clock.now() }),
      'written',
    );
    await deliver(id, direct);
  };

  return {
    wordsOf(outgoing, { words }) {
      const place = placeOf(answered(outgoing)).trim();
      return place === '' ? words : `${place}: ${words}`;
    },
    notify(outgoing, failure, channel) {
      const row = answered(outgoing);
      if (row === undefined || row.address.kind === 'dm' || row.event.actor.isBot) return;
      if (!isTime(`${row.person} ${roomOf(row.address)}`)) return;
      tellOne(row, failure, channel).catch((error: unknown) => {
        log.warn(
          { outbox: outgoing.id, words: errorMessage(error) },
          'the person could not be informed of a refused answer',
        );
      });
    },
  };
}
