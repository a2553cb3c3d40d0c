// What the console asks, in the typed client: sign-ins of browsers, the configuration, backups, the doctor.

import type { LogLines } from '#engine/wire/operator/operator.ts';
import {
  backupOperations,
  configOperations,
  doctorOperations,
  logOperations,
  restoreOperations,
} from '#engine/wire/operator/operator-operations.ts';
import type { CurrentSignIn } from '#engine/wire/operator/sign-in.ts';
import { signInOperations } from '#engine/wire/operator/sign-in-operations.ts';
import { type CallsOf, operationCalls } from './operation-calls.ts';
import type { Verbs } from './request.ts';

/** Declared: an inferred type would have all shapes of these operations once more in the package. */
interface OperatorCalls {
  signIns: CallsOf<typeof signInOperations> & {
    /** As what this client speaks. */
    current(): Promise<CurrentSignIn>;
  };
  config: CallsOf<typeof configOperations>;
  /** Lines of the log after that number. */
  log(after?: number): Promise<LogLines>;
  backup: CallsOf<typeof backupOperations>;
  doctor: CallsOf<typeof doctorOperations>;
  restore: CallsOf<typeof restoreOperations>;
}

export function operatorCalls({ get, json }: Pick<Verbs, 'get' | 'json'>): OperatorCalls {
  const { lines } = operationCalls(logOperations, { json });
  return {
    signIns: { ...operationCalls(signInOperations, { json }), current: () => get('/sign-in') },
    config: operationCalls(configOperations, { json }),
    log: (after = 0) => lines({ after }),
    backup: operationCalls(backupOperations, { json }),
    doctor: operationCalls(doctorOperations, { json }),
    restore: operationCalls(restoreOperations, { json }),
  };
}
