// The engine's parts through which runs ask people something: their rows, who waits, and what is allowed.
import type { Clock } from '#base/clock.ts';
import { codeOf } from '#base/errors.ts';
import type { NewId } from '#base/ids.ts';
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import type { EventLog } from './events/event-log.ts';
import type { EngineLimits } from './limits.ts';
import { createPermissions, type Permissions } from './permissions/permissions.ts';
import type { Policy } from './permissions/policy.ts';
import { createRequestRows, type RequestRows } from './permissions/request-rows.ts';
import { createRequests, type Requests } from './permissions/requests.ts';
import { createRuleRows } from './permissions/rule-rows.ts';
import { interrupted } from './runs/end.ts';

interface RequestParts {
  requestRows: RequestRows;
  requests: Requests;
  permissions: Permissions;
}

/** The rooms over one database; what waits outlives a run that was interrupted. */
export function createRequestParts(options: {
  database: Sqlite;
  events: EventLog;
  policy: Policy;
  limits: Pick<EngineLimits, 'permissionMs' | 'questionMs' | 'roomAskMs'>;
  clock: Clock;
  newId: NewId;
  /** See `createRequests`. */
  expiredAlone(): void;
}): RequestParts {
  const { database, events, policy, limits, clock, newId, expiredAlone } = options;
  const requestRows = createRequestRows(database);
  const requests = createRequests({
    rows: requestRows,
    events,
    clock,
    newId,
    waitMs: { permission: limits.permissionMs, question: limits.questionMs, room: limits.roomAskMs },
    outlives: (reason) => codeOf(reason) === interrupted,
    expiredAlone,
  });
  const permissions = createPermissions({
    policy,
    requests,
    rules: createRuleRows(database),
    events,
    clock,
    newId,
  });
  return { requestRows, requests, permissions };
}
