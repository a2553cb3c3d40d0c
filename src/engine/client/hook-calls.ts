// Webhooks in the typed client: the same routes.
import type { Hook, HookMade, NewHook } from '#engine/wire/schedules/hook.ts';
import type { Verbs } from './request.ts';

/** The calls about webhooks, over those of one client. */
export function hookCalls({ get, post, json }: Verbs) {
  return {
    /** The secret is in this answer only. */
    create: (input: NewHook) => post<HookMade>('/hooks', input),
    list: () => get<Hook[]>('/hooks'),
    test: (name: string) => post<{ ok: true }>(`/hooks/${encodeURIComponent(name)}/test`),
    delete: (name: string) => json<Hook>(`/hooks/${encodeURIComponent(name)}`, { method: 'DELETE' }),
  };
}
