// Asks what a channel or thread is called: discord.js knows all but archived threads, for which Discord is called once.
import type { Client } from 'discord.js';
import type { Channel } from '#adapters/gateway/terms/channel.ts';
import { ParleyError } from '#base/errors.ts';
import { lookUp, namesOf } from './channel-context.ts';

/** The looks of an account; `connected` is the client that hears of a server. */
export function createNameLook(
  connected: (guildID: string | undefined) => Client<true> | undefined,
): NonNullable<Channel['placeNames']> {
  return {
    threads: true,
    async of({ space, chat, thread }) {
      const client = connected(space);
      if (client === undefined || space === undefined)
        throw new ParleyError('discord_disconnected', 'The shard of this server is not connected.');
      const channel = await lookUp(client, { guildID: space, channelID: thread ?? chat });
      return channel === undefined ? {} : namesOf(channel);
    },
  };
}
