// `result.json` of Telegram Desktop ("Export chat history", or all of one's data): each chat an item of its own. Not the Bot API.
import { z } from 'zod';
import { parseJson } from '#base/json.ts';
import { bytesOf, digest, type Item, type Reading } from './item.ts';
import { conversationOf, type HistoryChat } from './room.ts';
import { dayOf, draftsOf, fitting, type Turn } from './turn.ts';

const piece = z.union([z.string(), z.object({ text: z.string() }).transform(({ text }) => text)]);
const messageSchema = z.object({
  id: z.number(),
  type: z.string(),
  date_unixtime: z.string().regex(/^\d+$/).optional(),
  /** Without a zone: taken for UTC where there is nothing better. */
  date: z.string(),
  from: z.string().nullish(),
  from_id: z.string().optional(),
  text: z.union([z.string(), z.array(piece).transform((pieces) => pieces.join(''))]).default(''),
  media_type: z.string().optional(),
  file_name: z.string().nullish(),
  photo: z.string().optional(),
});
const chatSchema = z.object({
  id: z.number(),
  type: z.string(),
  name: z.string().nullish(),
  messages: z.array(z.unknown()),
});
const fileSchema = z.union([
  z.object({ chats: z.object({ list: z.array(chatSchema) }) }).transform(({ chats }) => chats.list),
  chatSchema.transform((chat) => [chat]),
]);

type Chat = z.infer<typeof chatSchema>;
type Message = z.infer<typeof messageSchema>;

/** The chats of an export. Throws a ParleyError when the file is none. */
export async function telegramItems(path: string, reading: Reading): Promise<Item[]> {
  const { bytes } = await bytesOf(path);
  const chats = parseJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes), fileSchema, path);
  return chats.map((chat) => ({
    path: `${path}/${chat.id}`,
    open: async () => ({
      contentHash: digest(JSON.stringify(chat)),
      read: () => draftsOf(turnsOf(chat, path), conversationOf(chatOf(chat), reading), reading),
    }),
  }));
}

function chatOf({ id, type }: Chat): HistoryChat {
  const isOpen = type.startsWith('public_');
  switch (type) {
    case 'private_group':
      return roomOf(`-${id}`, { kind: 'group', isOpen });
    case 'private_supergroup':
    case 'public_supergroup':
      return roomOf(`-100${id}`, { kind: 'group', isOpen });
    case 'private_channel':
    case 'public_channel':
      return roomOf(`-100${id}`, { kind: 'channel', isOpen });
    default:
      return { platform: 'telegram', kind: 'dm', chat: String(id) };
  }
}

/** Bots know groups by these ids (https://core.telegram.org/api/bots/ids). */
function roomOf(chat: string, { kind, isOpen }: { kind: 'group' | 'channel'; isOpen: boolean }): HistoryChat {
  return { platform: 'telegram', kind, space: chat, chat, open: isOpen };
}

function* turnsOf(chat: Chat, path: string): Generator<Turn> {
  for (const [index, value] of chat.messages.entries()) {
    const what = `${path}, chat ${chat.id}, message ${index + 1}`;
    const message = fitting(value, messageSchema, what);
    if (message.type !== 'message') continue; // joins, pins, calls
    const at = timeOf(message);
    yield {
      id: String(message.id),
      session: dayOf(at),
      at,
      speaker: message.from ?? chat.name ?? 'deleted account',
      person: personOf(message.from_id),
      text: message.text,
      caption: captionOf(message),
    };
  }
}

function timeOf({ date, date_unixtime }: Message): number {
  return date_unixtime === undefined
    ? Date.parse(`${date.replace(/Z$/, '')}Z`)
    : Number(date_unixtime) * 1000;
}

/** `user123` of an export is the person `telegram:123`. */
function personOf(id: string | undefined): string | undefined {
  return id === undefined ? undefined : `telegram:${id.replace(/^(?:user|channel)/, '')}`;
}

function captionOf({ photo, media_type, file_name }: Message): string | undefined {
  if (photo !== undefined) return 'photo';
  if (media_type === undefined && !file_name) return undefined;
  return [media_type?.replaceAll('_', ' '), file_name].filter(Boolean).join(' ');
}
