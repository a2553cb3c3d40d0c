// Notices to the owners that answer no message: sent to the direct message of each owner who has one.

import type { Sender } from '#adapters/gateway/delivery/sender.ts';
import type { Connection } from '#adapters/gateway/pace/connection.ts';
import type { Phrases } from '#adapters/gateway/phrases/en.ts';
import type { Platform } from '#adapters/gateway/terms/address.ts';
import { channelName } from '#adapters/gateway/terms/channel.ts';
import { escapeMarkdown } from '#adapters/gateway/terms/command-reply.ts';
import type { PhraseBook } from '#adapters/gateway/terms/phrase-book.ts';
import type { Clock } from '#base/clock.ts';
import { errorMessage } from '#base/errors.ts';
import type { Log } from '#base/log/log.ts';
import { createSeldom } from '#base/waiting/seldom.ts';
import type { Admission } from './admission.ts';
import type { Approvers } from './approvers.ts';

/**
 * Writes to every owner with a direct message, where they wrote last; on the platform `last` only to those who have no other place.
 * Resolves with how many there are, once the notices are on record.
 */
export type OwnerNotices = (wording: (phrases: Phrases) => string, last?: Platform) => Promise<number>;

/** Sends a notice to every owner with a direct message; see `OwnerNotices`. */
export function createOwnerNotices({
  approvers,
  admission,
  book,
}: {
  approvers: Pick<Approvers, 'directOfOwners'>;
  admission: Pick<Admission, 'notify'>;
  book: PhraseBook;
}): OwnerNotices {
  return async (wording, last) => {
    const places = approvers.directOfOwners(last);
    for (const place of places) await admission.notify(place.address, wording(book.for(place)));
    return places.length;
  };
}

const dayMs = 86_400_000;

const names: Record<Platform, string> = {
  discord: 'Discord',
  telegram: 'Telegram',
  slack: 'Slack',
  terminal: 'The terminal',
};

/** Writes to the owners once for each part of an answer that was given up. */
export function noticeOfGivenUp(
  sender: Pick<Sender, 'onGivenUp'>,
  { tellOwners, log }: { tellOwners: OwnerNotices; log: Log },
): void {
  sender.onGivenUp(({ address, file, why }) => {
    const platform = names[address.platform];
    tellOwners(({ answers }) => answers.gaveUp({ file, platform, why: escapeMarkdown(why) })).catch(
      (error: unknown) => {
        log.warn({ words: errorMessage(error) }, 'the owners could not be told of a part that was given up');
      },
    );
  });
}

/** Writes to the owners that memory refuses a change of a message, and why. */
export function noticeOfRefusedChange({ tellOwners, log }: { tellOwners: OwnerNotices; log: Log }) {
  return (why: string): void => {
    tellOwners(({ answers }) => answers.changeRefused({ why: escapeMarkdown(why) })).catch(
      (error: unknown) => {
        log.warn(
          { words: errorMessage(error) },
          'the owners were not notified of a change that memory refuses',
        );
      },
    );
  };
}

/** Writes to the owners that an event of a platform was passed by, and why: once in a day for each bot. */
export function noticeOfPassedEvent({
  tellOwners,
  clock,
  log,
}: {
  tellOwners: OwnerNotices;
  clock: Clock;
  log: Log;
}) {
  const isTime = createSeldom({ clock, ms: dayMs });
  return (connection: Connection, why: string): void => {
    if (!isTime(channelName(connection.channel))) return;
    const platform = names[connection.channel.platform];
    tellOwners(({ answers }) =>
      answers.eventPassedBy({ platform, why: escapeMarkdown(why.replace(/\.$/, '')) }),
    ).catch((error: unknown) => {
      log.warn({ words: errorMessage(error) }, 'the owners were not told of an event that was passed by');
    });
  };
}

/** Writes to the owners on another platform when one has ended the connection permanently; once until it is connected again. */
export function noticeOfEnd(
  { channel, status, onChange }: Connection,
  { tellOwners, log }: { tellOwners: OwnerNotices; log: Log },
): void {
  let notified = false;
  onChange(() => {
    const { state, problem } = status();
    if (state === 'ready') notified = false;
    if (state !== 'failed' || notified) return;
    notified = true;
    const notice = ({ answers }: Phrases): string => {
      const ended = answers.connectionEnded({ platform: names[channel.platform], why: problem ?? '' });
      return `${ended.trim()} ${answers.connectionWaits}`;
    };
    tellOwners(notice, channel.platform).catch((error: unknown) => {
      log.warn({ words: errorMessage(error) }, 'the owners could not be told that a connection has ended');
    });
  });
}
