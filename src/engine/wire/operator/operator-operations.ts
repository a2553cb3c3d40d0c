// The operations of the person who runs the program: the configuration, secrets, the log, backups, the doctor.
import { z } from 'zod';
import { integerParam, noFields } from '#engine/operations/fields.ts';
import { type CallOptions, operation, type ServiceOf } from '#engine/operations/operation.ts';
import {
  backupStart,
  backupState,
  configuration,
  configurationChange,
  configurationCheck,
  configurationText,
  configurationWritten,
  doctorLook,
  doctorReport,
  logLines,
  restorePlan,
  restoreState,
  secretChange,
  secretStates,
} from './operator.ts';

/** What clients ask about the configuration: `client.config`. */
export const configOperations = {
  configuration: operation({
    effect: 'read',
    method: 'GET',
    path: '/config',
    summary: 'The configuration that holds, with defaults and where each value comes from, and its file',
    about: 'The configuration',
    input: noFields,
    output: configuration,
    call: 'get',
  }),
  checkConfiguration: operation({
    effect: 'read',
    method: 'POST',
    path: '/config/check',
    summary: 'What a text for the config file would change, or why it cannot be used; nothing is written',
    about: 'Problems and changes',
    input: configurationText,
    output: configurationCheck,
    call: 'check',
    first: 'text',
  }),
  /** A ParleyError `config_changed` when the file is not as the tag says, `config_invalid` for a text that cannot be used. */
  writeConfiguration: operation({
    effect: 'change',
    method: 'PUT',
    path: '/config',
    summary: 'Writes the config file, if it still has the tag, and puts into force what can be',
    about: 'It is written',
    input: configurationChange,
    output: configurationWritten,
    call: 'write',
  }),
  secrets: operation({
    effect: 'read',
    method: 'GET',
    path: '/config/secrets',
    summary: 'Tokens and keys that can be set, and whether they are; never their values',
    about: 'Each of them',
    input: noFields,
    output: secretStates,
    call: 'secrets',
  }),
  /** A ParleyError `config_invalid` for one that cannot be set so. */
  setSecret: operation({
    effect: 'change',
    method: 'PUT',
    path: '/config/secrets',
    summary: 'Writes a token or a key into `.env`, for the next start, or removes it; the audit notes it',
    about: 'It is written',
    input: secretChange,
    output: secretStates,
    call: 'setSecret',
    first: 'name',
  }),
};

/** What clients ask about the log: `client.log`. */
export const logOperations = {
  logLines: operation({
    effect: 'read',
    method: 'GET',
    path: '/log',
    summary: 'The newest lines of the log, after a number; secrets are masked',
    about: 'Lines, the oldest first',
    input: z.object({ after: integerParam(0, Number.MAX_SAFE_INTEGER).default(0) }),
    output: logLines,
    call: 'lines',
  }),
};

/** What clients ask about backups: `client.backup`. */
export const backupOperations = {
  backup: operation({
    effect: 'read',
    method: 'GET',
    path: '/backup',
    summary: 'How far the newest backup is that was begun here',
    about: 'Its state',
    input: noFields,
    output: backupState,
    call: 'state',
  }),
  /** The running one where one runs. */
  startBackup: operation({
    effect: 'add',
    method: 'POST',
    path: '/backup',
    summary: 'Begins a backup of the home folder into a new folder of this machine; Parley continues to run',
    about: 'It has begun',
    input: backupStart,
    output: backupState,
    call: 'start',
    first: 'folder',
  }),
};

/** What clients ask of the doctor: `client.doctor`. */
export const doctorOperations = {
  doctor: operation({
    effect: 'read',
    method: 'GET',
    path: '/doctor',
    summary: 'What the doctor found at its newest look that was begun here',
    about: 'Its findings',
    input: noFields,
    output: doctorReport,
    call: 'report',
  }),
  /** The running one where one runs. */
  examine: operation({
    effect: 'read',
    method: 'POST',
    path: '/doctor',
    summary:
      'Begins a look at the machine, the files, the memory, the models and each platform; it changes nothing',
    about: 'It has begun',
    input: doctorLook,
    output: doctorReport,
    call: 'examine',
  }),
};

/** What clients ask about restores: `client.restore`. */
export const restoreOperations = {
  restore: operation({
    effect: 'read',
    method: 'GET',
    path: '/restore',
    summary: 'What the next start restores, how the last restore ended, and the backups that are there',
    about: 'Its state',
    input: noFields,
    output: restoreState,
    call: 'state',
  }),
  /** The present state while another is verified. */
  planRestore: operation({
    effect: 'change',
    method: 'POST',
    path: '/restore',
    summary: 'Verifies a backup, which the next start then restores; until then nothing changes',
    about: 'It is being verified',
    input: restorePlan,
    output: restoreState,
    call: 'plan',
    first: 'folder',
  }),
  /** How the last restore ended is forgotten too. */
  withdrawRestore: operation({
    effect: 'change',
    method: 'DELETE',
    path: '/restore',
    summary: 'The next start restores nothing',
    about: 'Nothing is planned',
    input: noFields,
    output: restoreState,
    call: 'withdraw',
  }),
};

export const operatorOperations = {
  ...configOperations,
  ...logOperations,
  ...backupOperations,
  ...doctorOperations,
  ...restoreOperations,
};

type Operated = ServiceOf<typeof operatorOperations>;

/** As the operations are, with who sets a secret, for the audit. */
export interface OperatorService extends Omit<Operated, 'setSecret'> {
  setSecret(
    change: Parameters<Operated['setSecret']>[0],
    how: CallOptions & { by: string },
  ): ReturnType<Operated['setSecret']>;
}
