// What a client does to governed records, to files that become memory, and what it reads of the audit. Shapes only.
import { z } from 'zod';
import { epochMs } from '#base/epoch-ms.ts';
import { optionalID, rangeFields } from '#engine/operations/fields.ts';
import { operation } from '#engine/operations/operation.ts';
import {
  classifications,
  memoryAgent,
  memoryAudience,
  memoryKey,
  memoryPartition,
  memoryProject,
  memoryTag,
  memoryTier,
  onePlace,
  requestedTier,
  runReference,
  saysOnePlace,
  writtenKinds,
} from './memory.ts';

const reason = z.string().trim().min(1).max(500);
const tag = z.string().min(1).max(200).optional();

const said = z
  .strictObject({
    person: z.string().min(1).max(200).describe('`per_...`, as memory knows the account'),
    platform: z.string().min(1).max(40),
    chat: z.string().min(1).max(1_000).describe('Canonical address'),
    message_ids: z.array(z.string().max(200)).max(100).default([]),
  })
  .optional()
  .describe(
    'Who said it, where: a gateway names it for what was saved in a chat, so that it is forgotten with them',
  );
export type SaidInChat = z.infer<typeof said>;

export const memoryPut = z
  .strictObject({
    content: z.string().trim().min(1).max(20_000),
    kind: z.enum(writtenKinds).default('note'),
    key: memoryKey,
    tags: z.array(memoryTag).max(20).optional(),
    pinned: z
      .boolean()
      .optional()
      .describe('Every prompt of its audience has it; preferences are pinned unless it is false'),
    audience: memoryAudience,
    space: z
      .string()
      .min(1)
      .max(500)
      .optional()
      .describe('`platform:account:space` of a room, whose members may read it too unless it is private'),
    private: z.boolean().default(true).describe('False: it reaches as far as `memory.sharing` lets a room'),
    tier: requestedTier.optional().describe('As in `partition`; `global` when neither says it'),
    project_id: memoryProject,
    session_id: z.string().min(1).max(200).optional(),
    said,
    run_id: runReference,
    agent: memoryAgent,
    partition: memoryPartition,
    classification: z
      .enum(classifications)
      .optional()
      .describe(
        '`internal` and `restricted` narrow it to its audience; as far as `private` says when absent',
      ),
    artifact_refs: z.array(z.string().max(500)).max(100).default([]),
    metadata: z.record(z.string(), z.unknown()).nullable().default({}),
    channel_tag: tag,
    host_tag: tag,
    confidence: z.number().min(0).max(1).default(1),
    expires_at_ms: epochMs.optional(),
    supersedes: z.string().min(1).max(100).optional().describe('The record that this is the new version of'),
    capability: z
      .strictObject({
        subject: z.string().min(1).max(200).describe('Whose record it is: its `user_id`'),
      })
      .nullish()
      .describe("The token is the caller's leave: of Tandem's capability only the subject is taken"),
  })
  .refine((put) => put.private || put.audience?.startsWith('room:') === true, {
    path: ['private'],
    message: 'what belongs to a person is private; name a room as the audience, or leave it out',
  })
  .refine(saysOnePlace, onePlace)
  .refine(({ said, capability }) => said === undefined || capability == null, {
    path: ['capability'],
    message: 'expected none where `said` names whose words they are',
  });
export type MemoryPut = z.infer<typeof memoryPut>;

const standing = z.object({
  id: z.string(),
  content: z.string(),
  confidence: z.number(),
  created_at_ms: z.number(),
});

export const memoryStored = z.object({
  /** Of the record; null when nothing is stored about it. */
  id: z.string().nullable(),
  /** Its pieces, in order: more than one for a long text. */
  ids: z.array(z.string()),
  /** True only when something new was stored. */
  stored: z.boolean(),
  /** `forgotten`, `retracted`: just this was forgotten or withdrawn in this audience before, and is not brought back. */
  status: z.enum(['stored', 'duplicate', 'forgotten', 'retracted', 'nothing to store']),
  tier: memoryTier,
  /** `org/workspace/project/tier`. */
  partition_key: z.string(),
  audience: z.string(),
  /** The kinds of secrets that were masked in it. */
  redacted: z.array(z.string()),
  audit_id: z.string().nullable(),
  contradicts: standing
    .optional()
    .describe('A surer record of its key, or that it was to correct: both stand'),
  question: z.string().optional().describe('The open thread of the journal that asks which of the two holds'),
  also_supersedes: z
    .array(standing)
    .optional()
    .describe('Others of its key, which hold no longer, next to the one that it is a version of'),
});

export const memoryCorrect = z.strictObject({
  id: z.string().max(100),
  audience: memoryAudience,
  content: z.string().trim().min(1).max(20_000).describe('What holds now'),
  expected_version: z
    .int()
    .min(1)
    .optional()
    .describe('The version that was read: another one is not corrected'),
  said,
});

export const memoryCorrected = z.object({
  /** Of the new version; null when nothing is stored about it. */
  id: z.string().nullable(),
  version: z.number().nullable(),
  status: memoryStored.shape.status,
});
export type MemoryCorrected = z.infer<typeof memoryCorrected>;

export const memoryPromote = z.strictObject({
  source_memory_id: z.string().min(1).max(100),
  from_tier: requestedTier.optional().describe('The tier that it is expected to be in'),
  to_tier: requestedTier,
  audience: memoryAudience,
  run_id: runReference,
  partition: memoryPartition,
  reason,
  review: z
    .object({
      required: z.boolean().default(false),
      reviewer_id: z.string().min(1).max(200).optional(),
      approval_id: z.string().min(1).max(200).optional(),
    })
    .optional()
    .describe('Where it is required, both ids must be there; the audit keeps them'),
  capability: z
    .null()
    .optional()
    .describe("Not done here, since the token is the caller's leave: refused unless it is null"),
});

export const memoryPromoted = z.object({
  promoted: z.boolean(),
  /** The same id: a record is promoted in place. */
  new_memory_id: z.string(),
  to_tier: memoryTier,
  scrub_report: z.object({
    status: z.enum(['passed', 'redacted', 'blocked']),
    redactions: z.number(),
    block_reason: z.string().nullable(),
  }),
  audit_id: z.string(),
  policy_decision_id: z.string(),
});

export const memoryWithdraw = z.strictObject({
  id: z.string().min(1).max(100),
  audience: memoryAudience,
  run_id: runReference,
  reason: reason.optional(),
});

export const memoryWithdrawn = z.object({ ok: z.literal(true), audit_id: z.string() });

export const memoryAuditPage = z.object({
  /** Newest first. */
  events: z.array(
    z.object({
      audit_id: z.string(),
      at_ms: z.number(),
      action: z.string(),
      actor: z.string(),
      run_id: z.string().nullable(),
      session_id: z.string().nullable(),
      audience: z.string(),
      memory_ids: z.array(z.string()),
      detail: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
    }),
  ),
  count: z.number(),
  offset: z.number(),
  limit: z.number(),
});
export type MemoryAuditPage = z.infer<typeof memoryAuditPage>;

export const memoryAuditQuery = z.object({ audience: memoryAudience, run_id: optionalID, ...rangeFields });

export const memorySignal = z.strictObject({
  id: z.string().min(1).max(100).describe('Of a procedure or a solution'),
  audience: memoryAudience,
  outcome: z.enum(['success', 'failure']),
  note: z.string().trim().min(1).max(2_000).optional().describe('What happened, above all why it failed'),
  run_id: runReference,
});

export const memorySignalled = z.object({
  id: z.string(),
  successes: z.number(),
  failures: z.number(),
  /** The newest reports, newest first. */
  reports: z.array(
    z.object({
      outcome: z.enum(['success', 'failure']),
      at_ms: z.number(),
      by: z.string(),
      note: z.string().nullable(),
    }),
  ),
  audit_id: z.string(),
});

export const memoryPin = z.strictObject({
  id: z.string().min(1).max(100),
  audience: memoryAudience,
  pinned: z.boolean().default(true).describe('False takes the pin away'),
});

export const memoryPinned = z.object({ id: z.string(), pinned: z.boolean(), audit_id: z.string() });

/** What a client does to governed records, and the audit of it. */
export const governOperations = {
  putMemory: operation({
    effect: 'add',
    method: 'POST',
    path: '/memory/put',
    summary:
      'Stores a governed record for one audience; the same words are stored there once, with secrets masked',
    about: 'Whether it was stored, and as what',
    input: memoryPut,
    output: memoryStored,
    call: 'put',
    first: 'content',
  }),
  /** The former versions stay readable. A ParleyError `memory_not_found`, `not_correctable` for what is no record, or `stale_version`. */
  correctMemory: operation({
    effect: 'change',
    method: 'PATCH',
    path: '/memory/:id',
    named: 'memory',
    summary: 'Corrects a record of one audience: a new version holds, and the former ones stay readable',
    about: 'The new version',
    input: memoryCorrect,
    output: memoryCorrected,
    call: 'correct',
    first: 'id',
  }),
  /** A ParleyError `not_a_procedure` or `memory_not_found`. */
  signalMemory: operation({
    effect: 'add',
    method: 'POST',
    path: '/memory/signal',
    summary: 'Reports how a procedure went: those that fail are found below those that work',
    about: 'How it went so far',
    input: memorySignal,
    output: memorySignalled,
    call: 'signal',
    showsWords: true,
  }),
  /** A ParleyError `memory_not_found`. */
  pinMemory: operation({
    effect: 'change',
    method: 'POST',
    path: '/memory/pin',
    summary: 'Pins a record to every prompt of its audience, or takes the pin away',
    about: 'Whether it is pinned now',
    input: memoryPin,
    output: memoryPinned,
    call: 'pin',
  }),
  promoteMemory: operation({
    effect: 'change',
    method: 'POST',
    path: '/memory/promote',
    summary: 'Brings a record to a wider tier, or a demoted one back; secrets in it are masked',
    about: 'What became of it',
    input: memoryPromote,
    output: memoryPromoted,
    call: 'promote',
  }),
  demoteMemory: operation({
    effect: 'change',
    method: 'POST',
    path: '/memory/demote',
    summary: 'Takes a record out of what is found; it can be promoted again',
    about: 'It is no longer found',
    input: memoryWithdraw,
    output: memoryWithdrawn,
    call: 'demote',
    first: 'id',
  }),
  retractMemory: operation({
    effect: 'change',
    method: 'POST',
    path: '/memory/retract',
    summary: 'Withdraws a record as no longer true; it stays as history and is not stored again by itself',
    about: 'It is no longer found',
    input: memoryWithdraw,
    output: memoryWithdrawn,
    call: 'retract',
    first: 'id',
  }),
  memoryAudit: operation({
    effect: 'read',
    method: 'GET',
    path: '/memory/audit',
    summary: 'Who did what to the memories of one audience, newest first, without their words',
    about: 'A page of it',
    input: memoryAuditQuery,
    output: memoryAuditPage,
    call: 'audit',
    unaudited: 'shows no words',
  }),
};
