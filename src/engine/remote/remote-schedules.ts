// Schedules of an engine over HTTP: what a chat asks is answered at once or not at all; firings wait for the engine.
import type { ParleyClient } from '#engine/client/client.ts';
import {
  firingOperations,
  type ScheduleService,
  scheduleOperations,
} from '#engine/wire/schedules/schedule-operations.ts';
import type { RemoteCalls } from './remote-calls.ts';
import { remoteOperations, soon } from './remote-operations.ts';

/** How long the engine is asked to wait for a firing, in milliseconds: below what proxies between us end. */
const pollMs = 25_000;

export function remoteSchedules(
  { schedules: calls }: ParleyClient,
  { atOnce, call }: RemoteCalls,
): ScheduleService {
  const firings = remoteOperations(firingOperations, ['takeFirings', 'settleFiring'], { calls, via: call });
  const names = Object.keys(scheduleOperations) as (keyof typeof scheduleOperations)[];
  return {
    ...remoteOperations(scheduleOperations, names, { calls, via: soon(atOnce) }),
    ...firings,
    takeFirings: ({ wait_ms = 0, ...take }, how) =>
      firings.takeFirings({ ...take, wait_ms: Math.min(wait_ms, pollMs) }, how),
  };
}
