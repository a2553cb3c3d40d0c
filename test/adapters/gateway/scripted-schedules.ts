// Schedules of an engine that has none: nothing is ever due. Tests of schedules open a real engine.
import type { ScheduleService } from '#engine/wire/schedules/schedule-operations.ts';

const refuse = async (): Promise<never> => {
  throw new Error('not scripted: test this against the real engine');
};

export const noSchedules: ScheduleService = {
  createSchedule: refuse,
  changeSchedule: refuse,
  confirmSchedule: refuse,
  listSchedules: refuse,
  nextTimes: refuse,
  deleteSchedule: refuse,
  personTimes: refuse,
  setPersonTimes: refuse,
  settleFiring: refuse,
  takeFirings: (_take, { signal } = {}) =>
    new Promise((resolve) => signal?.addEventListener('abort', () => resolve([]), { once: true })),
};
