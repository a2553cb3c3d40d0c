// The runs of clients that an earlier process left behind, resumed at a start: whoever began them has nobody who asks for them again.
import { errorMessage } from '#base/errors.ts';
import type { Log } from '#base/log/log.ts';
import type { Runs } from './runs.ts';
import type { RunTables } from './tables/run-tables.ts';

/** How often what nobody else asks for again is begun: something in it may be what ends the process. */
export const maxLives = 6;

/**
 * Resumes each run that no chat began and that had called a tool: from its stored results, as chats and missions do, so that its person is
 * asked about what may have been done. One that waits for an answer is resumed by that; one that had only said something stays as it ended.
 * Resolves once all have begun; what cannot begin is logged, and stays as it is.
 */
export async function resumeRuns({
  runs,
  tables,
  log,
}: {
  runs: Pick<Runs, 'revive'>;
  tables: Pick<RunTables, 'runs'>;
  log: Log;
}): Promise<void> {
  for (const runID of tables.runs.leftBehind(maxLives))
    await runs
      .revive(runID)
      .catch((error: unknown) =>
        log.error({ runID, error: errorMessage(error) }, 'a run could not be resumed after a stop'),
      );
}
