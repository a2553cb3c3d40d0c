// Times of a cron pattern in a time zone, also where clocks change. Sets no timer.
import { Cron } from 'croner';
import { errorMessage, ParleyError } from './errors.ts';

export interface CronSchedule {
  /** The last time of the schedule that is not after `now`, in milliseconds since the epoch; undefined when there is none. */
  last(now: number): number | undefined;
  /** The first time after `now`. */
  next(now: number): number | undefined;
}

/**
 * Parses a cron pattern in a time zone; throws a ParleyError `invalid_schedule` for an invalid pattern or zone. People give five fields;
 * the operator may give six, with seconds.
 */
export function cronSchedule(
  pattern: string,
  timeZone = 'UTC',
  mode: '5-part' | '5-or-6-parts' = '5-part',
): CronSchedule {
  try {
    const cron = new Cron(pattern, { timezone: timeZone, paused: true, mode });
    return {
      // the library gives times before the one that it is given
      last: (now) => cron.previousRuns(1, new Date(Math.floor(now / 1000) * 1000 + 1000))[0]?.getTime(),
      next: (now) => cron.nextRun(new Date(now))?.getTime(),
    };
  } catch (cause) {
    throw new ParleyError('invalid_schedule', `"${pattern}" is no schedule: ${errorMessage(cause)}`, {
      hint: 'Give five fields, for example "0 3 * * *" for 03:00 each day.',
      cause,
    });
  }
}
