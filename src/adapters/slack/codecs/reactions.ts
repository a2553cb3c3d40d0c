// Reactions to messages of the bot's, as Slack reports them.
import { z } from 'zod';
import type { ReactionEvent } from '#adapters/gateway/terms/inbound.ts';
import { millisOf } from '#adapters/slack/calls/wire.ts';
import { defined } from '#base/json.ts';
import type { Identity } from './change.ts';
import { emojiNamed } from './emoji.ts';
import { addressIn, type SlackConversation } from './inbound.ts';
import { actorIDOf } from './organisation.ts';

/** Events that report reactions, as an app subscribes to them; both need the scope `reactions:read`. */
export const reactionEvents = ['reaction_added', 'reaction_removed'] as const;

/** `reaction_added` and `reaction_removed` of a message (docs.slack.dev/reference/events/reaction_added); files have reactions too. */
export const reactionSchema = z.object({
  type: z.enum(reactionEvents),
  user: z.string(),
  reaction: z.string(),
  item: z.object({ type: z.literal('message'), channel: z.string(), ts: z.string() }),
  item_user: z.string().nullish(),
  event_ts: z.string(),
});
export type SlackReaction = z.infer<typeof reactionSchema>;

/** Whether it is a person's, to a message of the bot's. */
export function concernsBot({ user, item_user: author }: SlackReaction, { botUser }: Identity): boolean {
  return user !== botUser && author === botUser;
}

/** The event; its thread stays open, since Slack does not name it. */
export function reactionEvent(
  { type, user, reaction, item, event_ts: at }: SlackReaction,
  {
    bot,
    room,
    names,
    locale,
  }: {
    bot: Identity;
    room: SlackConversation;
    names: ReadonlyMap<string, string>;
    locale: string | undefined;
  },
): ReactionEvent {
  const changed = [emojiNamed(reaction)];
  const id = actorIDOf(bot, { team: undefined, user });
  return {
    type: 'reaction',
    address: addressIn({ bot, room }, undefined),
    nativeID: item.ts,
    at: millisOf(at),
    actor: { id, name: names.get(user) ?? user, isBot: false, ...defined({ locale }) },
    added: type === 'reaction_added' ? changed : [],
    removed: type === 'reaction_added' ? [] : changed,
  };
}
