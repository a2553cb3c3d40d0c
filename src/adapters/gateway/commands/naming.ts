// How a command is written in a place, and which signs begin one there. Pure.
import { type CommandName, entryOf } from './table.ts';

/** Where a command is named: in a room, a thread or a direct message of a platform. */
export type CommandPlace = { readonly platform: string };

/** A command with what follows it. */
export type CommandWords = CommandName | `${CommandName} ${string}`;

/**
 * Slack takes every message that begins with "/" for itself and runs no command of an app in a thread: what is typed begins with
 * another sign there.
 */
const slackSign = '!';

/** What a person types in this place: `/memory recent`, on Slack `!memory recent`. */
export function written({ platform }: CommandPlace, words: CommandWords): string {
  return `${platform === 'slack' ? slackSign : '/'}${words}`;
}

/** The same as code in Markdown, as every sentence names a command. Backticks of people's are taken out. */
export function named(place: CommandPlace, words: CommandWords): string {
  return `\`${written(place, words).replaceAll('`', "'")}\``;
}

/** The same for a place that is not known, such as another account of somebody's. */
export function namedAnywhere(words: CommandWords): string {
  return `${named({ platform: 'discord' }, words)} (on Slack ${named({ platform: 'slack' }, words)})`;
}

/** How a command is used: `/rename TITLE`, as code. */
export function usage(place: CommandPlace, name: CommandName): string {
  const { takes } = entryOf(name);
  return named(place, takes === undefined ? name : `${name} ${takes}`);
}

/** Whether this sign begins a command in this place: Slack brings a "/" behind a mention or a space, and from its own commands. */
export function isSign({ platform }: CommandPlace, sign: string): boolean {
  return sign === '/' || (sign === slackSign && platform === 'slack');
}
