// Whether the bot may write where it was spoken to, with the clicks where it may not. For the doctor; it changes nothing.
import type { Address } from '#adapters/gateway/terms/address.ts';
import type { ChannelFailure, Finding } from '#adapters/gateway/terms/channel.ts';
import { telegramID } from '#adapters/telegram/codecs/address-codec.ts';
import type { Client } from './calls/client.ts';
import { writeHint } from './calls/explain.ts';

/** A finding for each of these groups that takes no messages of the bot, and one for all the others. */
export async function checkRooms(
  { api }: Client,
  rooms: readonly Address[],
  explain: (error: unknown) => ChannelFailure,
): Promise<Finding[]> {
  const problems: Finding[] = [];
  for (const { chat, account } of rooms) {
    const id = telegramID(chat, 'the chat');
    try {
      const full = await api.getChat(id);
      const own = await api.getChatMember(id, Number(account));
      const name = full.title ?? chat;
      const isOut = own.status === 'left' || own.status === 'kicked';
      const isMute =
        own.status === 'restricted'
          ? !own.can_send_messages
          : own.status === 'member' && full.permissions?.can_send_messages === false;
      if (isOut)
        problems.push({
          level: 'warning',
          what: `The bot is not in ${name} any more.`,
          hint: 'Add it to the group again.',
        });
      else if (isMute)
        problems.push({ level: 'warning', what: `The bot may not write in ${name}.`, hint: writeHint });
    } catch (error) {
      const { kind, words } = explain(error);
      if (kind !== 'permission' && kind !== 'gone') throw error;
      problems.push({ level: 'warning', what: words, hint: 'Add the bot to the group again.' });
    }
  }
  if (problems.length > 0 || rooms.length === 0) return problems;
  return [{ level: 'ok', what: 'The bot may write in the groups where it was last spoken to.' }];
}
