// The agents that a run has started, folded from its events: who started which, and how each of them is. Pure.
import { z } from 'zod';
import { instanceStatuses } from '#engine/wire/teams/team.ts';

const agent = z.object({
  instance_id: z.string(),
  mission_id: z.string(),
  /** Absent where the run itself has started it. */
  parent_id: z.string().optional(),
  template_id: z.string(),
  role: z.string(),
  status: z.enum(instanceStatuses),
  /** Its session, and the newest of its runs: that run has files too. */
  session_id: z.string(),
  run_id: z.string().optional(),
});

/** In the order in which they began. */
export const agentTree = z.array(agent);
type AgentTree = z.infer<typeof agentTree>;

const ofInstance = z.object({
  instanceID: z.string(),
  missionID: z.string(),
  parentInstanceID: z.string().optional(),
  templateID: z.string(),
  role: z.string(),
  status: z.enum(instanceStatuses),
  instanceSessionID: z.string(),
  instanceRunID: z.string().nullable(),
});

/** The tree after an event of the run; the same one where the event is about no agent's beginning or end. */
export function treeAfter(
  tree: AgentTree | undefined,
  { type, payload }: { type: string; payload: unknown },
): AgentTree | undefined {
  if (!type.startsWith('agent_team.instance.')) return tree;
  const { data } = ofInstance.safeParse(payload);
  if (data === undefined) return tree;
  const { instanceID, parentInstanceID, instanceRunID } = data;
  const one: AgentTree[number] = {
    instance_id: instanceID,
    mission_id: data.missionID,
    ...(parentInstanceID === undefined ? {} : { parent_id: parentInstanceID }),
    template_id: data.templateID,
    role: data.role,
    status: data.status,
    session_id: data.instanceSessionID,
    ...(instanceRunID === null ? {} : { run_id: instanceRunID }),
  };
  const known = tree ?? [];
  const at = known.findIndex(({ instance_id: id }) => id === instanceID);
  return at < 0 ? [...known, one] : known.with(at, one);
}
