// Which session each lane speaks to, and which it has spoken to before. One session per lane at a time; `/new` and `/resume` bind another.

import { type Address, formatAddress, type Platform, parseAddress } from '#adapters/gateway/terms/address.ts';
import { openSqliteReader, type Sqlite } from '#base/sqlite/sqlite.ts';
import { createBotAccounts } from './bot-accounts.ts';

/** A session that a lane speaks to, or has spoken to. */
export interface BoundSession {
  sessionID: string;
  lane: string;
  /** When it was bound last. */
  boundAt: number;
}

interface NewBinding {
  id: string;
  at: number;
  person: string;
  announced?: boolean;
}

export interface Bindings {
  /** Undefined before the first message, and after `separate` took the session away. */
  sessionOf(lane: string): string | undefined;
  /**
   * `person`: the account that speaks, whose session one of a direct message is. `announced`: the account says something in it now;
   * without it, what the ledger knows of that stays.
   */
  bind(lane: string, address: Address, session: NewBinding): void;
  /** Whether the ledger knows that something was written in the session from this lane. */
  isAnnounced(lane: string, sessionID: string): boolean;
  /** Notes that something is written in the session from this lane; false when the lane does not have the session. */
  say(lane: string, sessionID: string): boolean;
  /** Whether the lane lost the session that it spoke to, and has no other one yet. */
  hasLost(lane: string): boolean;
  /** All sessions of the lane, and those of direct messages of these accounts, newest binding first. */
  sessionsOf(lane: string, persons: readonly string[]): BoundSession[];
  /**
   * Takes from every account the sessions of direct messages that are not its own. A session is an account's own when it began in a
   * direct message of that account, and no other account has said anything in it; the accounts that are one person now count as one
   * account. A session in which two persons have spoken is nobody's any more. Call it in the transaction that changes who is whose;
   * returns the lanes that lost the session that they spoke to.
   */
  separate(): string[];
  /** Chats of a platform account that have, or had, a session. */
  chats(platform: string): Address[];
}

/** The tables `bindings` and `lane_sessions`. */
export function createBindings(database: Sqlite): Bindings {
  const select = database.prepare<[string], { session_id: string | null }>(
    'SELECT session_id FROM bindings WHERE lane = ?',
  );
  const upsert = database.prepare(
    `INSERT INTO bindings (lane, address, session_id, bound_at_ms) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET session_id = excluded.session_id, bound_at_ms = excluded.bound_at_ms`,
  );
  const note = database.prepare(
    `INSERT INTO lane_sessions (lane, session_id, person, bound_at_ms, said) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET bound_at_ms = excluded.bound_at_ms, said = max(said, excluded.said)`,
  );
  const announced = database.prepare<[string, string], { one: 1 }>(
    'SELECT 1 AS one FROM lane_sessions WHERE lane = ? AND session_id = ? AND said = 1',
  );
  const say = database.prepare('UPDATE lane_sessions SET said = 1 WHERE lane = ? AND session_id = ?');
  const own = database.prepare<[string, string], BoundSession>(
    `SELECT session_id AS sessionID, lane, max(bound_at_ms) AS boundAt FROM lane_sessions
     WHERE lane = ? OR person IN (SELECT value FROM json_each(?)) GROUP BY session_id ORDER BY boundAt DESC, session_id DESC`,
  );
  const all = database.prepare<[string], { address: string }>(
    "SELECT DISTINCT address FROM bindings WHERE address LIKE ? || ':%' ORDER BY address",
  );
  const losing = createLosing(database);
  return {
    sessionOf: (lane) => select.get(lane)?.session_id ?? undefined,
    bind(lane, address, session) {
      upsert.run(lane, formatAddress(address), session.id, session.at);
      const person = address.kind === 'dm' ? session.person : null;
      note.run(lane, session.id, person, session.at, session.announced === true ? 1 : 0);
    },
    isAnnounced: (lane, sessionID) => announced.get(lane, sessionID) !== undefined,
    say: (lane, sessionID) => say.run(lane, sessionID).changes > 0,
    hasLost: (lane) => select.get(lane)?.session_id === null,
    sessionsOf: (lane, persons) => own.all(lane, JSON.stringify(persons)),
    separate: losing,
    chats: (platform) => all.all(platform).map((row) => parseAddress(row.address)),
  };
}

/** The doctor asks the platform once or twice for each. */
const maxRooms = 25;

/**
 * The rooms in which a bot was spoken to last, a thread for its room; read next to a gateway that may run. A bot without a name has every account
 * that no other bot has.
 */
export function readActiveRooms(
  path: string,
  { platform, accountName }: { platform: Platform; accountName?: string | undefined },
): Address[] {
  const database = openSqliteReader({ path });
  try {
    const rows = database.prepare<[string], { address: string }>(
      "SELECT address FROM bindings WHERE address LIKE ? || ':%' AND address NOT LIKE '%:dm:%' ORDER BY bound_at_ms DESC",
    );
    const bots = createBotAccounts(database);
    const rooms = new Map<string, Address>();
    for (const { address } of rows.iterate(platform)) {
      const room = parseAddress(address);
      if (bots.nameOf(platform, room.account) !== accountName) continue;
      if (!rooms.has(room.chat)) rooms.set(room.chat, room);
      if (rooms.size === maxRooms) break;
    }
    return [...rooms.values()];
  } finally {
    database.close();
  }
}

/** `separate` of the bindings. */
function createLosing(database: Sqlite): () => string[] {
  interface Row {
    lane: string;
    session_id: string;
  }
  const foreign = database.prepare<[], Row>(
    `SELECT r.lane, r.session_id FROM lane_sessions r
     WHERE r.person IS NOT NULL
       AND r.session_id IN (
         SELECT session_id FROM lane_sessions WHERE person IS NOT NULL
         GROUP BY session_id HAVING min(person) <> max(person))
       AND EXISTS (
         SELECT 1 FROM lane_sessions o
         WHERE o.session_id = r.session_id AND o.person <> r.person
           AND (o.said = 1 OR o.rowid = (
             SELECT min(b.rowid) FROM lane_sessions b WHERE b.session_id = r.session_id AND b.person IS NOT NULL))
           AND NOT EXISTS (
             SELECT 1 FROM identities mine JOIN identities theirs ON theirs.linked_as = mine.linked_as
             WHERE mine.person = r.person AND theirs.person = o.person))`,
  );
  const remove = database.prepare<Row>(
    'DELETE FROM lane_sessions WHERE lane = @lane AND session_id = @session_id',
  );
  // An answer that is being made continues in its session with its own run, also where its run is not on record yet.
  const restart = database.prepare<Row>(
    `UPDATE turns SET session_id = NULL, run_id = NULL, run_key = coalesce(run_key, id) || '~'
     WHERE state = 'running' AND lane = @lane AND (session_id = @session_id OR (session_id IS NULL
       AND EXISTS (SELECT 1 FROM bindings b WHERE b.lane = @lane AND b.session_id = @session_id)))`,
  );
  const unbind = database.prepare<Row>(
    'UPDATE bindings SET session_id = NULL WHERE lane = @lane AND session_id = @session_id',
  );
  return () =>
    foreign
      .all()
      .filter((row) => {
        remove.run(row);
        restart.run(row);
        return unbind.run(row).changes > 0;
      })
      .map(({ lane }) => lane);
}
