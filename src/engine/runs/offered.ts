// Which tools an agent has where a run was asked, and who answers there.
import { defined } from '#base/json.ts';
import type { Agent, Agents } from '#engine/context/agents.ts';
import type { Permissions } from '#engine/permissions/permissions.ts';
import type { AnyTool, Tools } from '#engine/tools/definition/registry.ts';
import type { EngineCommands } from '#engine/wire/commands.ts';
import { matchesTool, memoryWriters } from '#engine/wire/runs/tool-names.ts';

export interface OfferedParts {
  tools: Pick<Tools, 'list'>;
  permissions: Pick<Permissions, 'verdict'>;
}

/** Where a run was asked, as far as its tools go by it. */
interface OfferedAt {
  platform: string | undefined;
  /** Whether the run can ask someone. */
  canAsk: boolean;
  /** Of the agent's tools only these, where the prompt said so. */
  allowlist?: readonly string[] | undefined;
}

/** Tools over the memory files of an audience, which an agent with its own memory does not have: they are for all others. */
const fileTools: ReadonlySet<string> = new Set(['memory_get', 'memory_note', 'memory_edit']);

const named = (patterns: readonly string[], tool: string): boolean =>
  patterns.some((pattern) => matchesTool(pattern, tool));

/** The tools of this agent that are not forbidden there. */
export function offeredTools({ tools, permissions }: OfferedParts, agent: Agent, at: OfferedAt): AnyTool[] {
  const { tools: allowed = ['*'], deniedTools: denied = [], memory, partition } = agent;
  return tools.list().filter(({ name, asks, otherwise }) => {
    if (asks && !at.canAsk) return false;
    if (memory === 'off' && name.startsWith('memory_')) return false;
    if (partition === 'own' && fileTools.has(name)) return false;
    if (memory === 'recall' && memoryWriters.has(name)) return false;
    if (named(denied, name) || !named(allowed, name) || !named(at.allowlist ?? ['*'], name)) return false;
    return permissions.verdict(name, { platform: at.platform, otherwise }) !== 'deny';
  });
}

/** Tokens of a window below which tools are described in short. */
const smallWindow = 16_000;

/** How tools are described to a model with such a window; one that is not known counts as large. */
export function specFormOf(contextTokens: number | undefined): 'whole' | 'short' {
  return (contextTokens ?? smallWindow) < smallWindow ? 'short' : 'whole';
}

/** What `abilities` reports: as a run that is asked there would have it. */
export function createAbilities(parts: OfferedParts, agents: Agents): Pick<EngineCommands, 'abilities'> {
  return {
    async abilities({ platform, agent: wanted }) {
      const agent = agents.at({ agent: wanted });
      return {
        agent: agent.name,
        agents: agents.all().map(({ name, model, models }) => ({
          name,
          ...defined({ model: models?.[0].model ?? model?.modelID }),
        })),
        tools: offeredTools(parts, agent, { platform, canAsk: true }).map(
          ({ name, description, otherwise }) => {
            const verdict = parts.permissions.verdict(name, { platform, otherwise });
            return { name, description, verdict: verdict === 'ask' ? 'ask' : 'allow' };
          },
        ),
      };
    },
  };
}
