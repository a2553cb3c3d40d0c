// A business account that somebody connects the bot to: they are told once that it is not served. What is written there is not asked for.
import type { BusinessConnection } from 'grammy/types';
import type { Failure } from '#adapters/gateway/channel.ts';
import type { Sink } from '#adapters/gateway/inbound.ts';
import type { Log } from '#base/log.ts';
import type { Client } from './client.ts';

const words =
  'You have connected me to your business account. I do not answer there: I would write in your name, to people who never asked for me, ' +
  'and I read nothing of those chats. Please disconnect me (Telegram: Settings, Telegram Business, Chatbots), and talk to me here.';

/**
 * Tells the account's owner, in their own chat with the bot and never to their customers; nothing where they were told already. Never
 * rejects. To be called one after the other.
 */
export async function refuseBusiness(
  { user_chat_id: chat, is_enabled: isEnabled }: BusinessConnection,
  options: { client: Client; sink: Sink; log: Log; explain(error: unknown): Failure },
): Promise<void> {
  const { client, sink, log, explain } = options;
  const cursor = { name: `business:${chat}`, value: 'told' };
  if (!isEnabled) return;
  try {
    if ((await sink.cursor(cursor.name)) !== undefined) return;
    await client.api.sendMessage(chat, words);
    await sink.advance(cursor);
  } catch (error) {
    // Whoever never wrote to the bot cannot be written to; the doctor names the switch.
    log.warn(
      { channel: 'telegram', words: explain(error).words },
      'a business account was not refused in words',
    );
  }
}
