// How a run ends, once: the last part, the answer, the failure and the events in one transaction. Not why it ended.

import { ParleyError } from '#base/errors.ts';
import { isDiskFailure } from '#base/files/disk-failures.ts';
import { defined } from '#base/json.ts';
import type { Log } from '#base/log/log.ts';
import { detailsOf, failureOf, sizesOf } from '#engine/providers/calls/failure.ts';
import { silenceOf } from '#engine/providers/calls/silence.ts';
import { waitAskedFor } from '#engine/providers/retry.ts';
import type { Run } from '#engine/wire/contract.ts';
import type { RunStatus } from '#engine/wire/events/event.ts';
import type { RunNotice } from '#engine/wire/runs/notice.ts';
import type { StoredPrompt } from '#engine/wire/runs/run-prompt.ts';
import { endInterrupted } from './interrupt.ts';
import type { PartWriter } from './part-writer.ts';
import type { GivenToRun, StoredRun } from './tables/run-row.ts';
import type { RunTables } from './tables/run-tables.ts';

interface Ending {
  run: StoredRun;
  writer: PartWriter;
  recalled: readonly string[];
  /** What its prompt was made of, once it was sent. */
  made: StoredPrompt | undefined;
  seenRuns: readonly string[];
  notices: readonly RunNotice[];
  given: GivenToRun;
}

/** The reasons that abort a run from outside. */
export const cancelledReason = 'cancelled';
export const interrupted = 'interrupted';
export const overTime = 'run_timeout';

/** Commits; may take its time about it. */
type Commit = (work: () => void) => Promise<void>;

/** Commits the end of a run that has answered. */
export async function endCompleted(tables: RunTables, ending: Ending, commit: Commit): Promise<void> {
  await commit(() =>
    tables.events.commit(() => {
      ending.writer.close();
      end(tables, ending, { status: 'completed' });
    }),
  );
}

/** Commits the end of a run that `error` ended. The details go to the log under a reference, and people see one sentence. */
export async function endFailed(
  tables: RunTables,
  ending: Ending,
  { error, log, commit }: { error: unknown; log: Log; commit: Commit },
): Promise<void> {
  const { events, newId } = tables;
  const { run, writer } = ending;
  const { runID, sessionID } = run;
  const reason = error instanceof ParleyError ? error.code : undefined;
  // A disk that refused a part of the answer is nobody's answer: once it writes again, the run can be started again.
  if (reason === interrupted || isDiskFailure(error)) {
    await commit(() =>
      events.commit((record) => {
        writer.close();
        endInterrupted(tables, run, record);
      }),
    );
    return;
  }
  const ref = newId('ref');
  const failure =
    reason === cancelledReason
      ? { category: 'user_cancelled' as const, code: 'CANCELLED', sentence: 'The answer was cancelled.' }
      : failureOf(error);
  const { category, code, sentence } = failure;
  if (reason === cancelledReason) log.info({ ref, runID, sessionID }, 'run cancelled');
  else log.error({ ref, runID, sessionID, code, category, error: detailsOf(error) }, 'run failed');
  const detail = defined({
    waitMs: waitAskedFor(error, tables.clock.now()),
    ...sizesOf(error),
    silence: silenceOf(error),
  });
  await commit(() =>
    events.commit(() => {
      writer.abandon();
      end(tables, ending, {
        status: statusOf(reason),
        failure: { category, code, message: sentence, ref, ...detail },
      });
    }),
  );
}

/** `timeout` is the run's own limit; a provider that was silent too long is an error like its other failures. */
function statusOf(reason: string | undefined): RunStatus {
  if (reason === cancelledReason) return 'cancelled';
  return reason === overTime ? 'timeout' : 'error';
}

function end(
  tables: RunTables,
  { run, writer, recalled, seenRuns, notices, given, made }: Ending,
  { status, failure }: { status: RunStatus; failure?: Run['failure'] },
): void {
  const { runs, usage, conversation, events, clock } = tables;
  const { runID, sessionID, assistantMessageID } = run;
  const now = clock.now();
  events.commit((record) => {
    const shown = { recalled, seenRuns, given };
    if (!runs.end(runID, { status, finishedAtMs: now, text: writer.text(), failure, notices, ...shown }))
      return;
    usage.end(runID, status);
    if (made !== undefined) tables.prompts.put(runID, made);
    // as when it is amended: the words of a message that changed are in no later prompt by the calls for it
    if (tables.outdated.has(runID))
      for (const { id, type } of conversation.parts.ofMessage(assistantMessageID))
        if (type === 'tool') conversation.parts.remove(id);
    events.afterCommit(() => tables.outdated.delete(runID));
    const error = failure && { code: failure.code, message: failure.message, ref: failure.ref };
    conversation.messages.complete(assistantMessageID, { atMs: now, error });
    tables.requests.drop(run.userMessageID, record);
    conversation.sessions.touch(sessionID, now);
    if (error !== undefined && status !== 'cancelled') {
      record({ type: 'session.error', properties: { sessionID, runID, error } });
    }
    record({
      type: 'session.run.finished',
      properties: {
        sessionID,
        runID,
        finishedAtMs: now,
        status,
        ...(failure && { error: failure.message, failureCategory: failure.category }),
      },
    });
    tables.observer.ended(run, status, record);
  });
}
