// How schedules are, as `status` and the doctor say it.
import { overdueMs, type ScheduleStanding } from '#engine/wire/schedules/schedule-standing.ts';

/** A problem with a hint when something that was due more than five minutes ago was not sent; empty otherwise. */
export function overdueSchedules(
  { waiting, nextAtMs }: ScheduleStanding,
  now: number,
): { what: string; hint: string }[] {
  const late = (at: number): boolean => now - at > overdueMs;
  const minutes = (at: number): number => Math.floor((now - at) / 60_000);
  return [
    ...waiting
      .filter(({ sinceMs }) => late(sinceMs))
      .map(({ platform, count, sinceMs }) => ({
        what: `${count} scheduled ${count === 1 ? 'message waits' : 'messages wait'} for ${platform}, the oldest for ${minutes(sinceMs)} minutes.`,
        hint: `No channel of ${platform} takes them: check that it is enabled and connected. They are sent then.`,
      })),
    ...(nextAtMs !== null && late(nextAtMs)
      ? [
          {
            what: `A schedule has been overdue for ${minutes(nextAtMs)} minutes.`,
            hint: 'Look for "what is due could not be looked up" in the log, and start Parley again.',
          },
        ]
      : []),
  ];
}
