// What a reader does with memory: the input of each operation and what it gives. Shapes only.
import { z } from 'zod';

const id = z.string().min(1).max(100);
const reason = z.string().trim().min(1).max(500).optional().describe('Why; stored in the audit');
const project = z.string().min(1).max(200).optional();
const kinds = ['note', 'fact', 'solution_capsule'] as const;
const sensitivities = ['public', 'private', 'sensitive'] as const;
const time = z.number().min(0).optional();

/** Results of one search, over all its pages. */
export const maxFound = 100;

/** One schema for each operation. */
export const readerMemoryInputs = {
  memorySearch: z.strictObject({
    query: z
      .string()
      .trim()
      .min(1)
      .max(1_000)
      .describe('What to look for, in the words that may have been used'),
    projectID: project.describe('Only what belongs to this project'),
    limit: z.int().min(1).max(20).default(8),
    cursor: z
      .string()
      .regex(/^\d{1,3}$/, 'expected the `next` of a page')
      .optional(),
  }),
  memoryCreate: z.strictObject({
    content: z.string().trim().min(1).max(20_000).describe('Understandable on its own: who, what, when'),
    kind: z.enum(kinds).default('note').describe('solution_capsule: a problem and how it was solved'),
    sensitivity: z.enum(sensitivities).default('private').describe('sensitive: never comes up unasked'),
    confidence: z.number().min(0).max(1).default(1),
    expiresAtMs: time.describe('After this time, in milliseconds since the epoch, it is not shown'),
    projectID: project,
    metadata: z.record(z.string().max(200), z.unknown()).default({}).describe('Facts about it, for programs'),
  }),
  memoryRead: z.strictObject({ id }),
  memoryUpdate: z.strictObject({
    id: id.describe('A note, fact or solution that no longer holds as it is'),
    content: z
      .string()
      .trim()
      .min(1)
      .max(20_000)
      .describe('What holds now; the earlier version stays readable'),
  }),
  memoryDelete: z.strictObject({ id, reason }),
  memoryForget: z.strictObject({
    ids: z.array(id).min(1).max(1_000).optional(),
    words: z
      .string()
      .trim()
      .min(1)
      .max(1_000)
      .optional()
      .describe('Everything that holds all of these words'),
    projectID: project,
    fromMs: time.describe('Written at or after, in milliseconds since the epoch'),
    untilMs: time.describe('Written before'),
    mode: z.enum(['preview', 'forget']).describe('preview counts and shows, and changes nothing'),
    reason,
  }),
  memoryVerify: z.strictObject({
    ids: z.array(id).min(1).max(20).describe('Ids that memory returned'),
  }),
};

const entry = z.object({
  id: z.string(),
  kind: z.string().describe('exchange, turn, document, note, fact or solution_capsule'),
  text: z.string(),
  /** ISO 8601. */
  at: z.string(),
  speaker: z.string(),
  platform: z.string(),
  audience: z.string().describe('Who may read it'),
  cut: z.literal(true).optional().describe('The text is longer: memory_read reads on'),
});
export type ReaderEntry = z.infer<typeof entry>;

/** What each operation gives. */
export const readerMemoryOutputs = {
  memorySearch: z.object({
    items: z.array(entry.extend({ score: z.number() })),
    next: z.string().optional(),
    degraded: z.array(z.string()).describe('What could not be searched'),
  }),
  memoryCreate: z.object({
    status: z.enum(['stored', 'duplicate', 'forgotten', 'retracted', 'nothing to store']),
    id: z.string().optional(),
    masked: z.array(z.string()).describe('Kinds of secrets that were masked'),
  }),
  memoryRead: z.object({
    item: entry,
    record: z
      .object({
        version: z.number(),
        state: z.string(),
        sensitivity: z.enum(sensitivities),
        confidence: z.number(),
        metadata: z.record(z.string(), z.unknown()),
      })
      .optional(),
    versions: z.array(z.object({ id: z.string(), version: z.number(), state: z.string(), text: z.string() })),
  }),
  memoryUpdate: z.object({
    status: z.enum(['stored', 'duplicate', 'forgotten', 'retracted', 'nothing to store']),
    id: z.string().optional(),
    supersedes: z.string(),
    masked: z.array(z.string()),
  }),
  memoryDelete: z.object({ deleted: z.literal(true), id: z.string(), traces: z.number() }),
  memoryForget: z.object({
    forgotten: z.boolean().describe('False for a preview'),
    entries: z.number(),
    samples: z.array(entry),
    remains: z.array(z.string()).describe('What of it was still found afterwards'),
  }),
  memoryVerify: z.object({
    items: z.array(
      z.object({
        id: z.string(),
        status: z.enum(['stored', 'forgotten', 'unknown']),
        found: z.boolean().optional().describe('Whether a search for its own words finds it'),
        forgottenAt: z.string().optional(),
        reason: z.string().optional(),
      }),
    ),
  }),
};

export type ReaderMemory = {
  [Name in keyof typeof readerMemoryOutputs]: z.infer<(typeof readerMemoryOutputs)[Name]>;
};
