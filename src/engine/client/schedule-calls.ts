// Schedules in the typed client: the same routes.
import type { Hook, HookMade, HookTested, NewHook } from '#engine/wire/schedules/hook.ts';
import type {
  Firing,
  FiringOutcome,
  NewSchedule,
  PersonTimes,
  PersonTimesChange,
  Schedule,
  ScheduleChange,
  TakeFirings,
} from '#engine/wire/schedules/schedule.ts';
import type { Verbs, Within } from './request.ts';

/** The calls about schedules, over those of one client. */
export function scheduleCalls({ get, post, json }: Verbs) {
  const at = (id: string, rest = ''): string => `/schedule/${encodeURIComponent(id)}${rest}`;
  return {
    create: (input: NewSchedule, more: Within & { idempotencyKey?: string | undefined } = {}) =>
      post<Schedule>('/schedule', input, more),
    list: (query: { person?: string; chat?: string; state?: Schedule['state'] } = {}) =>
      get<Schedule[]>('/schedule', query),
    /** The next times at which it fires, in milliseconds since the epoch. */
    times: async (id: string, query: { count?: number } = {}) =>
      (await get<{ times: number[] }>(at(id, '/times'), query)).times,
    change: (id: string, change: ScheduleChange) => json<Schedule>(at(id), { method: 'PATCH', body: change }),
    confirm: (id: string, of: { persons?: string[] } = {}) => post<Schedule>(at(id, '/confirm'), of),
    delete: (id: string, query: { person?: string } = {}) =>
      json<Schedule>(at(id), { method: 'DELETE', query }),
    person: (persons: readonly string[]) =>
      get<PersonTimes>('/schedule/person', { person: persons.join(',') }),
    setPerson: (persons: readonly string[], change: PersonTimesChange) =>
      json<PersonTimes>('/schedule/person', { method: 'PUT', body: { persons, ...change } }),
    /** For gateways: what is due, claimed for this one. Waits as long as `wait_ms` says. */
    take: (take: TakeFirings, within: Within = {}) =>
      post<Firing[]>('/firing/take', take, { timedOut: true, ...within }),
    settle: (id: string, outcome: FiringOutcome, within: Within = {}) =>
      post<{ ok: true }>(`/firing/${encodeURIComponent(id)}/settle`, outcome, within),
  };
}

/** The calls about webhooks, over those of one client. */
export function hookCalls({ get, post, json }: Verbs) {
  return {
    /** The secret is in this answer only. */
    create: (input: NewHook) => post<HookMade>('/hooks', input),
    list: () => get<Hook[]>('/hooks'),
    /** Waits as long as `wait_ms` says for what becomes of the test message. */
    test: (name: string, test: { wait_ms?: number } = {}) =>
      post<HookTested>(`/hooks/${encodeURIComponent(name)}/test`, test, { timedOut: true }),
    delete: (name: string) => json<Hook>(`/hooks/${encodeURIComponent(name)}`, { method: 'DELETE' }),
  };
}
