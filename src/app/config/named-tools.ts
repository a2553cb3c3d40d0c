// Every tool that a config names, with its key, and what is wrong with the names. Pure.
import type { z } from 'zod';
import { wrongToolName } from '#engine/wire/runs/tool-names.ts';
import type { agents as agentsSchema } from './agent-schema.ts';

type Names = readonly string[] | undefined;

/** What of a config names tools. Not picked from `Config`, whose schema uses this file. */
interface Naming {
  tools: { policy: object; channels: Readonly<Record<string, object | undefined>> };
  agent: { tools?: Names; deniedTools?: Names };
  assistants: Readonly<Record<string, { tools?: Names; deniedTools?: Names }>>;
  agents: z.infer<typeof agentsSchema>;
  channels: Readonly<Record<'discord' | 'telegram' | 'slack', { tools?: Names }>>;
}

/** All tool names and patterns of the config, each with the path of its key. */
export function namedTools({
  tools,
  agent,
  assistants,
  agents,
  channels,
}: Naming): { path: string[]; name: string }[] {
  const at = (path: readonly string[], names: readonly string[] = []) =>
    names.map((name) => ({ path: [...path], name }));
  return [
    ...at(['tools', 'policy'], Object.keys(tools.policy)),
    ...Object.entries(tools.channels).flatMap(([channel, rules]) =>
      at(['tools', 'channels', channel], Object.keys(rules ?? {})),
    ),
    ...[
      [['agent'], agent] as const,
      ...Object.entries(assistants).map(([name, one]) => [['assistants', name], one] as const),
    ].flatMap(([path, one]) => [
      ...at([...path, 'tools'], one.tools),
      ...at([...path, 'deniedTools'], one.deniedTools),
    ]),
    ...Object.entries(agents.team?.templates ?? {}).flatMap(([name, template]) => [
      ...at(['agents', 'team', 'templates', name, 'tools'], template.tools),
      ...at(['agents', 'team', 'templates', name, 'deniedTools'], template.deniedTools),
    ]),
    ...(['discord', 'telegram', 'slack'] as const).flatMap((name) =>
      at(['channels', name, 'tools'], channels[name].tools),
    ),
  ];
}

/** One message for each name or pattern that means no tool, with its key's path. */
export function wrongToolNames(config: Naming & { mcp: object }): { path: string[]; message: string }[] {
  const servers = Object.keys(config.mcp);
  return namedTools(config).flatMap(({ path, name }) => {
    const message = wrongToolName(name, servers);
    return message === undefined ? [] : [{ path, message }];
  });
}
