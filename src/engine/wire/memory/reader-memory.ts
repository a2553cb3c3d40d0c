// What a reader does with memory: the input of each operation and what it gives. Shapes only.
import { z } from 'zod';
import { epochMs } from '#base/epoch-ms.ts';
import { ratings } from '#engine/wire/runs/feedback.ts';
import {
  memoryCorpus,
  memoryFilePlace,
  memoryKey,
  memoryKinds,
  memorySource,
  memoryTag,
  writtenKinds,
} from './memory.ts';
import { memoryFileLines } from './memory-files.ts';

const id = z.string().min(1).max(100);
const reason = z.string().trim().min(1).max(500).optional().describe('Why; stored in the audit');
const project = z.string().min(1).max(200).optional();
const origin = z.string().min(1).max(300).optional();
const sensitivities = ['public', 'private', 'sensitive'] as const;
const time = epochMs.optional();

/** Whose question it is that a contradiction leaves with the person. */
const agentID = z
  .string()
  .trim()
  .min(1)
  .max(300)
  .optional()
  .describe('Your name in the journal: under it your person is asked what to decide');

const source = z.string().trim().min(1).max(200).optional().describe('What it comes from');

/** What a record has beyond its words. */
const details = {
  key: memoryKey,
  tags: z.array(memoryTag).max(20).optional(),
  pinned: z
    .boolean()
    .optional()
    .describe('Every prompt of its audience has it; preferences are pinned without it'),
  sensitivity: z
    .enum(sensitivities)
    .optional()
    .describe(
      'private: for its own audience only; sensitive: also never unasked; never wider than you write',
    ),
  confidence: z.number().min(0).max(1).optional().describe('How sure it is, 1 when absent'),
  source,
};

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
    corpus: memoryCorpus,
    projectID: project.describe('Only what belongs to this project'),
    limit: z.int().min(1).max(20).default(8),
    cursor: z
      .string()
      .regex(/^\d{1,3}$/, 'expected the `next` of a page')
      .optional(),
  }),
  memoryGet: z.strictObject({
    path: z.string().trim().min(1).max(500).describe('As memory_search gave it, or MEMORY.md'),
    from: z.int().min(1).optional().describe('The first line, 1 when absent'),
    lines: z.int().min(1).max(500).optional().describe('How many lines, 100 when absent'),
    corpus: memoryCorpus,
  }),
  memoryCreate: z.strictObject({
    content: z.string().trim().min(1).max(20_000).describe('Understandable on its own: who, what, when'),
    kind: z
      .enum(writtenKinds)
      .default('note')
      .describe('procedure: how something is done; solution_capsule: a problem and how it was solved'),
    ...details,
    expiresAtMs: time.describe('After this time, in milliseconds since the epoch, it is not shown'),
    projectID: project,
    agentID,
    again: z
      .literal(true)
      .optional()
      .describe('Stores what was forgotten or withdrawn before: only where someone wants it back'),
    metadata: z.record(z.string().max(200), z.unknown()).default({}).describe('Facts about it, for programs'),
  }),
  memoryRead: z.strictObject({ id }),
  memoryUpdate: z.strictObject({
    id: id.describe('A note, fact or solution that no longer holds as it is'),
    content: z.string().trim().min(1).max(20_000).optional().describe('What holds now'),
    expectedVersion: z
      .int()
      .min(1)
      .optional()
      .describe('The version that you read: where another one holds, it is refused with its words'),
    ...details,
    agentID,
  }),
  memoryLookup: z.strictObject({
    key: memoryKey,
    tag: memoryTag.optional(),
    kind: z.enum(memoryKinds).optional(),
    pinned: z.literal(true).optional(),
    projectID: project.describe('Only what belongs to this project'),
    limit: z.int().min(1).max(50).default(10),
    cursor: z
      .string()
      .regex(/^\d{1,6}$/, 'expected the `next` of a page')
      .optional(),
  }),
  memoryReport: z.strictObject({
    id: id.describe('Of a procedure or a solution'),
    outcome: z.enum(['success', 'failure']),
    note: z.string().trim().min(1).max(2_000).optional().describe('What happened, above all why it failed'),
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
    kind: z.enum(memoryKinds).optional(),
    key: memoryKey.describe('Only what has exactly this key'),
    tag: memoryTag.optional(),
    projectID: project,
    person: origin.describe('Only what this person said: per_..., or PLATFORM:ID of an imported history'),
    agent: origin.describe('Only what this agent wrote, in the journal or with its own token'),
    sessionID: origin,
    runID: origin,
    chat: origin.describe('Only what comes from this chat, by its address'),
    source: memorySource,
    fromMs: time.describe('Written at or after, in milliseconds since the epoch'),
    untilMs: time.describe('Written before'),
    mode: z.enum(['preview', 'forget']).describe('preview counts and shows, and changes nothing'),
    reason,
  }),
  memoryVerify: z.strictObject({
    ids: z.array(id).min(1).max(20).describe('Ids that memory returned'),
  }),
  memoryFeedback: z.strictObject({
    rating: z.enum(ratings).optional(),
  }),
};

const entry = z.object({
  id: z.string(),
  kind: z.string().describe('exchange, turn, document, or the kind of a record'),
  text: z.string(),
  /** ISO 8601. */
  at: z.string(),
  speaker: z.string(),
  platform: z.string(),
  audience: z.string().describe('Who may read it'),
  file: memoryFilePlace,
  cut: z.literal(true).optional().describe('The text is longer: memory_read reads on'),
});
export type ReaderEntry = z.infer<typeof entry>;

const standing = z.object({ id: z.string(), text: z.string(), confidence: z.number(), at: z.string() });

/** What else there was of the key, or of what was to be corrected. */
const others = {
  contradicts: standing
    .optional()
    .describe('A surer memory that says something else: both stand until the person says which holds'),
  alsoSupersedes: z.array(standing).optional().describe('Others of this key, which hold no longer'),
  question: z.string().optional().describe('The open thread that asks the person'),
  answerWith: z
    .object({
      tool: z.string(),
      arguments: z.object({
        agentID: z.string(),
        projectID: z.string().optional(),
        elementID: z.string(),
        action: z.string(),
      }),
    })
    .optional()
    .describe('The call for what the person says, with `holds`: the id of the memory that holds'),
};

/** What each operation gives. */
export const readerMemoryOutputs = {
  memorySearch: z.object({
    items: z.array(entry.extend({ score: z.number() })),
    next: z.string().optional(),
    degraded: z.array(z.string()).describe('What could not be searched'),
  }),
  memoryGet: memoryFileLines.extend({
    degraded: z.array(z.string()).optional().describe('What could not be noted'),
  }),
  memoryCreate: z.object({
    status: z.enum(['stored', 'duplicate', 'forgotten', 'retracted', 'nothing to store']),
    id: z.string().optional(),
    masked: z.array(z.string()).describe('Kinds of secrets that were masked'),
    supersedes: z.string().optional().describe('The value that its key had'),
    ...others,
    wasForgotten: z.literal(true).optional(),
    hint: z.string().optional(),
  }),
  memoryRead: z.object({
    item: entry,
    record: z
      .object({
        key: z.string().optional(),
        tags: z.array(z.string()),
        pinned: z.boolean(),
        source: z.string(),
        version: z.number(),
        state: z.string(),
        sensitivity: z.enum(sensitivities),
        confidence: z.number(),
        metadata: z.record(z.string(), z.unknown()),
      })
      .optional(),
    versions: z.array(
      z.object({
        id: z.string(),
        version: z.number(),
        state: z.string(),
        text: z.string(),
        /** ISO 8601. */
        at: z.string(),
        source: z.string(),
        confidence: z.number(),
      }),
    ),
    signals: z
      .object({
        successes: z.number(),
        failures: z.number(),
        latest: z.array(
          z.object({ outcome: z.string(), at: z.string(), by: z.string(), note: z.string().optional() }),
        ),
      })
      .optional()
      .describe('How a procedure went, the newest reports first'),
  }),
  memoryUpdate: z.object({
    status: z.enum(['stored', 'duplicate', 'forgotten', 'retracted', 'nothing to store']),
    id: z.string().optional(),
    version: z.number().optional(),
    supersedes: z.string().optional(),
    ...others,
    followed: z
      .object({ version: z.number(), text: z.string() })
      .optional()
      .describe(
        'Your id was of an earlier version: this is the one that was superseded; see that nothing of it is lost',
      ),
    masked: z.array(z.string()),
    hint: z.string().optional(),
  }),
  memoryLookup: z.object({
    items: z.array(
      z.object({
        id: z.string(),
        kind: z.string(),
        text: z.string(),
        /** ISO 8601. */
        at: z.string(),
        key: z.string().optional(),
        tags: z.array(z.string()),
        pinned: z.boolean(),
        source: z.string(),
        confidence: z.number(),
        sensitivity: z.enum(sensitivities),
        audience: z.string(),
      }),
    ),
    next: z.string().optional(),
    degraded: z.array(z.string()).describe('What could not be noted'),
  }),
  memoryReport: z.object({ reported: z.literal(true), successes: z.number(), failures: z.number() }),
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
        status: z.enum(['stored', 'superseded', 'retracted', 'expired', 'forgotten', 'unknown']),
        found: z.boolean().optional().describe('Whether a search for its own words finds it'),
        expiredAt: z.string().optional(),
        forgottenAt: z.string().optional(),
        reason: z.string().optional(),
      }),
    ),
  }),
  memoryFeedback: z.object({
    items: z.array(
      z.object({
        run_id: z.string(),
        rating: z.enum(ratings),
        emoji: z.string(),
        /** ISO 8601. */
        at: z.string(),
        answer: z
          .string()
          .optional()
          .describe('How the answer begins; absent where it was written in a room, or no longer exists'),
      }),
    ),
    total: z.number().describe('How many there are, those that are not shown too'),
  }),
};

/** What memory adds to a bundle. */
export interface BundleMemory {
  /** What the person pinned: preferences, facts and notes, changed last first. */
  pinned: ReaderMemory['memoryLookup']['items'];
  /** With an intent: what memory knows of it, the best first. */
  aboutIntent?: (ReaderEntry & { source?: string })[];
  /** What could not be searched. */
  degraded?: string[];
}

export type ReaderMemory = {
  [Name in keyof typeof readerMemoryOutputs]: z.infer<(typeof readerMemoryOutputs)[Name]>;
};
