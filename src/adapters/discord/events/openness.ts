// Tells the gateway when a room of a guild becomes readable by all, or no longer is. Who came and went is guild-watch.ts.
import type { Client, Guild } from 'discord.js';
import { isReadByAll } from '#adapters/discord/rooms/readers.ts';
import type { ReadyClient } from '#adapters/discord/shards/ready-client.ts';
import type { Address } from '#adapters/gateway/terms/address.ts';
import type { Sink } from '#adapters/gateway/terms/inbound.ts';
import type { EventLanes } from './lanes.ts';

interface Openness {
  /** Looks at a room once what was written so far is applied, and emits what changed. */
  look(room: RoomRef): void;
  /** The same for every room of a guild, and for those that are not there any more. */
  lookAll(guildID: string): void;
  /** A guild came: its rooms are taken as they are, and those that are known already are looked at. */
  arrive(guildID: string): void;
  /** Emits the room's openness even if it was emitted before: a message counted as stricter than the room is. */
  tellAgain(room: RoomRef): void;
  /** A new session began: emits every change that was missed, and each of these chats once. */
  begin(client: Client<true>, chats: readonly Address[]): void;
}

interface RoomRef {
  guildID: string;
  channelID: string;
}

/** Emits nothing until a client is ready, and nothing for unknown rooms: nothing was written there. */
export function createOpenness(options: {
  sink: Sink;
  lanes: EventLanes;
  readyClient: ReadyClient;
}): Openness {
  const { sink, lanes, readyClient } = options;
  /** The last emitted openness of each room, or the one at first sight. */
  const reported = new Map<string, { guildID: string; open: boolean }>();
  /** Rooms whose openness is emitted whatever it is. */
  const due = new Set<string>();
  /** Rooms that are about to be looked at, and those that wait to be reported as open. */
  const looking = new Set<string>();
  const opening = new Set<string>();

  const notify = async (client: Client<true>, { guildID, channelID }: RoomRef): Promise<void> => {
    const open = isOpen(client, { guildID, channelID });
    if (open === 'not known' || (reported.get(channelID)?.open === open && !due.has(channelID))) return;
    const address: Address = {
      platform: 'discord',
      account: client.user.id,
      space: guildID,
      chat: channelID,
      kind: 'channel',
    };
    await sink.accept({ type: 'room', address, restricted: !open });
    due.delete(channelID);
    reported.set(channelID, { guildID, open });
  };

  const look = (room: RoomRef): void => {
    const { channelID } = room;
    if (looking.has(channelID)) return;
    looking.add(channelID);
    // A room that closes waits for nothing; one that opens waits until what was written before is accepted.
    lanes.push(`room ${channelID}`, async () => {
      const client = await readyClient.get();
      looking.delete(channelID);
      if (isOpen(client, room) !== true) return notify(client, room);
      if (opening.has(channelID)) return;
      opening.add(channelID);
      lanes.push(channelID, async () => {
        const then = await readyClient.get();
        opening.delete(channelID);
        await notify(then, room);
      });
    });
  };

  const lookAll = (guildID: string): void => {
    lanes.push(`guild ${guildID}`, async () => {
      const client = await readyClient.get();
      const guild = client.guilds.cache.get(guildID);
      if (guild?.available === false) return;
      for (const [channelID, { guildID: its, open }] of reported)
        if (its === guildID && isOpen(client, { guildID, channelID }) !== open) look({ guildID, channelID });
      for (const channel of guild?.channels.cache.values() ?? [])
        if (due.has(channel.id) || (!channel.isThread() && !reported.has(channel.id)))
          look({ guildID, channelID: channel.id });
    });
  };

  /** Takes the present rooms of a guild: nothing was emitted about them that could be wrong. */
  const remember = (guild: Guild): void => {
    for (const channel of guild.channels.cache.values())
      if (!channel.isThread() && !reported.has(channel.id) && !due.has(channel.id))
        reported.set(channel.id, { guildID: guild.id, open: isReadByAll(channel) });
  };

  return {
    look,
    lookAll,
    arrive(guildID) {
      lanes.push(`guild ${guildID}`, async () => {
        const guild = (await readyClient.get()).guilds.cache.get(guildID);
        if (guild?.available === true) remember(guild);
        lookAll(guildID);
      });
    },
    tellAgain(room) {
      due.add(room.channelID);
      look(room);
    },
    begin(client, chats) {
      for (const { space, chat } of chats) {
        if (space === undefined || reported.has(chat)) continue;
        due.add(chat);
        look({ guildID: space, channelID: chat });
      }
      for (const guild of client.guilds.cache.values()) if (guild.available) remember(guild);
      const guildIDs = new Set([...reported.values()].map(({ guildID }) => guildID));
      for (const guildID of [...guildIDs, ...client.guilds.cache.keys()]) lookAll(guildID);
    },
  };
}

/** Whether all may read a room now. A room that no longer exists, or whose guild the bot is not in, is not open. */
function isOpen(client: Client<true>, { guildID, channelID }: RoomRef): boolean | 'not known' {
  const guild = client.guilds.cache.get(guildID);
  if (guild?.available === false) return 'not known';
  const channel = guild?.channels.cache.get(channelID);
  return channel !== undefined && isReadByAll(channel);
}
