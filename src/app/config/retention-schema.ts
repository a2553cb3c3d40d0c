// The keys of parley.config.json about how long what only grows is kept. The others are in schema.ts.
import { z } from 'zod';

export const uploadsSchema = z.strictObject({
  maxSizeMiB: z
    .number()
    .min(0.001)
    .max(1024)
    .default(20)
    .describe('Largest file that is taken from a message, in MiB. Telegram hands out at most 20 MB.'),
  retentionDays: z
    .number()
    .min(1)
    .max(36_500)
    .optional()
    .describe('Days after which such files are deleted, at the start and once a day; never when absent.'),
});

export const runsSchema = z.strictObject({
  retentionDays: z
    .number()
    .min(1)
    .max(36_500)
    .optional()
    .describe('Days after which the files of a run are deleted; never when absent.'),
  maxCount: z
    .int()
    .min(1)
    .max(10_000_000)
    .default(2_000)
    .describe('How many runs have files: the newest ones. Checked at the start and once a day.'),
});

/** How conversations are kept short. */
export const sessionsSchema = z.strictObject({
  compactAfter: z
    .number()
    .min(1)
    .max(10_080)
    .optional()
    .describe(
      'Minutes of silence after which a conversation that fills more than half of what its model is sent of one is summarized, so that the next message need not send all of it again. Never when absent.',
    ),
  project: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .optional()
    .describe(
      'The project of conversations that begin in chats: they share its records and knowledge, and what is archived of them names it. None when absent.',
    ),
});

const days = (most: number) => z.int().min(1).max(36_500).default(most);

/** What is open, what a run or a delivery still needs, and what proves a forgetting stays however old it is. */
export const retention = z.strictObject({
  inboxDays: days(365).describe(
    'Days after which a message that came in and was dealt with goes, with its turn: a later change or deletion of it on its platform is not followed any more.',
  ),
  outboxDays: days(365).describe('Days after which what was sent, or could not be, goes.'),
  eventDays: days(30).describe(
    'Days after which the events of runs that have ended go; the runs themselves, their messages and their files stay.',
  ),
  auditDays: days(730).describe(
    'Days after which lines of the audit of memory go; those of what was forgotten or masked stay.',
  ),
});
