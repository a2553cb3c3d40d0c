// When something last came to each bot's account and went out from it, for the status. What an earlier process saw is read once, as far as it is recent.
import { type BotAddress, parseAddress } from '#adapters/gateway/terms/address.ts';
import type { Sqlite } from '#base/sqlite/sqlite.ts';

export interface Traffic {
  received(address: BotAddress, at: number): void;
  spoke(address: BotAddress, at: number): void;
  /** By the accounts of a platform. */
  lastInbound(platform: string): ReadonlyMap<string, number>;
  lastOutbound(platform: string): ReadonlyMap<string, number>;
}

/** Rows of an earlier process that are looked at: the status must not make a start wait for a large ledger. */
const newest = 1_000;

/** When each account last received and sent something, over the tables `inbox` and `outbox`. */
export function createTraffic(database: Sqlite): Traffic {
  type Times = Map<string, Map<string, number>>;
  const note = (times: Times, { platform, account }: BotAddress, at: number): void => {
    const ofPlatform = times.get(platform) ?? new Map<string, number>();
    ofPlatform.set(account, at);
    times.set(platform, ofPlatform);
  };
  const read = (sql: string): Times => {
    const times: Times = new Map();
    const rows = database.prepare<[number], { address: string; at: number }>(sql).iterate(newest);
    for (const { address, at } of rows) note(times, parseAddress(address), at);
    return times;
  };
  const inbound = read(
    `SELECT address, max(received_at_ms) AS at
     FROM (SELECT address, received_at_ms FROM inbox ORDER BY rowid DESC LIMIT ?) GROUP BY address ORDER BY at`,
  );
  const outbound = read(
    `SELECT o.address, max(p.received_at_ms) AS at
     FROM (SELECT outbox_id, received_at_ms FROM outbox_parts ORDER BY rowid DESC LIMIT ?) p
     JOIN outbox o ON o.id = p.outbox_id WHERE p.received_at_ms IS NOT NULL GROUP BY o.address ORDER BY at`,
  );
  const none: ReadonlyMap<string, number> = new Map();
  return {
    received: (address, at) => note(inbound, address, at),
    spoke: (address, at) => note(outbound, address, at),
    lastInbound: (platform) => inbound.get(platform) ?? none,
    lastOutbound: (platform) => outbound.get(platform) ?? none,
  };
}
