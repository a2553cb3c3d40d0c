// What an instance may do: never more than who starts it. Pure.
import type { Agent } from '#engine/context/agents.ts';
import { matchesTool, skillTool, teamTools } from '#engine/wire/runs/tool-names.ts';
import type { AgentTemplate, SpawnPolicy } from '#engine/wire/teams/team-policy.ts';

/** Who starts an instance, as far as its rights go by it. */
export interface ParentRights {
  /** Full names of the tools that it has now. */
  tools: readonly string[];
  memory: NonNullable<Agent['memory']>;
  /** The agent whose own memory it has; undefined: what all agents share. */
  partition?: string | undefined;
}

/**
 * The tools of a new instance, by their full names: those of its parent that its template names. It may start others only where its
 * role has an edge that says so, and its parent may.
 */
export function toolsFor(
  {
    role,
    tools = ['*'],
    deniedTools = [],
    skills,
  }: Pick<AgentTemplate, 'role' | 'tools' | 'deniedTools' | 'skills'>,
  parent: ParentRights,
  edges: SpawnPolicy['edges'],
): string[] {
  const named = (patterns: readonly string[], tool: string): boolean =>
    patterns.some((pattern) => matchesTool(pattern, tool));
  const edge = edges[role];
  const maySpawn = edge !== undefined && edge.behavior !== 'deny';
  const isTeamTool = (tool: string): boolean => (teamTools as readonly string[]).includes(tool);
  const inherited = parent.tools.filter((tool) => {
    if (tool === skillTool || named(deniedTools, tool)) return false;
    return isTeamTool(tool) ? maySpawn : named(tools, tool);
  });
  return skills.length === 0 ? inherited : [...inherited, skillTool];
}
