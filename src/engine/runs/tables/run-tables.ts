// What a transaction about runs works with: the tables, the log of events, time and ids. A type, no behaviour.
import type { Clock } from '#base/clock.ts';
import type { NewId } from '#base/ids.ts';
import type { EventLog, RecordEvent } from '#engine/events/event-log.ts';
import type { Requests } from '#engine/permissions/requests.ts';
import type { ConversationRows } from '#engine/sessions/sessions.ts';
import type { Run } from '#engine/wire/contract.ts';
import type { PromptRows } from './prompt-rows.ts';
import type { StoredRun } from './run-row.ts';
import type { RunRows } from './run-rows.ts';
import type { UsageRows } from './usage-rows.ts';

/** Who takes part in the transactions in which runs begin and end: a mission, whose instances are runs. */
export interface RunObserver {
  begun(run: StoredRun, record: RecordEvent): void;
  ended(run: StoredRun, status: Exclude<Run['status'], 'running'>, record: RecordEvent): void;
}

export interface RunTables {
  runs: RunRows;
  usage: UsageRows;
  prompts: PromptRows;
  /** What runs ask of people ends with them. */
  requests: Pick<Requests, 'drop'>;
  conversation: ConversationRows;
  observer: RunObserver;
  /** Runs at work whose message was edited or deleted since they began: what they write has its former words. */
  outdated: Set<string>;
  events: EventLog;
  clock: Clock;
  newId: NewId;
}
