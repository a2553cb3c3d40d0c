// The engine's rooms in which agents start others, put together over one database.
import type { Clock } from '#base/clock.ts';
import type { NewId } from '#base/ids.ts';
import type { Log } from '#base/log/log.ts';
import type { Secrets } from '#base/secrets.ts';
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import type { EventLog } from './events/event-log.ts';
import type { EngineLimits } from './limits.ts';
import type { LiveSettings } from './live-settings.ts';
import { createMissions, type Missions } from './missions/missions.ts';
import { createTeamRows } from './missions/team-parts.ts';
import type { Permissions } from './permissions/permissions.ts';
import type { Requests } from './permissions/requests.ts';
import type { Runs } from './runs/runs.ts';
import type { RunTables } from './runs/tables/run-tables.ts';
import { createPolicySource } from './teams/policy-source.ts';
import type { Tools } from './tools/definition/registry.ts';

/** The missions; `later` gives the parts of the engine that are made after them. */
export function createTeamParts(options: {
  database: Sqlite;
  events: EventLog;
  settings: LiveSettings;
  limits: Pick<EngineLimits, 'permissionMs'>;
  requests: Requests;
  permissions: Permissions;
  later: () => { tools: Tools; tables: RunTables; runs: Runs };
  secrets: Secrets;
  clock: Clock;
  newId: NewId;
  log: Log;
}): Missions {
  const { database, events, limits, requests, permissions, secrets, later, clock, newId, log } = options;
  const settings = () => options.settings.now().team;
  return createMissions({
    ...createTeamRows(database),
    events,
    clock,
    newId,
    log,
    settings,
    policy: createPolicySource(settings),
    agents: options.settings.agents,
    providers: options.settings.providers,
    requests,
    permissions,
    secrets,
    tools: { list: () => later().tools.list() },
    runs: () => later().runs,
    tables: () => later().tables,
    approvalMs: () => limits.permissionMs,
  });
}
