// Which messages are commands, and which miss one by a letter or two. Everything else goes to the assistant, a bare "yes" too. Pure.
import { closest, distance } from 'fastest-levenshtein';
import { isSign } from './command-names.ts';
import { type CommandName, commandMeant, commandNames } from './command-table.ts';
import type { InboundEvent } from './inbound.ts';

export interface ParsedCommand {
  name: CommandName;
  /** What follows the name, as it was written except for spaces at its ends. */
  args: string;
}

/** The command that is nearest to what was typed, where it is no further than a third of the word's length: `/hepl`. */
export function nearMissOf(event: InboundEvent): CommandName | undefined {
  if (event.type !== 'message' || event.actor.isBot || commandOf(event) !== undefined) return undefined;
  // a word behind any other sign than "/" may be meant unchanged: "!now"
  const [, word = ''] = /^\/([a-z][a-z_-]{2,})$/i.exec(event.text.trim()) ?? [];
  const typed = word.toLowerCase();
  const nearest = closest(typed, commandNames);
  return distanceOf(typed, nearest) <= nearest.length / 3 ? (nearest as CommandName) : undefined; // it is one of them
}

/** Letters to change; two neighbours that were exchanged count as one, as fingers do that. */
function distanceOf(typed: string, name: string): number {
  const exchanged = [...typed.slice(1)].map(
    (letter, at) => typed.slice(0, at) + letter + typed.charAt(at) + typed.slice(at + 2),
  );
  return Math.min(distance(typed, name), ...exchanged.map((each) => 1 + distance(each, name)));
}

/**
 * The command that a message is, or undefined: an unknown `/word` is an ordinary message, and so is whatever a bot says. On Slack a
 * command begins with "!" too. A suffix
 * (`/new@name`) counts where no adapter could find out whose it is; Telegram's takes its own off, and leaves those of other bots. A sign with
 * which people end a word (`/stop!`) is no part of it.
 */
export function commandOf(event: InboundEvent): ParsedCommand | undefined {
  if (event.type !== 'message' || event.actor.isBot) return undefined;
  const [, sign = '', word = '', suffix, args = ''] =
    /^([/!])([a-z][a-z_-]*)(@\S+)?[.,;:!?…]*(?:\s+([\s\S]*))?$/i.exec(event.text.trim()) ?? [];
  if (!isSign(event.address, sign)) return undefined;
  if (suffix !== undefined && event.address.platform === 'telegram') return undefined;
  const name = commandMeant(word);
  return name === undefined ? undefined : { name, args: args.trim() };
}
