// Missions and instances as clients read them. Pure.
import { defined } from '#base/json.ts';
import { nameOf, sumOf } from '#engine/teams/budget.ts';
import { type Instance, isOpen } from '#engine/teams/instance-rows.ts';
import type { Mission } from '#engine/teams/mission-rows.ts';
import { matchesTool } from '#engine/wire/runs/tool-names.ts';
import {
  limitOf,
  spentOf,
  type WireInstance,
  type WireMission,
  type WireTemplate,
} from '#engine/wire/teams/team.ts';
import { type AgentTemplate, dimensions } from '#engine/wire/teams/team-policy.ts';

/** An instance as clients read it. */
export function wireInstanceOf(instance: Instance): WireInstance {
  const { id, missionID, templateID, displayName, role, status, task, source, sessionID } = instance;
  return {
    instanceID: id,
    missionID,
    templateID,
    display_name: displayName,
    role,
    status,
    task,
    source,
    sessionID,
    tools: instance.profile.tools,
    budget: limitOf(instance.granted),
    usage: spentOf(instance.spent, instance.isPriced),
    partial: instance.exhausted !== undefined,
    discarded: instance.discarded,
    createdAtMs: instance.createdAtMs,
    ...defined({
      parentInstanceID: instance.parentID,
      justification: instance.justification,
      runID: instance.runID,
      skillHash: instance.skillHash,
      exhausted: instance.exhausted && nameOf(instance.exhausted),
      error: instance.error,
      endedAtMs: instance.endedAtMs,
    }),
  };
}

/** A mission with its instances, as clients read it. */
export function wireMissionOf(mission: Mission, instances: readonly Instance[]): WireMission {
  const isPriced = instances.every((each) => each.isPriced);
  const open = instances.filter(isOpen);
  const reserved = sumOf(open.map(({ granted }) => granted));
  const used = sumOf(open.map(({ spent }) => spent));
  for (const dimension of dimensions)
    reserved[dimension] = Math.max(0, reserved[dimension] - used[dimension]);
  return {
    missionID: mission.id,
    status: mission.status,
    source: mission.source,
    budget: limitOf(mission.budget),
    usage: spentOf(sumOf(instances.map(({ spent }) => spent)), isPriced),
    reserved: spentOf(reserved, isPriced),
    warnings: mission.warnings,
    createdAtMs: mission.createdAtMs,
    instances: instances.map(wireInstanceOf),
    ...defined({
      reason: mission.reason,
      sessionID: mission.sessionID,
      runID: mission.runID,
      exhausted: mission.exhausted && nameOf(mission.exhausted),
      endedAtMs: mission.endedAtMs,
    }),
  };
}

/** A template as clients read it. */
export function wireTemplateOf(template: AgentTemplate, configured: boolean): WireTemplate {
  const { tools = ['*'], deniedTools = [] } = template;
  return {
    templateID: template.templateID,
    display_name: template.displayName,
    role: template.role,
    system_prompt: template.systemPrompt,
    ...(template.model === undefined ? {} : { default_model: template.model }),
    skills: template.skills.map((ref) => (ref.path === undefined ? { id: ref.id } : { path: ref.path })),
    default_budget: limitOf(template.budget),
    capabilities: {
      tool_allowlist: [...tools],
      tool_denylist: [...deniedTools],
      fs_scopes: { read: [], write: [] },
      net_scopes: { enabled: fetches(tools) && !fetches(deniedTools), allow_hosts: [] },
      secrets_scopes: [],
      git_caps: { read: false, commit: false, push: false, push_requires_approval: true },
    },
    configured,
  };
}

const fetches = (patterns: readonly string[]): boolean =>
  patterns.some((pattern) => matchesTool(pattern, 'web_fetch') || matchesTool(pattern, 'web_search'));
