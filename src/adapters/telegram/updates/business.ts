// A business account that someone connects the bot to: they get one message that this is not supported. The bot asks for no messages of it.
import type { BusinessConnection } from 'grammy/types';
import { languageOf } from '#adapters/gateway/phrases/language.ts';
import { phrasesFor } from '#adapters/gateway/phrases/phrases.ts';
import type { ChannelFailure } from '#adapters/gateway/terms/channel.ts';
import type { Sink } from '#adapters/gateway/terms/inbound.ts';
import type { Client } from '#adapters/telegram/calls/client.ts';
import type { Log } from '#base/log/log.ts';

/**
 * Refuses a business connection with one message to the account's owner, in the owner's chat with the bot and never to their customers.
 * Writes nothing when the owner already got that message. Never rejects. Call it for one connection after the other.
 */
export async function refuseBusiness(
  { user_chat_id: chat, user, is_enabled: isEnabled }: BusinessConnection,
  options: { client: Client; sink: Sink; log: Log; explain(error: unknown): ChannelFailure },
): Promise<void> {
  const { client, sink, log, explain } = options;
  const cursor = { name: `business:${chat}`, value: 'told' };
  if (!isEnabled) return;
  try {
    if ((await sink.cursor(cursor.name)) !== undefined) return;
    await client.api.sendMessage(
      chat,
      phrasesFor(languageOf(user.language_code) ?? 'en').answers.businessRefused,
    );
    await sink.advance(cursor);
  } catch (error) {
    // Anyone who never wrote to the bot cannot be written to; the doctor names the switch.
    log.warn(
      { channel: 'telegram', words: explain(error).words },
      'a business account could not be told that it is refused',
    );
  }
}
