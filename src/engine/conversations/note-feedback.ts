// What a person thinks of an answer: stored with its run and reported, and read again by that person.
import { existingRun } from '#engine/runs/tables/run-row.ts';
import type { RunTables } from '#engine/runs/tables/run-tables.ts';
import type { RunFeedback, StandingFeedback } from '#engine/wire/runs/feedback.ts';
import type { FeedbackCalls } from './feedback-calls.ts';

/** `Engine.noteFeedback` over the tables. */
export function noteFeedback(
  { runs, feedback: rows, events }: Pick<RunTables, 'runs' | 'feedback' | 'events'>,
  { runID, feedback }: { runID: string; feedback: RunFeedback },
  calls: Pick<FeedbackCalls, 'add' | 'nudge'>,
): void {
  events.commit((record) => {
    const run = existingRun(runs, runID);
    if (!rows.put(runID, feedback)) return;
    const properties = { sessionID: run.sessionID, runID, ...feedback };
    record({ type: 'session.run.feedback', properties });
    calls.add(properties);
    events.afterCommit(calls.nudge);
  });
}

/**
 * What these accounts think of answers, oldest first. The answer is there only where one of them was answered in private: who may still read
 * a room is not known here.
 */
export function createFeedbackOf({ runs, feedback }: Pick<RunTables, 'runs' | 'feedback'>) {
  return (
    persons: readonly string[],
  ): (StandingFeedback & { runID: string; answer?: string | undefined })[] =>
    feedback.ofPersons(persons).map((each) => {
      const run = runs.get(each.runID);
      const isPrivate = persons.some((person) => run?.origin?.audience === `person:${person}`);
      return { ...each, answer: isPrivate ? run?.text : undefined };
    });
}
