// What the console asks, in the typed client: sign-ins of browsers, the configuration, backups, the doctor.

import {
  backupOperations,
  configOperations,
  doctorOperations,
  logOperations,
  restoreOperations,
} from '#engine/wire/operator/operator-operations.ts';
import type { CurrentSignIn, SignIn, SignInLink } from '#engine/wire/operator/sign-in.ts';
import type { RunPrompt } from '#engine/wire/runs/run-prompt.ts';
import { operationCalls } from './operation-calls.ts';
import type { Verbs } from './request.ts';

export function operatorCalls({ get, post, json }: Verbs) {
  return {
    signIns: {
      /** A link for one sign-in of a browser, within five minutes. */
      link: (as: { role?: SignIn['role']; name?: string | undefined } = {}) =>
        post<SignInLink>('/sign-in/link', as),
      /** As what this client speaks. */
      current: () => get<CurrentSignIn>('/sign-in'),
      list: () => get<SignIn[]>('/sign-ins'),
      end: (id: string) => json<{ ok: true }>(`/sign-ins/${encodeURIComponent(id)}`, { method: 'DELETE' }),
    },
    config: operationCalls(configOperations, { json }),
    /** Lines of the log after that number. */
    log: (after = 0) => operationCalls(logOperations, { json }).lines({ after }),
    backup: operationCalls(backupOperations, { json }),
    doctor: operationCalls(doctorOperations, { json }),
    restore: operationCalls(restoreOperations, { json }),
    /** What the prompt of a run was made of. */
    runPrompt: (runID: string) => get<RunPrompt>(`/runs/${encodeURIComponent(runID)}/prompt`),
  };
}
