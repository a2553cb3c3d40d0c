// What everything about missions works with: the tables, the log of events, time and ids. A type, and the rows over one database.
import type { Clock } from '#base/clock.ts';
import type { NewId } from '#base/ids.ts';
import type { Log } from '#base/log/log.ts';
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import type { EventLog } from '#engine/events/event-log.ts';
import { type ApprovalRows, createApprovalRows } from '#engine/teams/approval-rows.ts';
import { createInstanceRows, type InstanceRows } from '#engine/teams/instance-rows.ts';
import { createMissionRows, type MissionRows } from '#engine/teams/mission-rows.ts';

interface TeamRows {
  missions: MissionRows;
  instances: InstanceRows;
  approvals: ApprovalRows;
}

export interface TeamParts extends TeamRows {
  events: EventLog;
  clock: Clock;
  newId: NewId;
  log: Log;
}

/** The rows over the engine's open database. */
export function createTeamRows(database: Sqlite): TeamRows {
  return {
    missions: createMissionRows(database),
    instances: createInstanceRows(database),
    approvals: createApprovalRows(database),
  };
}
