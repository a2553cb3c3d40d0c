// From the config to what the engine is told of agents, tools and limits. Pure, but for what is missing.
import { ParleyError } from '#base/errors.ts';
import type { EngineOptions } from '#engine/engine.ts';
import type { Config } from './config/schema.ts';

type Settings = Pick<EngineOptions, 'agent' | 'agents' | 'bindings' | 'policy' | 'web' | 'mcp' | 'limits'>;
type Variables = Readonly<Record<string, string | undefined>>;
type McpServers = NonNullable<EngineOptions['mcp']>;

/** The engine's part of the config; a ParleyError `config_invalid` names a variable that an MCP server needs and that is not set. */
export function engineSettings(config: Config, variables: Variables): Settings {
  const { agent, agents, bindings, tools, mcp, model } = config;
  return {
    agent,
    agents: Object.entries(agents).map(([name, { model: modelID, ...profile }]) => ({
      name,
      ...profile,
      model: modelID === undefined ? undefined : { modelID },
    })),
    bindings,
    policy: { tools: tools.policy, channels: withoutAbsent(tools.channels) },
    web: tools.web ? { privateHosts: tools.webPrivateHosts } : undefined,
    mcp: Object.fromEntries(
      Object.entries(mcp).map(([name, server]): [string, McpServers[string]] => {
        const filled = (values: Record<string, string>) => fill(values, { server: name, variables });
        return [
          name,
          'command' in server
            ? { ...server, env: filled(server.env) }
            : { ...server, headers: filled(server.headers) },
        ];
      }),
    ),
    limits: {
      totalMs: model.totalSeconds * 1000,
      idleMs: model.idleSeconds * 1000,
      connectMs: model.connectSeconds * 1000,
      firstTokenMs: model.firstTokenSeconds * 1000,
      ...runLimits(config),
    },
  };
}

/** How long the files of runs are kept. */
export function runLimits({ runs }: Pick<Config, 'runs'>): {
  keptRuns: number;
  keptRunDays: number | undefined;
} {
  return { keptRuns: runs.keepCount, keptRunDays: runs.keepDays };
}

/** What MCP servers are given of the environment: never to be shown. */
export function mcpSecrets(settings: Settings): string[] {
  return Object.values(settings.mcp ?? {}).flatMap((server) =>
    Object.values('command' in server ? server.env : server.headers),
  );
}

function withoutAbsent<T>(values: Partial<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/** The values with `${NAME}` replaced from the environment, so that the config holds no secret. */
function fill(
  values: Record<string, string>,
  { server, variables }: { server: string; variables: Variables },
): Record<string, string> {
  const filled = (text: string): string =>
    text.replace(/\$\{(\w+)\}/g, (_, name: string) => {
      const value = variables[name];
      if (value !== undefined) return value;
      throw new ParleyError('config_invalid', `mcp.${server} needs the variable ${name}, which is not set.`, {
        cure: `Set ${name} in the environment or in .env.`,
      });
    });
  return Object.fromEntries(Object.entries(values).map(([name, text]) => [name, filled(text)]));
}
