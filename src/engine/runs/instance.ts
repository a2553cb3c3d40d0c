// What a run needs to know where it is an instance of a mission. Shapes only; who knows it is in a layer above.
import type { Agent } from '#engine/context/agents.ts';
import type { RequestingCall } from '#engine/permissions/request-rows.ts';
import type { Meter } from '#engine/teams/meter.ts';
import type { SpawnApproval } from '#engine/wire/teams/team.ts';
import type { StoredRun } from './tables/run-row.ts';

/** A run at work that is an instance. */
export interface RunInstance {
  meter: Meter;
  /** Whose standing approvals hold for it: the agent's of the run that began the mission, never its own. */
  leaveOf: string | undefined;
  /** Where what it asks is shown. */
  shownIn(): RequestingCall['shownIn'];
  /** It called a tool that it does not have. */
  denied(tool: string): void;
  /** Stores what it has used so far, the call that it makes now included: it is used also where the process dies in it. */
  count(): void;
  /** Stores it, and reports it; inside a commit. */
  note(): void;
}

/** The sessions of instances, by the session or the messages that their missions began with. */
export interface TeamSessions {
  /** Those that still exist, of all missions of the session. */
  sessionsOf(sessionID: string): string[];
  /** Those that still exist, of the missions that these messages began. */
  sessionsOfMessages(messageIDs: readonly string[]): string[];
  /** Spawn requests that wait for a person, of the runs and missions that these messages began, oldest first. */
  waitingOf(messageIDs: readonly string[]): SpawnApproval[];
  /** Removes the missions of the session with what waits for approval; inside a commit. */
  forget(sessionID: string): void;
  /** Removes the missions that these messages began with what waits for approval; inside a commit. */
  forgetMessages(messageIDs: readonly string[]): void;
}

export interface Instances {
  /**
   * The agent of a session that belongs to an instance; undefined for any other. A ParleyError `instance_session` for a prompt under
   * another key than the instance's own: nobody else speaks in it.
   */
  agentOf(sessionID: string, idempotencyKey: string | undefined): Agent | undefined;
  /** A run begins to work; undefined where it is no instance. */
  begin(run: StoredRun, workedMs: () => number): RunInstance | undefined;
}
