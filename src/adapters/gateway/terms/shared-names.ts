// Names on Telegram that several people write under: an anonymous administrator's, a channel's. Nobody in particular has such a name.

import type { Phrases } from '#adapters/gateway/phrases/en.ts';
import type { Actor } from './inbound.ts';

/**
 * Whether several people may write under this name. A person's or a bot's number on Telegram is positive; a chat's is negative, and the
 * adapter names a chat, or an account that Telegram lends to many, within one room as `NUMBER/ROOM`.
 */
export function isSharedName({ platform, userID }: { platform: string; userID: string }): boolean {
  return platform === 'telegram' && /^-|\//.test(userID);
}

/** The refusal of a right; the person who wrote under such a name also reads how to show who they are. */
export function askingWho(
  refusal: string,
  { platform, actor, phrases }: { platform: string; actor: Pick<Actor, 'id' | 'name'>; phrases: Phrases },
): string {
  if (!isSharedName({ platform, userID: actor.id })) return refusal;
  const name = actor.name.replace(/[*_`[\]()~<>|\\]/g, '');
  return `${refusal} ${phrases.access.sharedName({ name })}`;
}
