// What the engine refuses about times and schedules: a code with its data, so that each reader gets a sentence in their language.
import { z } from 'zod';
import { ParleyError } from '#base/errors.ts';
import { recurrence } from './schedule.ts';
import { scheduleWords } from './schedule-words.ts';

const zone = z.string().nullable();
const text = z.string();
const ms = z.number();
/** Also of less than a minute, which is refused as too often. */
const rule = z.union([recurrence, z.object({ type: z.literal('interval'), minutes: z.number().positive() })]);

/** `unknown_time` says `why`: nothing could be read, or what was read is no time that can be used. */
const problems = z.union([
  z.object({ code: z.literal('unknown_time'), why: z.literal('unreadable') }),
  z.object({ code: z.literal('unknown_time'), why: z.literal('pattern'), pattern: text }),
  z.object({ code: z.literal('unknown_time'), why: z.literal('never'), rule, zone }),
  z.object({ code: z.literal('unknown_time'), why: z.literal('too far'), at: ms, zone }),
  z.object({ code: z.literal('unknown_time'), why: z.literal('more text'), rest: text }),
  z.object({ code: z.literal('time_in_the_past'), at: ms, zone }),
  z.object({ code: z.literal('too_often'), minutes: z.number(), rule, zone }),
  z.object({ code: z.literal('too_many_schedules'), limit: z.number() }),
  z.object({ code: z.literal('unknown_zone'), typed: text, nearest: text.optional() }),
  z.object({ code: z.enum(['text_needed', 'schedule_not_found']) }),
]);
export type ScheduleProblem = z.infer<typeof problems>;

/** The problem that an error of a `ScheduleService` is, also over HTTP; undefined for any other error. */
export function scheduleProblemOf(error: unknown): ScheduleProblem | undefined {
  if (!(error instanceof ParleyError)) return undefined;
  return problems.safeParse({ ...error.details, code: error.code }).data;
}

/** The error of a problem, with a message for programs and models. */
export function scheduleError(problem: ScheduleProblem, options: { cause?: unknown } = {}): ParleyError {
  const { code, ...details } = problem;
  return new ParleyError(code, messageOf(problem), { ...options, details });
}

const english = scheduleWords('en');

function messageOf(problem: ScheduleProblem): string {
  switch (problem.code) {
    case 'unknown_time':
      return unreadMessage(problem);
    case 'time_in_the_past':
      return `${english.moment(problem.at, problem.zone)} is in the past: write a time that is still to come.`;
    case 'too_often':
      return `That is too often (${english.rule(problem.rule, problem.zone)}): at least ${problem.minutes} minutes have to be between two times.`;
    case 'too_many_schedules':
      return `You have ${problem.limit} schedules, which is as many as one person may have: remove one first.`;
    case 'unknown_zone':
      return `${JSON.stringify(problem.typed)} is no time zone that I know: write a name like Europe/Berlin, or a large city of it.${problem.nearest === undefined ? '' : ` The nearest name is ${problem.nearest}.`}`;
    case 'text_needed':
      return 'What is it about? Write it after the time.';
    case 'schedule_not_found':
      return 'There is no schedule with this id.';
  }
}

function unreadMessage(problem: Extract<ScheduleProblem, { code: 'unknown_time' }>): string {
  switch (problem.why) {
    case 'unreadable':
      return 'I could not read a time in that. Write it first, in English or German: "tomorrow at 9", "in 20 minutes", "every Monday at 9", "am 3. Mai um 10 Uhr".';
    case 'pattern':
      return `${JSON.stringify(problem.pattern)} is no cron pattern: expected five fields (minute hour day month weekday), like "0 9 * * 1-5".`;
    case 'never':
      return `${english.rule(problem.rule, problem.zone)} never comes: choose another time.`;
    case 'too far':
      return `${english.moment(problem.at, problem.zone)} is more than ten years away.`;
    case 'more text':
      return `A time was read, but not ${JSON.stringify(problem.rest)}: write the time only.`;
  }
}
