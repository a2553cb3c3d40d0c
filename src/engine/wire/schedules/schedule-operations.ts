// The operations on schedules: made, confirmed, listed, removed; what people laid down about times; and firings, for gateways.
import { z } from 'zod';
import { integerParam, noFields, nothing } from '#engine/operations/fields.ts';
import { operation, type ServiceOf } from '#engine/operations/operation.ts';
import { type HookRequest, hook, hookMade, hookTested, newHook } from './hook.ts';
import {
  firing,
  firingOutcome,
  heldTimes,
  newSchedule,
  personTimes,
  schedule,
  scheduleChange,
  scheduleStates,
  takeFirings,
} from './schedule.ts';

const persons = z.array(z.string().min(1).max(300)).min(1).max(200);
const accounts = z
  .string()
  .min(1)
  .max(4_000)
  .transform((text) => text.split(',').filter((each) => each !== ''));
const id = z.string();

/** What clients ask of schedules: `client.schedules`. */
export const scheduleOperations = {
  /**
   * The same key gives the same schedule. ParleyErrors: `unknown_time` for words without a time, `time_in_the_past`, `too_often`,
   * `too_many_schedules` and `unknown_zone`.
   */
  createSchedule: operation({
    effect: 'add',
    method: 'POST',
    path: '/schedule',
    summary: 'Makes a schedule from a date or a rule as people write it',
    about: 'The schedule; the same one for the same key',
    input: newSchedule,
    output: schedule,
    startsWork: true,
    call: 'create',
    unaudited: 'gives back what was sent',
  }),
  listSchedules: operation({
    effect: 'read',
    method: 'GET',
    path: '/schedule',
    summary: 'Schedules, newest first, at most 1,000',
    about: 'Schedules',
    input: z.object({
      person: accounts.optional().describe('Accounts (`per_...`), separated by commas'),
      chat: z.string().min(1).max(1_000).optional().describe('Canonical address of a chat'),
      state: z.enum(scheduleStates).optional(),
    }),
    output: z.array(schedule),
    call: 'list',
  }),
  nextTimes: operation({
    effect: 'read',
    method: 'GET',
    path: '/schedule/:id/times',
    summary: 'The next times at which it fires',
    about: 'Times, none for one that does not fire any more',
    input: z.object({ id, count: integerParam(1, 100).default(10) }),
    output: z.object({ times: z.array(z.number()).describe('Milliseconds since the epoch') }),
    call: 'times',
    first: 'id',
    unaudited: 'shows no words',
  }),
  /** A ParleyError `schedule_not_found`, also where it is none of these persons', or `time_in_the_past`. */
  confirmSchedule: operation({
    effect: 'change',
    method: 'POST',
    path: '/schedule/:id/confirm',
    summary: 'Makes a proposed schedule active; an active one stays active',
    about: 'The schedule',
    input: z.object({ id, persons: persons.optional() }),
    output: schedule,
    call: 'confirm',
    first: 'id',
  }),
  /** What the old time has made due and is not sent goes. Refuses as `createSchedule`, and a ParleyError `schedule_not_found`. */
  changeSchedule: operation({
    effect: 'change',
    method: 'PATCH',
    path: '/schedule/:id',
    summary: 'Changes when it comes, or what; with a new time one that is over fires again',
    about: 'The schedule',
    input: scheduleChange.extend({ id }),
    output: schedule,
    call: 'change',
    first: 'id',
  }),
  /** A ParleyError `schedule_not_found`. */
  deleteSchedule: operation({
    effect: 'remove',
    method: 'DELETE',
    path: '/schedule/:id',
    summary: 'Removes a schedule, with what it has made due and no gateway has claimed',
    about: 'The schedule that was removed',
    input: z.object({
      id,
      person: accounts.optional().describe('Only where it belongs to one of these accounts'),
    }),
    output: schedule,
    call: 'delete',
    first: 'id',
  }),
  /** What the first of these accounts that laid something down has laid down. */
  personTimes: operation({
    effect: 'read',
    method: 'GET',
    path: '/schedule/person',
    summary: 'Time zone and quiet hours of a person',
    about: 'What was laid down',
    input: z.object({ person: accounts.describe('Accounts, separated by commas') }),
    output: heldTimes,
    call: 'person',
    unaudited: 'shows no words',
  }),
  /** A ParleyError `unknown_zone`. */
  setPersonTimes: operation({
    effect: 'change',
    method: 'PUT',
    path: '/schedule/person',
    summary: 'Sets time zone or quiet hours for each of the accounts; null takes them back',
    about: 'What holds now',
    input: personTimes.partial().extend({ persons }),
    output: heldTimes,
    call: 'setPerson',
  }),
};

/** What gateways ask about what is due, beside the rest of `client.schedules`. */
export const firingOperations = {
  takeFirings: operation({
    effect: 'change',
    method: 'POST',
    path: '/firing/take',
    summary: 'Claims for a gateway what is due on its platforms; it is given again until it is accepted',
    about: 'Firings, none when nothing was due in time',
    input: takeFirings,
    output: z.array(firing),
    call: 'take',
    waits: true,
  }),
  /** Once it has ended nothing changes it. */
  settleFiring: operation({
    effect: 'change',
    method: 'POST',
    path: '/firing/:id/settle',
    summary:
      'Notes the outcome of a firing: stored by the gateway, sent, skipped, or failed, which stops its schedule',
    about: 'Settled',
    input: firingOutcome.extend({ id }),
    output: nothing,
    call: 'settle',
    first: 'id',
  }),
};

/** What clients ask of webhooks: `client.hooks`. */
export const hookOperations = {
  /** A ParleyError `hook_exists` for a name that is taken, and `invalid_chat` for an address that is none. */
  createHook: operation({
    effect: 'add',
    method: 'POST',
    path: '/hooks',
    summary: 'Makes a webhook; its secret is shown only now',
    about: 'The webhook with its secret',
    input: newHook,
    output: hookMade,
    call: 'create',
  }),
  listHooks: operation({
    effect: 'read',
    method: 'GET',
    path: '/hooks',
    summary: 'Webhooks, by name',
    about: 'Webhooks without their secrets',
    input: noFields,
    output: z.array(hook),
    call: 'list',
    unaudited: 'shows no words',
  }),
  /** What it brought and is not sent goes too. A ParleyError `hook_not_found`. */
  deleteHook: operation({
    effect: 'remove',
    method: 'DELETE',
    path: '/hooks/:name',
    summary: 'Deletes a webhook',
    about: 'The webhook that was deleted',
    input: z.object({ name: z.string() }),
    output: hook,
    call: 'delete',
    first: 'name',
  }),
  /** As if a program had sent it. ParleyErrors as `receiveHook` has them, and `hook_not_found`. */
  testHook: operation({
    effect: 'add',
    method: 'POST',
    path: '/hooks/:name/test',
    summary: 'Sends a test message through a webhook, and says what became of it',
    about: 'It was sent, or how far it is',
    input: z.object({
      name: z.string(),
      wait_ms: z
        .int()
        .min(0)
        .max(60_000)
        .optional()
        .describe('How long to wait for what becomes of it; 0 when absent'),
    }),
    output: hookTested,
    call: 'test',
    first: 'name',
    takesLong: true,
  }),
};

export interface HookService extends ServiceOf<typeof hookOperations> {
  /**
   * Makes due what a program sent, once. ParleyErrors: `hook_refused` for a wrong name, secret, signature or time; `hook_stopped`;
   * `hook_too_often`.
   */
  receiveHook(name: string, request: HookRequest): Promise<'accepted' | 'duplicate'>;
}

export type ScheduleService = ServiceOf<typeof scheduleOperations & typeof firingOperations>;
