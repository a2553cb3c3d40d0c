// The configuration, the log and backups over HTTP, for owners.
import { z } from 'zod';
import { defineRoute, type Route } from '#engine/http/routing/route.ts';
import { integerParam } from '#engine/operations/fields.ts';
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
  type OperatorService,
  restorePlan,
  restoreState,
  secretChange,
  secretStates,
} from '#engine/wire/operator/operator.ts';

/** `asker` gives the owner whose browser asks; undefined for a program with the token. */
export function operatorRoutes(
  operator: OperatorService,
  asker: () => { name: string } | undefined,
): Route[] {
  return [
    ...configurationRoutes(operator, asker),
    defineRoute({
      method: 'GET',
      path: '/log',
      tag: 'service',
      summary: 'The newest lines of the log, after a number; secrets are masked',
      query: z.object({ after: integerParam(0, Number.MAX_SAFE_INTEGER).default(0) }),
      answers: { 200: { about: 'Lines, the oldest first', schema: logLines } },
      handle: (c, { query }) => c.json(operator.logLines(query.after)),
    }),
    defineRoute({
      method: 'GET',
      path: '/backup',
      tag: 'service',
      summary: 'How far the newest backup is that was begun here',
      answers: { 200: { about: 'Its state', schema: backupState } },
      handle: (c) => c.json(operator.backup()),
    }),
    defineRoute({
      method: 'POST',
      path: '/backup',
      tag: 'service',
      summary:
        'Begins a backup of the home folder into a new folder of this machine; Parley continues to run',
      body: backupStart,
      answers: { 200: { about: 'It has begun', schema: backupState } },
      handle: (c, { body }) => c.json(operator.startBackup(body.folder)),
    }),
    defineRoute({
      method: 'GET',
      path: '/doctor',
      tag: 'service',
      summary: 'What the doctor found at its newest look that was begun here',
      answers: { 200: { about: 'Its findings', schema: doctorReport } },
      handle: (c) => c.json(operator.doctor()),
    }),
    defineRoute({
      method: 'POST',
      path: '/doctor',
      tag: 'service',
      summary:
        'Begins a look at the machine, the files, the memory, the models and each platform; it changes nothing',
      body: doctorLook,
      answers: { 200: { about: 'It has begun', schema: doctorReport } },
      handle: (c, { body }) => c.json(operator.examine(body)),
    }),
    defineRoute({
      method: 'GET',
      path: '/restore',
      tag: 'service',
      summary: 'What the next start restores, how the last restore ended, and the backups that are there',
      answers: { 200: { about: 'Its state', schema: restoreState } },
      handle: async (c) => c.json(await operator.restore()),
    }),
    defineRoute({
      method: 'POST',
      path: '/restore',
      tag: 'service',
      summary: 'Verifies a backup, which the next start then restores; until then nothing changes',
      body: restorePlan,
      answers: { 200: { about: 'It is being verified', schema: restoreState } },
      handle: async (c, { body }) => c.json(await operator.planRestore(body.folder)),
    }),
    defineRoute({
      method: 'DELETE',
      path: '/restore',
      tag: 'service',
      summary: 'The next start restores nothing',
      answers: { 200: { about: 'Nothing is planned', schema: restoreState } },
      handle: async (c) => c.json(await operator.withdrawRestore()),
    }),
  ];
}

function configurationRoutes(operator: OperatorService, asker: () => { name: string } | undefined): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/config',
      tag: 'service',
      summary: 'The configuration that holds, with defaults and where each value comes from, and its file',
      answers: { 200: { about: 'The configuration', schema: configuration } },
      handle: async (c) => c.json(await operator.configuration()),
    }),
    defineRoute({
      method: 'POST',
      path: '/config/check',
      tag: 'service',
      summary: 'What a text for the config file would change, or why it cannot be used; nothing is written',
      body: configurationText,
      answers: { 200: { about: 'Problems and changes', schema: configurationCheck } },
      handle: async (c, { body }) => c.json(await operator.checkConfiguration(body.text)),
    }),
    defineRoute({
      method: 'PUT',
      path: '/config',
      tag: 'service',
      summary: 'Writes the config file, if it still has the tag, and puts into force what can be',
      body: configurationChange,
      answers: { 200: { about: 'It is written', schema: configurationWritten } },
      handle: async (c, { body }) => c.json(await operator.writeConfiguration(body)),
    }),
    defineRoute({
      method: 'GET',
      path: '/config/secrets',
      tag: 'service',
      summary: 'Tokens and keys that can be set, and whether they are; never their values',
      answers: { 200: { about: 'Each of them', schema: secretStates } },
      handle: async (c) => c.json(await operator.secrets()),
    }),
    defineRoute({
      method: 'PUT',
      path: '/config/secrets',
      tag: 'service',
      summary: 'Writes a token or a key into `.env`, for the next start, or removes it; the audit notes it',
      body: secretChange,
      answers: { 200: { about: 'It is written', schema: secretStates } },
      handle: async (c, { body }) =>
        c.json(await operator.setSecret({ ...body, by: asker()?.name ?? 'operator' })),
    }),
  ];
}
