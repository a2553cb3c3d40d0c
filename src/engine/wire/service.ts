// The whole engine as a service: what its HTTP face and its clients know beyond what a chat needs. Promises only.

import type { Engine } from './contract.ts';
import type { EngineEvent } from './events/event.ts';
import type { MemoryService } from './memory/memory-operations.ts';
import type { RunService } from './run-operations.ts';
import type { Artifact } from './runs/artifact.ts';
import type { ActiveRun } from './runs/prompt.ts';
import type { ProviderService } from './runs/provider-operations.ts';
import type { RequestService } from './runs/request-operations.ts';
import type { Run } from './runs/run.ts';
import type { HookService } from './schedules/schedule-operations.ts';
import type { PlaceService } from './sessions/content-operations.ts';
import type { WireSessionMessage } from './sessions/message.ts';
import type { SessionService } from './sessions/session-operations.ts';
import type { TeamService } from './teams/team-operations.ts';

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
    RunService,
    SessionService,
    TeamService {
  events(filter: EventsFilter, signal: AbortSignal): AsyncIterable<EngineEvent>;
  /** Notes in the audit of memory that someone opened a private conversation; nothing happens for a room that is open, or the operator's own. */
  noteOpened(sessionID: string, by: string): Promise<void>;
  /** The sessions in which a file of this URL stands, as prompts name it. */
  fileSessions(url: string): Promise<string[]>;
  /** Notes in the audit of memory that someone was shown what an audience remembers; nothing happens for the operator's own. */
  noteRead(audience: string, look: { by: string; how: string }): Promise<void>;
  /** Notes in the audit of memory, among the operator's own lines, that someone changed a setting. */
  noteSetting(change: { by: string; how: string }): Promise<void>;
  /** The run that is active in each session that has one. */
  activeRuns(): Promise<(ActiveRun & { sessionID: string })[]>;
  /** The run that this key started, also one of an earlier process. */
  findRun(idempotencyKey: string): Promise<Run | undefined>;
  /** The messages that a run is about: what was written, and its answer. */
  runMessages(runID: string): Promise<WireSessionMessage[]>;
  /** Resolves once each configured MCP server was connected to, or found out of reach. */
  toolsReady(): Promise<void>;
  /** A file that a run wrote, whole; undefined when there is none. */
  openArtifact(id: string): Promise<{ artifact: Artifact; bytes: Uint8Array } | undefined>;
}
