// What a person thinks of an answer, stored with its run and reported.
import { ParleyError } from '#base/errors.ts';
import type { RunTables } from '#engine/runs/tables/run-tables.ts';
import type { RunFeedback } from '#engine/wire/runs/feedback.ts';

/** `Engine.noteFeedback` over the tables. */
export function noteFeedback(
  { runs, feedback: rows, events }: Pick<RunTables, 'runs' | 'feedback' | 'events'>,
  runID: string,
  feedback: RunFeedback,
): void {
  events.commit((record) => {
    const run = runs.get(runID);
    if (run === undefined)
      throw new ParleyError(
        'run_not_found',
        `There is no run ${JSON.stringify(runID)} to think well or ill of.`,
      );
    if (!rows.put(runID, feedback)) return;
    record({ type: 'session.run.feedback', properties: { sessionID: run.sessionID, runID, ...feedback } });
  });
}
