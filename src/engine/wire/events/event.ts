// Everything the engine reports while it works. Durable events are stored and replayable; live ones are only passed on.

import type { Artifact } from '#engine/wire/runs/artifact.ts';
import type { RunFeedback } from '#engine/wire/runs/feedback.ts';
import type { PermissionRequest, QuestionRequest } from '#engine/wire/runs/request.ts';
import type { failureCategories } from '#engine/wire/runs/run.ts';
import type { TodoItem } from '#engine/wire/sessions/todo.ts';
import type { TeamEventPayloads } from '#engine/wire/teams/team-event.ts';

export type RunStatus = 'completed' | 'error' | 'timeout' | 'cancelled';

export type FailureCategory = (typeof failureCategories)[number];

/** A part as it stands now; ended parts carry their whole value. */
export interface WireMessagePart {
  id: string;
  sessionID: string;
  messageID: string;
  type: 'text' | 'reasoning' | 'tool' | 'file';
  text?: string;
  tool?: string;
  args?: unknown;
  state?: 'pending' | 'running' | 'completed' | 'failed' | 'denied';
  result?: unknown;
  error?: string;
  mime?: string;
  filename?: string;
  url?: string;
  /** Of a file that the run wrote. */
  artifact?: Artifact;
}

export interface EventPayloads extends TeamEventPayloads {
  'server.connected': Record<string, never>;
  'engine.lifecycle.ready': { version: string };
  /** Rooms were opened or closed on their platforms: what a viewer may read is another now. */
  'rooms.changed': Record<string, never>;
  'session.updated': { sessionID: string; title: string };
  'session.deleted': { sessionID: string };
  /** The session works in another workspace from here on. */
  'session.attached': {
    sessionID: string;
    workspaceRoot: string;
    attachedFromWorkspace?: string;
    attachedToWorkspace: string;
    attachReason: string;
  };
  'todo.updated': { sessionID: string; todos: TodoItem[] };
  /** `resumes` names the run that died and that this one goes on from: with its stored results, in another answer. */
  'session.run.started': { sessionID: string; runID: string; startedAtMs: number; resumes?: string };
  'session.run.conflict': { sessionID: string; runID: string };
  /**
   * With `delta` it is live, and `offset` is how many characters of the part come before it; without, the part has ended
   * or changed state and the event is durable.
   */
  'message.part.updated': {
    sessionID: string;
    runID: string;
    part: WireMessagePart;
    delta?: string;
    offset?: number;
  };
  'permission.asked': PermissionRequest;
  'permission.replied': {
    sessionID: string;
    runID: string;
    requestID: string;
    status: 'answered' | 'expired' | 'dropped';
    reply?: string;
  };
  'question.asked': QuestionRequest & { messageID: string; tool: { callID: string; messageID: string } };
  'question.replied': {
    sessionID: string;
    runID: string;
    id: string;
    ok: boolean;
    status: 'answered' | 'expired' | 'dropped';
    answer?: string[];
  };
  'session.error': {
    sessionID: string;
    runID: string;
    error: { code: string; message: string; ref: string };
  };
  /** What a person thinks of an answer, or no longer does; the run has ended, or is about to. */
  'session.run.feedback': { sessionID: string; runID: string } & RunFeedback;
  'session.run.finished': {
    sessionID: string;
    runID: string;
    finishedAtMs: number;
    status: RunStatus;
    error?: string;
    failureCategory?: FailureCategory;
  };
}

export type EventType = keyof EventPayloads;

export interface EventEnvelope {
  event_id: string;
  /** Position among durable events, rising by one; null for live events. */
  seq: number | null;
  schema_version: 1;
  occurred_at_ms: number;
  session_id: string | null;
  run_id: string | null;
}

export type EngineEvent = {
  [T in EventType]: { type: T; properties: EventPayloads[T]; envelope: EventEnvelope };
}[EventType];

/** The comment after the last event of a stream that has an end. */
export const endOfEvents = 'end';

/** True for the end of a run that nothing resumes; one that its process took with it may go on as another run. */
export function isEndOfRun({ type, properties }: EngineEvent): boolean {
  return type === 'session.run.finished' && properties.error !== 'interrupted';
}

/** Which event kinds are stored: a delta is not, everything with a whole value is. */
export function isDurable(event: { type: EventType; properties: object }): boolean {
  switch (event.type) {
    case 'server.connected':
    case 'engine.lifecycle.ready':
    case 'rooms.changed':
    case 'session.run.conflict':
      return false;
    case 'message.part.updated':
      return !('delta' in event.properties);
    default:
      return true;
  }
}
