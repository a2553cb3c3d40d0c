// Answers that a chat does not take: whoever waits for one is told in private why, and owners see it in the status. Not the delivery.
import type { Address } from '#adapters/gateway/address.ts';
import { roomOf } from '#adapters/gateway/address.ts';
import type { Channel, Failure } from '#adapters/gateway/channel.ts';
import type { InboxRow } from '#adapters/gateway/ledger/inbox.ts';
import type { Ledger } from '#adapters/gateway/ledger/ledger.ts';
import type { Outgoing } from '#adapters/gateway/ledger/outbox.ts';
import { type Clock, type MonotonicMs, msSince } from '#base/clock.ts';
import { wordsOf } from '#base/errors.ts';
import type { NewId } from '#base/ids.ts';
import type { Log } from '#base/log.ts';

export interface Refusals {
  /** What the status says of it: where, and why, with the cure. */
  wordsOf(outgoing: Outgoing, failure: Failure): string;
  /** Tells the person, once an hour for a room; what was said in the room stays out of it. Its failures concern nobody else. */
  tell(outgoing: Outgoing, failure: Failure, channel: Channel): void;
}

export interface RefusalsOptions {
  ledger: Ledger;
  clock: Clock;
  newId: NewId;
  log: Log;
  deliver(id: string, address: Address): Promise<void>;
}

/** One refusal stands for all of a person in a room within this time. */
const quietMs = 3_600_000;
const mostRemembered = 1_000;

/** Nobody has been told yet. */
export function createRefusals({ ledger, clock, newId, log, deliver }: RefusalsOptions): Refusals {
  const told = new Map<string, MonotonicMs>();

  /** The message that was to be answered. */
  const answered = ({ turnID, address, replyTo }: Outgoing): InboxRow | undefined => {
    if (turnID !== undefined) return ledger.inbox.ofTurn(turnID)[0];
    return replyTo === undefined ? undefined : ledger.inbox.find(address, replyTo);
  };

  const placeOf = (row: InboxRow | undefined): string =>
    row?.event.room === undefined ? '' : `in ${row.event.room.name}`;

  const isTime = (key: string): boolean => {
    const last = told.get(key);
    if (last !== undefined && msSince(clock, last) < quietMs) return false;
    if (told.size >= mostRemembered) told.clear();
    told.set(key, clock.monotonic());
    return true;
  };

  const tellOne = async (row: InboxRow, failure: Failure, channel: Channel): Promise<void> => {
    const direct =
      ledger.inbox.lastDirect(row.person)?.address ??
      (await channel.direct?.(row.address, row.event.actor.id));
    if (direct === undefined) return;
    const id = newId('out');
    const words = `⚠️ I could not post my answer to you ${placeOf(row)}. ${failure.words}`;
    const parts = channel
      .render(words.replace('  ', ' '))
      .map((part, ordinal) => ({ part, key: `r${id.slice(-20)}${ordinal.toString(36)}` }));
    await ledger.commit(
      () => ledger.outbox.insert({ id, address: direct, parts, at: clock.now() }),
      'written',
    );
    await deliver(id, direct);
  };

  return {
    wordsOf: (outgoing, failure) => `${placeOf(answered(outgoing))}: ${failure.words}`.replace(/^: /, ''),
    tell(outgoing, failure, channel) {
      const row = answered(outgoing);
      if (row === undefined || row.address.kind === 'dm' || row.event.actor.isBot) return;
      if (!isTime(`${row.person} ${roomOf(row.address)}`)) return;
      tellOne(row, failure, channel).catch((error: unknown) => {
        log.warn({ outbox: outgoing.id, words: wordsOf(error) }, 'nobody could be told of a refused answer');
      });
    },
  };
}
