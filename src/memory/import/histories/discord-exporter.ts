// A JSON file of DiscordChatExporter: one channel, thread or direct message. Not Discord's own data package.
// The form is that of DiscordChatExporter.Core/Exporting/JsonMessageWriter.cs in Tyrrrz/DiscordChatExporter.
import { z } from 'zod';
import { ParleyError } from '#base/errors.ts';
import { formatZodError } from '#base/json.ts';
import { truncate } from '#base/text.ts';
import type { NewChunk } from '#memory/chunks/sources.ts';
import type { ArchiveFile } from '#memory/import/items/archive.ts';
import { digest, digestOfFile, type ImportContext, type Item } from '#memory/import/items/item.ts';
import { jsonValues } from '#memory/import/items/json-stream.ts';
import { conversationOf, type HistoryChat } from '#memory/import/items/room.ts';
import { dayOf, draftsOf, type ImportedMessage, parseValue } from '#memory/import/items/turn.ts';

const headSchema = z.object({
  guild: z.object({ id: z.string() }),
  channel: z.object({
    id: z.string(),
    type: z.string(),
    /** Of a thread: the channel that it is in. */
    categoryId: z.string().nullish(),
  }),
});
const text = z.string().nullish();
const contentSchema = z.object({
  content: text,
  attachments: z.array(z.object({ fileName: z.string() })).default([]),
  stickers: z.array(z.object({ name: z.string() })).default([]),
  embeds: z
    .array(
      z.object({
        title: text,
        url: text,
        description: text,
        author: z.object({ name: text }).nullish(),
        fields: z.array(z.object({ name: text, value: text })).default([]),
        footer: z.object({ text }).nullish(),
      }),
    )
    .default([]),
});
const messageSchema = contentSchema.extend({
  id: z.string(),
  type: z.string(),
  timestamp: z
    .string()
    .refine((time) => Number.isFinite(Date.parse(time)), 'expected a date')
    .transform((time) => Date.parse(time)),
  author: z.object({ id: z.string(), name: z.string(), nickname: text }),
  forwardedMessage: contentSchema.nullish(),
});

type Head = z.infer<typeof headSchema>;
type Content = z.infer<typeof contentSchema>;

/** What people and bots wrote; the rest is about joins, pins and calls. The exporter has no names for answers to commands, 20 and 23. */
const messageTypes = new Set(['Default', 'Reply', 'ThreadStarterMessage', '20', '23']);
/** Threads that all who read their channel may read; of another kind of thread, also of one that is not known, that is not said. */
const sharedThreads = new Set(['GuildPublicThread', 'GuildNewsThread']);
/** What is read of a message; a change here reads what was imported before once more. */
const readerVersion = '2';
/** Characters of an embed: a preview says what a link is about, and is not the page. */
const maxEmbedded = 1_000;

/** One file of an export as an item. */
export function exportedChannel(file: ArchiveFile, reading: ImportContext): Item {
  return {
    path: file.path,
    async open() {
      const bytes = await digestOfFile(file.open, reading.request.signal);
      return {
        contentHash: digest(`discord ${readerVersion} ${bytes}`),
        read: () => readChannel(file, reading),
        isSound: true,
      };
    },
  };
}

/** Reads the file to its end before anything of it is stored: for who may read it, and whether it is whole. */
async function* readChannel(file: ArchiveFile, reading: ImportContext): AsyncGenerator<NewChunk> {
  const { signal } = reading.request;
  const head: Record<string, unknown> = {};
  let messages = 0;
  for await (const { path, value } of jsonValues(file, ['$.guild', '$.channel', '$.messages.*'], signal))
    if (path.length === 1) head[String(path[0])] = value;
    else messages += 1;
  const checked = headSchema.safeParse(head);
  if (!checked.success) {
    const isOther = head.guild === undefined && head.channel === undefined;
    const why = isOther ? 'it names no server and no channel' : formatZodError(checked.error).join('; ');
    throw new ParleyError('invalid_value', `${file.path} is no file of DiscordChatExporter: ${why}.`, {
      hint: 'Export the channel with DiscordChatExporter and --format Json.',
    });
  }
  if (messages > 0)
    yield* draftsOf(turnsOf(file, reading), conversationOf(chatOf(checked.data), reading), reading);
}

/**
 * Where the adapter would have it. The exporter writes the kind of a channel (`GuildTextChat`, `GuildNewsThread`, `GuildPublicThread`,
 * `GuildPrivateThread`, ...) and of a thread its channel, and never who may read either: no room of it is open.
 */
function chatOf({ guild, channel }: Head): HistoryChat {
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

async function* turnsOf(
  file: ArchiveFile,
  { request, tally }: ImportContext,
): AsyncGenerator<ImportedMessage> {
  for await (const { path, value } of jsonValues(file, ['$.messages.*'], request.signal)) {
    const what = `${file.path}, message ${Number(path[1]) + 1}`;
    const message = parseValue(value, messageSchema, { tally, what });
    if (message === undefined) continue;
    if (!messageTypes.has(message.type)) {
      tally.skip('notice');
      continue;
    }
    const { forwardedMessage: forwarded } = message;
    yield {
      id: message.id,
      session: dayOf(message.timestamp),
      at: message.timestamp,
      speaker: message.author.nickname ?? message.author.name,
      person: `discord:${message.author.id}`,
      text: message.content ?? '',
      caption:
        [captionOf(message), forwarded && `forwarded: ${wholeOf(forwarded)}`].filter(Boolean).join('; ') ||
        undefined,
    };
  }
}

function wholeOf(content: Content): string {
  return [content.content, captionOf(content)].filter(Boolean).join('; ');
}

/** Files, stickers and embeds as text. */
function captionOf({ attachments, stickers, embeds }: Content): string {
  return [
    attachments.length === 0 ? '' : `file ${attachments.map(({ fileName }) => fileName).join(', ')}`,
    ...stickers.map(({ name }) => `sticker ${name}`),
    ...embeds.map(embedWords),
  ]
    .filter(Boolean)
    .join('; ');
}

function embedWords({ author, title, description, fields, footer, url }: Content['embeds'][number]): string {
  const pairs = fields.map(({ name, value }) => [name, value].filter(Boolean).join(': '));
  const words = [author?.name, title, description, ...pairs, footer?.text].filter(Boolean);
  return `embed: ${truncate(words.length === 0 ? (url ?? '') : words.join(' | '), maxEmbedded)}`;
}
