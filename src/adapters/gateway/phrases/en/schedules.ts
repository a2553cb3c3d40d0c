// English: reminders, tasks at a time, time zones and quiet hours.
import { formsOf, type NameCommand } from '#adapters/gateway/phrases/forms.ts';
import type { Recurrence } from '#engine/wire/schedules/schedule.ts';
import { scheduleWords } from '#engine/wire/schedules/schedule-words.ts';

const words = scheduleWords('en');
const { count } = formsOf('en');

export const schedules = {
  /** `Tuesday, 1 December 2026 at 09:00 (Europe/Berlin)`. */
  moment: ({ at, zone }: { at: number; zone: string | null }) => words.moment(at, zone),
  /** `every Monday at 09:00 (Europe/Berlin)`. */
  rule: ({ rule, zone }: { rule: Recurrence; zone: string | null }) => words.rule(rule, zone),
  /** A single date in a sentence; a rule needs no word before it. */
  on: ({ moment: at }: { moment: string }) => `on ${at}`,
  /** A reminder in private, and in a room with the name of the person it is for. */
  reminder: ({ text, name }: { text: string; name?: string | undefined }) =>
    name === undefined ? `⏰ ${text}` : `⏰ For ${name}: ${text}`,
  /** Follows a reminder for which nothing ran at its time. */
  late: ({ at }: { at: string }) => `_(This is late: it was due on ${at}.)_`,
  /** Follows a reminder that waited for the end of the quiet hours. */
  afterQuiet: ({ at }: { at: string }) => `_(It was due in your quiet hours, on ${at}.)_`,
  /** The result of a hook, which no person wrote. */
  hook: ({ name, text }: { name: string; text: string }) => `📨 ${name}: ${text}`,
  proposedText: ({ text, when, first }: { text: string; when: string; first?: string | undefined }) =>
    `I will remind you ${when}: “${text}”${first === undefined ? '.' : `\nThe first time is ${first}.`}`,
  proposedPrompt: ({ text, when, first }: { text: string; when: string; first?: string | undefined }) =>
    `I will work on this ${when}, and answer here: “${text}”${first === undefined ? '' : `\nThe first time is ${first}.`}`,
  isQuiet: ({ at }: { at: string }) => `That is in your quiet hours, so it comes at their end: ${at}.`,
  zoneAssumed: ({ zone, example }: { zone: string; example: string }) =>
    `I do not know your time zone and took ${zone}. ${example} (or another large city) sets yours.`,
  toConfirm: ({ yes, no }: { yes: string; no: string }) => `Is that right? ${yes} sets it, ${no} drops it.`,
  yes: 'Yes, set it',
  no: 'No, drop it',
  set: ({ id, when, remove }: { id: string; when: string; remove: string }) =>
    `It is set (\`${id}\`): ${when}. ${remove} removes it.`,
  dropped: 'I dropped it.',
  nothingToConfirm: 'Nothing waits here for your yes or no.',
  whenAndWhat: ({ command, of }: { command: NameCommand; of: 'remind' | 'schedule' }) =>
    `When, and what? For example ${command(`${of} tomorrow at 9 call the bank`)} or ${command(`${of} every Monday at 9 plan the week`)}.`,
  none: ({ remind }: { remind: string }) => `Nothing is scheduled here. ${remind} sets a reminder.`,
  line: ({
    id,
    when,
    text,
    next,
    state,
    isPrompt,
  }: {
    id: string;
    when: string;
    text: string;
    next?: string | undefined;
    state?: string | undefined;
    isPrompt: boolean;
  }) =>
    `- \`${id}\` ${when}${next === undefined ? '' : `, next ${next}`}: ${isPrompt ? 'a task: ' : ''}“${text}”${state === undefined ? '' : ` (${state})`}`,
  howToRemove: ({ unschedule }: { unschedule: string }) => `${unschedule} removes one.`,
  notConfirmed: 'not confirmed',
  stopped: ({ reason }: { reason: string }) => `stopped: ${reason}`,
  /** `room`: its name, where the reader may know it. */
  inAnotherChat: ({ platform, room }: { platform: string; room?: string | undefined }) =>
    room === undefined ? `in another chat on ${platform}` : `in ${room}`,
  which: ({ schedules }: { schedules: string }) => `Which one? ${schedules} lists them, with their ids.`,
  removed: ({ text }: { text: string }) => `I removed “${text}”.`,
  zone: ({ zone, now }: { zone: string; now: string }) =>
    `Your time zone is ${zone}. There it is ${now} now.`,
  noZone: ({ example }: { example: string }) =>
    `I do not know your time zone. Write it as ${example}, or with another large city of it.`,
  zoneNeeded: ({ example }: { example: string }) =>
    `I do not know your time zone yet, and it decides when that is. Write ${example} (or another large city of it), then send this again.`,
  quiet: ({ from, until, zone, off }: { from: string; until: string; zone: string; off: string }) =>
    `Your quiet hours are ${from} to ${until} (${zone}): what is scheduled comes when they end. ${off} ends them.`,
  noQuiet: ({ example }: { example: string }) =>
    `You have no quiet hours. ${example} sets some: what is scheduled then comes when they end.`,
  quietForm: ({ example }: { example: string }) => `Write them as two times, like ${example}.`,
  unreadable:
    'I could not read a time in that. Write it first, like `tomorrow at 9`, `in 20 minutes` or `every Monday at 9`.',
  noPattern: ({ pattern }: { pattern: string }) =>
    `${pattern} is no cron pattern. Write five fields (minute, hour, day, month, weekday), like \`cron 0 9 * * 1-5\`.`,
  neverComes: ({ when }: { when: string }) => `There is no such day: ${when}. Choose another time.`,
  tooFar: ({ at }: { at: string }) => `${at} is more than ten years away. Choose an earlier time.`,
  moreText: ({ rest }: { rest: string }) =>
    `I could not read ${rest} as part of the time. Write the time only.`,
  isPast: ({ at }: { at: string }) => `${at} is in the past. Write a time that is still to come.`,
  tooOften: ({ when, minutes }: { when: string; minutes: number }) =>
    `That is too often (${when}). There have to be at least ${count(minutes, { one: 'minute', other: 'minutes' })} between two times.`,
  tooMany: ({ limit, command }: { limit: number; command: NameCommand }) =>
    `You have ${count(limit, { one: 'schedule', other: 'schedules' })}, and nobody may have more. ${command('schedules')} lists them, ${command('unschedule ID')} removes one.`,
  unknownZone: ({ typed, nearest }: { typed: string; nearest?: string | undefined }) =>
    `I know no time zone ${typed}${nearest === undefined ? '' : ` (the nearest name is ${nearest})`}. Write a name like Europe/Berlin, or a large city of it.`,
  textNeeded: 'What is it about? Write it after the time.',
  notFound: ({ command }: { command: NameCommand }) =>
    `That is not scheduled any more. ${command('schedules')} lists what is.`,
  quietIsEmpty: 'Quiet hours have to begin and end at different times.',
  /** In a chat where the person can be reached, after a schedule could not be sent. */
  stoppedNotice: ({ text, when, reason }: { text: string; when: string; reason: string }) =>
    `⚠️ I stopped “${text}” (${when}), because I could not send it there. ${reason}`,
  stoppedHook: ({ name, reason }: { name: string; reason: string }) =>
    `⚠️ The webhook ${name} is stopped, because I could not send what it brought. ${reason}`,
};
