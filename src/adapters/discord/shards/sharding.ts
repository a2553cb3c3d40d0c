// Which connections a bot's servers are divided among, and which of them this process has. Connects nothing.
import type { GatewayInfo } from './gateway-info.ts';

/** One connection, of how many. */
export interface Shard {
  id: number;
  of: number;
}

/** As many connections as Discord recommends, or those from `from` to `to` (both included, the first is 0) of `of`. */
export type ShardsWanted = 'automatic' | { from: number; to: number; of: number };

export interface ShardPlan {
  shards: readonly Shard[];
  /** Shards that may identify at the same time: those with different remainders by this number. */
  concurrency: number;
}

/** The shards that this process connects. */
export function planShards(
  wanted: ShardsWanted,
  { shards: recommended, session_start_limit: limit }: GatewayInfo,
): ShardPlan {
  const { from, to, of } =
    wanted === 'automatic' ? { from: 0, to: recommended - 1, of: recommended } : wanted;
  const shards = Array.from({ length: to - from + 1 }, (_, index) => ({ id: from + index, of }));
  return { shards, concurrency: limit.max_concurrency };
}

/** The shard that receives a server's events (Discord's "Sharding Formula"); direct messages belong to shard 0. */
export function shardIDOf(guildID: string | undefined, of: number): number {
  return guildID === undefined ? 0 : Number((BigInt(guildID) >> 22n) % BigInt(of));
}
