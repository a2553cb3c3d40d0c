// Knowledge: what clients ask for before they work, store, and withdraw. Shapes only.
import { z } from 'zod';
import { epochMs } from '#base/epoch-ms.ts';
import { optionalID, rangeFields } from '#engine/operations/fields.ts';
import { operation } from '#engine/operations/operation.ts';
import { memoryAudience, memoryProject, runReference } from './memory.ts';

const words = z.string().trim().min(1).max(200);
const coverage = {
  subject: words.describe('What it is about; case, spaces and signs make no difference'),
  task_family: words.optional().describe('The kind of work; `general` when absent'),
  namespace: words.optional().describe('Sets apart what is called the same in two fields of a project'),
  project_id: memoryProject,
};
const trust = z.enum(['promoted', 'approved_default']);

const knowledgeItem = z.object({
  item_id: z.string(),
  /** Whose it is. */
  space_id: z.string(),
  coverage_key: z.string(),
  title: z.string(),
  /** What is known. */
  summary: z.string(),
  task_family: z.string(),
  namespace: z.string().nullable(),
  project_id: z.string().nullable(),
  trust_level: trust,
  status: z.enum(['promoted', 'approved_default']),
  promoted_at_ms: z.number(),
  promoted_by: z.string(),
  reason: z.string().nullable(),
  freshness_expires_at_ms: z.number().nullable(),
  artifact_refs: z.array(z.string()),
  /** The record that stands for it now, and what that was made of. */
  source_memory_ids: z.array(z.string()),
});
export type WireKnowledge = z.infer<typeof knowledgeItem>;

export const memoryPreflight = z.strictObject({
  ...coverage,
  audience: memoryAudience,
  session_id: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('Of the project tier then only what is of `project_id`'),
  run_id: runReference,
  freshness_ms: z
    .number()
    .min(0)
    .max(Number.MAX_SAFE_INTEGER)
    .optional()
    .describe('Promoted longer ago, it has to be looked at again, unless it says itself how long it holds'),
  trust_floor: trust.optional().describe('Less trusted knowledge is passed over'),
});

export const memoryPreflighted = z.object({
  project_id: z.string().nullable(),
  namespace: z.string().nullable(),
  task_family: z.string(),
  subject: z.string(),
  coverage_key: z.string(),
  decision: z.enum(['reuse_approved_default', 'reuse_promoted', 'refresh_required', 'no_prior_knowledge']),
  reuse_reason: z.string().nullable(),
  skip_reason: z.string().nullable(),
  freshness_reason: z.string().nullable(),
  /** What covers just this, the most trusted first; at most three. */
  items: z.array(knowledgeItem),
  /** When nothing covers it: what is known of something that sounds like it. */
  related: z.array(knowledgeItem),
  /** The line of the audit; null when nothing was shown, or it could not be noted. */
  audit_id: z.string().nullable(),
});
export type MemoryPreflighted = z.infer<typeof memoryPreflighted>;

export const knowledgePromote = z.strictObject({
  ...coverage,
  source_memory_id: z.string().min(1).max(100),
  trust_level: trust.default('promoted'),
  freshness_expires_at_ms: epochMs.optional(),
  audience: memoryAudience,
  run_id: runReference,
  reason: z.string().trim().min(1).max(500),
});

export const knowledgePromoted = z.object({
  promoted: z.literal(true),
  item: knowledgeItem,
  scrub_report: z.object({ status: z.enum(['passed', 'redacted']), redactions: z.number() }),
  audit_id: z.string(),
});

export const knowledgeWithdraw = z.strictObject({
  id: z.string().min(1).max(100).describe('Of the item, or of its record'),
  audience: memoryAudience,
  run_id: runReference,
});

export const knowledgeWithdrawn = z.object({
  ok: z.literal(true),
  items: z.number(),
  audit_id: z.string().nullable(),
});

export const knowledgePage = z.object({
  /** Promoted last first. */
  items: z.array(knowledgeItem),
  count: z.number(),
  offset: z.number(),
  limit: z.number(),
});

export const knowledgeList = z.object({ audience: memoryAudience, project_id: optionalID, ...rangeFields });

/** Knowledge, asked before work and promoted from records. */
export const knowledgeOperations = {
  preflightMemory: operation({
    effect: 'read',
    method: 'POST',
    path: '/memory/preflight',
    summary: 'What is known already of work that is about to be done, and whether it can be reused',
    about: 'The decision, with what it rests on',
    input: memoryPreflight,
    output: memoryPreflighted,
    call: 'preflight',
    first: 'subject',
  }),
  listKnowledge: operation({
    effect: 'read',
    method: 'GET',
    path: '/memory/knowledge',
    summary: 'The knowledge of one audience, promoted last first',
    about: 'A page of it',
    input: knowledgeList,
    output: knowledgePage,
    call: 'knowledge',
  }),
  promoteKnowledge: operation({
    effect: 'add',
    method: 'POST',
    path: '/memory/knowledge/promote',
    summary: 'Makes a governed record knowledge of what it covers; secrets in it are masked',
    about: 'The knowledge',
    input: knowledgePromote,
    output: knowledgePromoted,
    call: 'promoteKnowledge',
    showsWords: true,
  }),
  /** A ParleyError `memory_not_found`. */
  withdrawKnowledge: operation({
    effect: 'change',
    method: 'POST',
    path: '/memory/knowledge/withdraw',
    summary: 'Takes knowledge back; its record stays',
    about: 'It is no longer reused',
    input: knowledgeWithdraw,
    output: knowledgeWithdrawn,
    call: 'withdrawKnowledge',
    first: 'id',
  }),
};
