// A business account that someone connects the bot to: they get one message that this is not supported. The bot asks for no messages of it.
import type { BusinessConnection } from 'grammy/types';
import type { ChannelFailure } from '#adapters/gateway/channel.ts';
import type { Sink } from '#adapters/gateway/inbound.ts';
import type { Log } from '#base/log.ts';
import type { Client } from './client.ts';

const words =
  'You have connected me to your business account. I do not answer there: I would write in your name, to people who never asked for me, ' +
  'and I read nothing of those chats. Please disconnect me (Telegram: Settings, Telegram Business, Chatbots), and talk to me here.';

/**
 * Writes to the account's owner, in their own chat with the bot and never to their customers; nothing where they got the message already. Never
 * rejects. To be called one after the other.
 */
export async function refuseBusiness(
  { user_chat_id: chat, is_enabled: isEnabled }: BusinessConnection,
  options: { client: Client; sink: Sink; log: Log; explain(error: unknown): ChannelFailure },
): Promise<void> {
  const { client, sink, log, explain } = options;
  const cursor = { name: `business:${chat}`, value: 'told' };
  if (!isEnabled) return;
  try {
    if ((await sink.cursor(cursor.name)) !== undefined) return;
    await client.api.sendMessage(chat, words);
    await sink.advance(cursor);
  } catch (error) {
    // Anyone who never wrote to the bot cannot be written to; the doctor names the switch.
    log.warn(
      { channel: 'telegram', words: explain(error).words },
      'a business account was not refused with a message',
    );
  }
}
