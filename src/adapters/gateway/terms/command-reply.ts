// What a command answers: refusals that are worded for who reads them, long lists in pages, ids short enough to be typed. Pure.

import type { Phrases } from '#adapters/gateway/phrases/en.ts';
import type { NameCommand } from '#adapters/gateway/phrases/forms.ts';
import { ParleyError } from '#base/errors.ts';

/** A sentence that is not chosen before its reader's language is known; `command` names commands as they are typed there. */
export type Wording = (phrases: Phrases, command: NameCommand) => string;

/** A command that is not carried out, and the sentence that says why and what to do. */
export class CommandRefusal extends ParleyError {
  readonly wording: Wording;

  constructor(wording: Wording) {
    super('command_refused', 'The command was refused.');
    this.wording = wording;
  }
}

/** Makes the error by which a command refuses: its sentence says why and what to do. */
export function refusal(wording: Wording): CommandRefusal {
  return new CommandRefusal(wording);
}

const pageLength = 10;

/** One page of a list, with the way to the next; `typed` is what followed the command, `words` what is typed before a page's number. */
export function paginate<T>(
  items: readonly T[],
  {
    typed,
    words,
    phrases,
    command,
  }: { typed: string; words: string; phrases: Phrases; command: NameCommand },
): { shown: readonly T[]; foot: string | undefined } {
  const pages = Math.max(1, Math.ceil(items.length / pageLength));
  const page = typed === '' ? 1 : Number(typed);
  if (!Number.isInteger(page) || page < 1 || page > pages)
    throw refusal(({ commands }, named) => commands.pages({ words, pages, command: named }));
  const shown = items.slice((page - 1) * pageLength, page * pageLength);
  if (pages === 1) return { shown, foot: undefined };
  const { commands } = phrases;
  const foot =
    page < pages ? commands.nextPage({ words, page, pages, command }) : commands.page({ page, pages });
  return { shown, foot: aside(foot) };
}

/** The end of an id, which people see and may type. */
export function shortOf(id: string): string {
  return id.slice(-6).toLowerCase();
}

/** What may be the end of an id as people type it; four characters are the fewest that name anything. */
export const shortID = /^`?\w{4,}`?$/;

/** What an id, or its end as it is shown, names among these; refused when it is none of them, or could be several. */
export function byShortID<T>(typed: string, items: readonly T[], idOf: (item: T) => string): T {
  const found = allByShortID(typed, items, idOf);
  const [one, ...more] = found;
  if (one !== undefined && more.length === 0) return one;
  throw refusal(({ commands }) =>
    one === undefined
      ? commands.unknownID({ typed: codeSpan(typed) })
      : commands.ambiguousID({ typed: codeSpan(typed), n: found.length }),
  );
}

/** All items whose ids end so, of four characters at least. */
export function allByShortID<T>(typed: string, items: readonly T[], idOf: (item: T) => string): T[] {
  const wanted = typed.replace(/[`\s]/g, '').toLowerCase();
  return items.filter((item) => wanted.length >= 4 && idOf(item).toLowerCase().endsWith(wanted));
}

/** A person's text as a Markdown code span that its backticks cannot close. */
export function codeSpan(text: string): string {
  return `\`${text.replaceAll('`', "'")}\``;
}

/** A person's text with Markdown's characters escaped. */
export function escapeMarkdown(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\\`*_~[\]<>|#]/g, (sign) => `\\${sign}`);
}

/** A remark of the bot about itself, in a form that an answer of the model does not have. */
export function aside(sentence: string): string {
  return `_(${sentence})_`;
}
