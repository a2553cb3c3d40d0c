// A change of someone's reactions to a message, as Telegram reports it: the former list and the new one. Pure.
import type { MessageReactionUpdated, ReactionType } from 'grammy/types';
import type { ReactionEvent } from '#adapters/gateway/terms/inbound.ts';
import { emojiOf } from '#adapters/text/emoji.ts';
import { userActor } from './actor-codec.ts';
import { chatAddress } from './address-codec.ts';

/** The event; undefined where someone reacted in the name of a chat, who nobody can know. */
export function reactionEvent(update: MessageReactionUpdated, account: string): ReactionEvent | undefined {
  const { chat, user, message_id: id, date, old_reaction: before, new_reaction: now } = update;
  if (user === undefined || String(user.id) === account) return undefined;
  const [old, current] = [before.map(emojiIn), now.map(emojiIn)];
  return {
    type: 'reaction',
    address: chatAddress(account, chat),
    nativeID: String(id),
    at: date * 1000,
    actor: userActor(user, chat),
    added: current.filter((emoji) => !old.includes(emoji)),
    removed: old.filter((emoji) => !current.includes(emoji)),
  };
}

/** Of a custom emoji Telegram names only the id of its sticker. */
function emojiIn(reaction: ReactionType): string {
  switch (reaction.type) {
    case 'emoji':
      return emojiOf(reaction.emoji);
    case 'custom_emoji':
      return ':custom:';
    case 'paid':
      return '⭐';
  }
}
