// What is sent or begun at a time: schedules, their firings, and when a person may be disturbed. Shapes and promises only.
import { z } from 'zod';
import { placeNames } from '#engine/wire/channels/place-names.ts';

/** `HH:MM`, as people write a time of the day. */
const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'expected a time like 07:30');

/** The last moment at which a rule may fire; it has no end when absent. */
const until = z
  .int()
  .optional()
  .describe('Milliseconds since the epoch after which it does not fire any more');

export const recurrence = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('interval'),
    minutes: z.int().min(1).describe('Minutes between two firings, however clocks are changed'),
    until,
  }),
  z.object({
    type: z.literal('calendar'),
    unit: z.enum(['day', 'week', 'month', 'year']),
    count: z.int().min(1).describe('Every so many of them'),
    days: z
      .array(z.int().min(0).max(6))
      .optional()
      .describe('Of a week, or with `weeks` of a month; 0 is Sunday'),
    weeks: z
      .array(z.union([z.int().min(1).max(5), z.literal('last')]))
      .optional()
      .describe('Of a month: the first to the fifth of its `days`, or the last'),
    day: z
      .union([z.int().min(1).max(31), z.literal('last')])
      .optional()
      .describe('Of a month; in a shorter month its last day'),
    dates: z
      .array(z.union([z.int().min(1).max(31), z.literal('last')]))
      .optional()
      .describe('Several days of a month, in the place of `day`'),
    month: z.int().min(1).max(12).optional(),
    time: timeOfDay,
    start: z.iso.date().describe('The first day from which `count` is counted, in the zone of the schedule'),
    until,
  }),
  z.object({
    type: z.literal('cron'),
    pattern: z.string().describe('Five fields: minute hour day month weekday'),
    until,
  }),
]);
export type Recurrence = z.infer<typeof recurrence>;

/**
 * `proposed`: shown to the person, who has not confirmed it. `active`: it fires. `done`: a one-off that has fired.
 * `stopped`: it cannot be sent any more; `reason` says why.
 */
export const scheduleStates = ['proposed', 'active', 'done', 'stopped'] as const;

export const schedule = z.object({
  id: z.string(),
  state: z.enum(scheduleStates),
  /** `text` is sent unchanged; `prompt` begins a run, whose answer is sent. */
  kind: z.enum(['text', 'prompt']),
  text: z.string(),
  /** The account it belongs to, as memory knows it (`per_...`). */
  person: z.string(),
  /** Canonical address of the chat where it was made, which is the only one where it speaks. */
  chat: z.string(),
  names: placeNames.optional(),
  /** IANA name; UTC when null. */
  zone: z.string().nullable(),
  /** Absent for a one-off. */
  recurrence: recurrence.optional(),
  /** When it fires next, in milliseconds since the epoch; null once it does not fire any more. */
  next_at_ms: z.number().nullable(),
  /** When that is sent: later where the person's quiet hours are then. */
  next_release_at_ms: z.number().nullable(),
  /** When, as a sentence for people, in its zone. */
  words: z.string(),
  created_at_ms: z.number(),
  fired_at_ms: z.number().nullable(),
  reason: z.string().optional(),
});
export type Schedule = z.infer<typeof schedule>;

/** The longest text of a schedule, in characters. */
export const maxScheduleText = 4_000;

export const newSchedule = z.strictObject({
  kind: z.enum(['text', 'prompt']).optional().describe('`text` when absent'),
  when: z
    .string()
    .trim()
    .min(1)
    .max(maxScheduleText + 200)
    .describe(
      'A date or a rule in English or German: "tomorrow at 9", "jeden Montag um 9", "cron 0 9 * * 1-5"',
    ),
  text: z
    .string()
    .trim()
    .min(1)
    .max(maxScheduleText)
    .optional()
    .describe('The message, or the prompt; when absent it is what `when` has beyond the time'),
  person: z.string().min(1).max(300).describe('The account it belongs to, as memory knows it (`per_...`)'),
  chat: z.string().min(1).max(1_000).describe('Canonical address of the chat where it speaks'),
  zone: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe(
      "IANA name like Europe/Berlin; the person's own when absent, else the program's `timeZone`, else UTC",
    ),
  confirmed: z
    .boolean()
    .optional()
    .describe('False: it is only proposed, and fires once it is confirmed; true when absent'),
});
export type NewSchedule = z.infer<typeof newSchedule>;

/** What is absent does not change; a zone is that of `when`, and refused without it. */
export const scheduleChange = newSchedule.pick({ when: true, text: true, zone: true, kind: true }).partial();

/** What a person laid down about times. */
export const personTimes = z.object({
  zone: z.string().nullable().describe('IANA name'),
  quiet: z
    .object({ from: timeOfDay, until: timeOfDay })
    .nullable()
    .describe('Hours in which nothing scheduled is sent, in the zone'),
});
export type PersonTimes = z.infer<typeof personTimes>;

/** The same with what holds where the person has laid nothing down. */
export const heldTimes = personTimes.extend({
  usual_zone: z
    .string()
    .nullable()
    .describe("The program's `timeZone`, which holds for people whose own is not known; UTC when null"),
});

/** Something that is due: said text, or a prompt, in one chat, exactly once. */
export const firing = z.object({
  id: z.string(),
  source: z.enum(['schedule', 'hook']),
  /** Of the schedule, or the name of the hook. */
  source_id: z.string(),
  kind: z.enum(['text', 'prompt']),
  text: z.string(),
  chat: z.string(),
  /** Of a schedule its person; null for a hook, which acts for nobody. */
  person: z.string().nullable(),
  /** IANA name in which times are shown. */
  zone: z.string().nullable(),
  /** When it was to be sent, in milliseconds since the epoch. */
  due_at_ms: z.number(),
  /** From when it may be sent: later than that where quiet hours are between. */
  released_at_ms: z.number(),
  recurring: z.boolean(),
});
export type Firing = z.infer<typeof firing>;

/**
 * `accepted`: the gateway has stored it and is not given it again. The others end it: `sent`; `skipped`, so that its schedule fires at its
 * next time; `refused` and `failed`, which stop its schedule.
 */
export const firingOutcome = z.strictObject({
  status: z.enum(['accepted', 'sent', 'skipped', 'refused', 'failed']),
  reason: z.string().max(2_000).optional().describe('Why not, as a sentence'),
});
export type FiringOutcome = z.infer<typeof firingOutcome>;

export const takeFirings = z.strictObject({
  gateway: z.string().min(1).max(100).describe('Who takes them: the same name after a restart'),
  platforms: z.array(z.string().min(1).max(40)).max(20),
  wait_ms: z
    .int()
    .min(0)
    .max(60_000)
    .optional()
    .describe('How long to wait for one when there is none; 0 when absent'),
});
export type TakeFirings = z.infer<typeof takeFirings>;
