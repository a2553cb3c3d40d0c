// Every agent that a config names outside of `agents`, and what is wrong with the names. Pure.
import type { z } from 'zod';
import { type agents as agentsSchema, profilesOf } from './agent-schema.ts';

/** What of a config names agents. Not picked from `Config`, whose schema uses this file. */
interface Naming {
  agent: { name: string; partition: string };
  agents: z.infer<typeof agentsSchema>;
  bindings: readonly { agent: string }[];
  memory: {
    active: { agents?: readonly string[] | undefined };
    budgets?: { agents?: object | undefined } | undefined;
  };
}

/** What is wrong with them, by the key: an agent that does not exist, or one whose memory is not separate where that is needed. */
export function wrongAgentNames({ agent, agents, bindings, memory }: Naming): {
  path: (string | number)[];
  message: string;
}[] {
  const profiles = [[agent.name, agent] as const, ...profilesOf(agents)];
  const names = profiles.map(([name]) => name);
  const own = profiles.flatMap(([name, { partition }]) => (partition === 'own' ? [name] : []));
  const known = names.map((name) => JSON.stringify(name)).join(', ');
  const unknown = (path: (string | number)[], name: string) =>
    names.includes(name)
      ? []
      : [{ path, message: `there is no agent ${JSON.stringify(name)}; there are: ${known}` }];
  return [
    ...bindings.flatMap(({ agent: name }, index) => unknown(['bindings', index, 'agent'], name)),
    ...(memory.active.agents ?? []).flatMap((name, index) =>
      unknown(['memory', 'active', 'agents', index], name),
    ),
    ...Object.keys(memory.budgets?.agents ?? {})
      .filter((name) => !own.includes(name))
      .map((name) => ({
        path: ['memory', 'budgets', 'agents', name],
        message: `expected an agent with \`partition: "own"\` (${own.join(', ') || 'there is none'})`,
      })),
  ];
}
