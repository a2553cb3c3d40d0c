// From `agents.team` of the config to what the engine knows of teams. Pure.
import { resolve } from 'node:path';
import type { TeamKeys } from '#app/config/team-schema.ts';
import { defined } from '#base/json.ts';
import { toBudget } from '#engine/wire/teams/team.ts';
import {
  type Budget,
  defaultPolicy,
  type SkillRef,
  type TeamSettings,
} from '#engine/wire/teams/team-policy.ts';

type BudgetKeys = NonNullable<TeamKeys['missionBudget']>;

/** The engine's settings for agent teams; relative paths start at `folder`, the config's. Undefined when the config has none. */
export function teamSettings(team: TeamKeys | undefined, folder: string): TeamSettings | undefined {
  if (team === undefined) return undefined;
  const { policyFile, skillFolders, templates, missionBudget, roleDefaults, requiredSkills, ...rest } = team;
  return {
    policy: {
      ...defaultPolicy,
      ...defined({
        enabled: rest.enabled,
        requireJustification: rest.requireJustification,
        maxAgents: rest.maxAgents,
        maxConcurrent: rest.maxConcurrent,
        maxDepth: rest.maxDepth,
        maxChildren: rest.maxChildren,
        childShare: rest.childBudgetPercent,
        costPer1kTokensUSD: rest.costPer1kTokensUSD,
        missionBudget: missionBudget && budgetFrom(missionBudget),
        edges: rest.spawnEdges,
        skillSources: rest.skillSources,
      }),
      requiredSkills: mapped(requiredSkills, (refs) => refs.map(refOf)),
      roleDefaults: mapped(roleDefaults, budgetFrom),
    },
    ...(policyFile === undefined ? {} : { policyFile: resolve(folder, policyFile) }),
    templates: Object.entries(templates).map(
      ([templateID, { displayName, skills, budget, ...template }]) => ({
        templateID,
        displayName: displayName ?? templateID,
        ...template,
        skills: skills.map(refOf),
        budget: budgetFrom(budget),
      }),
    ),
    skillFolders: skillFolders.map((each) => resolve(folder, each)),
    projectFolder: folder,
  };
}

function budgetFrom({ maxTokens, maxSteps, maxToolCalls, maxDurationMs, maxCostUSD }: BudgetKeys): Budget {
  return toBudget({
    max_tokens: maxTokens,
    max_steps: maxSteps,
    max_tool_calls: maxToolCalls,
    max_duration_ms: maxDurationMs,
    max_cost_usd: maxCostUSD,
  });
}

function refOf(ref: { id: string } | { path: string }): SkillRef {
  return 'id' in ref ? { id: ref.id } : { path: ref.path };
}

function mapped<K extends string, V, T>(
  values: Partial<Record<K, V>> | undefined,
  change: (value: V) => T,
): Partial<Record<K, T>> {
  const made: Partial<Record<K, T>> = {};
  for (const key of Object.keys(values ?? {}) as K[]) {
    const value = values?.[key];
    if (value !== undefined) made[key] = change(value);
  }
  return made;
}
