// A spawn-policy.yaml in Tandem's form: read, checked whole, and what is wrong with it as a message.
import { parseDocument } from 'yaml';
import { z } from 'zod';
import { documentPath } from '#base/documents.ts';
import { ParleyError } from '#base/errors.ts';
import { defined } from '#base/json.ts';
import { nearestName } from '#base/nearest.ts';
import { budgetLimit, toBudget } from '#engine/wire/teams/team.ts';
import {
  edgeBehaviors,
  type SkillRef,
  type SpawnPolicy,
  skillModes,
  teamRoles,
} from '#engine/wire/teams/team-policy.ts';
import { circleIn, circleMessage } from './check-policy.ts';

const role = z.enum(teamRoles);
const skillRef = z
  .strictObject({ id: z.string().min(1).optional(), path: z.string().min(1).optional() })
  .refine(({ id, path }) => (id === undefined) !== (path === undefined), 'expected either `id` or `path`');
const byRole = <T extends z.ZodType>(value: T) => z.partialRecord(role, value);

/** Every key that a file may have; all of them may be absent. */
const policyFile = z.strictObject({
  enabled: z.boolean().optional(),
  require_justification: z.boolean().optional(),
  max_agents: z.int().min(1).max(1_000).optional(),
  max_concurrent: z.int().min(1).max(100).optional(),
  max_depth: z.int().min(1).max(10).optional(),
  max_children: z.int().min(1).max(1_000).optional(),
  child_budget_percent_of_parent_remaining: z.int().min(1).max(100).optional(),
  cost_per_1k_tokens_usd: z.number().min(0).max(1_000).optional(),
  mission_total_budget: budgetLimit.optional(),
  spawn_edges: byRole(
    z.strictObject({ behavior: z.enum(edgeBehaviors), can_spawn: z.array(role).default([]) }),
  ).optional(),
  required_skills: byRole(z.array(skillRef)).optional(),
  role_defaults: byRole(budgetLimit).optional(),
  skill_sources: z
    .strictObject({
      mode: z.enum(skillModes).default('any'),
      allowlist_ids: z.array(z.string()).default([]),
      allowlist_paths: z.array(z.string()).default([]),
      pinned_hashes: z
        .record(
          z.string().regex(/^(id|path):.+/, 'expected a key like id:NAME or path:PATH'),
          z.string().regex(/^sha256:[0-9a-f]{64}$/, 'expected sha256: and 64 hexadecimal digits'),
        )
        .default({}),
    })
    .optional(),
});

/** What the text states of a policy; `file` is named in what it throws: a ParleyError `policy_invalid`. */
export function readPolicyFile(text: string, file: string): Partial<SpawnPolicy> {
  const document = parseDocument(text, { prettyErrors: true });
  const problems = [...document.errors, ...document.warnings].map(({ message }) => message.trim());
  if (problems.length > 0) throw invalid(file, problems);
  const result = policyFile.safeParse(document.toJS() ?? {});
  if (!result.success) throw invalid(file, result.error.issues.flatMap(issueMessages));
  const { spawn_edges: edges, role_defaults: defaults, skill_sources: sources, ...rest } = result.data;
  const policy: Partial<SpawnPolicy> = defined({
    enabled: rest.enabled,
    requireJustification: rest.require_justification,
    maxAgents: rest.max_agents,
    maxConcurrent: rest.max_concurrent,
    maxDepth: rest.max_depth,
    maxChildren: rest.max_children,
    childShare: rest.child_budget_percent_of_parent_remaining,
    costPer1kTokensUSD: rest.cost_per_1k_tokens_usd,
    missionBudget: rest.mission_total_budget && toBudget(rest.mission_total_budget),
    edges: edges && mapped(edges, ({ behavior, can_spawn }) => ({ behavior, canSpawn: can_spawn })),
    requiredSkills: rest.required_skills && mapped(rest.required_skills, (refs) => refs.map(refOf)),
    roleDefaults: defaults && mapped(defaults, toBudget),
    skillSources: sources && {
      mode: sources.mode,
      allowlistIDs: sources.allowlist_ids,
      allowlistPaths: sources.allowlist_paths,
      pinnedHashes: sources.pinned_hashes,
    },
  });
  const circle = policy.edges && circleIn(policy.edges);
  if (circle !== undefined) throw invalid(file, [circleMessage(circle)]);
  return policy;
}

/** The same object with other values; absent ones stay absent. */
function mapped<K extends string, V, T>(
  values: Partial<Record<K, V>>,
  change: (value: V) => T,
): Partial<Record<K, T>> {
  const made: Partial<Record<K, T>> = {};
  for (const key of Object.keys(values) as K[]) {
    const value = values[key];
    if (value !== undefined) made[key] = change(value);
  }
  return made;
}

/** A reference that was checked to name one of both. */
function refOf({ id, path }: { id?: string | undefined; path?: string | undefined }): SkillRef {
  return path === undefined ? { id: id ?? '' } : { path };
}

function issueMessages(issue: z.core.$ZodIssue): string[] {
  const path = issue.path.map(String);
  if (issue.code !== 'unrecognized_keys') return [`${path.join('.') || 'the whole'}: ${issue.message}`];
  const known = path.length === 0 ? Object.keys(policyFile.shape) : [];
  return issue.keys.map((key) => {
    const near = nearestName(key, known);
    const hint = near === undefined ? '' : ` The nearest is "${near}".`;
    return `"${[...path, key].join('.')}" is not a key of a spawn policy.${hint}`;
  });
}

function invalid(file: string, problems: readonly string[]): ParleyError {
  return new ParleyError('policy_invalid', `${file} cannot be used:\n  ${problems.join('\n  ')}`, {
    hint: `Correct the file; until then no agent is started. Its keys: ${documentPath('agent-teams.md')}`,
  });
}
