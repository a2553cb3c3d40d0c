// Webhooks in the typed client: the same routes.
import type { Hook, HookMade, HookTested, NewHook } from '#engine/wire/schedules/hook.ts';
import type { Verbs } from './request.ts';

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
