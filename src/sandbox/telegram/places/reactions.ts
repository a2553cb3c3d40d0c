// What people react with, and when Telegram reports it to the bot.
import { ParleyError } from '#base/errors.ts';
import type { React } from '#sandbox/contract.ts';
import type { State } from '#sandbox/telegram/world/state.ts';
import type { TgReaction } from '#sandbox/telegram/world/wire.ts';

/** The emoji that people and bots may react with (Bot API 10.1, ReactionTypeEmoji). */
export const reactionEmoji = new Set(
  (
    '❤ 👍 👎 🔥 🥰 👏 😁 🤔 🤯 😱 🤬 😢 🎉 🤩 🤮 💩 🙏 👌 🕊 🤡 🥱 🥴 😍 🐳 ❤‍🔥 🌚 🌭 💯 🤣 ⚡ 🍌 🏆 💔 🤨 😐 🍓 🍾 💋 🖕 😈 ' +
    '😴 😭 🤓 👻 👨‍💻 👀 🎃 🙈 😇 😨 🤝 ✍ 🤗 🫡 🎅 🎄 ☃ 💅 🤪 🗿 🆒 💘 🙉 🦄 😘 💊 🙊 😎 👾 🤷‍♂ 🤷 🤷‍♀ 😡'
  ).split(' '),
);

/**
 * Gives the person's reaction to a message, which takes the place of an earlier one of theirs, or takes it back. In a group only a bot that
 * is an administrator hears of it (Bot API, Update.message_reaction). A ParleyError `no_such_reaction` for an emoji that Telegram does not
 * offer.
 */
export function putReaction(state: State, { id, user, emoji, taken }: React): void {
  const { world, queue } = state;
  if (!reactionEmoji.has(emoji))
    throw new ParleyError('no_such_reaction', `Telegram offers no reaction ${JSON.stringify(emoji)}.`);
  const { room, stored } = world.find(id);
  const before = stored.reactionOf?.[user];
  const now = taken === undefined ? emoji : undefined;
  if (before === now) return;
  stored.reactionOf = { ...stored.reactionOf, [user]: now };
  world.changed(room, stored);
  state.changed();
  if (room.chat.type !== 'private' && !room.botAdmin) return;
  queue.push({
    message_reaction: {
      chat: room.chat,
      message_id: stored.message.message_id,
      user: world.people[user],
      date: world.seconds(),
      old_reaction: listOf(before),
      new_reaction: listOf(now),
    },
  });
}

function listOf(emoji: string | undefined): TgReaction[] {
  return emoji === undefined ? [] : [{ type: 'emoji', emoji }];
}
