// What is wrong with a policy as a whole: roles that could start each other for ever. Pure.
import type { SpawnPolicy, TeamRole } from '#engine/wire/teams/team-policy.ts';

/** A circle of roles that may start each other, in order, the first one again at the end; undefined where there is none. */
export function circleIn(edges: SpawnPolicy['edges']): TeamRole[] | undefined {
  const visit = (role: TeamRole, path: readonly TeamRole[]): TeamRole[] | undefined => {
    const at = path.indexOf(role);
    if (at >= 0) return [...path.slice(at), role];
    const edge = edges[role];
    if (edge === undefined || edge.behavior === 'deny') return undefined;
    for (const next of edge.canSpawn) {
      const found = visit(next, [...path, role]);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  for (const role of Object.keys(edges) as TeamRole[]) {
    const found = visit(role, []);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The circle as a sentence. */
export function circleMessage(circle: readonly TeamRole[]): string {
  return `these roles may start each other in a circle: ${circle.join(' -> ')}; take one of them out of a canSpawn (can_spawn)`;
}
