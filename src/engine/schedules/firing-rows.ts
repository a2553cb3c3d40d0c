// The table of firings: each time at which something is due, once, and which gateway sends it. Called inside transactions.
import { defined } from '#base/json.ts';
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import type { Firing, FiringOutcome } from '#engine/wire/schedules/schedule.ts';

interface NewFiring extends Omit<Firing, 'released_at_ms'> {
  /** What makes it one: the same occurrence of a source is not made again. */
  occurrence: string;
  platform: string;
  /** Not before this time, in milliseconds since the epoch. */
  releaseAtMs: number;
  madeAtMs: number;
}

export interface FiringRows {
  /** False where this occurrence was made before. */
  insert(firing: NewFiring): boolean;
  knows(source: Firing['source'], sourceID: string, occurrence: string): boolean;
  /** Claims for a gateway what nobody has claimed, and gives all that it has claimed and not settled. */
  take(by: { gateway: string; platforms: readonly string[]; now: number; limit: number }): Firing[];
  /** A gateway has stored it. */
  accept(id: string): void;
  /** The source of a firing that was not settled before; undefined for any other. */
  settle(id: string, outcome: FiringOutcome, at: number): Pick<Firing, 'source' | 'source_id'> | undefined;
  /** How far it is, and why it went no further; undefined for one that was removed. */
  outcome(id: string): { status: FiringOutcome['status'] | 'waiting'; reason?: string } | undefined;
  /** When the next one that waits for its time may be sent. */
  nextRelease(now: number): number | undefined;
  /** Removes what of a source nobody has claimed. */
  drop(source: Firing['source'], sourceID: string): void;
  /** What no gateway has stored yet: how many, and when the oldest may be sent. */
  open(): { platform: string; count: number; sinceMs: number }[];
  /** How many failed or were refused since then. */
  failedSince(at: number): number;
  prune(before: number): number;
}

interface Row extends Omit<Firing, 'recurring' | 'released_at_ms'> {
  recurring: 0 | 1;
  release_at_ms: number;
}

const fromRow = ({ recurring, release_at_ms, ...row }: Row): Firing => ({
  ...row,
  recurring: recurring === 1,
  released_at_ms: release_at_ms,
});

/** Statements over the engine's open database. */
export function createFiringRows(database: Sqlite): FiringRows {
  const columns =
    'id, source, source_id, kind, text, chat, person, zone, due_at_ms, release_at_ms, recurring';
  const insert = database.prepare(
    `INSERT INTO firings (${columns}, occurrence, platform, state, made_at_ms)
     VALUES (:id, :source, :source_id, :kind, :text, :chat, :person, :zone, :due_at_ms, :release_at_ms, :recurring,
       :occurrence, :platform, 'waiting', :made_at_ms)
     ON CONFLICT (source, source_id, occurrence) DO NOTHING`,
  );
  const known = database.prepare<string[], { one: 1 }>(
    'SELECT 1 AS one FROM firings WHERE source = ? AND source_id = ? AND occurrence = ?',
  );
  const claim = database.prepare<{ gateway: string; platforms: string; now: number; limit: number }>(
    `UPDATE firings SET state = 'taken', gateway = :gateway WHERE id IN (
       SELECT id FROM firings WHERE state = 'waiting' AND release_at_ms <= :now
         AND platform IN (SELECT value FROM json_each(:platforms)) ORDER BY release_at_ms, id LIMIT :limit)`,
  );
  const taken = database.prepare<[string, string, number], Row>(
    `SELECT ${columns} FROM firings WHERE state = 'taken' AND gateway = ?
       AND platform IN (SELECT value FROM json_each(?)) ORDER BY release_at_ms, id LIMIT ?`,
  );
  const settle = database.prepare<
    [string, string | null, number, string],
    Pick<Firing, 'source' | 'source_id'>
  >(
    `UPDATE firings SET state = ?, reason = ?, settled_at_ms = ?, text = '' WHERE id = ? AND settled_at_ms IS NULL
     RETURNING source, source_id`,
  );
  const accept = database.prepare("UPDATE firings SET state = 'accepted' WHERE id = ? AND state = 'taken'");
  const outcome = database.prepare<
    [string],
    { state: FiringOutcome['status'] | 'waiting' | 'taken'; reason: string | null }
  >('SELECT state, reason FROM firings WHERE id = ?');
  const nextRelease = database
    .prepare<[number], number | null>(
      "SELECT min(release_at_ms) FROM firings WHERE state = 'waiting' AND release_at_ms > ?",
    )
    .pluck();
  const drop = database.prepare(
    "DELETE FROM firings WHERE source = ? AND source_id = ? AND state = 'waiting'",
  );
  const open = database.prepare<[], { platform: string; count: number; sinceMs: number }>(
    `SELECT platform, count(*) AS count, min(release_at_ms) AS sinceMs FROM firings
     WHERE settled_at_ms IS NULL AND state <> 'accepted' GROUP BY platform ORDER BY platform`,
  );
  const failed = database
    .prepare<[number], number>(
      "SELECT count(*) FROM firings WHERE settled_at_ms >= ? AND state IN ('failed', 'refused')",
    )
    .pluck();
  const prune = database.prepare('DELETE FROM firings WHERE settled_at_ms IS NOT NULL AND settled_at_ms < ?');
  return {
    insert({ releaseAtMs, madeAtMs, recurring, ...row }) {
      const values = {
        ...row,
        release_at_ms: releaseAtMs,
        made_at_ms: madeAtMs,
        recurring: recurring ? 1 : 0,
      };
      return insert.run(values).changes === 1;
    },
    knows: (...occurrence) => known.get(...occurrence) !== undefined,
    take({ gateway, platforms, now, limit }) {
      const named = JSON.stringify(platforms);
      claim.run({ gateway, platforms: named, now, limit });
      return taken.all(gateway, named, limit).map(fromRow);
    },
    accept: (id) => void accept.run(id),
    settle: (id, { status, reason }, at) => settle.get(status, reason ?? null, at, id),
    outcome(id) {
      const row = outcome.get(id);
      if (row === undefined) return undefined;
      return {
        status: row.state === 'taken' ? 'waiting' : row.state,
        ...defined({ reason: row.reason ?? undefined }),
      };
    },
    nextRelease: (now) => nextRelease.get(now) ?? undefined,
    drop: (source, sourceID) => void drop.run(source, sourceID),
    open: () => open.all(),
    failedSince: (at) => failed.get(at) ?? 0,
    prune: (before) => prune.run(before).changes,
  };
}
