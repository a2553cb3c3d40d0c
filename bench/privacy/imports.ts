// What an operator imports: a channel of the simulated Discord, in the form of DiscordChatExporter.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Places } from '#sandbox/places.ts';
import type { Room } from './cast.ts';
import type { Operator } from './operator.ts';
import type { Account } from './oracle.ts';

/** DiscordChatExporter's names of channel types (its ChannelKind). */
const typeOf: Readonly<Record<string, string>> = {
  voice: 'GuildVoiceChat',
  announcement: 'GuildNews',
  'public thread': 'GuildPublicThread',
  'forum post': 'GuildPublicThread',
  'private thread': 'GuildPrivateThread',
};

/** Writes what these accounts said in the room as an export of it, and imports that; how many messages. */
export async function importOf(given: {
  room: Room;
  places: Places;
  accounts: readonly Account[];
  operator: Operator;
}): Promise<number> {
  const { room, places, accounts, operator } = given;
  const messages = places.messages(room.id).filter(({ author }) => accounts.some(({ id }) => id === author));
  if (messages.length === 0) return 0;
  const path = join(operator.folder, `${room.name}.json`);
  const timestamp = new Date().toISOString();
  const file = {
    guild: { id: room.space, name: 'guild' },
    channel: {
      id: room.id,
      type: typeOf[room.kind] ?? 'GuildTextChat',
      categoryId: room.parent ?? null,
      name: room.name,
    },
    messages: messages.map(({ id, author, text }) => ({
      id,
      type: 'Default',
      timestamp,
      content: text,
      author: { id: author, name: author },
      attachments: [],
    })),
  };
  await writeFile(path, JSON.stringify(file));
  await operator.client().memory.importPath({
    source: { kind: 'path', path },
    format: 'discord',
    tier: 'global',
    account: operator.discordBot,
  });
  return messages.length;
}
