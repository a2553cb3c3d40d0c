// How a command is written on a platform, and which characters begin one there. Pure.

import type { Phrases } from '#adapters/gateway/phrases/en.ts';
import type { NameCommand } from '#adapters/gateway/phrases/forms.ts';
import type { ChatKind } from './address.ts';
import type { CommandName } from './command-table.ts';

/** Where a command is named: in a room, a thread or a direct message of a platform. */
export interface CommandPlace {
  readonly platform: string;
  readonly kind?: ChatKind | undefined;
  readonly thread?: string | undefined;
}

/** The phrases for two kinds of places. */
type CommandPhrases = Pick<Phrases, 'commands'>;

/**
 * Slack takes every message that begins with "/" for itself and runs no command of an app in a thread: what is typed begins with
 * another sign there.
 */
const slackSign = '!';

/** What a person types in this place: `/memory recent`, on Slack `!memory recent`. */
export function written({ platform }: Pick<CommandPlace, 'platform'>, words: string): string {
  const typed = platform === 'telegram' ? underscored(words) : words;
  return `${platform === 'slack' ? slackSign : '/'}${typed}`;
}

/** The words with hyphens of the command's name as underscores, since Telegram allows no hyphens there. */
export function underscored(words: string): string {
  return words.replace(/^\S+/, (name) => name.replaceAll('-', '_'));
}

const codeIn = (place: Pick<CommandPlace, 'platform'>, words: string): string =>
  `\`${written(place, words).replaceAll('`', "'")}\``;

/**
 * Names commands as code in Markdown, with what else they take in this place: at the top of a room on Slack only what mentions the
 * bot is for it. Backticks of people are taken out.
 */
export function commandNamer(place: CommandPlace, { commands }: CommandPhrases): NameCommand {
  const isAtTop = place.kind !== undefined && place.kind !== 'dm' && place.thread === undefined;
  return (words) => {
    const code = codeIn(place, words);
    return place.platform === 'slack' && isAtTop ? commands.afterMention({ code }) : code;
  };
}

/** The same for a place that is not known, such as another account of someone's. */
export function anywhereNamer({ commands }: CommandPhrases): NameCommand {
  return (words) =>
    commands.orOnSlack({
      code: codeIn({ platform: 'discord' }, words),
      onSlack: codeIn({ platform: 'slack' }, words),
    });
}

/** How a command is used: `/rename TITLE`, as code. */
export function usage(
  { platform }: CommandPlace,
  name: CommandName,
  { menu }: Pick<Phrases, 'menu'>,
): string {
  const entry = menu[name];
  return codeIn({ platform }, 'takes' in entry ? `${name} ${entry.takes}` : name);
}

/**
 * Whether this character begins a command on the platform. On Slack `/` counts only behind a mention or a space, and from Slack's own
 * commands.
 */
export function isSign({ platform }: Pick<CommandPlace, 'platform'>, sign: string): boolean {
  return sign === '/' || (sign === slackSign && platform === 'slack');
}
