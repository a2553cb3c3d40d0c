// The agents that are configured: who each is, with which models, tools and memory. Which one answers a chat is the gateway's to say.
import { ParleyError } from '#base/errors.ts';
import type { ModelSettings } from '#engine/providers/calls/settings.ts';

export interface Agent {
  name: string;
  systemPrompt: string;
  /** The model that answers; the engine's when absent. */
  model?: { providerID?: string | undefined; modelID: string } | undefined;
  /** Its own model, and those that take over in its place; the engine's when absent. */
  models?: readonly [ModelSettings, ...ModelSettings[]] | undefined;
  /** Names and patterns of the tools that it may use; all when absent. */
  tools?: readonly string[] | undefined;
  /** Names and patterns of tools that it may not use, also where `tools` has them. */
  deniedTools?: readonly string[] | undefined;
  /** The language in which it answers where it is not asked for another, by its English name. */
  language?: string | undefined;
  /** `full` recalls and is archived, `recall` only recalls, `off` does neither; `full` when absent. */
  memory?: 'full' | 'recall' | 'off' | undefined;
  /** `own`: what is written under it is found only under it, and it finds nothing else; `shared` when absent. */
  partition?: 'shared' | 'own' | undefined;
  /** With `own`, the agent whose memory that is; this one when absent. */
  partitionOwner?: string | undefined;
}

/** The only agent under which is found what its runs write; undefined for one that shares its memory with the others. */
export function partitionOf({ name, partition, partitionOwner = name }: Agent): string | undefined {
  return partition === 'own' ? partitionOwner : undefined;
}

/** The memory of an agent that is named; what all share without a name. Throws `unknown_agent` for one that is not configured. */
export function partitionNamed(agents: Pick<Agents, 'at'>, name: string | undefined): string | undefined {
  return name === undefined ? undefined : partitionOf(agents.at({ agent: name }));
}

/** In which memory a run wrote, also when its agent is no longer configured; as its agent is configured for a run of an earlier version. */
export function partitionOfRun(
  run: { agent?: string | undefined; partition?: string | undefined },
  agents: Pick<Agents, 'named'>,
): string | undefined {
  if (run.partition === undefined) return partitionOf(agents.named(run.agent));
  return run.partition === '' ? undefined : run.partition;
}

export interface Agents {
  /** The one that is named, else the first. A ParleyError `unknown_agent` for a name that is not configured. */
  at(place: { agent?: string | undefined }): Agent;
  /** The first one first. */
  all(): readonly Agent[];
  /** By name; the first one for a name that is no longer configured. */
  named(name: string | undefined): Agent;
}

/** The agents; the first one answers where none is named. */
export function createAgents(agents: readonly [Agent, ...Agent[]]): Agents {
  const byName = new Map(agents.map((agent) => [agent.name, agent]));
  const existing = (name: string): Agent => {
    const agent = byName.get(name);
    if (agent !== undefined) return agent;
    const known = [...byName.keys()].map((each) => JSON.stringify(each)).join(', ');
    throw new ParleyError(
      'unknown_agent',
      `There is no agent ${JSON.stringify(name)}; there are: ${known}.`,
      {
        hint: 'Leave `agent` out, or use one of these names.',
      },
    );
  };
  return {
    at: ({ agent }) => (agent === undefined ? agents[0] : existing(agent)),
    all: () => agents,
    named: (name) => (name === undefined ? undefined : byName.get(name)) ?? agents[0],
  };
}
