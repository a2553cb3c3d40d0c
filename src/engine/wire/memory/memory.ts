// Requests to memory and their answers: search, list, show, delete. Shapes only; governed records have a file next to this one.
import { z } from 'zod';
import { epochMs } from '#base/epoch-ms.ts';
import { integerParam, rangeFields } from '#engine/operations/fields.ts';
import { placeNames } from '#engine/wire/channels/place-names.ts';

/** Whose memory: that of the operator when none is named. */
export const memoryAudience = z
  .templateLiteral([z.enum(['person', 'room']), ':', z.string().min(1)])
  .optional()
  .describe(
    '`person:ID` or `room:KEY`; `person:operator`, whose the runs of this interface are, when none is named',
  );
const audience = memoryAudience;
export const memoryAgent = z
  .string()
  .min(1)
  .max(200)
  .optional()
  .describe('The agent that it is for: where that one has its memory for itself, no other agent finds it');
export const memoryProject = z.string().min(1).max(200).optional();
export const memoryTier = z.enum(['session', 'project', 'global']);
/** What a client may name: of Tandem's tiers the last two are none of Parley, and are refused. */
export const requestedTier = z.enum(['session', 'project', 'global', 'team', 'curated']);
export const memoryKinds = [
  'note',
  'fact',
  'solution_capsule',
  'procedure',
  'episode',
  'preference',
  'lesson',
  'decision',
] as const;
/** Those that are written by hand: episodes are made of exchanges. */
export const writtenKinds = ['note', 'fact', 'solution_capsule', 'procedure', 'preference'] as const;
export const memoryKey = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .optional()
  .describe('What it is about, exactly, whatever its case: another text under the same key supersedes it');
export const memoryTag = z.string().trim().min(1).max(60);
export const classifications = ['public', 'internal', 'restricted'] as const;

/** Tandem's way to say where: of it the project and the tier are read. */
export const memoryPartition = z
  .object({
    org_id: z.string().min(1).max(200).optional(),
    workspace_id: z.string().min(1).max(200).optional(),
    project_id: z.string().min(1).max(200).optional(),
    tier: requestedTier.optional(),
  })
  .optional();
/** Whether a request that says where in both ways says the same. */
export function saysOnePlace({
  project_id,
  tier,
  partition,
}: {
  project_id?: string | undefined;
  tier?: string | undefined;
  partition?: z.infer<typeof memoryPartition>;
}): boolean {
  const isSame = (one: string | undefined, other: string | undefined): boolean =>
    one === undefined || other === undefined || one === other;
  return isSame(project_id, partition?.project_id) && isSame(tier, partition?.tier);
}
export const onePlace = {
  path: ['partition'],
  message: 'expected the project and the tier that are named beside it, or none',
};

/** What something comes from, by its id or address. */
export const memoryOrigin = z.string().min(1).max(300).optional();
/** What something was imported from. */
export const memorySource = z
  .string()
  .min(1)
  .max(1_000)
  .optional()
  .describe('Only what was imported from this file or folder');
/** Why something is forgotten. */
export const forgetReason = z
  .string()
  .trim()
  .min(1)
  .max(500)
  .optional()
  .describe('Why; stored with the id of what is forgotten, and in the audit');
export const runReference = z.string().min(1).max(200).optional().describe('For the audit');

/** What is searched or read, by its name. An unknown name is refused with the names that there are. */
export const memoryCorpus = z
  .string()
  .trim()
  .toLowerCase()
  .min(1)
  .max(60)
  .optional()
  .describe(
    'memory: only memory files; sessions: only conversations; wiki, or another corpus: only its pages; all when absent',
  );

export const memorySearch = z
  .strictObject({
    query: z.string().trim().min(1).max(1_000),
    corpus: memoryCorpus,
    audience,
    agent: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe('As under this agent: only what it would find; what was written to all of them when absent'),
    project_id: memoryProject,
    session_id: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe(
        'Of the session tier only that of this session, of the project tier only that of `project_id`',
      ),
    run_id: runReference,
    partition: memoryPartition,
    read_scopes: z.array(requestedTier).optional().describe('Only these tiers'),
    source: z
      .enum(['all', 'records'])
      .optional()
      .describe(
        '`records`: governed records only, by their words, as `channel_tag`, `host_tag`, `kind`, `key`, `tag` and `pinned` narrow them',
      ),
    channel_tag: z.string().min(1).max(200).optional(),
    host_tag: z.string().min(1).max(200).optional(),
    kind: z.enum(memoryKinds).optional(),
    key: memoryKey,
    tag: memoryTag.optional(),
    pinned: z.boolean().optional(),
    limit: z.int().min(1).max(100).default(8),
    retrieval_gateway: z.null().optional().describe('Not done here: refused unless it is null'),
  })
  .refine(saysOnePlace, onePlace);
export type MemorySearch = z.infer<typeof memorySearch>;

const entry = {
  id: z.string(),
  tier: memoryTier,
  /** What it is a piece of. */
  source_type: z.enum(['exchange', 'turn', 'document', ...memoryKinds]),
  content: z.string(),
  created_at_ms: z.number(),
  speaker: z.string(),
  platform: z.string(),
  chat: z.string(),
  audience: z.string(),
  session_id: z.string(),
  run_id: z.string(),
  answered_by: z
    .string()
    .optional()
    .describe('Of an exchange, the assistant whose answer stands in it; absent where its run is gone'),
};

/** What a record says besides, and what takes its place for anything else. */
const governed = {
  kind: z.enum(memoryKinds).nullable(),
  classification: z.enum(classifications),
  visibility: z.enum(['private', 'shared']),
  artifact_refs: z.array(z.string()),
  metadata: z.record(z.string(), z.unknown()),
  key: z.string().nullable(),
  tags: z.array(z.string()),
  pinned: z.boolean(),
  linkage: z.object({
    record_id: z.string().nullable(),
    lineage_id: z.string().nullable(),
    version: z.number().nullable(),
    session_id: z.string(),
    project_id: z.string().nullable(),
    message_ids: z.array(z.string()),
    evidence: z.array(z.string()),
  }),
  governance: z
    .object({
      state: z.enum(['active', 'superseded', 'retracted']),
      demoted: z.boolean(),
      reason: z.string().nullable(),
      confidence: z.number(),
      expires_at_ms: z.number().nullable(),
      redaction_status: z.enum(['passed', 'redacted']),
      redaction_count: z.number(),
      user_id: z.string(),
      agent: z.string(),
      channel_tag: z.string().nullable(),
      host_tag: z.string().nullable(),
    })
    .nullable(),
  memory_trust: z.enum([
    'external_user_supplied',
    'connector_sourced',
    'verified',
    'human_approved',
    'system_generated',
  ]),
  rendering_role: z.enum(['context', 'evidence']),
  provenance: z.object({ platform: z.string(), chat: z.string(), speaker: z.string() }),
};

export const memoryFilePlace = z
  .object({ path: z.string(), from: z.number(), until: z.number() })
  .optional()
  .describe('Of a passage of a memory file or of a page: where it is, with its first and last line');

export const memoryFindings = z.object({
  results: z.array(
    z.object({
      ...entry,
      ...governed,
      /** 0 to 1, relative to the best this query could reach. */
      score: z.number(),
      /** Of what the score is made, by name. */
      influence: z.record(z.string(), z.number()),
      file: memoryFilePlace,
    }),
  ),
  scopes_used: z.array(requestedTier),
  /** Tiers that were asked for and are none of Parley. */
  blocked_scopes: z.array(requestedTier),
  /** The line of the audit; null when nothing was shown. */
  audit_id: z.string().nullable(),
  /** What could not be searched, as text. */
  degraded: z.array(z.string()),
});
export type MemoryFindings = z.infer<typeof memoryFindings>;

/** What is asked of one audience and says no more. */
export const memoryOfAudience = z.object({ audience });

export const memoryList = z.object({
  q: z.string().trim().min(1).max(1_000).optional().describe('Only entries that hold all of these words'),
  audience,
  project_id: memoryProject,
  user_id: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('Only governed records that were stored for this person'),
  channel_tag: z.string().min(1).max(200).optional().describe('Only governed records with this tag'),
  kind: z.enum(memoryKinds).optional().describe('Only governed records of this kind'),
  key: memoryKey.describe('Only governed records with exactly this key'),
  tag: memoryTag.optional().describe('Only governed records that have this tag'),
  pinned: z
    .literal('true')
    .transform(() => true as const)
    .optional()
    .describe('Only governed records that are pinned'),
  ...rangeFields,
  after: z
    .string()
    .regex(/^-?\d{1,16}\.\d{1,16}$/, 'expected the `next` of a page')
    .optional()
    .describe(
      'The `next` of the page before: faster than an offset in a large memory; not of governed records',
    ),
});
export type MemoryList = z.infer<typeof memoryList>;

export const memoryEntries = z.object({
  /** Newest first. */
  items: z.array(z.object(entry)),
  /** How many there are in `items`. */
  count: z.number(),
  offset: z.number(),
  limit: z.number(),
  /** Where the next page begins, as its `after`; null on the last page, and for governed records. */
  next: z.string().nullable(),
});
export type MemoryEntries = z.infer<typeof memoryEntries>;

const id = z.string().min(1).max(100);
export const memoryShow = z.object({ id, audience });
export const memoryDelete = z.object({ id, audience, reason: forgetReason });

export const memoryItem = z.object({
  item: z.object({ ...entry, ...governed }),
  /** Of a record, every version of it, oldest first: what was true before stays readable. */
  versions: z.array(z.object({ ...entry, ...governed })),
});
export type MemoryItem = z.infer<typeof memoryItem>;

export const memoryDeleted = z.object({
  ok: z.literal(true),
  id: z.string(),
  /** Words of it that are still in a file of the memory (another program is reading it); 0 when nothing is left. */
  traces: z.number(),
});

/** Which records of one audience, and whether they are counted only. */
export const memoryForget = z
  .strictObject({
    audience,
    kind: z.enum(memoryKinds).optional().describe('Only records, lessons or decisions of this kind'),
    key: memoryKey.describe('Only those with exactly this key'),
    tag: memoryTag.optional().describe('Only those that have this tag'),
    words: z.string().trim().min(1).max(1_000).optional().describe('Only what holds all of these words'),
    person: memoryOrigin.describe(
      'Only what this person said: per_..., or PLATFORM:ID of an imported history',
    ),
    agent: memoryOrigin.describe('Only what this agent wrote, or has for itself'),
    chat: memoryOrigin.describe('Only what comes from this chat, by its address'),
    session_id: memoryOrigin,
    run_id: memoryOrigin,
    source: memorySource,
    from_ms: epochMs.optional().describe('Written at or after, in milliseconds since the epoch'),
    until_ms: epochMs.optional().describe('Written before'),
    project_id: memoryProject.describe('Only what belongs to this project'),
    apply: z.boolean().default(false).describe('False counts and shows, and changes nothing'),
    reason: forgetReason,
  })
  .refine(
    ({ audience: _, apply: __, reason: ___, ...of }) => Object.values(of).some((each) => each !== undefined),
    {
      message:
        'expected at least one of kind, key and tag, or of words, person, agent, chat, session_id, run_id, source, project_id, from_ms and until_ms',
    },
  );

export const memoryForgotten = z.object({
  applied: z.boolean(),
  /** How many records are, or were, meant, each with all its versions. */
  entries: z.number(),
  /** How many of them are, or were, pinned to every prompt. */
  pinned: z.number(),
  /** The first of them, newest first. */
  samples: z.array(z.object(entry)),
  /** What of it was still found afterwards, as text. */
  remains: z.array(z.string()),
});
export type MemoryForgotten = z.infer<typeof memoryForgotten>;

export const memoryPlaces = z.object({ limit: integerParam(1, 1_000).default(1_000) });
export const memoryAudiences = z.object({
  audiences: z.array(z.object({ audience: z.string(), entries: z.number(), names: placeNames.optional() })),
});
export type MemoryAudiences = z.infer<typeof memoryAudiences>;

const budgetUse = z.object({ bound: z.string(), used: z.number(), limit: z.number() });
export const memoryBudgets = z.object({
  budgets: z.array(
    z.object({
      /** The audience; null for the budget of an agent. */
      audience: z.string().nullable(),
      /** The agent with its own memory; null for what agents share, and for an audience. */
      agent: z.string().nullable(),
      uses: z.array(budgetUse),
      /** What would be done next; null within the budget. */
      next: z
        .object({
          step: z.enum(['merge', 'summarize', 'drop_vectors', 'evict']),
          bound: z.string(),
          memory_ids: z.array(z.string()),
        })
        .nullable(),
    }),
  ),
});
export type MemoryBudgets = z.infer<typeof memoryBudgets>;
