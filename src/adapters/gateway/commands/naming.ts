// How a command is written in a place, and which signs begin one there. Pure.
import type { ChatKind } from '#adapters/gateway/address.ts';
import { type CommandName, entryOf } from './table.ts';

/** Where a command is named: in a room, a thread or a direct message of a platform. */
export interface CommandPlace {
  readonly platform: string;
  readonly kind?: ChatKind | undefined;
  readonly thread?: string | undefined;
}

/** A command with what follows it. */
export type CommandText = CommandName | `${CommandName} ${string}`;

/**
 * Slack takes every message that begins with "/" for itself and runs no command of an app in a thread: what is typed begins with
 * another sign there.
 */
const slackSign = '!';

/** What a person types in this place: `/memory recent`, on Slack `!memory recent`. */
export function written({ platform }: Pick<CommandPlace, 'platform'>, words: CommandText): string {
  return `${platform === 'slack' ? slackSign : '/'}${words}`;
}

/**
 * The same as code in Markdown, as every sentence names a command, with what else it takes there: at the top of a room on Slack only
 * what mentions the bot is for it. Backticks of people are taken out.
 */
export function named(place: CommandPlace, words: CommandText): string {
  const code = `\`${written(place, words).replaceAll('`', "'")}\``;
  const isAtTop = place.kind !== undefined && place.kind !== 'dm' && place.thread === undefined;
  return place.platform === 'slack' && isAtTop ? `${code} (after a mention of me)` : code;
}

/** The same for a place that is not known, such as another account of someone's. */
export function namedAnywhere(words: CommandText): string {
  return `${named({ platform: 'discord' }, words)} (on Slack ${named({ platform: 'slack' }, words)})`;
}

/** How a command is used: `/rename TITLE`, as code. */
export function usage({ platform }: CommandPlace, name: CommandName): string {
  const { takes } = entryOf(name);
  return named({ platform }, takes === undefined ? name : `${name} ${takes}`);
}

/** Whether this sign begins a command in this place: Slack brings a "/" behind a mention or a space, and from its own commands. */
export function isSign({ platform }: Pick<CommandPlace, 'platform'>, sign: string): boolean {
  return sign === '/' || (sign === slackSign && platform === 'slack');
}
