// Schedules of an engine over HTTP: what a chat asks is answered at once or not at all; firings wait for the engine.
import { randomUUID } from 'node:crypto';
import { defined } from '#base/json.ts';
import type { ParleyClient } from '#engine/client/client.ts';
import type { ScheduleService } from '#engine/wire/schedules/schedule.ts';
import type { RemoteCalls } from './remote-calls.ts';

/** How long the engine is asked to wait for a firing, in milliseconds: below what proxies between us end. */
const pollMs = 25_000;

/** `atOnce` and `call` make a call of the client, and throw the engine's refusals as the engine in one process does. */
export function remoteSchedules(client: ParleyClient, { atOnce, call }: RemoteCalls): ScheduleService {
  const { schedules } = client;
  const joined = (persons: readonly string[] | undefined) => defined({ person: persons?.join(',') });
  return {
    createSchedule: (input, { idempotencyKey = randomUUID() } = {}) =>
      atOnce(() => schedules.create(input, { idempotencyKey })),
    confirmSchedule: (id, { persons } = {}) =>
      atOnce(() =>
        schedules.confirm(id, defined({ persons: persons === undefined ? undefined : [...persons] })),
      ),
    changeSchedule: (id, change) => atOnce(() => schedules.change(id, change)),
    async listSchedules({ persons, chat, states }) {
      const listed = await atOnce(() => schedules.list({ ...joined(persons), ...defined({ chat }) }));
      return listed.filter(({ state }) => states?.includes(state) !== false);
    },
    nextTimes: (id, count) => atOnce(() => schedules.times(id, { count })),
    deleteSchedule: (id, { persons } = {}) => atOnce(() => schedules.delete(id, joined(persons))),
    personTimes: (persons) => atOnce(() => schedules.person(persons)),
    setPersonTimes: (persons, change) => atOnce(() => schedules.setPerson(persons, change)),
    takeFirings: ({ wait_ms = 0, ...take }, signal) =>
      call(signal, (within) => schedules.take({ ...take, wait_ms: Math.min(wait_ms, pollMs) }, within)),
    settleFiring: (id, outcome) =>
      call(undefined, async (within) => void (await schedules.settle(id, outcome, within))),
  };
}
