// Whether an agent may be started, and with which budget. Pure: the caller holds the transaction in which nothing else changes.
import { type DenyCode, limitOf } from '#engine/wire/teams/team.ts';
import type { AgentTemplate, Budget, Dimension, Spent, TeamRole } from '#engine/wire/teams/team-policy.ts';
import { beyond, leftOf, nameOf, shareOf, spentDimension, sumOf, tightestOf } from './budget.ts';
import type { SkillVerdict } from './check-skills.ts';
import type { PolicyState } from './policy-source.ts';

/** An instance as far as a decision goes by it. */
export interface Counted {
  id: string;
  parentID?: string | undefined;
  depth: number;
  /** It runs, or is about to: what it was granted is reserved. */
  isOpen: boolean;
  granted: Budget;
  spent: Spent;
}

export interface SpawnCase {
  policy: PolicyState;
  template: Pick<AgentTemplate, 'role' | 'budget'>;
  skills: SkillVerdict;
  parentRole: TeamRole;
  justification: string | undefined;
  /** What the request asks for. */
  wanted: Budget;
  /** A person has approved this very request. */
  approved: boolean;
  missionBudget: Budget;
  /** Of the mission. */
  instances: readonly Counted[];
  parentID: string | undefined;
}

export type SpawnVerdict =
  | { status: 'granted'; budget: Budget }
  | {
      status: 'denied';
      code: DenyCode;
      error: string;
      /** The dimension in which nothing is left for the mission. */
      usedUp?: Dimension | undefined;
    };

/** What all instances hold of the mission's budget: what running ones may use, and what the others have used. */
export function heldOf(instances: readonly Counted[]): Spent {
  return sumOf(instances.map(({ isOpen, granted, spent }) => (isOpen ? granted : spent)));
}

/** The first reason against it, else the budget that is reserved for it. */
export function decideSpawn(spawn: SpawnCase): SpawnVerdict {
  const { policy: state, template, skills, parentRole } = spawn;
  if (state.status === 'missing') return denied('spawn_policy_missing', state.why);
  const { policy } = state;
  if (!policy.enabled)
    return denied('spawn_policy_disabled', 'Teams are switched off: "enabled" of the policy is false.');
  const edge = policy.edges[parentRole];
  const isFree = edge?.behavior === 'request_only' && edge.canSpawn.length === 0;
  if (edge === undefined || edge.behavior === 'deny' || !(isFree || edge.canSpawn.includes(template.role)))
    return denied('spawn_denied_edge', `A ${parentRole} may not start a ${template.role}.`);
  if (policy.requireJustification && (spawn.justification ?? '').trim() === '')
    return denied('spawn_justification_required', 'Say in `justification` why this agent is needed.');
  if (skills.status === 'denied') return denied(skills.code, skills.error);
  const budget = budgetFor(spawn, policy.childShare);
  if ('code' in budget) return budget;
  const tooMany = boundMessage(spawn, policy);
  if (tooMany !== undefined) return denied('spawn_max_agents_exceeded', tooMany);
  const running = spawn.instances.filter(({ isOpen }) => isOpen).length;
  if (running >= policy.maxConcurrent)
    return denied(
      'spawn_max_concurrent_exceeded',
      `${running} agents of this mission are running, and at most ${policy.maxConcurrent} may. Wait for one of them.`,
    );
  if (edge.behavior === 'request_only' && !spawn.approved)
    return denied('spawn_requires_approval', `A ${parentRole} needs approval to start a ${template.role}.`);
  return { status: 'granted', budget: budget.budget };
}

/** The bounds of a tree: how deep, how wide, how many in all. */
function boundMessage(
  { instances, parentID }: Pick<SpawnCase, 'instances' | 'parentID'>,
  { maxAgents, maxChildren, maxDepth }: { maxAgents: number; maxChildren: number; maxDepth: number },
): string | undefined {
  if (instances.length >= maxAgents)
    return `This mission has had ${instances.length} agents, and at most ${maxAgents} are allowed.`;
  const depth = (instances.find(({ id }) => id === parentID)?.depth ?? 0) + 1;
  if (depth > maxDepth)
    return `Agents may be ${maxDepth} levels deep, and this one would be at level ${depth}.`;
  const siblings = instances.filter((each) => each.parentID === parentID).length;
  if (siblings >= maxChildren)
    return `This agent has started ${siblings} others, and at most ${maxChildren} are allowed.`;
  return undefined;
}

/** Never more than what the mission and the parent have left; what nothing bounds stays unbounded. */
function budgetFor(
  spawn: SpawnCase,
  childShare: number,
): { budget: Budget } | Extract<SpawnVerdict, { code: DenyCode }> {
  const { missionBudget, instances, parentID, template, wanted } = spawn;
  const left = leftOf(missionBudget, heldOf(instances));
  const empty = spentDimension(left);
  if (empty !== undefined)
    return {
      ...denied('spawn_mission_budget_exceeded', `The mission has no ${nameOf(empty)} left.`),
      usedUp: empty,
    };
  const tooMuch = beyond(wanted, left);
  if (tooMuch !== undefined) {
    // in the field and the unit of the request
    const [[field, asked] = []] = Object.entries(limitOf({ [tooMuch]: wanted[tooMuch] }));
    const [most] = Object.values(limitOf({ [tooMuch]: left[tooMuch] }));
    return denied(
      'spawn_mission_budget_exceeded',
      `${field}: expected at most ${most}, which is what the mission has left, got ${asked}.`,
    );
  }
  const parent = instances.find(({ id }) => id === parentID);
  const ofParent = parent === undefined ? left : leftOf(parent.granted, parent.spent);
  const roleBudget = spawn.policy.status === 'usable' ? spawn.policy.policy.roleDefaults[template.role] : {};
  const usual = { ...tightestOf(template.budget, roleBudget ?? {}), ...wanted };
  const budget = tightestOf(usual, shareOf(ofParent, childShare), left);
  const none = spentDimension(budget);
  if (none === undefined) return { budget };
  return denied(
    'spawn_mission_budget_exceeded',
    `Too little ${nameOf(none)} is left for another agent: ${childShare}% of what its parent has left is less than one.`,
  );
}

function denied(code: DenyCode, error: string): Extract<SpawnVerdict, { code: DenyCode }> {
  return { status: 'denied', code, error };
}
