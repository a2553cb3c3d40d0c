// The outcome for each file that came with a message: where it lies, or why it was not taken.
import { z } from 'zod';
import { parseJson } from '#base/json.ts';
import type { Sqlite } from '#base/sqlite/sqlite.ts';

/** Why a file was not taken. */
const refusalReasons = ['no way', 'too large', 'web page', 'empty', 'no space', 'not writable'] as const;
export type RefusedFileReason = (typeof refusalReasons)[number];

const outcomeSchema = z.discriminatedUnion('status', [
  z.object({
    status: z.literal('stored'),
    path: z.string(),
    name: z.string(),
    mime: z.string(),
    form: z.enum(['text', 'other']),
    bytes: z.number(),
    /** A voice message: the words in it are the sender's. */
    voice: z.literal(true).optional(),
    seconds: z.number().optional(),
  }),
  /**
   * `words`: the reason as the rest of an English sentence, without secrets; `reason`: the same for programs, absent where only the
   * platform can say it.
   */
  z.object({
    status: z.literal('refused'),
    name: z.string(),
    words: z.string(),
    reason: z.enum(refusalReasons).exactOptional(),
    bytes: z.number().exactOptional(),
    limitBytes: z.number().exactOptional(),
  }),
]);

/** The outcome for one file; a refusal stays, and what was stored is fetched again only when it is deleted from the disk. */
export type FileOutcome = z.infer<typeof outcomeSchema>;

/** From this ordinal on, files of other messages: one that is answered, or that stood in the thread before. They are not the sender's. */
export const firstOfOthers = 1_000;

export interface ReceivedFiles {
  get(inboxID: string, ordinal: number): FileOutcome | undefined;
  set(inboxID: string, ordinal: number, outcome: FileOutcome): void;
}

/** The table `received_files`. */
export function createReceivedFiles(database: Sqlite): ReceivedFiles {
  const get = database.prepare<[string, number], { outcome: string }>(
    'SELECT outcome FROM received_files WHERE inbox_id = ? AND ordinal = ?',
  );
  const set = database.prepare(
    'INSERT INTO received_files (inbox_id, ordinal, outcome) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET outcome = excluded.outcome',
  );
  return {
    get(inboxID, ordinal) {
      const row = get.get(inboxID, ordinal);
      return row && parseJson(row.outcome, outcomeSchema, `file ${ordinal} of inbox row ${inboxID}`);
    },
    set: (inboxID, ordinal, outcome) => void set.run(inboxID, ordinal, JSON.stringify(outcome)),
  };
}
