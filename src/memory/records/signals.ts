// How procedures went: what runs and people report of them, and the share of them that went well.
import type { Sql } from '#base/sql/sql.ts';
import type { Synchronous, Work } from '#base/sql/work.ts';
import type { RecordSignal } from '#memory/types/record.ts';

/** A report as it is stored. */
type SignalRow = RecordSignal & { lineageID: string };

/** How often a procedure worked and failed. */
export interface SignalCounts {
  successes: number;
  failures: number;
}

export interface SignalWork {
  /** Stores a report in the caller's transaction; of one run the last one counts. */
  add(signal: SignalRow): Work<number>;
  /** The reports on a lineage, newest first. */
  of(lineageID: string, limit: number): Work<RecordSignal[]>;
  counts(lineageID: string): Work<SignalCounts>;
  /** By the ids of records, those that have any. */
  countsOf(recordIDs: readonly string[]): Work<Map<string, SignalCounts>>;
  /** Gives the reports of one lineage to another, in the caller's transaction. */
  move(from: string, to: string): Work<void>;
}

/** The same where nothing is waited for. */
export type Signals = Synchronous<SignalWork>;

interface Row {
  outcome: RecordSignal['outcome'];
  by: string;
  runID: string | null;
  note: string | null;
  at: number;
}

const sums = `count(*) FILTER (WHERE outcome = 'success') AS successes, count(*) FILTER (WHERE outcome = 'failure') AS failures`;

/** The statements over one database. */
export function createSignals(sql: Sql): SignalWork {
  const { dialect } = sql;
  const add = sql.prepare<[object], never>(
    `INSERT INTO memory_signals (of_lineage, outcome, actor, run_id, note, at_ms)
     VALUES (@lineageID, @outcome, @by, @runID, @note, @at)
     ON CONFLICT (of_lineage, run_id) DO UPDATE SET outcome = excluded.outcome, actor = excluded.actor, note = excluded.note,
       at_ms = excluded.at_ms`,
  );
  const list = sql.prepare<[string, number], Row>(
    `SELECT outcome, actor AS "by", run_id AS runID, note, at_ms AS at FROM memory_signals
     WHERE of_lineage = ? ORDER BY at_ms DESC, row DESC LIMIT ?`,
  );
  const counts = sql.prepare<[string], SignalCounts>(
    `SELECT ${sums} FROM memory_signals WHERE of_lineage = ?`,
  );
  const countsOf = sql.prepare<[string], SignalCounts & { id: string }>(
    `SELECT memory_records.id AS id, ${sums} FROM memory_records
     JOIN memory_signals ON of_lineage = lineage_id
     WHERE memory_records.id IN ${dialect.texts('?')} GROUP BY memory_records.id`,
  );
  // of one run that reported on both, what it said of the one that moves counts
  const replaced = sql.prepare<[string, string], never>(
    `DELETE FROM memory_signals WHERE of_lineage = ?
       AND run_id IN (SELECT moved.run_id FROM memory_signals AS moved WHERE moved.of_lineage = ?)`,
  );
  const move = sql.prepare<[string, string], never>(
    'UPDATE memory_signals SET of_lineage = ? WHERE of_lineage = ?',
  );
  return {
    add: (signal) =>
      add.run({
        ...signal,
        runID: signal.runID === '' ? null : (signal.runID ?? null),
        note: signal.note ?? null,
        at: Math.round(signal.at),
      }),
    *of(lineageID, limit) {
      return (yield* list.all(lineageID, limit)).map(({ runID, note, ...row }) => ({
        ...row,
        ...(runID !== null && { runID }),
        ...(note !== null && { note }),
      }));
    },
    *counts(lineageID) {
      return (yield* counts.get(lineageID)) ?? { successes: 0, failures: 0 };
    },
    *countsOf(ids) {
      const rows = ids.length === 0 ? [] : yield* countsOf.all(JSON.stringify(ids));
      return new Map(rows.map(({ id, successes, failures }) => [id, { successes, failures }]));
    },
    *move(from, to) {
      yield* replaced.run(to, from);
      yield* move.run(to, from);
    },
  };
}

/** How much a procedure is worth for its reports, 0 to 1: 1 while it worked at least as often as it failed, and less for each further failure. */
export function worthOf({ successes, failures }: SignalCounts): number {
  return Math.min(1, (2 * (successes + 1)) / (successes + failures + 2));
}
