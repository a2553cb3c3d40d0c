// What the person who runs the program sees and changes of it: the configuration, the log, backups. Shapes only.
import { z } from 'zod';

const configurationTag = z.string().min(1).max(100);

export const configuration = z.object({
  file: z.string().describe('Absolute path of the config file'),
  exists: z.boolean(),
  text: z.string().describe('The whole file; `{}` where there is none'),
  tag: z.string().describe('Of the file as read; a change names it'),
  readAtMs: z.number(),
  pendingRestart: z.array(z.string()),
  error: z.string().nullable().describe('Why the file cannot be used as it is now'),
  keys: z.array(
    z.object({
      key: z.string(),
      description: z.string().describe('What it is for, in the words of docs/configuration.md'),
      schema: z.record(z.string(), z.unknown()).describe('JSON Schema of its value'),
      value: z.unknown().describe('What holds now'),
      default: z.unknown(),
      source: z.enum(['default', 'file']),
      live: z.boolean().describe('Whether a change holds at once; at the next start otherwise'),
    }),
  ),
});
export type Configuration = z.infer<typeof configuration>;

export const configurationText = z.strictObject({ text: z.string().max(1_000_000) });
export const configurationChange = configurationText.extend({ tag: configurationTag });

export const configurationCheck = z.object({
  problems: z.array(z.string()).describe('Why it cannot be used; none for one that can'),
  changes: z.array(z.object({ key: z.string(), from: z.unknown(), to: z.unknown(), live: z.boolean() })),
});
export type ConfigurationCheck = z.infer<typeof configurationCheck>;

export const configurationWritten = z.object({
  tag: z.string(),
  now: z.array(z.string()).describe('Keys that hold now'),
  pendingRestart: z.array(z.string()).describe('Keys that hold at the next start'),
});
export type ConfigurationWritten = z.infer<typeof configurationWritten>;

export const secretState = z.object({
  name: z.string().describe('The variable'),
  about: z.string(),
  source: z
    .enum(['none', 'file', 'environment'])
    .describe(
      '`file`: in the `.env` next to the config; `environment`: of the program, where it cannot be changed',
    ),
  pending: z.boolean().describe('What is set now takes effect at the next start'),
});
export type SecretState = z.infer<typeof secretState>;
export const secretStates = z.array(secretState).describe('No value of any');
export const secretChange = z.strictObject({
  name: z.string().min(1).max(200),
  value: z.string().min(1).max(10_000).nullable().describe('Null removes it'),
});

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const;

export const logLines = z.object({
  lines: z.array(
    z.object({
      seq: z.number(),
      atMs: z.number(),
      level: z.enum(logLevels),
      message: z.string(),
      fields: z.record(z.string(), z.unknown()),
    }),
  ),
  last: z.number().describe('The number of the newest line, for `after`'),
});
export type LogLines = z.infer<typeof logLines>;

const absolutePath = z
  .string()
  .min(1)
  .max(1_000)
  .regex(/^(\/|[A-Za-z]:[\\/])\P{Cc}*$/u, 'expected an absolute path');

export const backupStart = z.strictObject({
  folder: absolutePath.describe(
    'Absolute path of a folder that does not exist yet, outside of the home folder',
  ),
});

export const backupState = z.object({
  state: z
    .enum(['none', 'running', 'done', 'failed'])
    .describe('Of the newest backup that was begun here since the start'),
  folder: z.string().nullable(),
  doneBytes: z.number(),
  totalBytes: z.number(),
  startedAtMs: z.number().nullable(),
  finishedAtMs: z.number().nullable(),
  error: z.string().nullable(),
  suggested: z.string().describe('A folder that a new one could go into'),
});
export type BackupState = z.infer<typeof backupState>;

export const restorePlan = z.strictObject({
  folder: absolutePath.describe('Absolute path of the folder of a backup on this machine'),
});

export const restoreState = z.object({
  state: z
    .enum(['none', 'checking', 'planned', 'failed', 'done'])
    .describe('`planned`: the next start restores it; `failed` and `done`: how the last one ended'),
  folder: z.string().nullable(),
  backupAtMs: z.number().nullable().describe('The moment of the backup'),
  doneBytes: z.number().describe('Of what is read to verify it'),
  totalBytes: z.number(),
  startedAtMs: z.number().nullable(),
  finishedAtMs: z.number().nullable(),
  error: z.string().nullable(),
  replaced: z.string().nullable().describe('Where what was there before the restore is now'),
  forgottenAgain: z
    .number()
    .nullable()
    .describe(
      'Memories, forgotten after the backup, that were forgotten again; null where that is not known',
    ),
  found: z
    .array(z.object({ folder: z.string(), atMs: z.number(), bytes: z.number() }))
    .describe('Backups next to the home folder, the newest first'),
});
export type RestoreState = z.infer<typeof restoreState>;

const doctorFinding = z.object({
  about: z.string().describe('What it is about: `machine`, `files`, `memory`, a platform'),
  level: z.enum(['ok', 'warning', 'error']),
  what: z.string(),
  hint: z.string().optional().describe('What to do'),
  fixable: z.boolean().describe('Whether `parley doctor --fix` does it'),
});
export type DoctorFinding = z.infer<typeof doctorFinding>;

export const doctorReport = z.object({
  state: z.enum(['none', 'running', 'done', 'failed']).describe('Of the newest look since the start'),
  atMs: z.number().nullable().describe('When the findings were complete'),
  findings: z.array(doctorFinding).describe('Of the last look that is complete'),
  error: z.string().nullable().describe('Why the newest look failed'),
  quick: z.boolean().nullable().describe('Whether the findings leave out what reads whole databases'),
});
export type DoctorReport = z.infer<typeof doctorReport>;

export const doctorLook = z.strictObject({
  quick: z.boolean().optional().describe('Without what reads whole databases, which may take minutes'),
});
