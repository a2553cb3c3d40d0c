// Security profiles: one word for a channel, and what it sets. Each piece can be set on its own. Pure.
import { type CommandName, commandNames } from './command-table.ts';

/**
 * `operator`: nothing narrower than the rest of the config. `trusted_team`: people who know each other; no foreign tools. `public_demo`:
 * anyone; no tools but those that ask back, each chat remembers only itself, few commands.
 */
export const profileNames = ['operator', 'trusted_team', 'public_demo'] as const;
type ProfileName = (typeof profileNames)[number];

/** How far a chat is reminded: of all that everyone there may recall, or of itself alone. */
export const memoryReaches = ['shared', 'chat-only'] as const;

export interface Profile {
  /** Names and patterns (`*`) of the tools that runs of the channel have, of those that their agent has; all when absent. */
  tools?: readonly string[] | undefined;
  memory: (typeof memoryReaches)[number];
  /** Commands that people other than owners may use; all that their role allows when absent. */
  commands?: readonly CommandName[] | undefined;
}

const presets: Readonly<Record<ProfileName, Profile>> = {
  operator: { memory: 'shared' },
  trusted_team: {
    tools: ['memory_*', 'todo_*', 'question', 'artifact', 'web_*'],
    memory: 'shared',
    commands: commandNames.filter((name) => name !== 'export'),
  },
  public_demo: {
    tools: ['todo_*', 'question'],
    memory: 'chat-only',
    commands: ['help', 'new', 'stop', 'retry', 'whoami', 'answer'],
  },
};

/** A profile's settings, each replaced by the config's own where it has one. */
export function profileOf(
  name: ProfileName,
  own: { [K in keyof Profile]?: Profile[K] | undefined },
): Profile {
  const { tools, memory, commands } = presets[name];
  return { tools: own.tools ?? tools, memory: own.memory ?? memory, commands: own.commands ?? commands };
}

/** Whether one of these names and patterns means the tool; all do when there are none. */
export function isToolOf({ tools }: Pick<Profile, 'tools'>, name: string): boolean {
  if (tools === undefined) return true;
  return tools.some((pattern) => {
    const source = pattern.split('*').map((piece) => piece.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    return new RegExp(`^${source.join('.*')}$`, 's').test(name);
  });
}
