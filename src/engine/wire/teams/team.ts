// Teams and missions as clients read them, with Tandem's names. Shapes only.
import { z } from 'zod';
import { type Budget, type Spent, teamRoles } from './team-policy.ts';

/** Why a spawn request is refused. */
const denyCodes = [
  'spawn_policy_missing',
  'spawn_policy_disabled',
  'spawn_denied_edge',
  'spawn_justification_required',
  'spawn_max_agents_exceeded',
  'spawn_max_concurrent_exceeded',
  'spawn_mission_budget_exceeded',
  'spawn_requires_approval',
  'spawn_required_skill_missing',
  'spawn_skill_source_denied',
  'spawn_skill_hash_mismatch',
] as const;
export type DenyCode = (typeof denyCodes)[number];

/** Who asks for an instance: a person through a client, a model, the program itself. */
export const spawnSources = ['ui_action', 'tool_call', 'orchestrator_runtime'] as const;
export type SpawnSource = (typeof spawnSources)[number];

export const instanceStatuses = [
  'queued',
  'running',
  'completed',
  'failed',
  'cancelled',
  'interrupted',
] as const;
export type InstanceStatus = (typeof instanceStatuses)[number];
export const missionStatuses = ['active', 'completed', 'failed', 'cancelled', 'interrupted'] as const;
export type MissionStatus = (typeof missionStatuses)[number];

const positive = z.int().min(1).max(1e12).optional();
/** Bounds; what is absent is not bounded by the request. */
export const budgetLimit = z.strictObject({
  max_tokens: positive,
  max_steps: positive,
  max_tool_calls: positive,
  max_duration_ms: positive,
  max_cost_usd: z.number().gt(0).max(1e6).optional(),
});
export type BudgetLimit = z.infer<typeof budgetLimit>;

const role = z.enum(teamRoles);
const skillRef = z.union([z.strictObject({ id: z.string() }), z.strictObject({ path: z.string() })]);

export const wireTemplate = z.object({
  templateID: z.string(),
  display_name: z.string(),
  role,
  system_prompt: z.string(),
  default_model: z.string().optional(),
  skills: z.array(skillRef),
  default_budget: budgetLimit,
  /** Its tools are all that an agent can do: files, secrets and git are out of reach, unless a tool (of MCP) has them. */
  capabilities: z.object({
    tool_allowlist: z.array(z.string()),
    tool_denylist: z.array(z.string()),
    fs_scopes: z.object({ read: z.array(z.string()), write: z.array(z.string()) }),
    /** Enabled: it may use `web_fetch`, whose hosts the config bounds, or `web_search`. */
    net_scopes: z.object({ enabled: z.boolean(), allow_hosts: z.array(z.string()) }),
    secrets_scopes: z.array(z.string()),
    git_caps: z.object({
      read: z.boolean(),
      commit: z.boolean(),
      push: z.boolean(),
      push_requires_approval: z.boolean(),
    }),
  }),
  /** False for those that ship with Parley. */
  configured: z.boolean(),
});
export type WireTemplate = z.infer<typeof wireTemplate>;

const used = z.object({
  tokens: z.number(),
  steps: z.number(),
  tool_calls: z.number(),
  duration_ms: z.number(),
  /** Absent where nothing says what the tokens cost. */
  cost_usd: z.number().optional(),
});
export type WireSpent = z.infer<typeof used>;

export const wireInstance = z.object({
  instanceID: z.string(),
  missionID: z.string(),
  parentInstanceID: z.string().optional(),
  templateID: z.string(),
  display_name: z.string(),
  role,
  status: z.enum(instanceStatuses),
  /** What it is to do. */
  task: z.string(),
  justification: z.string().optional(),
  source: z.enum(spawnSources),
  sessionID: z.string(),
  runID: z.string().optional(),
  tools: z.array(z.string()),
  skillHash: z.string().optional(),
  budget: budgetLimit,
  usage: used,
  /** What of its budget is used up. */
  exhausted: z.string().optional(),
  partial: z
    .boolean()
    .describe(
      'Its budget was used up, of whichever kind: it is `completed` with what it had until then, and `failed` where that was nothing',
    ),
  /** True: it ended after it was to be cancelled, and its result was not passed on. */
  discarded: z.boolean(),
  error: z.string().optional(),
  createdAtMs: z.number(),
  endedAtMs: z.number().optional(),
});
export type WireInstance = z.infer<typeof wireInstance>;

export const wireMission = z.object({
  missionID: z.string(),
  status: z.enum(missionStatuses),
  /** Why it ended, as a sentence. */
  reason: z.string().optional(),
  source: z.enum(spawnSources),
  /** The run that began it; absent where none did. */
  sessionID: z.string().optional(),
  runID: z.string().optional(),
  budget: budgetLimit,
  usage: used,
  /** What running instances may still use. */
  reserved: used,
  /** What cannot be promised, such as a cost where no price is known. */
  warnings: z.array(z.string()),
  exhausted: z.string().optional(),
  createdAtMs: z.number(),
  endedAtMs: z.number().optional(),
  /** In the order in which they were started. */
  instances: z.array(wireInstance),
});
export type WireMission = z.infer<typeof wireMission>;

export const spawnRequest = z.strictObject({
  missionID: z
    .string()
    .regex(/^[\w-]{1,100}$/, 'expected letters, digits, - and _')
    .optional()
    .describe('The mission that it belongs to; a new one when absent.'),
  parentInstanceID: z.string().min(1).max(100).optional(),
  source: z.enum(spawnSources).optional().describe('`ui_action` when absent.'),
  parent_role: role
    .optional()
    .describe('Of a request without a parent instance; `orchestrator` when absent.'),
  role: role.optional().describe('Must be that of the template.'),
  templateID: z.string().min(1).max(100),
  justification: z.string().max(2_000).optional(),
  prompt: z.string().min(1).max(50_000).optional().describe('The task; the justification when absent.'),
  budget_override: budgetLimit.optional(),
});
export type SpawnRequest = z.input<typeof spawnRequest>;

export const spawned = z.object({
  ok: z.literal(true),
  missionID: z.string(),
  instanceID: z.string(),
  sessionID: z.string(),
  runID: z.string().optional(),
  status: z.enum(instanceStatuses),
  skillHash: z.string().optional(),
  budget: budgetLimit,
  warnings: z.array(z.string()),
  /** The key had started it before. */
  idempotentReplay: z.literal(true).optional(),
});
export type Spawned = z.infer<typeof spawned>;

export const spawnDenied = z.object({
  ok: z.literal(false),
  code: z.enum(denyCodes),
  error: z.string(),
  requiresUserApproval: z.boolean(),
  /** What waits for an approval. */
  approvalID: z.string().optional(),
  missionID: z.string().optional(),
});
type SpawnDenied = z.infer<typeof spawnDenied>;
export type SpawnOutcome = Spawned | SpawnDenied;

/** A spawn request that waits for a person. */
export const spawnApproval = z.object({
  approvalID: z.string(),
  missionID: z.string().optional(),
  templateID: z.string(),
  role,
  justification: z.string().optional(),
  task: z.string(),
  source: z.enum(spawnSources),
  requestedAtMs: z.number(),
  expiresAtMs: z.number(),
});
export type SpawnApproval = z.infer<typeof spawnApproval>;

/** The bounds as the wire has them. */
export function limitOf({ tokens, steps, toolCalls, ms, microUSD }: Budget): BudgetLimit {
  return {
    ...(tokens === undefined ? {} : { max_tokens: tokens }),
    ...(steps === undefined ? {} : { max_steps: steps }),
    ...(toolCalls === undefined ? {} : { max_tool_calls: toolCalls }),
    ...(ms === undefined ? {} : { max_duration_ms: ms }),
    ...(microUSD === undefined ? {} : { max_cost_usd: microUSD / 1e6 }),
  };
}

/** The bounds as they are counted; a cost is rounded down to a millionth of a dollar. */
export function toBudget(limit: { [K in keyof BudgetLimit]?: BudgetLimit[K] | undefined }): Budget {
  const { max_tokens, max_steps, max_tool_calls, max_duration_ms, max_cost_usd } = limit;
  return {
    ...(max_tokens === undefined ? {} : { tokens: max_tokens }),
    ...(max_steps === undefined ? {} : { steps: max_steps }),
    ...(max_tool_calls === undefined ? {} : { toolCalls: max_tool_calls }),
    ...(max_duration_ms === undefined ? {} : { ms: max_duration_ms }),
    ...(max_cost_usd === undefined ? {} : { microUSD: Math.floor(max_cost_usd * 1e6) }),
  };
}

/** What was used, as the wire has it. */
export function spentOf({ tokens, steps, toolCalls, ms, microUSD }: Spent, isPriced: boolean): WireSpent {
  const counts = { tokens, steps, tool_calls: toolCalls, duration_ms: ms };
  return isPriced ? { ...counts, cost_usd: microUSD / 1e6 } : counts;
}
