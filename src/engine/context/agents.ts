// The profiles that the assistant can have, and which one answers where.
import { ParleyError } from '#base/errors.ts';
import type { PromptBody } from '#engine/wire/runs/prompt.ts';

export interface Agent {
  name: string;
  systemPrompt: string;
  /** The model that answers; the engine's when absent. */
  model?: { providerID?: string | undefined; modelID: string } | undefined;
  /** Names and patterns of the tools that it may use; all when absent. */
  tools?: readonly string[] | undefined;
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

/** Where an agent answers: a whole platform, or one chat by its canonical address. */
export interface AgentBinding {
  agent: string;
  platform?: string | undefined;
  chat?: string | undefined;
}

export interface Agents {
  /** The one that the prompt names, else the one that is bound to its chat or platform, else the first. */
  of(body: Pick<PromptBody, 'agent' | 'origin'>): Agent;
  /** The same for a place where nothing was written yet. */
  at(place: { agent?: string | undefined; platform?: string | undefined; chat?: string | undefined }): Agent;
  /** The first one first. */
  all(): readonly Agent[];
  /** By name; the first one for a name that is no longer configured. */
  named(name: string | undefined): Agent;
}

/** The agents; the first one answers where nothing else is set. Throws `unknown_agent` for a binding without its agent. */
export function createAgents(
  agents: readonly [Agent, ...Agent[]],
  bindings: readonly AgentBinding[] = [],
): Agents {
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
  for (const { agent } of bindings) existing(agent);
  const at: Agents['at'] = (place) => {
    if (place.agent !== undefined) return existing(place.agent);
    const bound =
      bindings.find(({ chat }) => chat !== undefined && chat === place.chat) ??
      bindings.find(({ chat, platform }) => chat === undefined && platform === place.platform);
    return bound === undefined ? agents[0] : existing(bound.agent);
  };
  return {
    at,
    of({ agent, origin }) {
      if (agent === undefined && origin === undefined) return agents[0];
      return at({ agent, platform: origin?.platform, chat: origin?.chat });
    },
    all: () => agents,
    named: (name) => (name === undefined ? undefined : byName.get(name)) ?? agents[0],
  };
}
