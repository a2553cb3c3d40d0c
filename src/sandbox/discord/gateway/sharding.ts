// How the guilds of a bot are divided among its connections (Discord's docs, developers/events/gateway, "Sharding"). No sockets.
import { guildOf, type World, type WorldEvent } from '#sandbox/discord/world/world.ts';

/** Which of how many connections one is. */
export type ShardPair = readonly [id: number, count: number];

export interface ShardRules {
  /** "Each shard can only support a maximum of 2500 guilds." */
  maxGuilds: number;
  /** Shards that may identify within `identifyGapMs`: those with different `shard_id % max_concurrency` ("Max Concurrency"). */
  maxConcurrency: number;
  /** Discord's 5,000 ms; 0 lets every connection identify at once. */
  identifyGapMs: number;
}

/** Discord's own figures, except for the pause between two IDENTIFYs: a bot that starts again and again would wait for it each time. */
export const easyShards: ShardRules = { maxGuilds: 2500, maxConcurrency: 1, identifyGapMs: 0 };

/** "shard_id = (guild_id >> 22) % num_shards" */
function shardOf(guildID: string, count: number): number {
  return Number((BigInt(guildID) >> 22n) % BigInt(count));
}

/** Ids of the guilds that the bot is in, also in an outage. */
function guildIDs(world: World): string[] {
  return [...world.guilds.values()].flatMap(({ id, state }) => (state === 'without the bot' ? [] : [id]));
}

/** The guilds that a shard has. */
export function guildsOf(world: World, [id, count]: ShardPair): string[] {
  return guildIDs(world).filter((guildID) => shardOf(guildID, count) === id);
}

/**
 * What `GET /gateway/bot` recommends: here the fewest with which no shard has too many guilds; Discord counts about 1,000 for each.
 * Guilds that were made in one millisecond are on one shard, however many there are.
 */
export function recommendedShards(world: World, { maxGuilds }: ShardRules): number {
  const most = 16 * guildIDs(world).length;
  for (let count = 1; count < most; count += 1) {
    const each = Array.from({ length: count }, (_, id) => guildsOf(world, [id, count]).length);
    if (Math.max(...each) <= maxGuilds) return count;
  }
  return Math.max(1, most);
}

/** "Gateway events that do not contain a guild_id will only be sent to the first shard": direct messages among them. */
export function hearsOf(world: World, happening: WorldEvent, [id, count]: ShardPair): boolean {
  const guildID = guildIn(world, happening);
  return guildID === undefined ? id === 0 : shardOf(guildID, count) === id;
}

function guildIn(world: World, happening: WorldEvent): string | undefined {
  if ('guild' in happening) return happening.guild.id;
  if ('room' in happening) return happening.room.guildID;
  if ('thread' in happening) return happening.thread.guildID;
  switch (happening.type) {
    case 'command run':
      return guildOf(world, happening.interaction.channel.id)?.id;
    case 'button pressed':
      return guildOf(world, happening.press.channel.id)?.id;
    case 'whispered':
    case 'whisper gone':
      return guildOf(world, happening.whisper.channelID)?.id;
    case 'typing':
    case 'removed together':
      return guildOf(world, happening.channelID)?.id;
    default:
      return guildOf(world, happening.message.channelID)?.id;
  }
}
