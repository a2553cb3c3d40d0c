// What a reaction to an answer does, by its emoji.
import { emojiOf } from '#adapters/text/emoji.ts';

/** What a reaction can mean, beyond words for the model. */
export const reactionActs = ['good', 'bad', 'retry', 'delete', 'stop'] as const;
export type ReactionAct = (typeof reactionActs)[number];

/** The emoji of each act, and whether all others are told to the model. */
export type ReactionRules = Readonly<Record<ReactionAct, readonly string[]>> & { context: boolean };

export const usualReactions: ReactionRules = {
  good: ['👍'],
  bad: ['👎'],
  retry: ['🔁'],
  delete: ['❌'],
  stop: ['⏹'],
  context: true,
};

/** The act of an emoji (as `emojiOf` writes it); undefined where it has none. */
export function actOf(emoji: string, rules: ReactionRules): ReactionAct | undefined {
  return reactionActs.find((act) => rules[act].some((each) => emojiOf(each) === emoji));
}
