// Words for the owners that no message of theirs asked for: in the direct message of each, where there is one.
import type { Platform } from '#adapters/gateway/address.ts';
import type { Connection } from '#adapters/gateway/delivery/connection.ts';
import { wordsOf } from '#base/errors.ts';
import type { Log } from '#base/log.ts';
import type { Approvers } from './approvers.ts';
import type { Door } from './door.ts';

/**
 * Says the words to every owner with a direct message, where they wrote last; on the platform `last` only to those who have no other
 * place. Resolves with how many there are, once the words are on record.
 */
export type TellOwners = (words: string, last?: Platform) => Promise<number>;

export function createTellOwners({
  approvers,
  door,
}: {
  approvers: Pick<Approvers, 'directOfOwners'>;
  door: Pick<Door, 'tell'>;
}): TellOwners {
  return async (words, last) => {
    const places = approvers.directOfOwners(last);
    for (const address of places) await door.tell(address, words);
    return places.length;
  };
}

const names: Record<Platform, string> = {
  discord: 'Discord',
  telegram: 'Telegram',
  slack: 'Slack',
  terminal: 'The terminal',
};

/** Tells the owners elsewhere when a platform has ended the connection for good; again only after it has stood once more. */
export function tellOfEnd(
  { channel, status, onChange }: Connection,
  { tellOwners, log }: { tellOwners: TellOwners; log: Log },
): void {
  let told = false;
  onChange(() => {
    const { state, trouble } = status();
    if (state === 'ready') told = false;
    if (state !== 'failed' || told) return;
    told = true;
    const words = `⚠️ ${names[channel.platform]} does not let me in any more, until somebody mends it. ${trouble ?? ''}`;
    const kept = 'What waits there is kept, and goes on from there.';
    tellOwners(`${words.trim()} ${kept}`, channel.platform).catch((error: unknown) => {
      log.warn({ words: wordsOf(error) }, 'the owners were not told that a connection has ended');
    });
  });
}
