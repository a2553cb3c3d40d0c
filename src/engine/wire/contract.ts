// The engine's promises, in process or over HTTP. Adapters and the app know only this.
import type { EngineEvent } from './event.ts';
import type { WireSession, WireSessionMessage } from './message.ts';
import type { PromptBody, PromptOutcome } from './prompt.ts';
import type { Answerer, PermissionRequest, permissionReplies, QuestionRequest } from './request.ts';
import type { Run } from './run.ts';

export type { Run } from './run.ts';

export interface CreateSession {
  title?: string | undefined;
  projectID?: string | undefined;
  directory?: string | undefined;
  sourceKind?: 'channel' | 'api' | undefined;
  sourceMetadata?: Record<string, unknown> | undefined;
}

/** Tells that the last part of a run's answer was received by the platform. */
export interface Delivery {
  runID: string;
  deliveredAtMs: number;
  /** The platform's ids of the parts. */
  nativeIDs: string[];
}

export interface Engine {
  createSession(input: CreateSession): Promise<WireSession>;
  /** Newest first. */
  listSessions(page: { limit: number; offset: number }): Promise<WireSession[]>;
  /** Undefined when there is no such session. */
  getSession(sessionID: string): Promise<WireSession | undefined>;
  /** Whether there is such a session, at no more cost than that. */
  hasSession(sessionID: string): Promise<boolean>;
  messages(sessionID: string): Promise<WireSessionMessage[]>;
  /**
   * Appends the user message and starts a run; commits before it returns. The same `idempotencyKey` gives the same run,
   * except that an `interrupted` run is started anew under its key when `retryInterrupted` is set (the user message is not doubled).
   */
  prompt(
    sessionID: string,
    body: PromptBody,
    options?: { idempotencyKey?: string | undefined; retryInterrupted?: boolean | undefined },
  ): Promise<PromptOutcome>;
  /** Whether the configured model is shown a file of this type and size; any other is only named to it. */
  takesFile(file: { mime: string; bytes: number }): Promise<boolean>;
  getRun(runID: string): Promise<Run | undefined>;
  /** The run that this key started, also one of an earlier process. */
  findRun(idempotencyKey: string): Promise<Run | undefined>;
  /** Resolves with the run once it has ended and is committed. */
  finished(runID: string, signal?: AbortSignal): Promise<Run>;
  /** True when a run was active and has now stopped; its status is `cancelled`. */
  cancel(sessionID: string): Promise<boolean>;
  /** Archives the exchange of a completed channel run into memory, once however often it is called. */
  delivered(delivery: Delivery): Promise<void>;
  /** What waits for leave, oldest first. */
  permissions(): Promise<PermissionRequest[]>;
  /**
   * Answers a permission request, once; `always` is kept for the agent and the tool. A ParleyError `request_settled` when
   * it is no longer pending. A run that its process left behind is started anew by the answer.
   */
  replyPermission(
    requestID: string,
    reply: { reply: (typeof permissionReplies)[number]; by?: Answerer | undefined },
  ): Promise<{ reply: 'once' | 'always' | 'reject' }>;
  /** What waits for an answer, oldest first. */
  questions(): Promise<QuestionRequest[]>;
  /** Answers each question of a request, or refuses to (null); once, as with permissions. */
  replyQuestion(
    id: string,
    reply: { answer: string[] | null; by?: Answerer | undefined },
  ): Promise<{ id: string }>;
  /**
   * Live and durable events in order; ends when the signal aborts. Filters never let another session's events through.
   * With `afterSeq` the durable events after that position come first, then what happens from now on: no gap, no doubling.
   * A reader that falls too far behind is given what was kept for it and then a ParleyError `subscriber_overflow`.
   */
  events(
    filter: {
      sessionID?: string | undefined;
      runID?: string | undefined;
      afterSeq?: number | undefined;
    },
    signal: AbortSignal,
  ): AsyncIterable<EngineEvent>;
  health(): Promise<{ ready: boolean; version: string; model: string; activeRuns: number }>;
  close(): Promise<void>;
}
