// A JSON file of DiscordChatExporter: one channel, thread or direct message. Not Discord's own data package.
import { z } from 'zod';
import { parseJson } from '#base/json.ts';
import type { Draft } from '#memory/store/sources.ts';
import { bytesOf, digest, digestOfRoom, type Item, type Reading } from './item.ts';
import { conversationOf, type HistoryChat } from './room.ts';
import { dayOf, draftsOf, fitting, type Turn } from './turn.ts';

const fileSchema = z.object({
  guild: z.object({ id: z.string(), name: z.string().optional() }),
  channel: z.object({
    id: z.string(),
    type: z.string(),
    /** Of a thread: the channel that it is in. */
    categoryId: z.string().nullish(),
    name: z.string().nullish(),
  }),
  messages: z.array(z.unknown()),
});
const messageSchema = z.object({
  id: z.string(),
  type: z.string(),
  timestamp: z
    .string()
    .refine((text) => Number.isFinite(Date.parse(text)), 'expected a date')
    .transform((text) => Date.parse(text)),
  content: z.string().default(''),
  author: z.object({
    id: z.string(),
    name: z.string(),
    nickname: z.string().nullish(),
  }),
  attachments: z.array(z.object({ fileName: z.string() })).default([]),
});

type File = z.infer<typeof fileSchema>;

/** What people said; the rest tells of joins, pins and calls. */
const said = new Set(['Default', 'Reply', 'ThreadStarterMessage']);

/** Threads that all who read their channel may read; of another kind of thread, also of one that is not known, that is not said. */
const sharedThreads = new Set(['GuildPublicThread', 'GuildNewsThread']);
/** The exporter writes the channel before any message: within so many bytes. */
const headBytes = 65_536;

/** One file of an export as an item. */
export function discordItem(path: string, reading: Reading): Item {
  return {
    path,
    async open() {
      const { bytes } = await bytesOf(path);
      // private threads that an earlier version took for a part of their channel are read again
      const head = new TextDecoder().decode(bytes.subarray(0, headBytes));
      const isPrivate = /"type":\s*"\w*PrivateThread"/.test(head);
      return {
        contentHash: isPrivate ? digestOfRoom(bytes, 'private thread') : digest(bytes),
        read: () => readDiscord(new TextDecoder('utf-8', { fatal: true }).decode(bytes), reading, path),
      };
    },
  };
}

async function* readDiscord(content: string, reading: Reading, path: string): AsyncGenerator<Draft> {
  const file = parseJson(content, fileSchema, path);
  yield* draftsOf(turnsOf(file, path), conversationOf(chatOf(file), reading), reading);
}

/**
 * Where the adapter would have it. The exporter writes the kind of a channel (`GuildTextChat`, `GuildNewsThread`, `GuildPublicThread`,
 * `GuildPrivateThread`, ...) and of a thread its channel, and never who may read either: no room of it is open.
 */
function chatOf({ guild, channel }: File): HistoryChat {
  if (guild.id === '0') {
    const kind = /Group/i.test(channel.type) ? 'group' : 'dm';
    return { platform: 'discord', kind, chat: channel.id };
  }
  const parent = /Thread/i.test(channel.type) ? (channel.categoryId ?? undefined) : undefined;
  return {
    platform: 'discord',
    kind: 'channel',
    space: guild.id,
    chat: parent ?? channel.id,
    thread: parent === undefined ? undefined : channel.id,
    privateThread: parent !== undefined && !sharedThreads.has(channel.type),
  };
}

function* turnsOf(file: File, path: string): Generator<Turn> {
  for (const [index, value] of file.messages.entries()) {
    const message = fitting(value, messageSchema, `${path}, message ${index + 1}`);
    if (!said.has(message.type)) continue;
    const files = message.attachments.map(({ fileName }) => fileName);
    yield {
      id: message.id,
      session: dayOf(message.timestamp),
      at: message.timestamp,
      speaker: message.author.nickname ?? message.author.name,
      person: `discord:${message.author.id}`,
      text: message.content,
      caption: files.length === 0 ? undefined : `file ${files.join(', ')}`,
    };
  }
}
