// Which groups became supergroups: Telegram keeps answering questions about the group that was left behind, from its last state.
import type { ChatMigratedEvent, Sink } from '#adapters/gateway/terms/inbound.ts';

/** A chat as it is called now. */
export interface CurrentChat {
  chat: string;
  /** It was a basic group once, in which other rules held. */
  moved: boolean;
}

const toName = (chat: string): string => `moved:${chat}`;
const fromName = (chat: string): string => `moved from:${chat}`;

/** Stores that a group has become a supergroup, with both ids. Repeating it changes nothing. */
export async function noteMove(sink: Pick<Sink, 'advance'>, { from, to }: ChatMigratedEvent): Promise<void> {
  await sink.advance({ name: toName(from.chat), value: to.chat });
  await sink.advance({ name: fromName(to.chat), value: from.chat });
}

/**
 * The chat's present id. Only calls that write are refused with the new id (telegram-bot-api, check_chat_access), so that a look must
 * know it beforehand.
 */
export async function currentChat(sink: Pick<Sink, 'cursor'>, chat: string): Promise<CurrentChat> {
  const to = await sink.cursor(toName(chat));
  if (to !== undefined) return { chat: to, moved: true };
  return { chat, moved: (await sink.cursor(fromName(chat))) !== undefined };
}
