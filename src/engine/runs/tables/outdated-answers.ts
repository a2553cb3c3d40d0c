// Answers to words that their author has taken back. Few, so that no run is looked up for them.
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import type { ArchiveStatus, StoredRun } from './run-row.ts';

interface OutdatedAnswer {
  runID: string;
  audience: string | null;
  startedAtMs: number;
  text: string;
}

/** The newest that are known at a time; older ones are in no view any more. */
const most = 1_000;
/** What was said so long before is among what was just said in a room, in milliseconds; twice what a prompt is given of it. */
const reachMs = 2 * 60 * 60_000;

/** The answers that are marked in the table `runs`. */
export function createOutdatedAnswers(database: Sqlite) {
  const columns =
    "id AS runID, json_extract(origin, '$.audience') AS audience, started_at_ms AS startedAtMs, text";
  const newest = database.prepare<[number], OutdatedAnswer>(
    `SELECT ${columns} FROM runs WHERE outdated = 1 ORDER BY position DESC LIMIT ?`,
  );
  const one = database.prepare<[string], OutdatedAnswer>(`SELECT ${columns} FROM runs WHERE id = ?`);
  let known: Map<string, OutdatedAnswer> | undefined;
  const all = (): Map<string, OutdatedAnswer> => {
    known ??= new Map(
      newest
        .all(most)
        .reverse()
        .map((answer) => [answer.runID, answer]),
    );
    return known;
  };
  const mark = database.prepare<[ArchiveStatus | null, string]>(
    'UPDATE runs SET outdated = 1, archived = ? WHERE id = ?',
  );
  const reword = database.prepare<[string]>('UPDATE runs SET reworded = 1 WHERE id = ?');
  const noteMarked = (runID: string): void => {
    const answer = one.get(runID);
    if (answer === undefined) return;
    all().set(runID, answer);
    for (const oldest of all().keys()) {
      if (all().size <= most) break;
      all().delete(oldest);
    }
  };
  return {
    /** See `RunRows.setOutdated`. */
    mark(runID: string, archived?: ArchiveStatus): void {
      mark.run(archived ?? null, runID);
      noteMarked(runID);
    },
    /** See `RunRows.setReworded`. */
    reword(runID: string): void {
      mark.run(null, runID);
      reword.run(runID);
      noteMarked(runID);
    },
    /** See `RunRows.outdatedFor`. */
    for({ seenRuns, origin, startedAtMs }: Pick<StoredRun, 'seenRuns' | 'origin' | 'startedAtMs'>): string[] {
      const seen = new Set(seenRuns);
      return [...all().values()].flatMap(({ runID, audience, startedAtMs: began, text }) => {
        const isThere = audience !== null && audience === origin?.audience;
        const isNear = began <= startedAtMs && startedAtMs - began <= reachMs;
        return seen.has(runID) || (isThere && isNear) ? [text] : [];
      });
    },
  };
}
