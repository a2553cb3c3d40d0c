// The state of a bot's connections: a disconnected one shows in status, while the servers of the others are served.
import type { ConnectionState } from '#adapters/gateway/terms/inbound.ts';
import type { Shard } from './sharding.ts';

/** How many shards are named with their problem; of more there is only the number. */
const maxNamed = 3;

export interface ShardBoard {
  ready(shard: Shard): void;
  away(shard: Shard, words: string): void;
}

/**
 * Combines the states of all shards into the channel's status; there is none before the first call. `ready` with words means: connected,
 * but some servers are not served, for this reason.
 */
export function createShardBoard(
  shards: readonly Shard[],
  report: (state: ConnectionState, words?: string) => void,
): ShardBoard {
  /** Why each is away; undefined while it connects for the first time. */
  const away = new Map<number, string | undefined>(shards.map(({ id }) => [id, undefined]));
  return {
    ready({ id }) {
      away.delete(id);
      report('ready', wordsOf(away));
    },
    away({ id, of }, words) {
      away.set(id, of === 1 ? words : `Shard ${id} of ${of} is not connected: ${words}`);
      if (away.size < shards.length) report('ready', wordsOf(away));
      else report('reconnecting', away.get(id));
    },
  };
}

function wordsOf(away: ReadonlyMap<number, string | undefined>): string | undefined {
  if (away.size === 0) return undefined;
  const lost = [...away.values()].filter((words) => words !== undefined);
  const first = away.size - lost.length;
  return [
    ...lost.slice(0, maxNamed),
    ...(lost.length > maxNamed ? [`So are ${lost.length - maxNamed} more.`] : []),
    ...(first === 0 ? [] : [`${first} more ${first === 1 ? 'shard is' : 'shards are'} being connected.`]),
    'The servers of the other shards are served in the meantime.',
  ].join(' ');
}
