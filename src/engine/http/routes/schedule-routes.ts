// Schedules over HTTP: made, confirmed, listed, removed; what people laid down about times; and firings, for gateways in other processes.
import { z } from 'zod';
import { anySignal } from '#base/waiting/async.ts';
import { defineRoute, type Route } from '#engine/http/routing/route.ts';
import { idempotencyKeyOf } from '#engine/http/routing/start-run.ts';
import { integerParam, okAnswer } from '#engine/operations/fields.ts';
import {
  firing,
  firingOutcome,
  newSchedule,
  personTimes,
  schedule,
  scheduleChange,
  scheduleStates,
  takeFirings,
} from '#engine/wire/schedules/schedule.ts';
import type { EngineService } from '#engine/wire/service.ts';

const person = z.string().min(1).max(300);
const persons = z.array(person).min(1).max(200);
const byPersons = z.strictObject({ persons: persons.optional() });
const listQuery = z.object({
  person: z.string().min(1).max(4_000).optional().describe('Accounts (`per_...`), separated by commas'),
  chat: z.string().min(1).max(1_000).optional().describe('Canonical address of a chat'),
  state: z.enum(scheduleStates).optional(),
});
const deleteQuery = z.object({
  person: z.string().min(1).max(4_000).optional().describe('Only where it belongs to one of these accounts'),
});
const timesQuery = z.object({ count: integerParam(1, 100).default(10) });
const times = z.object({ times: z.array(z.number()).describe('Milliseconds since the epoch') });
const setTimes = personTimes.partial().extend({ persons }).strict();

const listOf = (text: string | undefined): string[] | undefined =>
  text?.split(',').filter((each) => each !== '');

/** `/schedule` and `/firing`. */
export function scheduleRoutes(engine: EngineService): Route[] {
  return [...personRoutes(engine), ...routesOfSchedules(engine), ...firingRoutes(engine)];
}

function routesOfSchedules(engine: EngineService): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/schedule',
      tag: 'schedules',
      summary: 'Makes a schedule from a date or a rule as people write it',
      body: newSchedule,
      startsWork: true,
      answers: { 200: { about: 'The schedule; the same one for the same key', schema: schedule } },
      handle: async (c, { body }) =>
        c.json(await engine.createSchedule(body, { idempotencyKey: idempotencyKeyOf(c) })),
    }),
    defineRoute({
      method: 'GET',
      path: '/schedule',
      tag: 'schedules',
      summary: 'Schedules, newest first, at most 1,000',
      query: listQuery,
      answers: { 200: { about: 'Schedules', schema: z.array(schedule) } },
      handle: async (c, { query }) =>
        c.json(
          await engine.listSchedules({
            persons: listOf(query.person),
            chat: query.chat,
            states: query.state === undefined ? undefined : [query.state],
          }),
        ),
    }),
    defineRoute({
      method: 'GET',
      path: '/schedule/:schedule/times',
      tag: 'schedules',
      summary: 'The next times at which it fires',
      query: timesQuery,
      answers: { 200: { about: 'Times, none for one that does not fire any more', schema: times } },
      handle: async (c, { query }) =>
        c.json({ times: await engine.nextTimes(c.req.param('schedule') ?? '', query.count) }),
    }),
    defineRoute({
      method: 'POST',
      path: '/schedule/:schedule/confirm',
      tag: 'schedules',
      summary: 'Makes a proposed schedule active; an active one stays active',
      body: byPersons,
      answers: { 200: { about: 'The schedule', schema: schedule } },
      handle: async (c, { body }) =>
        c.json(await engine.confirmSchedule(c.req.param('schedule') ?? '', body)),
    }),
    defineRoute({
      method: 'PATCH',
      path: '/schedule/:schedule',
      tag: 'schedules',
      summary: 'Changes when it comes, or what; with a new time one that is over fires again',
      body: scheduleChange,
      answers: { 200: { about: 'The schedule', schema: schedule } },
      handle: async (c, { body }) => c.json(await engine.changeSchedule(c.req.param('schedule') ?? '', body)),
    }),
    defineRoute({
      method: 'DELETE',
      path: '/schedule/:schedule',
      tag: 'schedules',
      summary: 'Removes a schedule, with what it has made due and no gateway has claimed',
      query: deleteQuery,
      answers: { 200: { about: 'The schedule that was removed', schema: schedule } },
      handle: async (c, { query }) =>
        c.json(await engine.deleteSchedule(c.req.param('schedule') ?? '', { persons: listOf(query.person) })),
    }),
  ];
}

function personRoutes(engine: EngineService): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/schedule/person',
      tag: 'schedules',
      summary: 'Time zone and quiet hours of a person',
      query: z.object({ person: z.string().min(1).max(4_000).describe('Accounts, separated by commas') }),
      answers: { 200: { about: 'What was laid down', schema: personTimes } },
      handle: async (c, { query }) => c.json(await engine.personTimes(listOf(query.person) ?? [])),
    }),
    defineRoute({
      method: 'PUT',
      path: '/schedule/person',
      tag: 'schedules',
      summary: 'Sets time zone or quiet hours for each of the accounts; null takes them back',
      body: setTimes,
      answers: { 200: { about: 'What holds now', schema: personTimes } },
      async handle(c, { body }) {
        const { persons: accounts, ...change } = body;
        return c.json(await engine.setPersonTimes(accounts, change));
      },
    }),
  ];
}

function firingRoutes(engine: EngineService): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/firing/take',
      tag: 'schedules',
      summary: 'Claims for a gateway what is due on its platforms; it is given again until it is accepted',
      body: takeFirings,
      answers: { 200: { about: 'Firings, none when nothing was due in time', schema: z.array(firing) } },
      async handle(c, { body }) {
        using within = anySignal(c.req.raw.signal, c.env?.closing);
        return c.json(await engine.takeFirings(body, within.signal));
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/firing/:firing/settle',
      tag: 'schedules',
      summary:
        'Notes the outcome of a firing: stored by the gateway, sent, skipped, or failed, which stops its schedule',
      body: firingOutcome,
      answers: { 200: { about: 'Settled', schema: okAnswer } },
      async handle(c, { body }) {
        await engine.settleFiring(c.req.param('firing') ?? '', body);
        return c.json({ ok: true });
      },
    }),
  ];
}
