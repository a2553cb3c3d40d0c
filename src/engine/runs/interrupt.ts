// The end of a run whose process died or stopped under it. It may be started again under its key; see begin.ts.
import type { RecordEvent } from '#engine/events/event-log.ts';
import { partEvent } from './part-writer.ts';
import type { StoredRun } from './tables/run-row.ts';
import type { RunTables } from './tables/run-tables.ts';

const sentence = 'The bot was stopped while it was answering.';

/** Ends a running run as interrupted, inside the caller's transaction. What it had said stays as the record of a failure. */
export function endInterrupted(tables: RunTables, run: StoredRun, record: RecordEvent): void {
  const { runs, usage, conversation, clock, newId } = tables;
  const { runID, sessionID, assistantMessageID } = run;
  const now = clock.now();
  const failure = {
    category: 'runtime' as const,
    code: 'INTERRUPTED',
    message: sentence,
    ref: newId('ref'),
  };
  // words that it was writing when its process died
  for (const part of conversation.parts.unfinished(assistantMessageID)) {
    conversation.parts.finish(part);
    record(partEvent(run, part));
  }
  const text = conversation.parts
    .ofMessage(assistantMessageID)
    .flatMap((part) => (part.type === 'text' ? [part.text] : []))
    .join('\n\n');
  if (
    !runs.end(runID, { status: 'interrupted', finishedAtMs: now, text, failure, recalled: [], seenRuns: [] })
  )
    return;
  usage.end(runID, 'interrupted');
  const { category: _, ...error } = failure;
  conversation.messages.complete(assistantMessageID, { atMs: now, error });
  record({
    type: 'session.run.finished',
    properties: {
      sessionID,
      runID,
      finishedAtMs: now,
      status: 'error',
      error: 'interrupted',
      failureCategory: 'runtime',
    },
  });
  tables.observer.ended(run, 'interrupted', record);
}

/** Ends every run that the table calls running, in one transaction; how many there were. */
export function interruptAll(tables: RunTables): number {
  return tables.events.commit((record) => {
    const running = tables.runs.allRunning();
    for (const run of running) endInterrupted(tables, run, record);
    return running.length;
  });
}
