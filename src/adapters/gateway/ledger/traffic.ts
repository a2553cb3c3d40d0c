// When something came from each platform and went to it last, for the status. What an earlier process saw is read once, as far as it is recent.
import type { Sqlite } from '#base/sqlite/sqlite.ts';

export interface Traffic {
  received(platform: string, at: number): void;
  spoke(platform: string, at: number): void;
  lastInbound(platform: string): number | undefined;
  lastOutbound(platform: string): number | undefined;
}

/** Rows of an earlier process that are looked at: the status must not make a start wait for a large ledger. */
const newest = 1_000;

/** When each platform last received and sent something, over the tables `inbox` and `outbox`. */
export function createTraffic(database: Sqlite): Traffic {
  const read = (sql: string): Map<string, number> => {
    const rows = database.prepare<[number], { platform: string; at: number }>(sql).all(newest);
    return new Map(rows.map(({ platform, at }) => [platform, at]));
  };
  const inbound = read(
    `SELECT platform, max(received_at_ms) AS at
     FROM (SELECT platform, received_at_ms FROM inbox ORDER BY rowid DESC LIMIT ?) GROUP BY platform`,
  );
  const outbound = read(
    `SELECT substr(o.address, 1, instr(o.address, ':') - 1) AS platform, max(p.received_at_ms) AS at
     FROM (SELECT outbox_id, received_at_ms FROM outbox_parts ORDER BY rowid DESC LIMIT ?) p
     JOIN outbox o ON o.id = p.outbox_id WHERE p.received_at_ms IS NOT NULL GROUP BY 1`,
  );
  return {
    received: (platform, at) => void inbound.set(platform, at),
    spoke: (platform, at) => void outbound.set(platform, at),
    lastInbound: (platform) => inbound.get(platform),
    lastOutbound: (platform) => outbound.get(platform),
  };
}
