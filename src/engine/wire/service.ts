// The whole engine as a service: what its HTTP face and its clients know beyond what a chat needs. Promises only.

import type { Engine } from './contract.ts';
import type { EngineEvent } from './events/event.ts';
import type { MemoryService } from './memory/memory-operations.ts';
import type { Artifact } from './runs/artifact.ts';
import type { ActiveRun, AppendedMessage } from './runs/prompt.ts';
import type { ProviderService } from './runs/provider-operations.ts';
import type { RunReplay } from './runs/replay.ts';
import type { RequestService } from './runs/request-operations.ts';
import type { Run } from './runs/run.ts';
import type { RunPrompt } from './runs/run-prompt.ts';
import type { HookService } from './schedules/schedule-operations.ts';
import type { PlaceService } from './sessions/content-operations.ts';
import type { AttachSession, MessagePageQuery, Page } from './sessions/filters.ts';
import type { WireSession, WireSessionMessage } from './sessions/message.ts';
import type { SessionDiff, SessionSnapshots } from './sessions/snapshot.ts';
import type { TodoItem } from './sessions/todo.ts';
import type { TeamService } from './teams/team-operations.ts';

export interface RunFilter {
  sessionID?: string | undefined;
  status?: Run['status'] | undefined;
  /** Only runs in rooms that everyone of their space may open. */
  open?: true | undefined;
  /** Only these; those that no longer exist are missing. */
  ids?: readonly string[] | undefined;
  /** Part of the name of who asked. */
  person?: string | undefined;
  /** Canonical address of the chat that asked; that of a room means its threads too. */
  chat?: string | undefined;
  /** Part of the name of the space, the room or the thread that asked. */
  room?: string | undefined;
  /** Parts of their names. */
  agent?: string | undefined;
  model?: string | undefined;
  /** Begun at that time or later; milliseconds since the epoch. */
  fromMs?: number | undefined;
  /** Those that worked so long or longer, in milliseconds; waiting for people is not work. */
  leastMs?: number | undefined;
  /** Newest, longest or dearest first; the newest when absent. */
  order?: 'started' | 'duration' | 'cost' | undefined;
}

export interface ReplayOptions {
  /** The last event of the run that is replayed; all when absent. */
  uptoSeq?: number | undefined;
  from?: 'checkpoint' | 'start' | undefined;
}

interface EventsFilter {
  sessionID?: string | undefined;
  runID?: string | undefined;
  /** First the durable events after that position, then what happens from the call on: no gap, no doubling. */
  afterSeq?: number | undefined;
  /** Before what happens from the call on, what is being written at this moment: each part as one piece from its beginning. */
  unfinished?: true | undefined;
}

export interface EngineService
  extends Engine,
    HookService,
    MemoryService,
    PlaceService,
    ProviderService,
    RequestService,
    TeamService {
  events(filter: EventsFilter, signal: AbortSignal): AsyncIterable<EngineEvent>;
  /** Newest first. */
  listSessions(page: Page): Promise<WireSession[]>;
  /** Undefined when there is no such session. */
  getSession(sessionID: string): Promise<WireSession | undefined>;
  /** Stops its run, then removes the session with all that was written in it; what it used of models stays counted. */
  deleteSession(sessionID: string): Promise<void>;
  /**
   * Writes a message of a user into the session, also while a run is active, and starts none; the same `idempotencyKey` gives the same
   * message. A ParleyError `session_not_found`, or `idempotency_key_reused` where the key came with another message.
   */
  appendMessage(
    sessionID: string,
    message: AppendedMessage,
    options?: { idempotencyKey?: string | undefined },
  ): Promise<WireSessionMessage>;
  /**
   * Moves the session to another workspace: from then on `workspaceRoot` is that one, also for what its exchanges are archived with. Nothing
   * changes where it is there already. A ParleyError `session_not_found`.
   */
  attachSession(sessionID: string, to: AttachSession): Promise<WireSession>;
  /** A new session with what was written up to and including `messageID` (everything when absent). */
  forkSession(
    sessionID: string,
    options?: { messageID?: string | undefined; idempotencyKey?: string | undefined },
  ): Promise<WireSession>;
  /** What stood in the session before each revert that `unrevertSession` can take back, oldest first. */
  sessionSnapshots(sessionID: string): Promise<SessionSnapshots>;
  /** How the session differs from the newest of them. */
  sessionDiff(sessionID: string): Promise<SessionDiff>;
  /** Goes back to before the newest revert; a ParleyError `nothing_to_unrevert` when there is none. */
  unrevertSession(sessionID: string): Promise<WireSession>;
  /**
   * The newest messages of a session, or those before one of them, oldest first, and how many the session has in all; those that a
   * revert set aside are left out. A ParleyError `session_not_found` or `message_not_found`.
   */
  messagePage(
    sessionID: string,
    page: MessagePageQuery,
  ): Promise<{ messages: WireSessionMessage[]; total: number }>;
  /** What the prompt of a run was made of; undefined where that is not known. */
  runPrompt(runID: string): Promise<RunPrompt | undefined>;
  /** Notes in the audit of memory that someone opened a private conversation; nothing happens for a room that is open, or the operator's own. */
  noteOpened(sessionID: string, by: string): Promise<void>;
  /** Notes in the audit of memory that someone was shown what an audience remembers; nothing happens for the operator's own. */
  noteRead(audience: string, look: { by: string; how: string }): Promise<void>;
  /** Notes in the audit of memory, among the operator's own lines, that someone changed a setting. */
  noteSetting(change: { by: string; how: string }): Promise<void>;
  /** Oldest first, those set aside by a revert included and marked. */
  allMessages(sessionID: string): Promise<WireSessionMessage[]>;
  todos(sessionID: string): Promise<TodoItem[]>;
  setTodos(sessionID: string, todos: readonly TodoItem[]): Promise<void>;
  /** In the order of the filter. */
  listRuns(filter: RunFilter, page: Page): Promise<{ runs: Run[]; total: number }>;
  /** The run that is active in each session that has one. */
  activeRuns(): Promise<(ActiveRun & { sessionID: string })[]>;
  /** The run that this key started, also one of an earlier process. */
  findRun(idempotencyKey: string): Promise<Run | undefined>;
  /** The messages that a run is about: what was written, and its answer. */
  runMessages(runID: string): Promise<WireSessionMessage[]>;
  /** Durable events of a run, in order. */
  runEvents(runID: string, range: { afterSeq: number; limit: number }): Promise<EngineEvent[]>;
  /**
   * A run rebuilt from its files, from the first event unless set otherwise, and compared with them and with the database. Files that
   * are not there are first written from the database; a ParleyError `run_files_not_found` when that has no events of it either.
   */
  replayRun(runID: string, options?: ReplayOptions): Promise<RunReplay>;
  /** Resolves once each configured MCP server was connected to, or found out of reach. */
  toolsReady(): Promise<void>;
  /** A file that a run wrote, whole; undefined when there is none. */
  openArtifact(id: string): Promise<{ artifact: Artifact; bytes: Uint8Array } | undefined>;
}
