// Names on Telegram that several people write under: an anonymous administrator's, a channel's. Nobody in particular has such a name.
import type { Actor } from '#adapters/gateway/inbound.ts';

/**
 * Whether several people may write under this name. A person's or a bot's number on Telegram is positive; a chat's is negative, and the
 * adapter names a chat, or an account that Telegram lends to many, within one room as `NUMBER/ROOM`.
 */
export function isSharedName({ platform, userID }: { platform: string; userID: string }): boolean {
  return platform === 'telegram' && /^-|\//.test(userID);
}

/** The refusal of a right; anyone who wrote it under such a name is shown how to say who they are. */
export function askingWho(refusal: string, platform: string, actor: Pick<Actor, 'id' | 'name'>): string {
  if (!isSharedName({ platform, userID: actor.id })) return refusal;
  const name = actor.name.replace(/[*_`[\]()~<>|\\]/g, '');
  const how =
    'the picture next to the text field, or your rights as an administrator without “Remain anonymous”';
  return `${refusal} Telegram does not tell me which of you writes as “${name}”. Write under your own name (${how}), or press a button where I show one.`;
}
