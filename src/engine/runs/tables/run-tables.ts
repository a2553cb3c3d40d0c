// What a transaction about runs works with: the tables, the log of events, time and ids. A type, no behaviour.
import type { Clock } from '#base/clock.ts';
import type { NewId } from '#base/ids.ts';
import type { ArtifactRows } from '#engine/artifacts/artifact-rows.ts';
import type { EventLog, RecordEvent } from '#engine/events/event-log.ts';
import type { Requests } from '#engine/permissions/requests.ts';
import type { ConversationRows } from '#engine/sessions/sessions.ts';
import type { Run } from '#engine/wire/contract.ts';
import type { FeedbackRows } from './feedback-rows.ts';
import type { PromptRows } from './prompt-rows.ts';
import type { RunList } from './run-list.ts';
import type { StoredRun } from './run-row.ts';
import type { RunRows } from './run-rows.ts';
import type { UsageRows } from './usage-rows.ts';

/** Who takes part in the transactions in which runs begin and end: a mission, whose instances are runs. */
export interface RunObserver {
  begun(run: StoredRun, record: RecordEvent): void;
  /** The run goes on from the results of one that died: what that one had started goes on too. */
  resumed(run: StoredRun): void;
  ended(run: StoredRun, status: Exclude<Run['status'], 'running'>, record: RecordEvent): void;
}

export interface RunTables {
  runs: RunRows;
  list: RunList;
  usage: UsageRows;
  prompts: PromptRows;
  feedback: FeedbackRows;
  /** What runs ask of people ends with them. */
  requests: Pick<Requests, 'drop'>;
  /** The files of a run go with the run that resumes it. */
  artifacts: Pick<ArtifactRows, 'inherit'>;
  conversation: ConversationRows;
  observer: RunObserver;
  /** Runs at work whose message was edited or deleted since they began: what they write has its former words. */
  outdated: Set<string>;
  events: EventLog;
  clock: Clock;
  newId: NewId;
}
