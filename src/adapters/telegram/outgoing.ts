// What a bot does in a chat, one Bot API call for each thing; a group that moved is reported on the way.
import type { ReactionTypeEmoji } from 'grammy/types';
import type { Address } from '#adapters/gateway/terms/address.ts';
import type { Channel } from '#adapters/gateway/terms/channel.ts';
import { fileIn } from '#adapters/gateway/terms/file-part.ts';
import {
  directTopicOf,
  postOf,
  telegramID,
  threadParameter,
} from '#adapters/telegram/codecs/address-codec.ts';
import { bodyOf } from '#adapters/telegram/codecs/part-body.ts';
import { truncate } from '#base/text.ts';
import type { Client } from './calls/client.ts';
import { createTelegramClient, forGrammy } from './calls/client.ts';
import { isAlreadyGone, isNotModified, movedTo } from './calls/explain.ts';
import { sendFile } from './send-file.ts';

/** Time limit of sending a file: 50 MB at 3 Mbit a second. */
const uploadSeconds = 150;

/** Bots may react with certain emoji only; these take the place of common ones that are not among them. */
const nearestReaction: Readonly<Record<string, string>> = {
  '✅': '👍',
  '☑️': '👍',
  '✔️': '👍',
  '❌': '👎',
  '⏳': '👀',
  '⌛': '👀',
  '⚠️': '🤔',
  '❓': '🤔',
  '❤️': '❤',
  '⚡️': '⚡',
};

/** Characters of a topic's name (Bot API, editForumTopic). */
const maxTitle = 128;

type Outgoing = Required<Pick<Channel, 'send' | 'edit' | 'remove' | 'presence' | 'retitle' | 'react'>>;

/** The calls that write for one bot. When a call learns that a group has another id, it calls `moved` at once, and still fails. */
export function createOutgoing({
  client,
  connection,
  moved,
}: {
  client: Client;
  connection: Omit<Parameters<typeof createTelegramClient>[0], 'timeoutSeconds' | 'idleMs'>;
  moved: (from: string, to: string) => Promise<void>;
}): Outgoing {
  const { api } = client;
  const uploads = createTelegramClient({ ...connection, timeoutSeconds: uploadSeconds, idleMs: 20_000 });

  /** A group that moved is reported to the sink as soon as a call learns of it; the call itself still fails. */
  async function call<T>(address: Address, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const to = movedTo(error);
      if (to !== undefined) await moved(address.chat, to);
      throw error;
    }
  }

  return {
    async send(address, part, { replyTo, signal }) {
      const file = fileIn(part);
      // A comment below a post answers something there, if only the post.
      const answered = replyTo ?? postOf(address);
      const reply =
        answered === undefined
          ? {}
          : {
              reply_parameters: {
                message_id: telegramID(answered, 'the answered message'),
                allow_sending_without_reply: true,
              },
            };
      const chat = telegramID(address.chat, 'the chat');
      const place = { ...threadParameter(address), ...reply };
      if (file !== undefined) {
        const sent = await call(address, () => sendFile(uploads.api, file, { chat, other: place, signal }));
        return { nativeID: String(sent) };
      }
      const { text, entities, markup } = bodyOf(part);
      const other = { entities, link_preview_options: { is_disabled: true }, ...place, ...markup };
      const message = await call(address, () => api.sendMessage(chat, text, other, forGrammy(signal)));
      return { nativeID: String(message.message_id) };
    },
    async edit(address, nativeID, part) {
      const { text, entities, markup } = bodyOf(part);
      const other = { entities, link_preview_options: { is_disabled: true }, ...markup };
      const [chat, message] = placeOf(address, nativeID);
      try {
        await call(address, () => api.editMessageText(chat, message, text, other));
      } catch (error) {
        if (!isNotModified(error)) throw error;
      }
    },
    async remove(address, nativeID) {
      const [chat, message] = placeOf(address, nativeID);
      try {
        await call(address, () => api.deleteMessage(chat, message));
      } catch (error) {
        if (!isAlreadyGone(error)) throw error;
      }
    },
    async presence(address, state) {
      // A channel's direct messages show no chat actions (Bot API, sendChatAction).
      if (state === 'idle' || directTopicOf(address) !== undefined) return;
      const chat = telegramID(address.chat, 'the chat');
      await call(address, () => api.sendChatAction(chat, 'typing', threadParameter(address)));
    },
    async retitle(address, title) {
      if (address.kind !== 'dm' || address.thread === undefined) return;
      const chat = telegramID(address.chat, 'the chat');
      const topic = telegramID(address.thread, 'the topic');
      await call(address, () => api.editForumTopic(chat, topic, { name: truncate(title, maxTitle) }));
    },
    async react(address, nativeID, emoji) {
      const [chat, message] = placeOf(address, nativeID);
      // Which emoji are allowed changes with Telegram; it refuses the others with REACTION_INVALID.
      const allowed = (nearestReaction[emoji] ?? emoji) as ReactionTypeEmoji['emoji'];
      await call(address, () => api.setMessageReaction(chat, message, [{ type: 'emoji', emoji: allowed }]));
    },
  };
}

function placeOf(address: Address, nativeID: string): [chat: number, message: number] {
  return [telegramID(address.chat, 'the chat'), telegramID(nativeID, 'the message')];
}
