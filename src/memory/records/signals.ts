// How procedures went: what runs and people report of them, and the share of them that went well.
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import type { RecordSignal } from '#memory/types/record.ts';

/** A report as it is stored. */
type SignalRow = RecordSignal & { lineageID: string };

/** How often a procedure worked and failed. */
export interface SignalCounts {
  successes: number;
  failures: number;
}

export interface Signals {
  /** Stores a report in the caller's transaction; of one run the last one counts. */
  add(signal: SignalRow): void;
  /** The reports on a lineage, newest first. */
  of(lineageID: string, limit: number): RecordSignal[];
  counts(lineageID: string): SignalCounts;
  /** By the ids of records, those that have any. */
  countsOf(recordIDs: readonly string[]): Map<string, SignalCounts>;
  /** Gives the reports of one lineage to another, in the caller's transaction. */
  move(from: string, to: string): void;
}

interface Row {
  outcome: RecordSignal['outcome'];
  by: string;
  runID: string | null;
  note: string | null;
  at: number;
}

const sums = `sum(outcome = 'success') AS successes, sum(outcome = 'failure') AS failures`;

/** The statements over one open database. */
export function createSignals(database: Sqlite): Signals {
  const add = database.prepare<[object]>(
    `INSERT INTO memory_signals (of_lineage, outcome, actor, run_id, note, at_ms)
     VALUES (@lineageID, @outcome, @by, @runID, @note, @at)
     ON CONFLICT (of_lineage, run_id) DO UPDATE SET outcome = @outcome, actor = @by, note = @note, at_ms = @at`,
  );
  const list = database.prepare<[string, number], Row>(
    `SELECT outcome, actor AS "by", run_id AS runID, note, at_ms AS at FROM memory_signals
     WHERE of_lineage = ? ORDER BY at_ms DESC, row DESC LIMIT ?`,
  );
  const counts = database.prepare<[string], SignalCounts>(
    `SELECT coalesce(sum(outcome = 'success'), 0) AS successes, coalesce(sum(outcome = 'failure'), 0) AS failures
     FROM memory_signals WHERE of_lineage = ?`,
  );
  const countsOf = database.prepare<[string], SignalCounts & { id: string }>(
    `SELECT memory_records.id AS id, ${sums} FROM memory_records
     JOIN memory_signals ON of_lineage = lineage_id
     WHERE memory_records.id IN (SELECT value FROM json_each(?)) GROUP BY memory_records.id`,
  );
  const move = database.prepare<[string, string]>(
    'UPDATE OR REPLACE memory_signals SET of_lineage = ? WHERE of_lineage = ?',
  );
  return {
    add: (signal) =>
      void add.run({
        ...signal,
        runID: signal.runID === '' ? null : (signal.runID ?? null),
        note: signal.note ?? null,
        at: Math.round(signal.at),
      }),
    of: (lineageID, limit) =>
      list.all(lineageID, limit).map(({ runID, note, ...row }) => ({
        ...row,
        ...(runID !== null && { runID }),
        ...(note !== null && { note }),
      })),
    counts: (lineageID) => counts.get(lineageID) ?? { successes: 0, failures: 0 },
    countsOf: (ids) =>
      new Map(
        ids.length === 0
          ? []
          : countsOf
              .all(JSON.stringify(ids))
              .map(({ id, successes, failures }) => [id, { successes, failures }]),
      ),
    move: (from, to) => void move.run(to, from),
  };
}

/** How much a procedure is worth for its reports, 0 to 1: 1 while it worked at least as often as it failed, and less for each further failure. */
export function worthOf({ successes, failures }: SignalCounts): number {
  return Math.min(1, (2 * (successes + 1)) / (successes + failures + 2));
}
