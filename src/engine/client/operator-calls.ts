// What the console asks, in the typed client: sign-ins of browsers, the configuration, backups, the doctor.

import type { LogLines } from '#engine/wire/operator/operator.ts';
import {
  backupOperations,
  configOperations,
  doctorOperations,
  logOperations,
  restoreOperations,
} from '#engine/wire/operator/operator-operations.ts';
import type { CurrentSignIn, SignIn, SignInLink } from '#engine/wire/operator/sign-in.ts';
import { type CallsOf, operationCalls } from './operation-calls.ts';
import type { Verbs } from './request.ts';

/** Declared: an inferred type would have all shapes of these operations once more in the package. */
interface OperatorCalls {
  signIns: {
    /** A link for one sign-in of a browser, within five minutes. */
    link(as?: { role?: SignIn['role']; name?: string | undefined }): Promise<SignInLink>;
    /** As what this client speaks. */
    current(): Promise<CurrentSignIn>;
    list(): Promise<SignIn[]>;
    end(id: string): Promise<{ ok: true }>;
  };
  config: CallsOf<typeof configOperations>;
  /** Lines of the log after that number. */
  log(after?: number): Promise<LogLines>;
  backup: CallsOf<typeof backupOperations>;
  doctor: CallsOf<typeof doctorOperations>;
  restore: CallsOf<typeof restoreOperations>;
}

export function operatorCalls({ get, post, json }: Verbs): OperatorCalls {
  const { lines } = operationCalls(logOperations, { json });
  return {
    signIns: {
      link: (as = {}) => post('/sign-in/link', as),
      current: () => get('/sign-in'),
      list: () => get('/sign-ins'),
      end: (id) => json(`/sign-ins/${encodeURIComponent(id)}`, { method: 'DELETE' }),
    },
    config: operationCalls(configOperations, { json }),
    log: (after = 0) => lines({ after }),
    backup: operationCalls(backupOperations, { json }),
    doctor: operationCalls(doctorOperations, { json }),
    restore: operationCalls(restoreOperations, { json }),
  };
}
