// Which session each lane speaks to, and which it has spoken to before. One session per lane at a time; `/new` and `/resume` bind another.

import { type Address, formatAddress, parseAddress } from '#adapters/gateway/address.ts';
import type { Sqlite } from '#base/sqlite.ts';

/** A session that a lane speaks to, or has spoken to. */
export interface BoundSession {
  sessionID: string;
  lane: string;
  /** When it was bound last. */
  boundAt: number;
}

export interface Bindings {
  sessionOf(lane: string): string | undefined;
  /** `person`: the account that speaks, whose session one of a direct message is. */
  bind(lane: string, address: Address, session: { id: string; at: number; person: string }): void;
  /** All sessions of the lane, and those of direct messages of these accounts, newest binding first. */
  sessionsOf(lane: string, persons: readonly string[]): BoundSession[];
  /** Chats of a platform account that have a session. */
  chats(platform: string): Address[];
}

/** The tables `bindings` and `lane_sessions`. */
export function createBindings(database: Sqlite): Bindings {
  const select = database.prepare<[string], { session_id: string }>(
    'SELECT session_id FROM bindings WHERE lane = ?',
  );
  const upsert = database.prepare(
    `INSERT INTO bindings (lane, address, session_id, bound_at_ms) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET session_id = excluded.session_id, bound_at_ms = excluded.bound_at_ms`,
  );
  const note = database.prepare(
    `INSERT INTO lane_sessions (lane, session_id, person, bound_at_ms) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET bound_at_ms = excluded.bound_at_ms`,
  );
  const own = database.prepare<[string, string], BoundSession>(
    `SELECT session_id AS sessionID, lane, max(bound_at_ms) AS boundAt FROM lane_sessions
     WHERE lane = ? OR person IN (SELECT value FROM json_each(?)) GROUP BY session_id ORDER BY boundAt DESC, session_id DESC`,
  );
  const all = database.prepare<[string], { address: string }>(
    "SELECT DISTINCT address FROM bindings WHERE address LIKE ? || ':%' ORDER BY address",
  );
  return {
    sessionOf: (lane) => select.get(lane)?.session_id,
    bind(lane, address, session) {
      upsert.run(lane, formatAddress(address), session.id, session.at);
      note.run(lane, session.id, address.kind === 'dm' ? session.person : null, session.at);
    },
    sessionsOf: (lane, persons) => own.all(lane, JSON.stringify(persons)),
    chats: (platform) => all.all(platform).map((row) => parseAddress(row.address)),
  };
}
