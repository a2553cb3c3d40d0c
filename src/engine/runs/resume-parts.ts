// What a run that died has done, as the beginning of the run that resumes it. How its open calls go on is in resume-calls.ts.
import type { RecordEvent } from '#engine/events/event-log.ts';
import type { Part } from '#engine/sessions/part-rows.ts';
import { partEvent } from './part-writer.ts';
import type { StoredRun } from './tables/run-row.ts';
import type { RunTables } from './tables/run-tables.ts';

/**
 * Copies into the new run, up to its last call, what the run that died had written, with the files of it, and gives it; inside the
 * transaction in which the new one begins. The words after the last call were not finished: the model says them again. What the dead run
 * wrote stays as its record.
 */
export function resumeParts(
  { conversation, artifacts, newId }: RunTables,
  { from, to }: { from: StoredRun; to: StoredRun },
  record: RecordEvent,
): readonly Part[] {
  const before = conversation.parts.ofMessage(from.assistantMessageID);
  const last = before.findLastIndex(({ type }) => type === 'tool' || type === 'file');
  const resumed = before.slice(0, last + 1).map((part): Part => ({ ...part, id: newId('prt') }));
  for (const part of resumed) {
    conversation.parts.insert(to.assistantMessageID, part);
    record(partEvent(to, part));
  }
  if (resumed.length > 0) artifacts.inherit(from.runID, to.runID);
  return resumed;
}
