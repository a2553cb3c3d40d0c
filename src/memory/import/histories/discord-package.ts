// Discord's own data package ("Request all of my data"): what its owner wrote, in each channel. Nobody else's words are in it.
// Discord documents the folders at https://support.discord.com/hc/en-us/articles/360004957991; the fields are as packages of 2024 and 2025
// have them. The names of the top folders are in the language of the account.
import { z } from 'zod';
import { ParleyError } from '#base/errors.ts';
import { parseJson } from '#base/json.ts';
import type { ArchiveFile } from '#memory/import/items/archive.ts';
import { digest, digestOfFile, type ImportContext, type Item } from '#memory/import/items/item.ts';
import { jsonValues } from '#memory/import/items/json-stream.ts';
import { conversationOf, type HistoryChat } from '#memory/import/items/room.ts';
import { dayOf, draftsOf, type ImportedMessage, parseValue } from '#memory/import/items/turn.ts';

const id = z.union([z.string(), z.number().int()]).transform(String);
const channelSchema = z.object({
  id,
  /** `GUILD_TEXT`; older packages have the API's number. */
  type: z.union([z.string(), z.number()]).nullish(),
  guild: z.object({ id }).nullish(),
});
const userSchema = z.object({ id, username: z.string().nullish(), global_name: z.string().nullish() });
const messageSchema = z.object({
  ID: id,
  /** `2021-10-13 15:35:46`, in UTC. */
  Timestamp: z
    .string()
    .transform((time) => Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/.test(time) ? time : `${time.replace(' ', 'T')}Z`))
    .refine(Number.isFinite, 'expected a date'),
  Contents: z.string().nullish(),
  /** Addresses, with spaces between them. */
  Attachments: z.string().nullish(),
});

type User = z.infer<typeof userSchema>;
type Channel = z.infer<typeof channelSchema>;

const channelName = /^(.*\/)?c?\d+\/channel\.json$/;

/** The channels of a data package; undefined when these files are none. Throws a ParleyError for a package that is too old. */
export async function packageChannels(
  files: readonly ArchiveFile[],
  reading: ImportContext,
): Promise<Item[] | undefined> {
  const byName = new Map(files.map((file) => [file.name, file]));
  const channels = files.filter(({ name }) => channelName.test(name));
  const pairs = channels.flatMap((channel) => {
    const messages = byName.get(channel.name.replace(/channel\.json$/, 'messages.json'));
    return messages === undefined ? [] : [{ channel, messages }];
  });
  if (channels.length === 0) return undefined;
  const [old] = channels.flatMap(
    ({ name }) => byName.get(name.replace(/channel\.json$/, 'messages.csv')) ?? [],
  );
  if (pairs.length === 0 && old !== undefined)
    throw new ParleyError(
      'nothing_to_import',
      `${old.path} and the like are of a data package from before 2024.`,
      {
        hint: 'Request a new one in Discord: Settings, Data & Privacy, Request all of my data, with the messages.',
      },
    );
  const owner = await ownerOf(files, pairs[0]?.channel);
  return pairs.map((pair) => itemOf(pair, { owner, reading }));
}

/** Whose package it is: `user.json` in the folder next to that of the messages. */
async function ownerOf(
  files: readonly ArchiveFile[],
  channel: ArchiveFile | undefined,
): Promise<User | undefined> {
  const top = channel?.name.split('/').slice(0, -3) ?? [];
  const file = files.find(({ name }) => {
    const parts = name.split('/');
    return (
      parts.length === top.length + 2 &&
      parts.at(-1) === 'user.json' &&
      top.every((part, at) => parts[at] === part)
    );
  });
  if (file === undefined) return undefined;
  return parseJson(new TextDecoder().decode(await file.bytes()), userSchema, file.path);
}

function itemOf(
  { channel, messages }: { channel: ArchiveFile; messages: ArchiveFile },
  { owner, reading }: { owner: User | undefined; reading: ImportContext },
): Item {
  const { signal } = reading.request;
  return {
    path: messages.path,
    async open() {
      const about = await channel.bytes();
      const contentDigest = await digestOfFile(messages.open, signal);
      return {
        contentHash: digest(`discord package 1 ${digest(about)} ${contentDigest}`),
        async *read() {
          const chat = chatOf(parseJson(new TextDecoder().decode(about), channelSchema, channel.path));
          for await (const { value } of jsonValues(messages, ['$.*'], signal)) void value; // to its end before anything is stored
          yield* draftsOf(turnsOf(messages, { owner, reading }), conversationOf(chat, reading), reading);
        },
        isSound: true,
      };
    },
  };
}

/**
 * Where the adapter would have it, as far as the package says: it names no channel that a thread is in, and no server that its owner has left.
 * A thread is then a room of its own, and what is left is nobody else's.
 */
function chatOf({ id: chat, type, guild }: Channel): HistoryChat {
  const kind = String(type ?? '');
  if (kind === 'GROUP_DM' || kind === '3') return { platform: 'discord', kind: 'group', chat };
  if (guild == null) return { platform: 'discord', kind: 'dm', chat };
  return { platform: 'discord', kind: 'channel', space: guild.id, chat };
}

async function* turnsOf(
  messages: ArchiveFile,
  { owner, reading }: { owner: User | undefined; reading: ImportContext },
): AsyncGenerator<ImportedMessage> {
  const { tally, request } = reading;
  for await (const { path, value } of jsonValues(messages, ['$.*'], request.signal)) {
    const what = `${messages.path}, message ${Number(path[0]) + 1}`;
    const message = parseValue(value, messageSchema, { tally, what });
    if (message === undefined) continue;
    const sent = (message.Attachments ?? '').split(/\s+/).filter(Boolean).map(fileName);
    yield {
      id: message.ID,
      session: dayOf(message.Timestamp),
      at: message.Timestamp,
      speaker: owner?.global_name ?? owner?.username ?? 'me',
      person: owner === undefined ? undefined : `discord:${owner.id}`,
      text: message.Contents ?? '',
      caption: sent.length === 0 ? undefined : `file ${sent.join(', ')}`,
    };
  }
}

/** The name at the end of an address. */
function fileName(address: string): string {
  return /([^/?#]+)(?:[?#].*)?$/.exec(address)?.[1] ?? address;
}
