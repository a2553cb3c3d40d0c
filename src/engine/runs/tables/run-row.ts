// A run as its row holds it: its shapes, the one `runToRow` and the one `runFromRow`.
import { ParleyError } from '#base/errors.ts';
import { defined } from '#base/json.ts';
import type { Run } from '#engine/wire/contract.ts';
import type { RunNotice } from '#engine/wire/runs/notice.ts';
import type { PromptOrigin, RunSettings } from '#engine/wire/runs/prompt.ts';
import type { GivenPassage } from '#memory/types/dreaming.ts';

/** The error for a run id that names nothing. */
export function runNotFound(runID: string): ParleyError {
  return new ParleyError('run_not_found', `There is no run ${JSON.stringify(runID)}.`);
}

/** The run of this id; throws `runNotFound` where there is none. */
export function existingRun(runs: { get(runID: string): StoredRun | undefined }, runID: string): StoredRun {
  const run = runs.get(runID);
  if (run === undefined) throw runNotFound(runID);
  return run;
}

export type ArchiveStatus = 'stored' | 'duplicate' | 'nothing to store' | 'skipped';

export interface StoredRun extends Run {
  userMessageID: string;
  assistantMessageID: string;
  idempotencyKey?: string | undefined;
  origin?: PromptOrigin | undefined;
  /** Passages of memory that the model was shown. */
  recalled: string[];
  /** Runs whose answers it was shown, and which may hold what those had recalled. */
  seenRuns: string[];
  given?: GivenToRun | undefined;
  deliveredAtMs?: number | undefined;
  /** The platform's ids of the parts that were delivered. */
  nativeIDs?: string[] | undefined;
  archived?: ArchiveStatus | undefined;
  /** True where the answer is, or tells, of words that their author has taken back: it is stored in no memory. */
  outdated?: true | undefined;
  /** True until memory has the words that its author has put in the place of others. */
  reworded?: true | undefined;
  /** The agent that has its memory for itself, or empty for what agents share; absent in rows of earlier versions. */
  partition?: string | undefined;
  /** Whether the person can be asked while it works. */
  canAsk: boolean;
  /** Names or patterns; all tools of the agent when absent. */
  toolAllowlist?: string[] | undefined;
  settings?: RunSettings | undefined;
  /** A hash of the request that its key stands for; absent where the same key may come with other words (a gateway's). */
  requestHash?: string | undefined;
}

/** What was found for a run. */
export interface GivenToRun {
  passages: GivenPassage[];
  /** So many of `recalled`, from the first, are memory files that every prompt of the chat has. */
  injected: number;
}

export interface NewRun {
  runID: string;
  sessionID: string;
  userMessageID: string;
  assistantMessageID: string;
  idempotencyKey?: string | undefined;
  origin?: PromptOrigin | undefined;
  canAsk: boolean;
  toolAllowlist?: readonly string[] | undefined;
  settings?: RunSettings | undefined;
  requestHash?: string | undefined;
  agent?: string | undefined;
  /** As in `StoredRun`. */
  partition?: string | undefined;
  model: { providerID: string; modelID: string };
  startedAtMs: number;
}

export interface RunEnd {
  status: Exclude<Run['status'], 'running'>;
  finishedAtMs: number;
  text: string;
  failure?: Run['failure'];
  notices?: readonly RunNotice[] | undefined;
  recalled: readonly string[];
  seenRuns: readonly string[];
  given?: GivenToRun | undefined;
}

/** The columns. */
export interface RunRow {
  id: string;
  session_id: string;
  user_message_id: string;
  assistant_message_id: string;
  idempotency_key: string | null;
  status: Run['status'];
  origin: string | null;
  text: string;
  failure: string | null;
  notices: string | null;
  recalled: string;
  seen_runs: string;
  given: string | null;
  started_at_ms: number;
  finished_at_ms: number | null;
  delivered_at_ms: number | null;
  native_ids: string | null;
  archived: ArchiveStatus | null;
  outdated: number;
  reworded: number;
  agent: string | null;
  provider_id: string | null;
  model_id: string | null;
  can_ask: number;
  tool_allowlist: string | null;
  settings: string | null;
  request_hash: string | null;
  memory_partition: string | null;
}

export type InsertRow = Pick<
  RunRow,
  | 'id'
  | 'session_id'
  | 'user_message_id'
  | 'assistant_message_id'
  | 'idempotency_key'
  | 'origin'
  | 'started_at_ms'
  | 'agent'
  | 'provider_id'
  | 'model_id'
  | 'can_ask'
  | 'tool_allowlist'
  | 'settings'
  | 'request_hash'
  | 'memory_partition'
>;

export function runToRow(run: NewRun): InsertRow {
  return {
    id: run.runID,
    session_id: run.sessionID,
    user_message_id: run.userMessageID,
    assistant_message_id: run.assistantMessageID,
    idempotency_key: run.idempotencyKey ?? null,
    origin: run.origin === undefined ? null : JSON.stringify(run.origin),
    started_at_ms: run.startedAtMs,
    agent: run.agent ?? null,
    provider_id: run.model.providerID,
    model_id: run.model.modelID,
    can_ask: Number(run.canAsk),
    tool_allowlist: run.toolAllowlist === undefined ? null : JSON.stringify(run.toolAllowlist),
    settings: run.settings === undefined ? null : JSON.stringify(run.settings),
    request_hash: run.requestHash ?? null,
    memory_partition: run.partition ?? null,
  };
}

export function runFromRow(row: RunRow): StoredRun {
  return {
    runID: row.id,
    sessionID: row.session_id,
    userMessageID: row.user_message_id,
    assistantMessageID: row.assistant_message_id,
    status: row.status,
    startedAtMs: row.started_at_ms,
    text: row.text,
    recalled: JSON.parse(row.recalled),
    seenRuns: JSON.parse(row.seen_runs),
    canAsk: row.can_ask === 1,
    ...defined({
      given: row.given === null ? undefined : JSON.parse(row.given),
      toolAllowlist: row.tool_allowlist === null ? undefined : JSON.parse(row.tool_allowlist),
      settings: row.settings === null ? undefined : JSON.parse(row.settings),
      requestHash: row.request_hash ?? undefined,
      idempotencyKey: row.idempotency_key ?? undefined,
      origin: row.origin === null ? undefined : JSON.parse(row.origin),
      failure: row.failure === null ? undefined : JSON.parse(row.failure),
      notices: row.notices === null ? undefined : JSON.parse(row.notices),
      finishedAtMs: row.finished_at_ms ?? undefined,
      deliveredAtMs: row.delivered_at_ms ?? undefined,
      nativeIDs: row.native_ids === null ? undefined : JSON.parse(row.native_ids),
      archived: row.archived ?? undefined,
      outdated: row.outdated === 1 ? true : undefined,
      reworded: row.reworded === 1 ? true : undefined,
      agent: row.agent ?? undefined,
      partition: row.memory_partition ?? undefined,
      model:
        row.provider_id === null || row.model_id === null
          ? undefined
          : { providerID: row.provider_id, modelID: row.model_id },
    }),
  };
}
