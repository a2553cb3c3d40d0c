// Every command that can be said to the gateway itself: its words, what it takes, and who may. One table for text, menus and native commands, in one language.
import type { Role } from '#adapters/gateway/access/access-types.ts';

export interface CommandEntry {
  /** One line, at most 100 characters, as platforms show it next to the name. */
  help: string;
  /** What may follow the name. */
  takes?: string;
  /** Who may use it at all; what it changes may need more, which its handler says. */
  least: Role;
  /** Where menus list it; everywhere when absent. It may be typed anywhere. */
  listed?: 'in private' | 'not to members of rooms';
}

/** In the order in which they are listed. */
export const commandTable = {
  help: { help: 'what I can do here', least: 'guest' },
  new: {
    help: 'start a new conversation (what was written before stays in memory)',
    takes: '[TITLE]',
    least: 'guest',
  },
  sessions: { help: 'the conversations of this chat', takes: '[PAGE]', least: 'guest' },
  resume: { help: 'continue with an earlier conversation of this chat', takes: 'ID', least: 'guest' },
  rename: { help: 'give this conversation another title', takes: 'TITLE', least: 'guest' },
  status: { help: 'the status: model, conversation, channels', least: 'guest' },
  stop: { help: 'stop the answer that is being written', takes: '[ID]', least: 'guest' },
  retry: { help: 'answer your last message again', least: 'guest' },
  model: { help: 'which model answers here, or another one', takes: '[NAME|default]', least: 'guest' },
  agent: { help: 'which agent answers here, or another one', takes: '[NAME|default]', least: 'guest' },
  tools: { help: 'which tools I may use here', takes: '[PAGE]', least: 'guest' },
  memory: {
    help: 'what I remember: search, save, forget, recent, file, note',
    takes: 'search WORDS | save TEXT | forget ID | recent [PAGE] | file [NAME] | note TEXT',
    least: 'guest',
  },
  forget: {
    help: 'delete permanently all that I store of you',
    takes: 'me',
    least: 'guest',
    listed: 'in private',
  },
  whoami: { help: 'who you are to me', least: 'guest' },
  link: {
    help: 'make another account of yours yours here',
    takes: '[CODE]',
    least: 'guest',
    listed: 'in private',
  },
  pairings: { help: 'who waits to be admitted', least: 'guest', listed: 'in private' },
  approve: {
    help: 'approve for a tool, or admit someone',
    takes: '[ID] or CODE [NAME [same-person]]',
    least: 'guest',
    listed: 'not to members of rooms',
  },
  deny: {
    help: 'refuse approval for a tool, or turn someone away',
    takes: '[ID] or CODE',
    least: 'guest',
    listed: 'not to members of rooms',
  },
  answer: { help: 'answer a question of mine', takes: '[ID] TEXT', least: 'guest' },
  remind: {
    help: 'remind you of something, once or regularly',
    takes: 'WHEN TEXT',
    least: 'guest',
  },
  schedule: {
    help: 'let me do something at a time, once or regularly, and answer here',
    takes: 'WHEN TASK',
    least: 'member',
  },
  schedules: { help: 'what is scheduled here', takes: '[PAGE]', least: 'guest' },
  unschedule: { help: 'remove something that is scheduled', takes: 'ID', least: 'guest' },
  zone: { help: 'your time zone, or another one', takes: '[CITY]', least: 'guest', listed: 'in private' },
  quiet: {
    help: 'hours in which I send you nothing that is scheduled',
    takes: '[22:00-07:00|off]',
    least: 'guest',
    listed: 'in private',
  },
  usage: {
    help: 'tokens and cost of this conversation',
    least: 'member',
    listed: 'not to members of rooms',
  },
  export: {
    help: 'this conversation as a file; in private `me`: all that I store of you',
    takes: '[me]',
    least: 'member',
    listed: 'not to members of rooms',
  },
} as const satisfies Record<string, CommandEntry>;

export type CommandName = keyof typeof commandTable;

export const commandNames = Object.keys(commandTable) as CommandName[];

/**
 * Other words for a command: `/start` is what Telegram sends at first contact; the others are names of the version before, which
 * work for one version more.
 */
export const commandAliases: Readonly<Record<string, CommandName>> = {
  start: 'help',
  who: 'whoami',
  pair: 'pairings',
};

/** The command that a word means, whatever its case; undefined for any other word. */
export function commandMeant(word: string): CommandName | undefined {
  const lower = word.toLowerCase();
  if (Object.hasOwn(commandAliases, lower)) return commandAliases[lower];
  return commandNames.find((name) => name === lower);
}

/** The entry of a command, as the table's reader sees it. */
export function entryOf(name: CommandName): CommandEntry {
  return commandTable[name];
}
