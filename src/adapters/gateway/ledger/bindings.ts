// Which session each lane speaks to. One session per lane; `/new` binds another.

import { type Address, formatAddress, parseAddress } from '#adapters/gateway/address.ts';
import type { Sqlite } from '#base/sqlite.ts';

export interface Bindings {
  sessionOf(lane: string): string | undefined;
  bind(lane: string, address: Address, session: { id: string; at: number }): void;
  /** Chats of a platform account that have a session. */
  chats(platform: string): Address[];
}

/** The table `bindings`. */
export function createBindings(database: Sqlite): Bindings {
  const select = database.prepare<[string], { session_id: string }>(
    'SELECT session_id FROM bindings WHERE lane = ?',
  );
  const upsert = database.prepare(
    `INSERT INTO bindings (lane, address, session_id, bound_at_ms) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET session_id = excluded.session_id, bound_at_ms = excluded.bound_at_ms`,
  );
  const all = database.prepare<[string], { address: string }>(
    "SELECT DISTINCT address FROM bindings WHERE address LIKE ? || ':%' ORDER BY address",
  );
  return {
    sessionOf: (lane) => select.get(lane)?.session_id,
    bind(lane, address, session) {
      upsert.run(lane, formatAddress(address), session.id, session.at);
    },
    chats: (platform) => all.all(platform).map((row) => parseAddress(row.address)),
  };
}
