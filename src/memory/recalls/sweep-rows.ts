// The rows of sweeps: which audience and time of the schedule was claimed, by which process, and what came out.
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import type { Audience } from '#memory/types/scope.ts';

interface SweepRow {
  audience: Audience;
  slot: number;
  claimedBy: string;
  claimedAt: number;
  finishedAt: number | null;
  calls: number;
  tokens: number;
  report: string | null;
}

export interface SweepRows {
  /**
   * True when the caller has the sweep now: nobody had it, or the process that had it did not say for `staleMs` that it is at work.
   * Inside one transaction that writes.
   */
  claim(sweep: { audience: Audience; slot: number; by: string; now: number; staleMs: number }): boolean;
  /** Says that the sweep is still at work, and what it used so far; false when another process has it. */
  beat(sweep: {
    audience: Audience;
    slot: number;
    by: string;
    now: number;
    calls: number;
    tokens: number;
  }): boolean;
  finish(sweep: { audience: Audience; slot: number; by: string; now: number; report: string }): void;
  get(audience: Audience, slot: number): SweepRow | undefined;
  /** The newest that was finished. */
  last(audience: Audience): SweepRow | undefined;
  unfinished(): SweepRow[];
  /** Removes sweeps that were due before this time. */
  prune(audience: Audience, before: number): void;
  counts(): { sweeps: number; last: number | null };
}

const columns = `audience, slot_ms AS slot, claimed_by AS claimedBy, claimed_at_ms AS claimedAt, finished_at_ms AS finishedAt,
  calls, tokens, report`;

/** The statements over one open database. */
export function createSweepRows(database: Sqlite): SweepRows {
  const claim = database.prepare<[object]>(
    `INSERT INTO memory_sweeps (audience, slot_ms, claimed_by, claimed_at_ms) VALUES (@audience, @slot, @by, @now)
     ON CONFLICT DO UPDATE SET claimed_by = @by, claimed_at_ms = @now
     WHERE finished_at_ms IS NULL AND (claimed_at_ms < @now - @staleMs OR claimed_at_ms > @now + @staleMs)`,
  );
  const beat = database.prepare<[object]>(
    `UPDATE memory_sweeps SET claimed_at_ms = @now, calls = @calls, tokens = @tokens
     WHERE audience = @audience AND slot_ms = @slot AND claimed_by = @by AND finished_at_ms IS NULL`,
  );
  const finish = database.prepare<[object]>(
    `UPDATE memory_sweeps SET finished_at_ms = @now, report = @report
     WHERE audience = @audience AND slot_ms = @slot AND claimed_by = @by`,
  );
  const get = database.prepare<[string, number], SweepRow>(
    `SELECT ${columns} FROM memory_sweeps WHERE audience = ? AND slot_ms = ?`,
  );
  const last = database.prepare<[string], SweepRow>(
    `SELECT ${columns} FROM memory_sweeps WHERE audience = ? AND finished_at_ms IS NOT NULL ORDER BY slot_ms DESC LIMIT 1`,
  );
  const unfinished = database.prepare<[], SweepRow>(
    `SELECT ${columns} FROM memory_sweeps WHERE finished_at_ms IS NULL ORDER BY slot_ms`,
  );
  const prune = database.prepare<[string, number]>(
    'DELETE FROM memory_sweeps WHERE audience = ? AND slot_ms < ?',
  );
  const counts = database.prepare<[], { sweeps: number; last: number | null }>(
    'SELECT count(*) AS sweeps, max(finished_at_ms) AS last FROM memory_sweeps WHERE finished_at_ms IS NOT NULL',
  );
  return {
    claim: (sweep) => claim.run(sweep).changes === 1,
    beat: (sweep) => beat.run(sweep).changes === 1,
    finish: (sweep) => void finish.run(sweep),
    get: (audience, slot) => get.get(audience, slot),
    last: (audience) => last.get(audience),
    unfinished: () => unfinished.all(),
    prune: (audience, before) => void prune.run(audience, before),
    counts: () => counts.get() ?? { sweeps: 0, last: null },
  };
}
