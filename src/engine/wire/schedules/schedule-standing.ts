// How schedules are at this moment, for the operator of the engine. Shapes and promises only.
import { z } from 'zod';

const ms = z.number().describe('Milliseconds since the epoch');

export const scheduleStanding = z.object({
  active: z.number().describe('Schedules that fire at a time to come'),
  nextAtMs: ms.nullable().describe('When the next of them fires'),
  waiting: z
    .array(
      z.object({
        platform: z.string(),
        count: z.number(),
        sinceMs: ms.describe('When the oldest of them could be sent; to come in quiet hours'),
      }),
    )
    .describe('What was made due and no channel has taken yet, also what waits for the end of quiet hours'),
  failedLastDay: z.number().describe('What was due and failed or was refused within the last 24 hours'),
});
export type ScheduleStanding = z.infer<typeof scheduleStanding>;

export interface StandingSchedules {
  scheduleStanding(): Promise<ScheduleStanding>;
}

/** What is this late is late for a reason, in milliseconds. */
export const overdueMs = 5 * 60_000;
