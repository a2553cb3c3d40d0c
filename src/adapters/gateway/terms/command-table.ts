// Every command of the gateway: who may use it, and where menus list it. One table for text, menus and native commands.

import type { Phrases } from '#adapters/gateway/phrases/en.ts';
import type { Role } from './role.ts';

interface CommandEntry {
  /** Who may use it at all; what it changes may need more, which its handler says. */
  least: Role;
  /** Where menus list it; everywhere when absent. It may be typed anywhere. */
  listed?: 'in private' | 'not to members of rooms';
  /** It shows or changes what was written: it waits until the engine has every edit and deletion that came before it. */
  remembers?: true;
}

/** A command has its description in each language (`phrases/en/menu.ts`). */
export type CommandName = keyof Phrases['menu'];

/** In the order in which they are listed. */
export const commandTable: Readonly<Record<CommandName, CommandEntry>> = {
  help: { least: 'guest' },
  new: { least: 'guest' },
  sessions: { least: 'guest', remembers: true },
  resume: { least: 'guest', remembers: true },
  rename: { least: 'guest' },
  status: { least: 'guest' },
  stop: { least: 'guest' },
  mission: { least: 'guest' },
  retry: { least: 'guest' },
  compact: { least: 'guest', remembers: true },
  context: { least: 'guest' },
  delete: { least: 'guest', remembers: true },
  model: { least: 'guest' },
  assistant: { least: 'guest' },
  tools: { least: 'guest' },
  voice: { least: 'guest' },
  memory: { least: 'guest', remembers: true },
  'active-memory': { least: 'guest' },
  recap: { least: 'guest', remembers: true },
  decisions: { least: 'guest', remembers: true },
  lessons: { least: 'guest', remembers: true },
  open: { least: 'guest', remembers: true },
  done: { least: 'member', remembers: true },
  park: { least: 'member', remembers: true },
  handoff: { least: 'member', remembers: true },
  forget: { least: 'guest', remembers: true, listed: 'in private' },
  whoami: { least: 'guest' },
  link: { least: 'guest', listed: 'in private' },
  pairings: { least: 'guest', listed: 'in private' },
  approve: { least: 'guest', listed: 'not to members of rooms' },
  deny: { least: 'guest', listed: 'not to members of rooms' },
  answer: { least: 'guest' },
  remind: { least: 'guest' },
  schedule: { least: 'member' },
  schedules: { least: 'guest' },
  unschedule: { least: 'guest' },
  zone: { least: 'guest', listed: 'in private' },
  quiet: { least: 'guest', listed: 'in private' },
  usage: { least: 'member', listed: 'not to members of rooms' },
  export: { least: 'member', remembers: true, listed: 'not to members of rooms' },
};

export const commandNames = Object.keys(commandTable) as CommandName[];

/** Other words for a command: `/start` is what Telegram sends at first contact. */
const commandAliases: Readonly<Record<string, CommandName>> = {
  start: 'help',
  // Telegram's menu takes no hyphen
  active_memory: 'active-memory',
};

/** The command that a word means, in any case and by its aliases; undefined for any other word. */
export function commandMeant(word: string): CommandName | undefined {
  const lower = word.toLowerCase();
  if (Object.hasOwn(commandAliases, lower)) return commandAliases[lower];
  return commandNames.find((name) => name === lower);
}

/** The table's entry of a command: the least role, and where menus list it. */
export function commandEntry(name: CommandName): CommandEntry {
  return commandTable[name];
}
