// Whether the bot may write where it was spoken to, with the clicks where it may not. For the doctor; it changes nothing.
import { DiscordAPIError, PermissionFlagsBits, Routes } from 'discord.js';
import { z } from 'zod';
import { permissionsOf } from '#adapters/discord/rooms/readers.ts';
import type { Address } from '#adapters/gateway/terms/address.ts';
import type { Finding } from '#adapters/gateway/terms/channel.ts';
import { writeHint } from './calls/hints.ts';
import type { Rest } from './calls/rest.ts';

const bits = z.string().transform(BigInt);
const roles = z.array(z.looseObject({ id: z.string(), permissions: bits }));
const member = z.looseObject({ roles: z.array(z.string()) });
const channel = z.looseObject({
  name: z.string().nullish(),
  permission_overwrites: z.array(z.looseObject({ id: z.string(), allow: bits, deny: bits })).default([]),
});

interface Guild {
  id: string;
  roles: ReadonlyMap<string, bigint>;
  own: readonly string[];
}

/** A finding for each of these rooms where something is missing, and one for all the others. Throws what `explain` understands. */
export async function checkRooms(rest: Rest, rooms: readonly Address[]): Promise<Finding[]> {
  const guilds = new Map<string, Promise<Guild>>();
  const guildOf = (id: string, account: string): Promise<Guild> => {
    const asked = guilds.get(id) ?? lookAt(rest, id, account);
    guilds.set(id, asked);
    return asked;
  };
  const problems: Finding[] = [];
  for (const room of rooms) {
    if (room.space === undefined) continue;
    try {
      const guild = await guildOf(room.space, room.account);
      const found = channel.parse(await rest().get(Routes.channel(room.chat)));
      const missing = missingIn(found, guild, room);
      if (missing.length === 0) continue;
      const what = `In #${found.name ?? room.chat} the bot has no ${missing.map((one) => `"${one}"`).join(', ')}.`;
      problems.push({ level: 'warning', what, hint: writeHint });
    } catch (error) {
      if (!(error instanceof DiscordAPIError) || (error.status !== 403 && error.status !== 404)) throw error;
      // 404: the channel is deleted, or the bot is out of its server, and nobody waits there any more
      if (error.status === 403)
        problems.push({
          level: 'warning',
          what: `The bot cannot see the channel ${room.chat}, where it was spoken to.`,
          hint: writeHint,
        });
    }
  }
  if (problems.length > 0 || rooms.length === 0) return problems;
  return [{ level: 'ok', what: 'The bot may write in the channels where it was last spoken to.' }];
}

async function lookAt(rest: Rest, id: string, account: string): Promise<Guild> {
  const [all, own] = await Promise.all([
    rest().get(Routes.guildRoles(id)),
    rest().get(Routes.guildMember(id, account)),
  ]);
  return {
    id,
    roles: new Map(roles.parse(all).map((role) => [role.id, role.permissions])),
    own: member.parse(own).roles,
  };
}

function missingIn(
  { permission_overwrites: overwrites }: z.infer<typeof channel>,
  guild: Guild,
  { account, thread }: Address,
): string[] {
  const may = permissionsOf({
    id: account,
    roles: guild.own,
    guildID: guild.id,
    granted: (role) => guild.roles.get(role),
    overwrite: (id) => overwrites.find((one) => one.id === id) ?? { allow: 0n, deny: 0n },
  });
  const writing =
    thread === undefined
      ? ([PermissionFlagsBits.SendMessages, 'Send Messages'] as const)
      : ([PermissionFlagsBits.SendMessagesInThreads, 'Send Messages in Threads'] as const);
  const needed = [
    [PermissionFlagsBits.ViewChannel, 'View Channel'],
    writing,
    [PermissionFlagsBits.ReadMessageHistory, 'Read Message History'],
  ] as const;
  return needed.flatMap(([bit, name]) => (may.has(bit) ? [] : [name]));
}
