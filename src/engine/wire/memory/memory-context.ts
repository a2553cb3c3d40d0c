// Files that become memory, conversations that become facts, and memory as a tree of places. Shapes only.
import { z } from 'zod';
import { integerParam } from '#engine/operations/fields.ts';
import { operation } from '#engine/operations/operation.ts';
import {
  memoryAgent,
  memoryAudience,
  memoryProject,
  memoryTier,
  requestedTier,
  runReference,
} from './memory.ts';

export const memoryImport = z.strictObject({
  source: z.object({ kind: z.literal('path'), path: z.string().min(1).max(4_000) }),
  format: z.enum(['directory', 'openclaw', 'transcript', 'telegram', 'slack', 'discord', 'journal']),
  tier: requestedTier.default('project'),
  project_id: memoryProject.nullable(),
  session_id: z.string().min(1).max(200).nullish(),
  sync_deletes: z.boolean().default(false),
  allow_empty: z
    .boolean()
    .default(false)
    .describe('True: `sync_deletes` may also remove most of what was imported from there, or all of it'),
  audience: memoryAudience,
  agent: memoryAgent,
  space: z.string().min(1).max(500).optional(),
  private: z.boolean().default(true).describe('False: it reaches as far as `memory.sharing` lets a room'),
  account: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe("The bot's own account: rooms of a history belong to themselves"),
});

export const memoryImported = z.object({
  ok: z.boolean(),
  source: z.object({ kind: z.literal('path'), path: z.string() }),
  format: memoryImport.shape.format,
  tier: memoryTier,
  project_id: z.string().nullable(),
  session_id: z.string().nullable(),
  sync_deletes: z.boolean(),
  discovered_files: z.number(),
  files_processed: z.number(),
  indexed_files: z.number(),
  skipped_files: z.number(),
  deleted_files: z.number(),
  chunks_created: z.number(),
  /** Files that could not be read; `failures` says which and why. */
  errors: z.number(),
  failures: z.array(z.object({ path: z.string(), error: z.string() })),
  skipped_links: z.number().optional().describe('Symbolic links, which are not followed; absent without any'),
  links: z.array(z.string()).optional().describe('The first of them'),
  /** Secrets that were masked. */
  redactions: z.number(),
});
export type MemoryImported = z.infer<typeof memoryImported>;

const message = z.union([
  z.string().transform((content) => ({ role: 'user' as const, content, speaker: undefined })),
  z.object({
    role: z.enum(['user', 'assistant']).default('user'),
    content: z.string(),
    speaker: z.string().min(1).max(200).optional(),
  }),
]);

export const memoryDistill = z.strictObject({
  session_id: z.string().min(1).max(200),
  conversation: z
    .array(message)
    .max(2_000)
    .default([])
    .describe('What was written, oldest first; the newest messages of the session when empty'),
  audience: memoryAudience.describe(
    'The audience of a session that this engine does not know. For a known session: only messages of this audience are distilled',
  ),
  run_id: runReference,
  workflow_id: z.string().min(1).max(200).optional().describe('Stored with each fact, in its `metadata`'),
  project_id: memoryProject,
  artifact_refs: z.array(z.string().max(500)).max(100).default([]),
  subject: z.string().min(1).max(200).optional().describe('Who said it, where the messages do not say'),
  importance_threshold: z.number().min(0).max(1).default(0.5),
});
export type MemoryDistill = z.infer<typeof memoryDistill>;

export const memoryDistilled = z.object({
  ok: z.literal(true),
  distillation_id: z.string(),
  session_id: z.string(),
  facts_extracted: z.number(),
  stored_count: z.number(),
  deduped_count: z.number(),
  memory_ids: z.array(z.string()),
  /** Of facts that were there already. */
  candidate_ids: z.array(z.string()),
  status: z.enum(['skipped_short_conversation', 'no_important_facts', 'stored', 'nothing_new']),
  report: z.object({
    by: z.enum(['model', 'rules']),
    /** Below `importance_threshold`. */
    unimportant: z.number(),
    /** Forgotten or withdrawn before, and not brought back. */
    refused: z.number(),
    facts: z.array(
      z.object({
        id: z.string().nullable(),
        status: z.string(),
        category: z.string(),
        importance: z.number(),
      }),
    ),
  }),
});
export type MemoryDistilled = z.infer<typeof memoryDistilled>;

const layer = z.object({ content: z.string(), token_count: z.number() });

export const memoryNode = z.object({
  id: z.string(),
  uri: z.string(),
  parent_uri: z.string().nullable(),
  node_type: z.enum(['root', 'session', 'user', 'agent', 'resource']),
  created_at: z.number(),
  updated_at: z.number(),
  metadata: z.object({ entries: z.number() }),
});
export type MemoryNode = z.infer<typeof memoryNode>;

const uri = z.string().trim().min(1).max(4_000);
export const memoryPlaceOf = z.strictObject({ uri, audience: memoryAudience });
export const memoryPlace = z.object({ node: memoryNode });

export interface MemoryTree extends MemoryNode {
  children: MemoryTree[];
}
export const memoryTree: z.ZodType<MemoryTree> = memoryNode.extend({
  get children() {
    return z.array(memoryTree);
  },
});

export const memoryContextTree = z.object({
  uri: uri.optional(),
  max_depth: integerParam(1, 10).default(3),
  audience: memoryAudience,
});
export const memoryTrees = z.object({ tree: z.array(memoryTree) });

export const memoryLayersOf = z.strictObject({
  node_id: z.string().min(1).max(8_000),
  audience: memoryAudience,
});
export const memoryLayers = z.object({
  ok: z.literal(true),
  node: memoryNode,
  /** About 100, 2000 and 8000 tokens of it, the newest first. */
  layers: z.object({ L0: layer, L1: layer, L2: layer }),
});

/** What becomes memory, and memory as a tree of places. */
export const contextOperations = {
  /** As the command line does; the signal stops it between two files. */
  importMemory: operation({
    effect: 'add',
    method: 'POST',
    path: '/memory/import',
    summary:
      'Imports files of this machine into memory. Unchanged files are skipped, and the answer lists bad ones',
    about: 'What became of them',
    input: memoryImport,
    output: memoryImported,
    call: 'importPath',
    takesLong: true,
  }),
  /** Of a session for the person to whom it was written; by the session's model, or by rules where there is none. */
  distillMemory: operation({
    effect: 'add',
    method: 'POST',
    path: '/memory/context/distill',
    summary: 'Stores what a conversation holds of lasting worth as facts with their evidence, each once',
    about: 'What was stored, and what existed already',
    input: memoryDistill,
    output: memoryDistilled,
    call: 'contextDistill',
    first: 'session_id',
    takesLong: true,
  }),
  /** A ParleyError `context_not_found`. */
  resolveContext: operation({
    effect: 'read',
    method: 'POST',
    path: '/memory/context/resolve',
    summary: 'The place at a URI: tandem://session/ID, user/ID, agent/NAME or resources/PATH',
    about: 'The place',
    input: memoryPlaceOf,
    output: memoryPlace,
    call: 'contextResolveUri',
    first: 'uri',
  }),
  contextTree: operation({
    effect: 'read',
    method: 'GET',
    path: '/memory/context/tree',
    summary: 'Where the memories of one audience came from, as a tree',
    about: 'The tree',
    input: memoryContextTree,
    output: memoryTrees,
    call: 'contextTree',
  }),
  generateLayers: operation({
    effect: 'read',
    method: 'POST',
    path: '/memory/context/layers/generate',
    summary: 'What a place holds, in three lengths, made of what is there now',
    about: 'The layers',
    input: memoryLayersOf,
    output: memoryLayers,
    call: 'contextGenerateLayers',
    first: 'node_id',
  }),
};
