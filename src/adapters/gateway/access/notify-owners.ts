// Words for the owners that no message of theirs asked for: in the direct message of each, where there is one.
import type { Platform } from '#adapters/gateway/address.ts';
import type { Connection } from '#adapters/gateway/delivery/connection.ts';
import { errorMessage } from '#base/errors.ts';
import type { Log } from '#base/log.ts';
import type { Admission } from './admission.ts';
import type { Approvers } from './approvers.ts';

/**
 * Says the words to every owner with a direct message, where they wrote last; on the platform `last` only to those who have no other
 * place. Resolves with how many there are, once the words are on record.
 */
export type OwnerNotices = (words: string, last?: Platform) => Promise<number>;

export function createOwnerNotices({
  approvers,
  admission,
}: {
  approvers: Pick<Approvers, 'directOfOwners'>;
  admission: Pick<Admission, 'notify'>;
}): OwnerNotices {
  return async (words, last) => {
    const places = approvers.directOfOwners(last);
    for (const address of places) await admission.notify(address, words);
    return places.length;
  };
}

const names: Record<Platform, string> = {
  discord: 'Discord',
  telegram: 'Telegram',
  slack: 'Slack',
  terminal: 'The terminal',
};

/** Reports the owners somewhere else when a platform has ended the connection permanently; again only after it has was once more. */
export function noticeOfEnd(
  { channel, status, onChange }: Connection,
  { tellOwners, log }: { tellOwners: OwnerNotices; log: Log },
): void {
  let told = false;
  onChange(() => {
    const { state, problem } = status();
    if (state === 'ready') told = false;
    if (state !== 'failed' || told) return;
    told = true;
    const words = `⚠️ ${names[channel.platform]} does not admit me any more, until someone fixes it. ${problem ?? ''}`;
    const saved = 'What waits there is stored, and continues from there.';
    tellOwners(`${words.trim()} ${saved}`, channel.platform).catch((error: unknown) => {
      log.warn({ words: errorMessage(error) }, 'the owners were not notified that a connection has ended');
    });
  });
}
